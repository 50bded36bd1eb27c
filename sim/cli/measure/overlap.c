/* What overlaps: misses in flight, the window of operations behind a miss, stores that wait.
 *
 * Wong's method: two chains of misses, between their loads so many fillers. While both loads and
 * what lies between them fit, a round takes one miss, else two. */
#include "cli/measure/arena.h"
#include "cli/measure/families.h"

#define CORE_MODEL                                                                                 \
    "out_of_order" /* of sim/mem/core the one nearest to a processor of the 2020s                  \
                    */

/* ---- misses in flight ------------------------------------------------------------------------ */

/* Pointers to lines in random order stand in an array that is read from end to end. */
struct cli_figure cli_gather(struct cli_bench *b, enum cli_ring ring, char *arena, size_t n)
{
    enum { UNROLLED = 64 };
    g_autofree void **pointer = g_new(void *, n);
    void *p = arena;
    for (size_t i = 0; i < n; i++) pointer[i] = p, p = *(void **)p;
    struct cli_data data;
    cli_data_init(&data);
    cli_code_begin();
    for (int i = 0; i < UNROLLED; i++) {
        cli_code_add(CLI_CODE_GATHER, i % CLI_INSTANCES);
        if (i % CLI_INSTANCES == CLI_INSTANCES - 1) cli_code_add(CLI_CODE_NEXT_POINTERS, 0);
    }
    cli_code_end();
    data.chain[0] = pointer;
    return cli_best_over(b, ring, n, cli_sample(b, &data, true, (long)(n / UNROLLED), UNROLLED));
}

/* Loads in flight: of a ring of so many bytes, one of which takes so long in a chain. */
static struct cli_figure flying(struct cli_bench *b, char *arena, size_t bytes)
{
    size_t elements = cli_ring_groups(arena, bytes, b->line),
           n = MIN(elements, (size_t)1 << 21); /* more than caches hold */
    return cli_gather(b, CLI_RING_GROUPS, arena, n);
}

/* Memory may take fewer at once than the processor has in flight to the last level. */
static void measure_flight(struct cli_bench *b, char *arena)
{
    struct cli_figure f = flying(b, arena, b->memory), of = b->memory_load;
    const char *where = "memory";
    if (b->last_bytes > 0) {
        size_t bytes = (size_t)(4 * b->last_bytes) / CLI_PAGE * CLI_PAGE;
        struct cli_figure last = flying(b, arena, bytes);
        if (b->last_load.s / last.s > of.s / f.s) {
            f = last;
            of = b->last_load;
            where = "the last level";
        }
    }
    g_autofree char *value = g_strdup_printf("%d", CLAMP((int)(of.s / f.s + 0.5), 1, 64));
    cli_row_add(b, "mem.outstanding", f.spread, value,
                "measured: %.1f ns a load from %s whose address is known, against %.1f of a chain",
                1e9 * f.s, where, 1e9 * of.s);
}

/* ---- what fits behind a miss ----------------------------------------------------------------- */

/* Of the instances but those of the two chains, or of the chain that they stand behind. */
struct filler {
    const enum cli_snippet *snippet; /* in turn */
    int of;
    bool waits; /* for the load before it */
};

static struct cli_figure between(struct cli_bench *b, char *arena, size_t half,
                                 struct filler filler, int fillers)
{
    struct cli_data data;
    cli_data_init(&data);
    /* the first line of each page is in its ring: elsewhere each time, or caches have them all */
    size_t page = cli_random() % (half / CLI_PAGE) * CLI_PAGE;
    data.chain[0] = arena + page;
    data.chain[1] = arena + half + page;
    cli_code_begin();
    for (int chain = 0; chain < 2; chain++) {
        cli_code_add(CLI_CODE_CHASE, chain);
        for (int i = 0; i < fillers; i++)
            cli_code_add(filler.snippet[i % filler.of],
                         filler.waits ? chain : 2 + i % (CLI_INSTANCES - 2));
    }
    cli_code_end();
    return cli_best_over(b, CLI_RING_GROUPS, half,
                         cli_sample(b, &data, false, b->quick ? 200 : 1000, 1));
}

