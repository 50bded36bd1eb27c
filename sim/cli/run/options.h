/* cli/run, inside: the options of `sidewinder run`. Not a door. */
#ifndef CLI_RUN_OPTIONS_H
#define CLI_RUN_OPTIONS_H

#include "cli/common/options.h"

/* As they were given; NULL: not at all. ranks G_MININT: likewise. */
struct cli_run_options {
    char *machine, *ranks_text, *quantum, *report, *json, *trace, *view, *profile, *graph;
    char **set, **watch;
    int ranks;
    char *rules, *order, *debugger, **pair;
    char *check_exit_text;
    int check_exit;
    gboolean check, check_memory, critical_path, label, profile_hits;
    gboolean quiet, help, version, force;
    struct cli_line line;
};
/* The command line; what is left of it is the program and its arguments. False: *error. */
bool cli_run_options_read(struct cli_run_options *o, int *argc, char ***argv, GError **error);
/* Is what a run needs there, and has each file a name? */
bool cli_run_options_complete(const struct cli_run_options *o, const char *program, GError **error);
/* Is each known, and are those there that it needs? */
bool cli_run_options_fit(const struct cli_run_options *o, GError **error);
void cli_run_options_clear(struct cli_run_options *o);

#endif
