/* Members of a JSON object; private to report/json. */
#ifndef REPORT_JSON_VALUES_H
#define REPORT_JSON_VALUES_H

#include "op/op.h"
#include "report/run/run.h"

#include <json-glib/json-glib.h>

/* text that is not UTF-8 is repaired; NULL: null */
void report_json_word(JsonBuilder *b, const char *key, const char *value);
void report_json_count(JsonBuilder *b, const char *key, uint64_t value);
void report_json_integer(JsonBuilder *b, const char *key, int value);
void report_json_number(JsonBuilder *b, const char *key, double value); /* not finite: null */
void report_json_begin(JsonBuilder *b, const char *key);                /* an array */
/* the line of a place in the program */
void report_json_at(JsonBuilder *b, const char *key, const struct report_run *run, op_site site);

/* where.c: members "lines", "stalls", "variables", "calls", "causes", "locks"; if it was asked for,
 * "path_from_s", "path_parts" and "path". */
void report_json_where(JsonBuilder *b, const struct report_run *run);

#endif
