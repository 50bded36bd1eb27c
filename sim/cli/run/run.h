/* cli/run: `sidewinder run`, `mpirun` and `gdb`, and what it reads from a program's file. */
#ifndef CLI_RUN_RUN_H
#define CLI_RUN_RUN_H

#include "base/base.h"

int cli_run(int argc, char **argv);
/* The same with the options of other launchers. */
int cli_mpirun(int argc, char **argv);
/* The same under gdb. */
int cli_gdb(int argc, char **argv);

/* The file that `name` means: as it stands, or by PATH when it has no slash; absolute. Refuses what
 * is not an executable ELF file of this host, or was not built by `sidewinder cc`. Free with
 * g_free. */
char *cli_run_program(const char *name, GError **error);
/* The Fortran library a program needs, "libgfortran.so.5"; NULL: none. Its units, its random
 * numbers belong to one rank. */
char *cli_run_fortran_library(const char *program);
/* Bytes of the variables that every rank has of its own, initialized or not. */
uint64_t cli_run_variables(const char *program);
/* Does this host allow so many ranks, each with a copy of the program and, perhaps, of a library,
 * and has it memory for them? force: memory is not asked for. */
bool cli_run_fits(int ranks, bool library, uint64_t variables, bool force, GError **error);

#endif