static int search_once(struct cli_bench *b, char *arena, size_t half, struct filler filler,
                       int most)
{
    double one = between(b, arena, half, filler, 0).s;
    int fit = 0, none = most;
    while (none - fit > 1) {
        int middle = (fit + none) / 2;
        double took = between(b, arena, half, filler, middle).s;
        if (took < 1.5 * one)
            fit = middle;
        else
            none = middle;
    }
    return fit;
}

/* The most fillers between two misses that overlap; `most`: nothing was found. Of three searches
 * the largest counts: a thread beside this one on its core takes half of the entries (AMD), and a
 * step that something disturbed ends too low, too. */
static int fillers_that_fit(struct cli_bench *b, char *arena, size_t half, struct filler filler,
                            int most)
{
    int fit = search_once(b, arena, half, filler, most);
    for (int i = 1; i < 3 && !b->quick; i++)
        fit = MAX(fit, search_once(b, arena, half, filler, most));
    return fit;
}

enum { MOST_FILLERS = 2000, MOST_STORES = 400, STORE_BUFFER_MOST = 64 };

/* What a row's number is, and how many fillers it takes. */
static void add_fitting(struct cli_bench *b, const char *key, int fillers, const char *what)
{
    g_autofree char *value = g_strdup_printf("%d", fillers);
    cli_row_add(b, key, -1, value, "measured: %d %s between two misses that overlap", fillers,
                what);
}

/* Results, of which each takes a register until it may be forgotten; and multiplications, which one
 * port executes, that wait for the first of the two misses. */
static void measure_registers(struct cli_bench *b, char *arena, size_t half)
{
    static const enum cli_snippet add[] = {CLI_CODE_ADD}, fp_add[] = {CLI_CODE_FP_ADD},
                                  multiply[] = {CLI_CODE_MULTIPLY_OF};
    add_fitting(b, "cpu.registers",
                fillers_that_fit(b, arena, half, (struct filler){add, 1, false}, MOST_FILLERS),
                "additions");
    add_fitting(b, "cpu.fp_registers",
                fillers_that_fit(b, arena, half, (struct filler){fp_add, 1, false}, MOST_FILLERS),
                "additions of floating point");
    add_fitting(b, "cpu.queue",
                fillers_that_fit(b, arena, half, (struct filler){multiply, 1, true}, MOST_FILLERS),
                "multiplications that wait for the first");
}

/* Additions and registers set to 0, in turn: two of the latter may share an entry of the window
 * (AMD: 626 of them fit where 314 of the mix do, and the retire queue has 320 entries), and
 * additions alone would take all registers (193 do). */
static void measure_window(struct cli_bench *b, char *arena)
{
    size_t half = b->memory / 2;
    cli_ring_groups(arena, half, b->line);
    cli_ring_groups(arena + half, half, b->line);
    static const enum cli_snippet mixed[] = {CLI_CODE_ZERO, CLI_CODE_ADD},
                                  store[] = {CLI_CODE_STORE};
    int fillers = fillers_that_fit(b, arena, half, (struct filler){mixed, 2, false}, MOST_FILLERS);
    int stores = fillers_that_fit(b, arena, half, (struct filler){store, 1, false}, MOST_STORES);
    g_autofree char *window = g_strdup_printf("%d", fillers + 1),
                    *buffer = g_strdup_printf("%d", MIN(stores, STORE_BUFFER_MOST));
    cli_row_add(b, "cpu.window", -1, window,
                "measured: %d additions and registers set to 0 between two misses that overlap",
                fillers);
    cli_row_add(b, "mem.store_buffer", -1, buffer,
                "measured: %d stores between two misses that overlap (the key takes %d at most)",
                stores, STORE_BUFFER_MOST);
    measure_registers(b, arena, half);
}

void cli_measure_overlap(struct cli_bench *b)
{
    cli_row_add(b, "core.model", -1, CORE_MODEL, "[D] goes on after misses");
    char *arena = b->levels > 0 ? cli_arena(b->memory) : NULL;
    if (!arena) return;
    measure_flight(b, arena);
    measure_window(b, arena);
    cli_arena_free(arena, b->memory);
}
