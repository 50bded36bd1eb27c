/* Members of an object, and arrays. */
#include "report/json/values.h"
#include "report/source/source.h"

#include <math.h>

void report_json_word(JsonBuilder *b, const char *key, const char *value)
{
    json_builder_set_member_name(b, key);
    if (value && g_utf8_validate(value, -1, NULL))
        json_builder_add_string_value(b, value);
    else if (value) {
        g_autofree char *valid = g_utf8_make_valid(value, -1);
        json_builder_add_string_value(b, valid);
    } else
        json_builder_add_null_value(b);
}

void report_json_count(JsonBuilder *b, const char *key, uint64_t value)
{
    json_builder_set_member_name(b, key);
    json_builder_add_int_value(b, (gint64)MIN(value, (uint64_t)G_MAXINT64));
}

void report_json_integer(JsonBuilder *b, const char *key, int value)
{
    json_builder_set_member_name(b, key);
    json_builder_add_int_value(b, value);
}

void report_json_number(JsonBuilder *b, const char *key, double value)
{
    json_builder_set_member_name(b, key);
    if (isfinite(value))
        json_builder_add_double_value(b, value);
    else
        json_builder_add_null_value(b);
}

void report_json_begin(JsonBuilder *b, const char *key)
{
    json_builder_set_member_name(b, key);
    json_builder_begin_array(b);
}

void report_json_at(JsonBuilder *b, const char *key, const struct report_run *run, op_site site)
{
    report_json_word(b, key, report_site(run->program, site));
}
