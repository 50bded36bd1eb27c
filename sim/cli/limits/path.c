/* The critical path of the run on the machine as it is, read from its JSON. */
#include "cli/limits/parts.h"
#include "cli/value/value.h"

#include "report/print/print.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 10 };

static double number(JsonObject *link, const char *key)
{
    return json_object_get_double_member_with_default(link, key, 0);
}

static const char *word(JsonObject *link, const char *key)
{
    return json_object_get_string_member_with_default(link, key, "?");
}

static void add_row(struct report_table *table, JsonObject *link, double all_s)
{
    const struct report_link_times times = {number(link, "time_s"), number(link, "compute_s"),
                                            number(link, "memory_s"), number(link, "service_s")};
    report_table_cell(table, report_time(times.time_s));
    report_table_cell(table, report_percent(times.time_s, all_s));
    report_table_cell(table, report_times((uint64_t)number(link, "count")));
    report_table_cell(
        table, report_link_words(word(link, "what"), word(link, "from"), word(link, "to"),
                                 (int)number(link, "rank"),
                                 json_object_get_boolean_member_with_default(link, "others", FALSE),
                                 &times));
}

char *cli_limit_path(JsonNode *root)
{
    JsonObject *run = json_node_get_object(root);
    if (!json_object_has_member(run, "path")) return g_strdup("");
    JsonArray *path = json_object_get_array_member(run, "path");
    const double all_s = cli_value_sum(root, "path[*].time_s");
    const guint n = json_array_get_length(path);
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out) g_error("no memory for the critical path");
    fputs("\nThe critical path, and its longest links\n", out);
    struct report_table *table = report_table_new("rRRL");
    for (guint i = 0; i < n && i < SHOWN; i++)
        add_row(table, json_array_get_object_element(path, i), all_s);
    report_table_print(table, out);
    if (n > SHOWN)
        fprintf(out, "  %u more: sidewinder run --critical-path --json FILE.\n", n - SHOWN);
    fclose(out);
    char *owned = g_strdup(text);
    free(text);
    return owned;
}
