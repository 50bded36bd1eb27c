/* fits: does this host allow the mappings that so many ranks need? SimGrid ends in a back trace
 * when it does not. */
#include "cli/run/run.h"

#include <stdlib.h>

/* Counted in /proc/self/maps: a rank's copy of the program, of a library that belongs to it, its
 * stack, and some heap; and what the simulator itself has. */
enum { OF_TEN_RANKS = 61, OF_TEN_LIBRARIES = 50, OF_SIMULATOR = 400 };

bool cli_run_fits(int ranks, bool library, GError **error)
{
    g_autofree char *text = NULL;
    if (!g_file_get_contents("/proc/sys/vm/max_map_count", &text, NULL, NULL)) return true;
    int64_t most = strtoll(text, NULL, 10),
            need = (int64_t)ranks * (OF_TEN_RANKS + library * OF_TEN_LIBRARIES) / 10 + OF_SIMULATOR;
    if (need <= most) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                "%d ranks need some %" G_GINT64_FORMAT
                " memory mappings, and this host allows a process %" G_GINT64_FORMAT
                " (as root: sysctl -w vm.max_map_count=%" G_GINT64_FORMAT ")",
                ranks, need, most, need * 2);
    return false;
}
