#include "cli/measure/arena.h"

#include <string.h>
#include <sys/mman.h>

char *cli_arena(size_t bytes)
{
    char *arena = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena == MAP_FAILED) return NULL;
    madvise(arena, bytes, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < bytes; i += CLI_PAGE) arena[i] = 1;
    return arena;
}

void cli_arena_free(char *arena, size_t bytes) { munmap(arena, bytes); }

/* splitmix64 (Steele et al., OOPSLA 2014) */
uint64_t cli_random(void)
{
    static uint64_t state;
    uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

void cli_shuffle(uint32_t *number, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t k = cli_random() % i;
        uint32_t t = number[k];
        number[k] = number[i - 1];
        number[i - 1] = t;
    }
}

static uint32_t *in_order(size_t n)
{
    uint32_t *number = g_new(uint32_t, n);
    for (size_t i = 0; i < n; i++) number[i] = (uint32_t)i;
    return number;
}

void cli_ring_link(char *arena, const uint32_t *order, size_t n, size_t unit)
{
    for (size_t i = 0; i < n; i++)
        *(void **)(arena + order[i] * unit) = arena + order[i + 1 < n ? i + 1 : 0] * unit;
}

size_t cli_ring_random(char *arena, size_t bytes, size_t unit)
{
    size_t n = bytes / unit;
    g_autofree uint32_t *order = in_order(n);
    cli_shuffle(order + 1, n - 1); /* element 0 stays first */
    cli_ring_link(arena, order, n, unit);
    return n;
}

size_t cli_ring_groups(char *arena, size_t bytes, size_t line)
{
    enum { GROUP = 32, APART = 256 };
    size_t pages = bytes / CLI_PAGE, lines = CLI_PAGE / APART, n = 0;
    g_autofree uint32_t *page = in_order(pages), *order = g_new(uint32_t, pages *lines);
    cli_shuffle(page + 1, pages - 1);
    for (size_t g = 0; g < pages; g += GROUP) {
        size_t begin = n;
        for (size_t i = g; i < MIN(g + GROUP, pages); i++)
            for (size_t k = 0; k < lines; k++)
                order[n++] = (uint32_t)(page[i] * (CLI_PAGE / line) + k * (APART / line) +
                                        (k ? cli_random() % (APART / line) : 0));
        cli_shuffle(order + begin + (begin == 0), n - begin - (begin == 0));
    }
    cli_ring_link(arena, order, n, line);
    return n;
}

enum { UNROLLED = 16, LOADS = 16384 }; /* short: the quietest of many */

static struct cli_data chain_from(void *start)
{
    struct cli_data data;
    cli_data_init(&data);
    for (int i = 0; i < CLI_INSTANCES; i++) data.chain[i] = start;
    cli_code_begin();
    cli_code_repeat(CLI_CODE_CHASE, UNROLLED, 1);
    cli_code_end();
    return data;
}

struct cli_figure cli_chase_read(struct cli_bench *b, void *start, size_t elements)
{
    enum { TIMES = 21 };
    g_autofree void **pointer = g_new(void *, elements);
    const struct cli_data from = chain_from(start);
    double seconds[TIMES];
    struct cli_figure f;
    void *p = start;
    for (size_t i = 0; i < elements; i++) pointer[i] = p, p = *(void **)p;
    for (int time = 0; time < TIMES; time++) {
        struct cli_data data = from;
        cli_code_read(pointer, elements);
        double begun = cli_now();
        cli_code_run(&data, LOADS / UNROLLED);
        seconds[time] = (cli_now() - begun) / LOADS;
    }
    f.s = cli_least(seconds, TIMES, &f.spread);
    f.cycles = f.s / b->cycle_s;
    return cli_best_over(b, CLI_RING_GROUPS, SIZE_MAX - elements, f);
}

struct cli_figure cli_best_over(struct cli_bench *b, enum cli_ring ring, size_t elements,
                                struct cli_figure figure)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    return cli_best(b, ((cli_code_sum() * odd + ring) * odd + elements) * odd + b->line, figure);
}

struct cli_figure cli_chase(struct cli_bench *b, enum cli_ring ring, void *start, size_t elements)
{
    struct cli_data data = chain_from(start);
    cli_code_run(&data, (long)(elements / UNROLLED + 1)); /* all of it once */
    return cli_best_over(b, ring, elements,
                         cli_sample(b, &data, false, LOADS / UNROLLED, UNROLLED));
}
