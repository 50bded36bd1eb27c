/* Timing: the code as it stands, again and again; the minimum is what the processor does when it
 * is let alone. Where the spread is large, it is repeated more often. Beside each run goes one of
 * the reference, a chain of additions, so that a clock that changes over time changes no cycles:
 * they are the least time over the least of the reference, both of the same few milliseconds. A
 * reference much slower than the fastest was disturbed, and that one counts. */
#include "cli/measure/parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BATCH = 21, BATCHES = 2, MOST = BATCH * BATCHES, REFERENCE_ROUNDS = 80 };

double cli_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double cli_least(double *value, int n, double *spread)
{
    qsort(value, (size_t)n, sizeof *value, by_value);
    *spread = value[n / 2] / value[0] - 1;
    return value[0];
}

/* Seconds of a cycle, now. */
static double cycle(struct cli_bench *b)
{
    struct cli_data data;
    cli_data_init(&data);
    double begun = cli_now();
    cli_code_run_reference(&data, REFERENCE_ROUNDS);
    double s = (cli_now() - begun) / (REFERENCE_ROUNDS * (double)CLI_REFERENCE_CYCLES);
    g_array_append_val(b->cycle, s);
    b->cycle_s = b->cycle_s > 0 ? MIN(b->cycle_s, s) : s;
    return s;
}

double cli_usual_cycle(struct cli_bench *b)
{
    double spread, least = cli_least((double *)(void *)b->cycle->data, (int)b->cycle->len, &spread);
    return least * (1 + spread);
}

double cli_cycle_spread(struct cli_bench *b)
{
    double spread;
    cli_least((double *)(void *)b->cycle->data, (int)b->cycle->len, &spread);
    return spread;
}

/* The code as it stands, or a function. */
struct subject {
    void (*run)(long rounds); /* NULL: the code */
    const struct cli_data *start;
    bool again;
    struct cli_data data;
};
static double run_once(struct subject *s, long rounds)
{
    if (s->again) s->data = *s->start;
    double begun = cli_now();
    if (s->run)
        s->run(rounds);
    else
        cli_code_run(&s->data, rounds);
    return cli_now() - begun;
}

static struct cli_figure sample(struct cli_bench *b, struct subject *s, long rounds,
                                double operations)
{
    const double fine = 0.03;
    double seconds[MOST], cycle_s = cycle(b);
    int batch = b->quick ? 5 : BATCH, most = b->quick ? 2 * batch : MOST, n = 0;
    struct cli_figure f;
    run_once(s, rounds);
    do {
        for (int i = 0; i < batch; i++, n++) {
            seconds[n] = run_once(s, rounds) / ((double)rounds * operations);
            cycle_s = MIN(cycle_s, cycle(b));
        }
        f.s = cli_least(seconds, n, &f.spread);
    } while (f.spread > fine && n < most);
    f.cycles = f.s / (cycle_s < 1.25 * b->cycle_s ? cycle_s : b->cycle_s);
    return f;
}

struct cli_figure cli_sample(struct cli_bench *b, const struct cli_data *start, bool again,
                             long rounds, double operations)
{
    struct subject s = {.start = start, .again = again, .data = *start};
    return sample(b, &s, rounds, operations);
}

/* As many rounds as take `wanted` seconds, if `rounds` took so long. */
static long rounds_for(double wanted, double took, long rounds)
{
    return took > 0 ? CLAMP((long)((double)rounds * wanted / took), 16, 100000) : 16;
}

/* 20 us: 1,000 times what the clock takes to be read. */
struct cli_figure cli_sample_calls(struct cli_bench *b, void (*run)(long rounds), double operations)
{
    struct subject s = {.run = run};
    run_once(&s, 64);
    long rounds = rounds_for(2e-5, run_once(&s, 64), 64);
    return cli_best(b, (uintptr_t)run, sample(b, &s, rounds, operations));
}

/* 100 us: 5,000 times what the clock takes to be read, and shorter than a time slice. */
struct cli_figure cli_sample_cycles(struct cli_bench *b, const struct cli_data *start,
                                    double operations)
{
    const double wanted = 1e-4;
    long rounds = 16;
    struct cli_data data = *start;
    cli_code_run(&data, rounds);
    double begun = cli_now();
    cli_code_run(&data, rounds);
    double took = cli_now() - begun;
    rounds = rounds_for(wanted, took, rounds);
    return cli_best(b, cli_code_sum(), cli_sample(b, start, false, rounds, operations));
}
