/* Caches and memory by chains of loads: each load gives the address of the next (lmbench's
 * lat_mem_rd, with addresses in random order). Sizes come of rings through every line of an array;
 * latencies of rings that leave translations and prefetchers out (cli_ring_groups). */
#include "cli/measure/arena.h"
#include "cli/measure/families.h"
#include "cli/measure/levels.h"
#include "cli/measure/passes.h"

#include <math.h>
#include <unistd.h>

enum { SMALLEST = 4096, FIRST_LARGE = 1 << 20 };

/* ---- the line -------------------------------------------------------------------------------- */

/* Pairs of loads `apart` bytes from each other, the second addressed by the first, at random in an
 * array that l2 holds: in one line the second hits l1. */
static double pair_cycles(struct cli_bench *b, char *arena, size_t apart)
{
    enum { BLOCK = 512, BYTES = 256 << 10 };
    uint32_t order[BYTES / BLOCK];
    for (uint32_t i = 0; i < BYTES / BLOCK; i++) order[i] = i;
    cli_shuffle(order + 1, BYTES / BLOCK - 1);
    for (size_t i = 0; i < BYTES / BLOCK; i++) {
        char *block = arena + order[i] * BLOCK,
             *next = arena + order[(i + 1) % (BYTES / BLOCK)] * BLOCK;
        *(void **)block = block + apart;
        *(void **)(block + apart) = next;
    }
    return 2 *
           cli_chase(b, (enum cli_ring)(CLI_RING_PAIRS + apart), arena, BYTES / BLOCK * 2).cycles;
}

static void measure_line(struct cli_bench *b, char *arena)
{
    double near = pair_cycles(b, arena, 8), far = pair_cycles(b, arena, 256);
    /* on a loaded computer the quietest of several (arena.h) */
    for (int i = 0; i < 5 && far < 1.2 * near; i++) {
        near = pair_cycles(b, arena, 8);
        far = pair_cycles(b, arena, 256);
    }
    double cycles = near;
    uint64_t line = 8;
    while (line < 256 && cycles < (near + far) / 2) cycles = pair_cycles(b, arena, line *= 2);
    b->line = line;
}

/* What the processor says counts, where it was measured alike: loads of a busy core blur it. */
static bool line_is_said(struct cli_bench *b)
{
    uint64_t said = cli_code_level(1).line;
    if (!cli_levels_agree((double)b->line, said)) return false;
    b->line = said;
    return true;
}

/* ---- sets of l1 ------------------------------------------------------------------------------ */

/* A line in each of n pages, at the same place: all in one set of a cache that is indexed within a
 * page. */
static double set_cycles(struct cli_bench *b, char *arena, int n)
{
    enum { PLACE = 1472 }; /* where neither the stack nor this code begins */
    uint32_t order[64];
    for (int i = 0; i < n; i++) order[i] = (uint32_t)i;
    cli_ring_link(arena + PLACE, order, (size_t)n, CLI_PAGE);
    return cli_chase(b, CLI_RING_SET, arena + PLACE, (size_t)n).cycles;
}

/* What else runs takes a way now and then: one more line than there are ways misses in most loads.
 */
