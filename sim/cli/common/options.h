/* cli/common: the command line, as people write it. */
#ifndef CLI_COMMON_OPTIONS_H
#define CLI_COMMON_OPTIONS_H

#include "base/base.h"

/* A command that takes options, then a program with its own arguments. */
struct cli_synopsis {
    const char *command, *summary, *description; /* command: "sidewinder run" */
    const GOptionEntry *entries;
    const gboolean *help; /* where --help of entries is kept: then the help has been printed */
};
/* A command line that is being read. */
struct cli_line {
    char **words, **view; /* private */
};
/* Reads the options; *argv is then the command, the program and its arguments, and lives until
 * cli_line_clear. "-n2" is "-n 2". False: *error. */
bool cli_line_read(struct cli_line *line, const struct cli_synopsis *synopsis, int *argc,
                   char ***argv, GError **error);
void cli_line_clear(struct cli_line *line);

/* Reads a command's options; what is left of *argv is no option. "-j2" is "-j 2". command:
 * "sidewinder plot". False: *error, for an unknown option with the one that was probably meant. */
bool cli_options_read(GOptionContext *context, const GOptionEntry *entries, const char *command,
                      int *argc, char ***argv, GError **error);

/* An option's whole number, decimal however it begins. text NULL: the option is not there, *value
 * stays. False: *error names the option. */
bool cli_whole(const char *option, const char *text, int *value, GError **error);

/* Help on standard output, its lines wrapped. */
void cli_print_help(GOptionContext *context);

/* "sidewinder 0.1.0 (v0.1.0-3-gfbae12b)", the commit as git describe has it, where it is known and
 * not the release itself, on standard output. */
void cli_print_version(void);

#endif
