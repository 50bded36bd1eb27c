/* The errors as SARIF 2.1.0 (Static Analysis Results Interchange Format, OASIS standard, 2020), for
 * editors and code review. Left out: fixes, code flows, snippets. */
#include "cli/check/rows.h"
#include "cli/common/common.h"

#include "report/print/print.h"

#include <json-glib/json-glib.h>
#include <string.h>

static void add(JsonBuilder *b, const char *name, const char *value)
{
    json_builder_set_member_name(b, name);
    json_builder_add_string_value(b, value);
}

static void begin(JsonBuilder *b, const char *name)
{
    if (name) json_builder_set_member_name(b, name);
    json_builder_begin_object(b);
}

static void text(JsonBuilder *b, const char *name, const char *value)
{
    begin(b, name);
    add(b, "text", value);
    json_builder_end_object(b);
}

/* "halo.c:14" */
static void location(JsonBuilder *b, const char *place, const char *message)
{
    const char *colon = place ? strrchr(place, ':') : NULL;
    gint64 line = colon ? g_ascii_strtoll(colon + 1, NULL, 10) : 0;
    if (line <= 0) return;
    g_autofree char *path = g_strndup(place, (gsize)(colon - place)),
                    *uri = g_uri_escape_string(path, "/", FALSE);
    json_builder_begin_object(b);
    begin(b, "physicalLocation");
    begin(b, "artifactLocation");
    add(b, "uri", uri);
    json_builder_end_object(b);
    begin(b, "region");
    json_builder_set_member_name(b, "startLine");
    json_builder_add_int_value(b, line);
    json_builder_end_object(b);
    json_builder_end_object(b);
    if (message) text(b, "message", message);
    json_builder_end_object(b);
}

static void locations(JsonBuilder *b, const char *name, const char *place, const char *message)
{
    json_builder_set_member_name(b, name);
    json_builder_begin_array(b);
    location(b, place, message);
    json_builder_end_array(b);
}

/* Each rule once, in the order of the rows that break it. */
static GPtrArray *rules_of(const GArray *rows)
{
    GPtrArray *rules = g_ptr_array_new();
    for (guint i = 0; i < rows->len; i++) {
        const struct cli_check_row *row = &g_array_index(rows, struct cli_check_row, i);
        if (!g_ptr_array_find_with_equal_func(rules, row->rule, g_str_equal, NULL))
            g_ptr_array_add(rules, (void *)(uintptr_t)row->rule);
    }
    return rules;
}

static void tool(JsonBuilder *b, const GPtrArray *rules)
{
    begin(b, "tool");
    begin(b, "driver");
    add(b, "name", "Sidewinder");
    add(b, "version", SIDEWINDER_VERSION);
    json_builder_set_member_name(b, "rules");
    json_builder_begin_array(b);
    for (guint i = 0; i < rules->len; i++) {
        json_builder_begin_object(b);
        add(b, "id", rules->pdata[i]);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    json_builder_end_object(b);
    json_builder_end_object(b);
}

static const char *level(const char *class)
{
    return strcmp(class, "error") == 0 ? "error" : strcmp(class, "note") == 0 ? "note" : "warning";
}

static void result(JsonBuilder *b, const struct cli_check_row *row, const GPtrArray *rules,
                   char *const *machine)
{
    guint rule = 0;
    g_ptr_array_find_with_equal_func((GPtrArray *)(uintptr_t)rules, row->rule, g_str_equal, &rule);
    json_builder_begin_object(b);
    add(b, "ruleId", row->rule);
    json_builder_set_member_name(b, "ruleIndex");
    json_builder_add_int_value(b, rule);
    add(b, "level", level(row->class));
    text(b, "message", row->message);
    locations(b, "locations", row->at, NULL);
    locations(b, "relatedLocations", row->other, "the other side");
    begin(b, "properties");
    add(b, "class", row->class);
    begin(b, "consequence");
    for (guint i = 0; i < row->did->len; i++) add(b, machine[i], row->did->pdata[i]);
    json_builder_end_object(b);
    json_builder_end_object(b);
    json_builder_end_object(b);
}

bool cli_check_sarif(const char *file, const GArray *rows, char *const *machine, GError **error)
{
    g_autoptr(JsonBuilder) b = json_builder_new();
    g_autoptr(GPtrArray) rules = rules_of(rows);
    json_builder_begin_object(b);
    add(b, "$schema",
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json");
    add(b, "version", "2.1.0");
    json_builder_set_member_name(b, "runs");
    json_builder_begin_array(b);
    json_builder_begin_object(b);
    tool(b, rules);
    json_builder_set_member_name(b, "results");
    json_builder_begin_array(b);
    for (guint i = 0; i < rows->len; i++)
        result(b, &g_array_index(rows, struct cli_check_row, i), rules, machine);
    json_builder_end_array(b);
    json_builder_end_object(b);
    json_builder_end_array(b);
    json_builder_end_object(b);
    g_autofree char *text = cli_json_text(b);
    return report_put_file(file, text, strlen(text), error);
}