static int ways_of_first(struct cli_bench *b, char *arena)
{
    enum { MOST = 32 };
    int n = 2;
    while (n < MOST && set_cycles(b, arena, n + 1) < 1.9 * b->l1_cycles) n++;
    return n;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Four sizes an octave; where arrays are large, two. */
static size_t next_size(size_t bytes)
{
    size_t octave = (size_t)1 << (g_bit_storage(bytes) - 1);
    size_t step = bytes >= 16 * FIRST_LARGE ? octave / 2 : octave / 4;
    return bytes + step / CLI_PAGE * CLI_PAGE + (step < CLI_PAGE ? CLI_PAGE : 0);
}

/* Small arrays are gone through line by line; in large ones that would miss translations, too. */
static size_t ring_over(struct cli_bench *b, char *arena, size_t bytes)
{
    enum { ONE_IN = 4 }; /* of their lines is in the ring (cli_ring_groups) */
    return bytes < FIRST_LARGE ? cli_ring_random(arena, bytes, b->line)
                               : cli_ring_groups(arena, ONE_IN * bytes, b->line);
}

static int curve(struct cli_bench *b, char *arena, size_t most, struct cli_point *point, int room)
{
    int n = 0;
    for (size_t bytes = SMALLEST; bytes <= most && n < room; bytes = next_size(bytes)) {
        enum cli_ring ring = bytes < FIRST_LARGE ? CLI_RING_LINES : CLI_RING_GROUPS;
        struct cli_figure f = cli_chase(b, ring, arena, ring_over(b, arena, bytes));
        point[n++] = (struct cli_point){(double)bytes, f.cycles};
    }
    return n;
}

/* An eighth of the memory that is free, at most a GiB. */
static size_t arena_bytes(struct cli_bench *b)
{
    size_t most = b->quick ? (size_t)128 << 20 : (size_t)1 << 30;
    size_t free_bytes = (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    while (most > (size_t)16 << 20 && most > free_bytes / 8) most /= 2;
    return most;
}

static size_t quiet_ring(struct cli_bench *b, char *arena, double bytes)
{
    size_t span = (size_t)bytes / CLI_PAGE * CLI_PAGE;
    return cli_ring_groups(arena, MAX(span, 32 * CLI_PAGE), b->line);
}

/* ---- rows ------------------------------------------------------------------------------------ */

enum origin { OF_LOADS, OF_PASSES, SAID };
static const char *const size_from[] = {
    [OF_LOADS] = "measured: loads in random order take longer from %.0f KiB on",
    [OF_PASSES] = "measured: lines in ascending order take longer from %.0f KiB on",
    [SAID] =
        "measured: loads in random order take longer from %.0f KiB on; this is what cpuid says"};

static const char *const ways_from[2][2] = {
    {"[D] not measured: at most 16, or as many as a power of two of sets needs", "what cpuid says"},
    {"measured: so many lines with one place in their pages stay",
     "measured: about so many lines with one place in their pages stay; this is what cpuid says"}};

static void add_level(struct cli_bench *b, int l, double rises, uint64_t bytes, int ways,
                      enum origin origin, struct cli_figure hit)
{
    g_autofree char *prefix = g_strdup_printf("cache.l%d", l + 1);
    g_autofree char *size_key = g_strconcat(prefix, ".size", NULL),
                    *line_key = g_strconcat(prefix, ".line", NULL),
                    *ways_key = g_strconcat(prefix, ".ways", NULL),
                    *hit_key = g_strconcat(prefix, ".hit_cycles", NULL);
    g_autofree char *size = g_strdup_printf("%" G_GUINT64_FORMAT "KiB", bytes >> 10),
                    *line = g_strdup_printf("%" G_GUINT64_FORMAT "B", b->line),
                    *ways_text = g_strdup_printf("%d", ways),
                    *cycles = g_strdup_printf("%.1fcycles", hit.cycles);
    cli_row_add(b, size_key, -1, size, size_from[origin], rises / 1024);
    cli_row_add(b, line_key, -1, line,
                l > 0 ? "[D] as that of the first level"
                : b->line_said
                    ? "measured: a second load about so far from the first misses; this is "
                      "what cpuid says"
                    : "measured: a second load so far from the first misses");
    cli_row_add(b, ways_key, -1, ways_text, "%s", ways_from[l == 0][origin == SAID]);
    cli_row_add(b, hit_key, hit.spread, cycles, "measured: a load of a chain");
}

static void add_memory(struct cli_bench *b, char *arena)
{
    struct cli_figure f = b->memory_load =
        cli_chase(b, CLI_RING_GROUPS, arena, quiet_ring(b, arena, (double)b->memory));
    g_autofree char *value = g_strdup_printf("%.1fns", 1e9 * f.s);
    cli_row_add(b, "dram.same_page_cycles", f.spread, value,
                "measured: a load of a chain through %.0f MiB, in all", (double)b->memory / 0x1p22);
    cli_row_add(b, "dram.other_page_cycles", f.spread, value,
                "[D] as the same page: lines are dealt out to banks in a way that is not known");
}

/* The size and the ways of a level that others have no part of, as the processor says, where the
 * size lies between two that were measured. The last one's is measured. */
static bool is_said(int l, double least, double most, uint64_t *bytes, int *ways)
{
    struct cli_said said = cli_code_level(l + 1);
    if (said.ways <= 0 || !cli_levels_between(said.bytes, least, most)) return false;
    *bytes = said.bytes;
    *ways = said.ways;
    return true;
}

/* The first level: its ways are measured, so its size is that of a power of two of sets. */
static void add_first(struct cli_bench *b, char *arena, const struct cli_level *level)
{
    int ways = ways_of_first(b, arena);
    double set = (double)b->line * ways, sets = exp2(round(log2(level->bytes / set)));
    uint64_t bytes = (uint64_t)(sets * set);
    enum origin origin =
        is_said(0, level->bytes / 4, 4 * level->bytes, &bytes, &ways) ? SAID : OF_LOADS;
    add_level(b, 0, level->bytes, bytes, ways, origin,
              cli_chase(b, CLI_RING_LINES, arena, cli_ring_random(arena, SMALLEST, b->line)));
}

/* What comes out of a level in ascending order, and how fast. */
static void add_way(struct cli_bench *b, char *arena, int l, double within, double hit_cycles)
{
    struct cli_figure pass = cli_pass(b, arena, within), chain = cli_pass_chain(b, arena, within);
    g_autofree char *ahead_key = g_strdup_printf("cache.l%d.readahead", l + 1),
                    *busy_key = g_strdup_printf("cache.l%d.busy_cycles", l + 1),
                    *busy = g_strdup_printf("%.1fcycles", pass.cycles);
    cli_row_add(b, ahead_key, chain.spread, chain.cycles < 0.7 * hit_cycles ? "1" : "0",
                "measured: lines in ascending order, a chain: %.1f cycles each, against %.1f",
                chain.cycles, hit_cycles);
    cli_row_add(b, busy_key, pass.spread, busy, "measured: one processor reads %.1f GB/s out of it",
                1e-9 * (double)b->line / pass.s);
}

/* A chain that takes nearly as long as in memory was there for the most part. */
#define CLEARLY 0.7
static void add_next(struct cli_bench *b, char *arena, int l, const struct cli_level *level)
{
    uint64_t bytes = cli_levels_round(level->bytes);
    int ways = cli_levels_ways(bytes, b->line, 16);
    enum origin origin = l + 1 == b->by_passes ? OF_PASSES : OF_LOADS;
    if (l == 1 && b->levels > 2 && is_said(l, level[-1].bytes, level[1].bytes, &bytes, &ways))
        origin = SAID;
    double ends = origin == SAID ? (double)bytes : level->bytes,
           within = sqrt(level[-1].bytes * ends);
    struct cli_figure load = cli_chase_read(b, arena, quiet_ring(b, arena, 4 * within));
    if (load.s < CLEARLY * b->memory_load.s) b->last_load = load, b->last_bytes = within;
    add_level(b, l, level->bytes, bytes, ways, origin, load);
    add_way(b, arena, l, within, load.cycles);
}

/* A level that passes show has a latency of its own, or it is the last one that chains showed: of
 * that others had a part, or translations were missed, before its end. */
static void add_by_passes(struct cli_bench *b, char *arena, struct cli_level *level)
{
    struct cli_level *last = &level[b->levels - 1], *found = last + 1;
    size_t within = (size_t)(4 * sqrt(last->bytes * found->bytes));
    double cycles = cli_chase_read(b, arena, quiet_ring(b, arena, (double)within)).cycles;
    if (b->levels > 1 && (b->levels == cli_code_levels() || cli_levels_alike(last->cycles, cycles)))
        last->bytes = found->bytes;
    else
        b->levels++;
    b->by_passes = b->levels;
}

/* How long a set of the first level is busy with a line: loads, addresses known, of lines that the
 * second level has, of one set against those of all. */
static void add_set(struct cli_bench *b, char *arena, double within)
{
    enum { LINES = 64, LOADS = 16384 };
    uint32_t order[LINES];
    for (uint32_t i = 0; i < LINES; i++) order[i] = i;
    cli_ring_link(arena, order, LINES, CLI_PAGE);
    const struct cli_figure one = cli_gather(b, CLI_RING_SET, arena, LOADS);
    const size_t lines = quiet_ring(b, arena, within) / LINES * LINES;
    const struct cli_figure all = cli_gather(b, CLI_RING_LINES, arena, lines);
    const bool waits = one.cycles > 2 * all.cycles;
    g_autofree char *value = g_strdup_printf("%.1fcycles", waits ? one.cycles : 0);
    cli_row_add(b, "cache.l1.set_cycles", one.spread, value,
                "measured: a load of lines of one set takes %.1f cycles, of all sets %.1f",
                one.cycles, all.cycles);
}

void cli_measure_caches(struct cli_bench *b)
{
    enum { POINTS = 100 };
    struct cli_point point[POINTS];
    struct cli_level level[CLI_LEVELS];
    b->memory = arena_bytes(b);
    char *arena = cli_arena(b->memory);
    if (!arena) return;
    measure_line(b, arena);
    b->line_said = line_is_said(b);
    int n = curve(b, arena, b->memory / 4, point, POINTS);
    b->levels = MAX(cli_levels_find(point, n, level) - 1, 0);
    b->levels = cli_levels_join(level, b->levels, cli_code_levels());
    b->by_passes = 0;
    if (b->levels > 0 && b->levels < CLI_LEVELS &&
        cli_pass_level(b, arena, level[b->levels - 1].bytes, (double)b->memory / 4,
                       &level[b->levels]))
        add_by_passes(b, arena, level);
    if (b->levels > 0) add_first(b, arena, level);
    if (b->levels > 0) add_memory(b, arena);
    for (int l = 1; l < b->levels; l++) add_next(b, arena, l, &level[l]);
    if (b->levels > 1) add_set(b, arena, 4 * sqrt(level[0].bytes * level[1].bytes));
    cli_arena_free(arena, b->memory);
}
