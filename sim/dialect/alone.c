/* A program that was started without `sidewinder run`, as AC_RUN_IFELSE and ./a.out do, is one
 * rank.
 *
 * SMPI has no MPI without a simulation, so the program is executed again under `sidewinder run -q`.
 * Output that the first start still holds in its buffers is dropped with it; input that it has read
 * from a pipe, and output that it has written, is not undone. */
#include "dialect/alone.h"

#include "base/base.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char again[] = "SIDEWINDER_ALONE";

/* How many ranks were asked for by what started the program: MPICH, Open MPI, Slurm. */
static int ranks_wanted(void)
{
    static const char *const size[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"};
    for (size_t i = 0; i < G_N_ELEMENTS(size); i++)
        if (getenv(size[i])) return atoi(getenv(size[i]));
    return 1;
}

/* bin/sidewinder beside the lib folder that this code was loaded from. Free with g_free. */
static char *command(void)
{
    Dl_info self;
    if (!dladdr(again, &self)) return NULL;
    g_autofree char *folder = g_path_get_dirname(self.dli_fname);
    return g_build_filename(folder, "..", "bin", "sidewinder", NULL);
}

/* The arguments the program was started with, NULL ended. */
static char **arguments(void)
{
    GPtrArray *words = g_ptr_array_new();
    char *text = NULL;
    gsize length = 0;
    if (g_file_get_contents("/proc/self/cmdline", &text, &length, NULL))
        for (char *word = text; word < text + length; word += strlen(word) + 1)
            g_ptr_array_add(words, word);
    g_ptr_array_add(words, NULL);
    return (char **)g_ptr_array_free(words, FALSE);
}

void dialect_alone(void)
{
    g_autofree char *path = command(), *program = g_file_read_link("/proc/self/exe", NULL);
    int ranks = ranks_wanted();
    if (path && program && !getenv(again)) {
        if (ranks > 1)
            fprintf(stderr,
                    "sidewinder: this program is one rank, not one of %d: use sidewinder run -m "
                    "MACHINE -n %d\n",
                    ranks, ranks);
        const char *first[] = {path, "run", "-q", "-m", "smp", "-n", "1", "--", program};
        GPtrArray *argv = g_ptr_array_new();
        for (size_t i = 0; i < G_N_ELEMENTS(first); i++) g_ptr_array_add(argv, (char *)first[i]);
        for (char **word = arguments() + 1; *word; word++) g_ptr_array_add(argv, *word);
        g_ptr_array_add(argv, NULL);
        setenv(again, "1", 1);
        execv(path, (char **)argv->pdata);
        fprintf(stderr, "sidewinder: cannot run %s: %s\n", path, strerror(errno));
    }
    fputs("this program runs under Sidewinder: sidewinder run -m MACHINE -n RANKS ./program\n",
          stderr);
    exit(2);
}
