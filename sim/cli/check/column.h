/* cli/check, inside: a machine's runs of the program. Not a door. */
#ifndef CLI_CHECK_COLUMN_H
#define CLI_CHECK_COLUMN_H

#include "cli/check/rows.h"

#include <json-glib/json-glib.h>

/* What all runs have in common. */
struct cli_check_runs {
    const char *ranks, *rules, *folder; /* rules NULL: the default */
    char **program;                     /* with its arguments, NULL ended */
};
/* A machine, and its run as the program is. */
struct cli_check_column {
    const char *name;       /* "now --set serve.when=completion" */
    char *title, **machine; /* its words; one that came through a pipe is kept */
    JsonParser *parser;     /* NULL: the machine cannot run the program */
    char *out, *printed;
    char *why; /* what was printed on standard error */
    int status, which;
};

void cli_check_run(struct cli_check_column *column, const struct cli_check_runs *runs);
void cli_check_column_clear(struct cli_check_column *column);
/* What the run reports. Of it: that list; a word of an object, NULL: none; an object in it. */
JsonObject *cli_check_root(const struct cli_check_column *column);
JsonArray *cli_check_list(const struct cli_check_column *column, const char *key);
const char *cli_check_word(JsonObject *object, const char *key);
JsonObject *cli_check_inner(JsonObject *object, const char *key);

/* What the error did: runs the program again with the pair watched, and with each of the two
 * accesses complete before the other begins, and compares what the pair's own bytes were. The
 * caller frees. NULL: they do not say. forced: was an order? stopped: the signal that stopped a
 * run.
 */
char *cli_check_forced(const struct cli_check_column *column, const struct cli_check_runs *runs,
                       const char *pair, bool *forced, int *stopped);

/* Prints how the output differs between machines on which none of the first `judged` errors did
 * anything. (timing.c) */
void cli_check_timing(const GArray *rows, guint judged, const struct cli_check_column *column,
                      int columns);

/* Prints which code was not checked, and on which machines the program failed. On so many. (ends.c)
 */
int cli_check_ends(const struct cli_check_column *column, int columns);

#endif
