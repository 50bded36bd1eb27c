/* mem: a bus whose processors run ahead of each other by up to the quantum takes what it takes when
 * every transaction is played in the order of dates: the slowest processor and the mean of all
 * within 1 %, where control flow does not depend on time. */
#include "mem_unit.h"

enum { MOST = 30, EACH = 1600, SHARED = 16, BYTES = 64 * EACH };

/* What a processor does, step by step: some work, then an access. */
struct step {
    double work_s;
    bool store, shared; /* shared: to a line that others access too */
    int line;
};
static struct step script[MOST][EACH];

static void write_scripts(int n, uint32_t seed, double work_s, int shared_percent)
{
    g_autoptr(GRand) dice = g_rand_new_with_seed(seed);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < EACH; i++)
            script[k][i] = (struct step){.work_s = work_s * g_rand_double(dice) * (1 + k % 3),
                                         .store = g_rand_int_range(dice, 0, 3) == 0,
                                         .shared = g_rand_int_range(dice, 0, 100) < shared_percent,
                                         .line = g_rand_int_range(dice, 0, SHARED)};
}

struct took {
    double slowest_s, mean_s;
};

static struct took ends(int n, const double *end_s)
{
    struct took took = {0, 0};
    for (int k = 0; k < n; k++) {
        took.slowest_s = MAX(took.slowest_s, end_s[k]);
        took.mean_s += end_s[k] / n;
    }
    return took;
}

static int earliest(int n, const double *date_s, const int *done)
{
    int first = -1;
    for (int k = 0; k < n; k++)
        if (done[k] < EACH && (first < 0 || date_s[k] < date_s[first])) first = k;
    return first;
}

/* As mem plays them: each goes on until it is asked to pay. */
static struct took played(const char *machine_name, int n, double quantum_s)
{
    int done[MOST] = {0};
    bool worked[MOST] = {0};
    double now_s[MOST] = {0};
    record_clear();
    struct mach *m = machine(machine_name, NULL);
    struct mem_node *node = mem_node_new(m, n);
    for (int k = 0; k < n; k++) mem_node_cpu(node, k)->rank = k;
    mem_set_quantum(node, quantum_s < 0 ? m->quantum : quantum_s);
    uint8_t *lines = pages((size_t)n * BYTES / 4096 + 1), *shared = pages(1);
    segment(node, 0, shared, 4096);
    for (int k; (k = earliest(n, now_s, done)) >= 0;) {
        struct mem_cpu *cpu = mem_node_cpu(node, k);
        mem_paid(cpu, now_s[k]);
        while (done[k] < EACH) {
            const struct step *s = &script[k][done[k]];
            uint8_t *at = s->shared ? shared + 64 * s->line : lines + k * BYTES + 64 * done[k];
            if (!worked[k]) mem_compute(cpu, s->work_s);
            worked[k] = true;
            if ((s->store ? try_store(cpu, at, 8) : try_load(cpu, at, 8)) != MEM_DONE) break;
            worked[k] = false;
            done[k]++;
        }
        struct mem_charge owed = mem_take(cpu);
        now_s[k] += owed.compute_s + owed.memory_s;
    }
    free(lines);
    free(shared);
    struct took took = ends(n, now_s);
    mem_node_free(node);
    mach_free(m);
    record_clear();
    return took;
}

/* A bus that gives its slots by date, of processors that wait for each line: written down once
 * more, without mem. */
static struct took in_order_of_dates(int n)
{
    /* smp's; of a miss's 270 ns the price of its block has the 6 of a hit */
    const double slot_s = 24e-9, line_s = (270 - 6) * 1e-9;
    double date_s[MOST] = {0}, free_s = 0;
    int done[MOST] = {0};
    for (int k = 0; k < n; k++) date_s[k] = script[k][0].work_s;
    for (int k; (k = earliest(n, date_s, done)) >= 0;) {
        double begin_s = MAX(date_s[k], free_s);
        free_s = begin_s + slot_s;
        date_s[k] = begin_s + line_s;
        if (++done[k] < EACH) date_s[k] += script[k][done[k]].work_s;
    }
    return ends(n, date_s);
}

static void add(struct took *sum, struct took took)
{
    sum->slowest_s += took.slowest_s;
    sum->mean_s += took.mean_s;
}

static void within(struct took is, struct took should, double part)
{
    UNIT_NEAR(is.slowest_s, should.slowest_s, part * should.slowest_s);
    UNIT_NEAR(is.mean_s, should.mean_s, part * should.mean_s);
}

static const int processors[] = {2, 6, 10, 12, 16, MOST};
static const double works_s[] = {0, 50e-9, 300e-9, 3e-6};
enum { SPREAD = 7 }; /* no divisor of a table's size: a sample has rows of all its parts */

static void lines_of_processors_that_run_ahead_take_what_a_bus_in_order_of_dates_gives(void)
{
    enum { WORKS = G_N_ELEMENTS(works_s), ALL = G_N_ELEMENTS(processors) * WORKS };
    unsigned some = unit_sample("numbers of processors and works", 6, ALL);
    for (unsigned at = 0; at < some; at++) {
        size_t i = at * SPREAD % ALL / WORKS, j = at * SPREAD % ALL % WORKS;
        int n = processors[i];
        write_scripts(n, 1 + (uint32_t)(7 * i + j), works_s[j], 0);
        for (int k = 0; k < n; k++)
            for (int step = 0; step < EACH; step++) script[k][step].store = false;
        struct took should = in_order_of_dates(n);
        within(played("smp", n, 0), should, 0.002);
        within(played("smp", n, -1), should, 0.01);
    }
}

/* Who gets a line first changes what comes after: the means over some scripts. */
static void the_default_quantum_is_within_1_percent_of_none_with_shared_lines_too(void)
{
    enum { SCRIPTS = 4, WORKS = 3 };
    static const char *const machines[] = {"smp", "challenge"};
    static const int ranks[] = {2, 6, 16};
    enum { RANKS = G_N_ELEMENTS(ranks), ALL = G_N_ELEMENTS(machines) * RANKS * WORKS };
    unsigned some = unit_sample("machines, ranks and works", 6, ALL);
    for (unsigned at = 0; at < some; at++) {
        size_t of = at * SPREAD % ALL, i = of / WORKS % RANKS, j = of % WORKS;
        const char *machine = machines[of / WORKS / RANKS];
        struct took is = {0, 0}, should = {0, 0};
        for (uint32_t seed = 0; seed < SCRIPTS; seed++) {
            write_scripts(ranks[i], 100 * seed + (uint32_t)(7 * i + j), works_s[j], 20);
            add(&is, played(machine, ranks[i], -1));
            add(&should, played(machine, ranks[i], 0));
        }
        within(is, should, 0.01);
    }
}

UNIT_SUITE(mem_order,
           UNIT_TEST(lines_of_processors_that_run_ahead_take_what_a_bus_in_order_of_dates_gives),
           UNIT_TEST(the_default_quantum_is_within_1_percent_of_none_with_shared_lines_too))
