/* cli/common: a child process (the simulator, a compiler): signals pass through, and the parent
 * outlives it to clean up. */
#ifndef CLI_COMMON_CHILD_H
#define CLI_COMMON_CHILD_H

#include "base/base.h"

/* From hold to release SIGINT, SIGTERM, SIGHUP and SIGQUIT wait, so that nothing is left behind. */
void cli_child_hold_signals(void);
void cli_child_release_signals(void);
/* Runs argv (argv[0]: path) with signals passed on to it; its wait status. Between hold and
 * release. */
int cli_child_run(char **argv);
/* The same with its output in the given files and its temporary ones in folder (a killed run cannot
 * clean up); holds and releases by itself. */
int cli_child_run_quietly(char **argv, const char *folder, const char *out, const char *err);
/* the signal that the last child was passed; 0: none. The child may have taken it for an exit code
 */
int cli_child_heard(void);
/* The signal that stopped a child of that wait status, whose run then has not failed: it has not
 * been run. 0: none did. */
int cli_child_stopped(int status);
/* Ends as a child of that wait status ended: returns its exit code, or dies of its signal. After
 * release. */
int cli_child_end(int status);
/* "exit code 3", "signal 11 (Segmentation fault)". Free with g_free */
char *cli_child_failed(int status);
/* What it printed into that file, as UTF-8; "" if nothing. Free with g_free. */
char *cli_child_printed(const char *path);
/* Its last lines, of what a failed run has to say; NULL: none. Free with g_free. */
char *cli_child_last_words(const char *path);
/* A new folder of ours alone in TMPDIR, or /tmp; name ends in XXXXXX. Those that a killed command
 * of ours left there go. Free with g_free. */
char *cli_child_folder(const char *name, GError **error);
void cli_child_remove(const char *folder); /* with all that is in it */

#endif
