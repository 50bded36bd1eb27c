/* Lines in ascending order: what memory gives one processor, and how many such streams are fetched
 * ahead. */
#include "cli/measure/arena.h"
#include "cli/measure/families.h"

#include <math.h>

enum { MOST = 256 << 20, COPY_APART = 1664, PARTS = 128 };

/* ---- bandwidth ------------------------------------------------------------------------------- */

/* Seconds of a line, `lines` of which a round moves: of the quietest part of the array. A sample
 * goes on where the one before ended, and there are fewer samples than parts. */
static struct cli_figure sweep(struct cli_bench *b, char *arena, size_t rounds, double lines)
{
    struct cli_data data;
    cli_data_init(&data);
    data.chain[0] = arena;
    data.chain[1] = arena + b->memory / 2 + COPY_APART;
    return cli_best_over(b, CLI_RING_BYTES, rounds,
                         cli_sample(b, &data, false, (long)MAX(rounds / PARTS, 1), lines));
}

static struct cli_figure reading(struct cli_bench *b, char *arena)
{
    cli_code_reading();
    return sweep(b, arena, MIN(b->memory, MOST) / CLI_READ_BYTES,
                 (double)CLI_READ_BYTES / (double)b->line);
}

/* 128 bytes a round, each read, fetched where it is stored, and written back. */
static struct cli_figure copying(struct cli_bench *b, char *arena)
{
    cli_code_begin();
    cli_code_repeat(CLI_CODE_COPY_WORD, 8, CLI_INSTANCES);
    cli_code_add(CLI_CODE_NEXT_WORDS, 0);
    cli_code_end();
    return sweep(b, arena, MIN(b->memory / 2 - COPY_APART, MOST) / 128,
                 3 * 128.0 / (double)b->line);
}

/* ---- streams --------------------------------------------------------------------------------- */

/* A chain through `streams` ascending ones in turn; cycles of a load. */
static struct cli_figure interleaved(struct cli_bench *b, char *arena, size_t streams)
{
    enum { SHIFT = 67 }; /* lines: streams begin in different sets */
    size_t apart = MIN(b->memory, MOST) / b->line / streams, lines = apart - SHIFT * streams;
    g_autofree uint32_t *order = g_new(uint32_t, lines *streams);
    for (size_t i = 0; i < lines; i++)
        for (size_t s = 0; s < streams; s++)
            order[i * streams + s] = (uint32_t)(s * apart + s * SHIFT + i);
    cli_ring_link(arena, order, lines * streams, b->line);
    struct cli_data data;
    cli_data_init(&data);
    data.chain[0] = arena + order[0] * b->line;
    cli_code_begin();
    cli_code_repeat(CLI_CODE_CHASE, 16, 1);
    cli_code_end();
    return cli_best_over(b, CLI_RING_ASCENDING, SIZE_MAX - streams,
                         cli_sample(b, &data, false, b->quick ? 500 : 2000, 16));
}

static void measure_prefetch(struct cli_bench *b, char *arena, double line_s)
{
    struct cli_figure one = interleaved(b, arena, 1);
    double cycles = one.cycles, half = (cycles + b->memory_load.cycles) / 2;
    bool ahead = cycles < 0.7 * b->memory_load.cycles;
    int streams = 1;
    while (ahead && streams < 64 && interleaved(b, arena, (size_t)streams * 2).cycles < half)
        streams *= 2;
    g_autofree char *count = g_strdup_printf("%d", streams),
                    *there = g_strdup_printf("%.1fcycles", cycles),
                    *depth = g_strdup_printf("%d", MAX(1, (int)ceil(b->memory_load.s / line_s)));
    cli_row_add(b, "dram.readahead", one.spread, ahead ? "1" : "0",
                "measured: lines in ascending order, a chain: %.1f cycles each", cycles);
    if (!ahead) return;
    cli_row_add(b, "dram.readahead_cycles", one.spread, there,
                "measured: lines in ascending order, a chain");
    cli_row_add(b, "prefetch.model", -1, "stream", "[D] lines in ascending order come sooner");
    cli_row_add(b, "prefetch.streams", -1, count,
                "measured: of 1, 2, 4 ... 64 streams in turn the most that come sooner");
    cli_row_add(b, "prefetch.depth", -1, depth,
                "[D] a load of a chain over a line of an array that is read: as many must be "
                "fetched ahead");
}

void cli_measure_streams(struct cli_bench *b)
{
    char *arena = b->levels > 0 ? cli_arena(b->memory) : NULL;
    if (!arena) return;
    struct cli_figure read = reading(b, arena), copy = copying(b, arena);
    if (!b->all || !cli_row_find(b, "bus.slot")) { /* that of all together, with -n */
        bool copies = copy.s < read.s;
        g_autofree char *slot = g_strdup_printf("%.2fns", 1e9 * MIN(read.s, copy.s));
        cli_row_add(b, "bus.slot", copies ? copy.spread : read.spread, slot,
                    "measured: one processor reads %.1f GB/s, copies %.1f (three transfers a line)",
                    1e-9 * (double)b->line / read.s, 1e-9 * (double)b->line / copy.s);
    }
    g_autofree char *busy = g_strdup_printf("%.2fns", 1e9 * read.s);
    cli_row_add(b, "dram.busy", read.spread, busy, "measured: one processor reads %.1f GB/s",
                1e-9 * (double)b->line / read.s);
    /* another machine's queue would bind before what was measured */
    cli_row_add(b, "dram.outstanding", -1, "0",
                "[D] dram.busy and bus.slot, which are measured, hold one processor back");
    measure_prefetch(b, arena, read.s);
    cli_arena_free(arena, b->memory);
}
