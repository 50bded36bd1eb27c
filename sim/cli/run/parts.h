/* cli/run, inside: the parts of `sidewinder run`. Not a door. */
#ifndef CLI_RUN_PARTS_H
#define CLI_RUN_PARTS_H

#include "mach/mach.h"

struct cli_run_options; /* options.h */
/* The run's description: run.ini without the names of its own folder, and its machine. Free both.
 * NULL: *error says what is wrong with the command line. */
GKeyFile *cli_run_describe(const struct cli_run_options *o, const char *program_name,
                           const char *command, struct mach **m, GError **error);

/* Runs what `file`, without the names of its folder, describes. The wait status; -1: it did not
 * start, *error. debugger: a command to run it under, or NULL. quiet: what it prints is dropped.
 * Signals are held. */
int cli_run_launch(const char *folder, GKeyFile *file, const struct mach *m, const char *debugger,
                   char **arguments, bool quiet, GError **error);
/* Writes into the folder what a rank loads of the program or library, under its name, in a folder
 * of that name. Its path; NULL: the file itself will do, or has to. *shared, unless shared is NULL:
 * the path of what all ranks have in common and the copies lack, or untouched. Free both with
 * g_free. */
char *cli_run_loaded(const char *program, const char *folder, const char *name, char **shared);
/* The program's shared libraries of which each rank has a copy: those that sidewinder cc has
 * linked, and gfortran's. The name by which it is asked for and its file, of each; NULL ended, free
 * with g_strfreev. NULL: one that it needs is not found, *error. */
char **cli_run_libraries(const char *program, GError **error);
#define CLI_RUN_NEEDS "needs" /* the key, in the description of a run, that has them */
/* Is gfortran's one of these? */
bool cli_run_fortran(char *const *libraries);
/* Where the libraries lie that the program looks for beside itself ($ORIGIN), with a colon between;
 * NULL: it does not. Free with g_free. */
char *cli_run_beside(const char *program);
/* Where the program's source may lie: here, beside it, and where its compiler was and read; NULL
 * ended, free with g_strfreev. */
char **cli_run_folders(const char *program);
/* Writes the page of the run that is over, whose trace `file` names. Where nothing is watched, a
 * second run, quiet and the same, films the memory of the first findings; arguments NULL: none
 * does. False: *error. */
bool cli_run_page(const char *folder, GKeyFile *file, const struct mach *m, char **arguments,
                  const char *page, GError **error);

#endif
