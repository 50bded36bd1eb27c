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

/* How long a line of each of so many pages takes longer than as many lines side by side. */
struct sizes {
    double pages[64], extra[64], spread[64];
    int n;
};
/* From how many pages on it takes longer than so many cycles, for good, up to size `last`; as a
 * power of two, too. 0: always. */
static double longer_from(const struct sizes *s, int last, double cycles, int *whole)
{
    while (last > 0 && s->extra[last - 1] > cycles) last--;
    if (last == 0) return 0;
    const double from = s->extra[last - 1], share = (cycles - from) / (s->extra[last] - from),
                 entries = s->pages[last - 1] + share * (s->pages[last] - s->pages[last - 1]);
    for (*whole = 1; *whole * 1.414 < entries;) *whole *= 2;
    return entries;
}

/* The level in front of that of so many entries: of an EPYC (family 25) 64 translations, and 8
 * cycles to those of the next level. At a quarter of these entries no walk takes part. */
static void measure_first(struct cli_bench *b, const struct sizes *s, double behind)
{
    enum { LEAST = 2 }; /* cycles */
    int at = 0, whole;
    while (at + 1 < s->n && s->pages[at + 1] <= behind / 4) at++;
    if (s->extra[at] < LEAST) return;
    const double entries = longer_from(s, at, s->extra[at] / 2, &whole);
    if (entries == 0) return;
    g_autofree char *count = g_strdup_printf("%d", whole),
                    *miss = g_strdup_printf("%.1fcycles", s->extra[at]);
    cli_row_add(b, "tlb.first_entries", s->spread[at], count,
                "measured: from %.0f pages on, a line of each takes longer; as a power of two",
                entries);
    cli_row_add(b, "tlb.first_miss", s->spread[at], miss,
                "measured: a line in each of %.0f pages against as many lines side by side",
                s->pages[at]);
}

void cli_measure_pages(struct cli_bench *b)
{
    measure_faults(b);
    size_t bytes = (size_t)LARGEST * CLI_PAGE;
    char *arena = b->levels > 0 ? cli_arena(bytes) : NULL;
    if (!arena) return;
    struct sizes s = {.n = 0};
    for (size_t p = SMALLEST; p <= LARGEST; p = p * 3 / 2 & ~(size_t)7) {
        s.pages[s.n] = (double)p;
        s.extra[s.n] = extra_cycles(b, arena, p, &s.spread[s.n]);
        s.n++;
    }
    /* the level whose misses cost most */
    const int last = s.n - 1;
    const double most = s.extra[last];
    int whole = 0;
    const double entries = most < 1 ? 0 : longer_from(&s, last, most / 2, &whole);
    if (entries == 0) {
        cli_arena_free(arena, bytes);
        return;
    }
    g_autofree char *count = g_strdup_printf("%d", whole),
                    *miss = g_strdup_printf("%.1fcycles", most);
    cli_row_add(
        b, "tlb.entries", s.spread[last], count,
        "measured: from %.0f pages on, a line of each takes longer; the level of several whose "
        "misses cost most, as a power of two",
        entries);
    cli_row_add(b, "tlb.page", -1, "4KiB", "measured with pages of 4 KiB");
    cli_row_add(b, "tlb.miss", s.spread[last], miss,
                "measured: a line in each of %d pages against as many lines side by side", LARGEST);
    measure_first(b, &s, entries);
    measure_walks(b, arena, most);
    cli_arena_free(arena, bytes);
}
