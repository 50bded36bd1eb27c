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
/* Bytes of the file's variables, initialized or not: every rank has its own. */
uint64_t cli_run_variables(const char *program);
/* Does this host allow so many ranks, each with a copy of the program and of the libraries (a name
 * and a file of each, NULL ended), and has it memory for them? force: memory is not asked for. */
bool cli_run_fits(int ranks, const char *program, char *const *library, bool force, GError **error);

#endif
