/* split: a program as a part that each rank has for itself and one that all share. Inside cli/run,
 * not a door. */
#ifndef CLI_RUN_SPLIT_H
#define CLI_RUN_SPLIT_H

#include "base/elf/elf.h"

struct cli_run_split {
    char *copy, *text; /* free with g_free */
    gsize copy_bytes, text_bytes;
};
/* The file's program: `copy` is loaded for each rank, `text` is mapped over it from where it begins
 * when it starts. False: it cannot be shared. */
bool cli_run_split(const struct base_elf *file, const Elf64_Ehdr *head,
                   struct cli_run_split *split);

#endif
