/* cli/common: a machine that a command names, for several runs. */
#ifndef CLI_COMMON_MACHINE_H
#define CLI_COMMON_MACHINE_H

#include "base/base.h"

/* A machine that is no plain file (a pipe) can be read once: it is copied into folder, under that
 * name, and *machine becomes its path. Others, and NULL, are left. False: *error. */
bool cli_machine_keep(char **machine, const char *folder, const char *name, GError **error);

#endif
