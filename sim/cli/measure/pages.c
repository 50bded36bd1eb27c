/* Pages that nobody has touched. And translations: a line in each of many pages, against as many
 * lines in as few pages as they need. Both miss the same caches; what the first takes longer are
 * translations. */
#include "cli/measure/arena.h"
#include "cli/measure/families.h"

#include <sys/mman.h>

enum { SMALLEST = 16, LARGEST = 16384 };

/* One line a page, each at another place in it, in random order. */
static size_t ring_of_pages(struct cli_bench *b, char *arena, size_t pages)
{
    g_autofree uint32_t *order = g_new(uint32_t, pages);
    uint32_t lines = (uint32_t)(CLI_PAGE / b->line);
    for (uint32_t i = 0; i < pages; i++) order[i] = i * lines + i % lines;
    cli_shuffle(order + 1, pages - 1);
    cli_ring_link(arena, order, pages, b->line);
    return pages;
}

/* A line in each of many pages, the address of each known beforehand: translations overlap, as many
 * as there are of what fetches them. */
static void measure_walks(struct cli_bench *b, char *arena, double miss)
{
    enum { MOST = 16 };
    struct cli_figure f = cli_gather(b, CLI_RING_PAGES, arena, ring_of_pages(b, arena, LARGEST));
    g_autofree char *value = g_strdup_printf("%d", CLAMP((int)(miss / f.cycles + 0.5), 1, MOST));
    cli_row_add(b, "tlb.walks", f.spread, value,
                "measured: a line in each of %d pages, addresses known: %.1f cycles each, of which "
                "a translation of a chain takes %.1f",
                LARGEST, f.cycles, miss);
}

static double extra_cycles(struct cli_bench *b, char *arena, size_t pages, double *spread)
{
    struct cli_figure sparse = cli_chase(b, CLI_RING_PAGES, arena, ring_of_pages(b, arena, pages));
    struct cli_figure dense =
        cli_chase(b, CLI_RING_LINES, arena, cli_ring_random(arena, pages * b->line, b->line));
    *spread = MAX(sparse.spread, dense.spread);
    return sparse.cycles - dense.cycles;
}

/* Memory as malloc asks the operating system for it: a byte of each page is stored. */
static void measure_faults(struct cli_bench *b)
{
    enum { TIMES = 21, PAGES = 1024 };
    double seconds[TIMES], spread;
    for (int time = 0; time < TIMES; time++) {
        volatile char *at = mmap(NULL, (size_t)PAGES * CLI_PAGE, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED) return;
        double begun = cli_now();
        for (size_t i = 0; i < PAGES; i++) at[i * CLI_PAGE] = 1;
        seconds[time] = (cli_now() - begun) / PAGES;
        munmap((void *)at, (size_t)PAGES * CLI_PAGE);
    }
    double least = cli_least(seconds, TIMES, &spread);
    g_autofree char *value = g_strdup_printf("%.0fns", 1e9 * least);
    cli_row_add(b, "page.fault", spread, value,
                "measured: a store to each page of 4 MiB that the operating system has just given");
}

void cli_measure_pages(struct cli_bench *b)
{
    measure_faults(b);
    size_t bytes = (size_t)LARGEST * CLI_PAGE;
    char *arena = b->levels > 0 ? cli_arena(bytes) : NULL;
    if (!arena) return;
    double extra[64], spread[64], pages[64];
    int n = 0;
    for (size_t p = SMALLEST; p <= LARGEST; p = p * 3 / 2 & ~(size_t)7) {
        pages[n] = (double)p;
        extra[n] = extra_cycles(b, arena, p, &spread[n]);
        n++;
    }
    /* The model has one level of translations: the one whose misses cost most. */
    double most = extra[n - 1];
    int last = n - 1;
    while (last > 0 && extra[last - 1] > most / 2) last--;
    if (most < 1 || last == 0) {
        cli_arena_free(arena, bytes);
        return;
    }
    double from = extra[last - 1], share = (most / 2 - from) / (extra[last] - from);
    double entries = pages[last - 1] + share * (pages[last] - pages[last - 1]);
    int whole = 1;
    while (whole * 1.414 < entries) whole *= 2;
    g_autofree char *count = g_strdup_printf("%d", whole),
                    *miss = g_strdup_printf("%.1fcycles", most);
    cli_row_add(
        b, "tlb.entries", spread[last], count,
        "measured: from %.0f pages on, a line of each takes longer; the level of several whose "
        "misses cost most, as a power of two",
        entries);
    cli_row_add(b, "tlb.page", -1, "4KiB", "measured with pages of 4 KiB");
    cli_row_add(b, "tlb.miss", spread[n - 1], miss,
                "measured: a line in each of %d pages against as many lines side by side", LARGEST);
    measure_walks(b, arena, most);
    cli_arena_free(arena, bytes);
}
