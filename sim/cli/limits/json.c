/* The tables of `sidewinder limits`, in JSON. */
#include "cli/common/common.h"
#include "cli/limits/parts.h"

#include "report/print/print.h"

#include <string.h>

static void number(JsonBuilder *b, const char *key, double value)
{
    json_builder_set_member_name(b, key);
    if (value < 0)
        json_builder_add_null_value(b);
    else
        json_builder_add_double_value(b, value);
}

static void word(JsonBuilder *b, const char *key, const char *value)
{
    json_builder_set_member_name(b, key);
    json_builder_add_string_value(b, value);
}

static void add_case(JsonBuilder *b, const struct cli_limit *c, const struct cli_limit *base)
{
    json_builder_begin_object(b);
    word(b, "name", c->name);
    if (c->was) word(b, "was", c->was);
    if (c->is) word(b, "is", c->is);
    word(b, "how", c->why ? "failed" : c->derived ? "derived" : "run");
    number(b, "time_s", c->why ? -1 : c->time_s);
    number(b, "share", c->share);
    number(b, "derived_s", c->derived_s);
    json_builder_set_member_name(b, "other_operations");
    json_builder_add_boolean_value(b, !c->why && cli_limit_other_course(c, base));
    json_builder_set_member_name(b, "other_order");
    json_builder_add_boolean_value(b, !c->why && cli_limit_other_order(c, base));
    json_builder_end_object(b);
}

bool cli_limit_json(const struct cli_limits *all, const char *file, GError **error)
{
    g_autoptr(JsonBuilder) b = json_builder_new();
    const struct cli_limit *base = all->cases->pdata[0];
    json_builder_begin_object(b);
    number(b, "time_s", base->time_s);
    number(b, "percent", all->percent);
    number(b, "balanced_s", all->balanced_s);
    json_builder_set_member_name(b, "slopes_hold");
    json_builder_add_boolean_value(b, all->good);
    json_builder_set_member_name(b, "local");
    json_builder_add_boolean_value(b, cli_limit_local(all));
    for (int parts = 0; parts < 2; parts++) {
        json_builder_set_member_name(b, parts ? "parts" : "keys");
        json_builder_begin_array(b);
        for (guint i = 1; i < all->cases->len; i++) {
            const struct cli_limit *c = all->cases->pdata[i];
            if ((c->keys > 0) == parts) add_case(b, c, base);
        }
        json_builder_end_array(b);
    }
    json_builder_end_object(b);
    g_autofree char *text = cli_json_text(b);
    return report_put_file(file, text, strlen(text), error);
}
