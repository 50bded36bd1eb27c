/* cli: the program `sidewinder` and its commands.
 *
 * A command is one file with one function: cli_run in run.c, named in commands.def. argv[0] is the
 * command's name. It returns the exit code: 0 done, 1 failed, 2 used wrongly; `run` passes the
 * program's own through. All know --help. Errors are one line on standard error that begins
 * "sidewinder COMMAND: ". Colour only where a terminal reads.
 */
#ifndef CLI_CLI_H
#define CLI_CLI_H

#include "base/base.h"

enum cli_exit { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

#define COMMAND(name, function, help) int function(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

/* A command as one could type it again: first as it stands, then the words, quoted where a shell
 * asks for it. Free with g_free. */
char *cli_words(const char *first, char **words);

/* An option's whole number, decimal however it begins. text NULL: the option is not there, *value
 * stays. False: *error names the option. */
bool cli_whole(const char *option, const char *text, int *value, GError **error);

/* The table of `sidewinder compare`, a column for each run's JSON file, on standard output. name:
 * of the columns; NULL: the machines', or the files' where machines are twins. */
bool cli_compare_table(char **path, char **name, int runs, GError **error);

#endif
