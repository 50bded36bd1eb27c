/* The same code is measured several times, minutes apart: who shares the core halves the rate of
 * whole families, longer than a sample takes, and no spread shows that. What it took least counts.
 */
#include "cli/measure/parts.h"

#include <math.h>

GHashTable *cli_best_new(void)
{
    return g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
}

struct cli_figure cli_best(struct cli_bench *b, uint64_t code, struct cli_figure figure)
{
    if (!b->best) return figure;
    struct cli_figure *best = g_hash_table_lookup(b->best, &code);
    if (!best)
        g_hash_table_insert(b->best, g_memdup2(&code, sizeof code),
                            best = g_memdup2(&figure, sizeof figure));
    else if (figure.cycles < best->cycles)
        *best = figure;
    return *best;
}

int cli_nearest(double cycles)
{
    const int least = MAX(1, (int)cycles);
    return cycles > sqrt((double)least * (least + 1)) ? least + 1 : least;
}
