/* fits: does this host allow the mappings that so many ranks need, and has it the memory? SimGrid
 * ends in a back trace where it does not, and the kernel ends the run without a word. */
#include "cli/run/parts.h"
#include "cli/run/run.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Counted in /proc/self/maps: a rank's copy of the program, of a library that belongs to it, its
 * stack, and some heap; and what the simulator itself has. */
enum { OF_TEN_RANKS = 61, OF_TEN_LIBRARIES = 50, OF_SIMULATOR = 400 };

/* Memory of runs of an empty program on every machine with 16 to 4096 ranks, rounded down: what a
 * rank takes before it does anything, and the simulator. */
enum { KIB_OF_RANK = 48, KIB_OF_SIMULATOR = 36 << 10, MIB = 1 << 20 };

static bool mappings_fit(int ranks, int libraries, GError **error)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents("/proc/sys/vm/max_map_count", &text, NULL, NULL)) return true;
    int64_t most = strtoll(text, NULL, 10),
            need =
                (int64_t)ranks * (OF_TEN_RANKS + libraries * OF_TEN_LIBRARIES) / 10 + OF_SIMULATOR;
    if (need <= most) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                "%d ranks need some %" G_GINT64_FORMAT
                " memory mappings, and this computer allows a process %" G_GINT64_FORMAT
                " (as root: sysctl -w vm.max_map_count=%" G_GINT64_FORMAT ")",
                ranks, need, most, need * 2);
    return false;
}

/* Free memory of the host, swap space with it; infinite: it does not say. */
static double host_has(void)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents("/proc/meminfo", &text, NULL, NULL)) return INFINITY;
    const char *available = strstr(text, "MemAvailable:"), *swap = strstr(text, "SwapFree:");
    if (!available || !swap) return INFINITY;
    return (strtod(strchr(available, ':') + 1, NULL) + strtod(strchr(swap, ':') + 1, NULL)) * 1024;
}

/* Each copy of gfortran's library takes two keys for thread-specific data (for recursive errors and
 * for random numbers), and does not ask whether it got them; the simulator takes some, too. */
static bool keys_fit(int ranks, GError **error)
{
    enum { OF_SIMULATOR_TOO = 32 };
    const long keys = sysconf(_SC_THREAD_KEYS_MAX);
    const int most = keys > OF_SIMULATOR_TOO ? (int)(keys - OF_SIMULATOR_TOO) / 2 : INT_MAX;
    if (ranks <= most) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                "%d ranks: a program in Fortran may have up to %d here. Each has a copy of "
                "gfortran's library, which takes two of %ld keys for thread-specific data "
                "(PTHREAD_KEYS_MAX)",
                ranks, most, keys);
    return false;
}

bool cli_run_fits(int ranks, const char *program, char *const *library, bool force, GError **error)
{
    int libraries = 0;
    uint64_t variables = cli_run_variables(program);
    for (int i = 0; library[i]; i += 2, libraries++) variables += cli_run_variables(library[i + 1]);
    if (cli_run_fortran(library) && !keys_fit(ranks, error)) return false;
    if (!mappings_fit(ranks, libraries, error)) return false;
    double has = host_has(),
           need = (KIB_OF_RANK * 1024.0 + (double)variables) * ranks + KIB_OF_SIMULATOR * 1024.0;
    if (need <= has || force) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                "%d ranks with %.0f MiB of variables each need up to %.0f MiB of memory. This "
                "computer has %.0f MiB free (--force: run all the same)",
                ranks, (double)variables / MIB, need / MIB, has / MIB);
    return false;
}
