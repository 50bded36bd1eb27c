/* Passes over an array in ascending order: how fast lines come out of a cache level, whether they
 * are fetched ahead, and a level that chains do not show, since its latency is nearly memory's. */
#include "cli/measure/arena.h"
#include "cli/measure/passes.h"

struct cli_figure cli_pass(struct cli_bench *b, char *arena, double bytes)
{
    struct cli_data data;
    cli_code_reading();
    cli_data_init(&data);
    data.chain[0] = arena;
    return cli_best_over(b, CLI_RING_BYTES, (size_t)bytes,
                         cli_sample(b, &data, true, (long)bytes / CLI_READ_BYTES,
                                    (double)CLI_READ_BYTES / (double)b->line));
}

struct cli_figure cli_pass_chain(struct cli_bench *b, char *arena, double bytes)
{
    size_t n = (size_t)bytes / b->line;
    g_autofree uint32_t *order = g_new(uint32_t, n);
    for (size_t i = 0; i < n; i++) order[i] = (uint32_t)i;
    cli_ring_link(arena, order, n, b->line);
    return cli_chase(b, CLI_RING_ASCENDING, arena, n);
}

bool cli_pass_level(struct cli_bench *b, char *arena, double from, double most,
                    struct cli_level *level)
{
    enum { POINTS = 40 };
    struct cli_point point[POINTS];
    int n = 0;
    for (double bytes = 2 * from; bytes <= most && n < POINTS; bytes *= 1.5)
        point[n++] = (struct cli_point){bytes, cli_pass(b, arena, bytes).cycles};
    return cli_levels_by_passes(point, n, level);
}
