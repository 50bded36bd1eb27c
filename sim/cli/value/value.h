/* cli, inside: values out of a run's JSON, by path; for `sidewinder compare --key` and the measures
 * of an experiment. Not a door. */
#ifndef CLI_VALUE_H
#define CLI_VALUE_H

#include "base/base.h"

#include <json-glib/json-glib.h>

/* What `path` names: "time_s", "rank[1].service_s", "stale[*].load_at"; "operations[put].count" is
 * of those whose kind is put. The nodes (JsonNode, the array owns them) in the report's order,
 * possibly none. NULL: *error, not a path. Free with g_ptr_array_unref. */
GPtrArray *cli_value_find(JsonNode *root, const char *path, GError **error);
/* Is there an array in which the path's last [*] or [kind] chooses no element? Then "none" is an
 * answer, not a slip. */
bool cli_value_none_chosen(JsonNode *root, const char *path);
/* The first name in `path` that is not there, as it was probably meant: "; did you mean time_s?".
 * "" where none is near. Free with g_free. */
char *cli_value_meant(JsonNode *root, const char *path);
/* The value as text: words as they stand, numbers as JSON has them. Free with g_free. */
char *cli_value_text(JsonNode *node);
bool cli_value_number(JsonNode *node, double *number); /* false: it is none */

/* The sum of what the path names; 0 if there is nothing. */
double cli_value_sum(JsonNode *root, const char *path);

/* ---- measures (measure.c) -------------------------------------------------------------------- */

/* A line of [measure]: "json:time_s * 1e6", "json:sum(rank[*].stale_loads)", "line:took ([0-9.]+)
 * us". */
struct cli_measure;
struct cli_measure *cli_measure_new(const char *text, GError **error);
void cli_measure_free(struct cli_measure *measure);
bool cli_measure_reads_json(const struct cli_measure *measure);
/* Its value out of a run's JSON and what the program printed. NULL: *error says what was looked
 * for. Free with g_free. */
char *cli_measure_take(const struct cli_measure *measure, JsonNode *root, const char *printed,
                       GError **error);

#endif
