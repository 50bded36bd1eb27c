/* cli, inside: the pieces of `sidewinder run`. Not a door. */
#ifndef CLI_RUN_PARTS_H
#define CLI_RUN_PARTS_H

#include "base/base.h"

/* ---- the program (run_program.c) ------------------------------------------------------------- */

/* The file that `name` means: as it stands, or by PATH when it has no slash; absolute. Refuses what
 * is no executable ELF file of this host, or was not built by `sidewinder cc`. Free with g_free. */
char *cli_run_program(const char *name, GError **error);
/* The Fortran library a program needs, "libgfortran.so.5"; NULL: none. Its units, its random
 * numbers belong to one rank. */
char *cli_run_fortran_library(const char *program);
/* An output file named on the command line, absolute; "-" stays. Refuses what cannot be written,
 * and makes nothing. */
char *cli_run_output(const char *option, const char *name, GError **error);

/* ---- the simulator (run_child.c) ------------------------------------------------------------- */

/* From hold to release SIGINT, SIGTERM, SIGHUP and SIGQUIT wait, so that nothing is left behind. */
void cli_run_hold_signals(void);
void cli_run_release_signals(void);
/* Runs argv (argv[0]: path) with signals passed on to it; its wait status. Between hold and
 * release. */
int cli_run_child(char **argv);
/* the signal that the last cli_run_child passed on; 0: none. The child may have taken it for an
 * exit code */
int cli_run_heard(void);
/* Ends as a child of that wait status ended: returns its exit code, or dies of its signal. After
 * release. */
int cli_run_end(int status);
/* A new folder of ours alone in TMPDIR, or /tmp; name ends in XXXXXX. Free with g_free. */
char *cli_run_folder(const char *name, GError **error);
void cli_run_remove(const char *folder); /* with all that is in it */

#endif
