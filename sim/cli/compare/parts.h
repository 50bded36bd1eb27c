/* cli/compare, inside: a run as the table of `sidewinder compare` needs it. Not a door. */
#ifndef CLI_COMPARE_PARTS_H
#define CLI_COMPARE_PARTS_H

#include "cli/compare/compare.h"

#include "base/base.h"
#include "mach/mach.h"

#include <json-glib/json-glib.h>

/* report/run/run.h defines the four kinds of time; here they are means over the ranks, which add up
 * to a rank's mean time. */
struct cli_compare_run {
    char *name;
    gint64 check_errors; /* -1: accesses were not checked */
    gint64 ranks, stale_loads, violations, operations, operation_bytes;
    /* of the first-level caches */
    gint64 loads, stores, load_misses, store_misses, invalidations;
    /* all but time_s: means over the ranks */
    double time_s, compute_s, memory_s, service_s, wait_s;
    /* means over all operations */
    double latency_s, service_delay_s;
    double rank_time_s; /* mean over the ranks */
    gint64 slowest;
};

/* A run's JSON file, checked. NULL: *error names the file. */
JsonParser *cli_compare_parse(const char *path, GError **error);
/* Reads the stable keys only. run: cleared before; its name is to be freed with g_free. */
bool cli_compare_read(struct cli_compare_run *run, const char *path, GError **error);

/* The table, a column for each run's JSON file, on standard output. name: of the columns; NULL: the
 * machines', or the files' where two runs have one machine. */
bool cli_compare_table(char **path, char **name, int runs, GError **error);

/* What the keys name in each run's JSON file, on standard output, a value a line: as in the file,
 * for scripts. All of a file come before the next file's. keys: NULL ended. False: *error names the
 * key. */
bool cli_compare_print_keys(char **keys, char **path, int paths, GError **error);
/* The same for people: a line a key, "KEY: VALUE; VALUE", the runs' in order. keys: NULL ended, or
 * NULL. */
bool cli_compare_key_rows(char **keys, char **path, int paths, GError **error);

/* What the second of two runs (as it is, changed) does otherwise, in words on standard output.
 * root: their JSON; printed: their output; status: as wait has it. */
void cli_compare_differences(JsonNode *const *root, char *const *printed, const int *status);

/* `base`, then `set`, in which a value may be relative to that of the machine, "50%" or "x2"; NULL
 * ended lists, or NULL. False: *error; else the caller frees *changes with g_strfreev. */
bool cli_compare_changes(char **base, char **set, const struct mach *m, char ***changes,
                         GError **error);
/* Writes the JSON of both runs as one: {"as_it_is": ..., "changed": ...}. */
bool cli_compare_both(const char *path, char *const *json, GError **error);

#endif
