/* Properties of prices over random blocks and machines. */
#include "cpu/cpu_scene.h"
#include "unit.h"

static uint64_t below(struct base_random *r, uint64_t n) { return base_random_next(r) % n; }

/* Operations of a random block: each uses the results of earlier ones. */
static void add_ops(struct base_random *r, int ops, GString *text)
{
    static const char *const op[] = {"add i8",       "shift i8", "fp_add f8", "fp_multiply f8",
                                     "fp_divide f8", "load f8",  "store f8",  "load i1",
                                     "multiply i4",  "logic i8", "select i8", "compare i4"};
    for (int k = 0; k < ops; k++) {
        g_string_append(text, op[below(r, G_N_ELEMENTS(op))]);
        for (int i = 0; i < 2; i++) {
            int from = (int)below(r, k + 3);
            if (from < k)
                g_string_append_printf(text, " .%d", from);
            else
                g_string_append(text, " _");
        }
        g_string_append_c(text, '\n');
    }
}

/* Each operation uses the one before: there is one order. */
static char *chain(uint64_t seed)
{
    static const char *const op[] = {"fp_add f8", "fp_multiply f8", "load f8", "fp_divide f8"};
    struct base_random r = {seed};
    GString *text = g_string_new("function f\nblock loop -> 0 9000 1 1000\nload f8 <11\n");
    for (int k = 1; k < 12; k++)
        g_string_append_printf(text, "%s .%d\n", op[below(&r, G_N_ELEMENTS(op))], k - 1);
    g_string_append(text, "block\nreturn i4\n");
    return g_string_free(text, FALSE);
}

/* A function whose first block of two has this number. */
static char *function(uint64_t seed, int ops, const char *end, bool loop, int first)
{
    struct base_random r = {seed};
    GString *text = g_string_new("function f\n");
    if (loop)
        g_string_append_printf(text, "block loop -> %d 9000 %d 1000\n", first, first + 1);
    else
        g_string_append_printf(text, "block -> %d 10000\n", first + 1);
    add_ops(&r, ops, text);
    g_string_append(text, end);
    g_string_append(text, "block\nreturn i4\n");
    return g_string_free(text, FALSE);
}

static char *block(uint64_t seed, int ops, const char *end, bool loop)
{
    return function(seed, ops, end, loop, 0);
}

static const char *const machine[] = {"t3d", "smp", "challenge", "rdma"};

/* Of both blocks. */
static uint64_t ticks(const char *name, const char *sets, const char *text)
{
    struct scene s = scene_open(name, sets, text);
    uint64_t t = s.price[0].ticks + s.price[1].ticks;
    scene_close(&s);
    return t;
}

static void the_same_block_has_the_same_price(void)
{
    for (uint64_t seed = 0; seed < 40; seed++) {
        g_autofree char *text = block(seed, 20, "", seed % 2);
        UNIT_EQUAL(ticks(machine[seed % 4], NULL, text), ticks(machine[seed % 4], NULL, text));
    }
}

/* Of processors in order, by an operation that waits for nothing and that nothing waits for:
 * schedulers that choose greedily, ports too, have anomalies (Graham, SIAM J. Appl. Math. 1969). */
static void a_price_does_not_fall_when_an_operation_is_added(void)
{
    const unsigned seeds = unit_sample("blocks", 40, 200);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        g_autofree char *less = block(seed, 12, "", seed % 2),
                        *more = block(seed, 12, "add i8 _ _\n", seed % 2);
        uint64_t a = ticks(machine[seed / 2 % 3], "cpu.branch_miss=0", less);
        uint64_t b = ticks(machine[seed / 2 % 3], "cpu.branch_miss=0", more);
        if (b < a)
            fprintf(stderr, "    seed %d on %s: %.2f, then %.2f cycles\n", (int)seed,
                    machine[seed / 2 % 3], (double)a / CPU_TICKS, (double)b / CPU_TICKS);
        CU_ASSERT(b >= a);
    }
}

static void a_chain_costs_more_when_a_latency_grows(void)
{
    const unsigned seeds = unit_sample("blocks", 40, 200);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        g_autofree char *text = chain(seed);
        const char *name = machine[seed % 4];
        uint64_t a = ticks(name, "cpu.latency.load=6 cpu.latency.fp_add=6", text);
        uint64_t b = ticks(name, "cpu.latency.load=16 cpu.latency.fp_add=6", text);
        CU_ASSERT(b > a);
    }
}

/* In order: out of order one pass does not run dry. */
static void a_loop_costs_at_most_what_one_pass_costs_that_runs_dry(void)
{
    const unsigned seeds = unit_sample("blocks", 40, 200);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        g_autofree char *loop = block(seed, 16, "", true), *once = block(seed, 16, "", false);
        const char *name = machine[seed % 3];
        struct scene s = scene_open(name, "cpu.branch_miss=0", loop);
        uint64_t steady = s.price[0].ticks;
        scene_close(&s);
        uint64_t pass = ticks(name, "cpu.branch_miss=0", once);
        if (steady > pass)
            fprintf(stderr, "    seed %d on %s: %.2f, one pass %.2f cycles\n", (int)seed, name,
                    (double)steady / CPU_TICKS, (double)pass / CPU_TICKS);
        CU_ASSERT(steady <= pass);
    }
}

static void a_loop_costs_at_least_each_of_its_bounds(void)
{
    const unsigned seeds = unit_sample("blocks", 40, 200);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        g_autofree char *text = block(seed, 16, "", true);
        struct scene s = scene_open(machine[seed % 4], NULL, text);
        for (int b = 0; b < CPU_BOUNDS; b++)
            CU_ASSERT(s.price[0].ticks + CPU_TICKS / 16 >= s.price[0].at_least[b]);
        scene_close(&s);
    }
}

/* Paths that are alike are played once, out of order; these are, or are nearly. */
static void a_block_costs_beside_others_what_it_costs_alone(void)
{
    enum { FUNCTIONS = 48 };
    uint64_t alone[FUNCTIONS];
    g_autoptr(GString) all = g_string_new(NULL);
    for (int i = 0; i < FUNCTIONS; i++) {
        const char *end = i % 2 ? "fp_divide f8 .3 _\n" : "add i8 .3 _\n";
        g_autofree char *one = function((uint64_t)i / 2 % 12, 12, end, i % 3 == 0, 0),
                        *another = function((uint64_t)i / 2 % 12, 12, end, i % 3 == 0, 2 * i);
        alone[i] = ticks("rdma", NULL, one);
        g_string_append(all, another);
    }
    struct scene s = scene_open("rdma", NULL, all->str);
    for (int i = 0; i < FUNCTIONS; i++)
        UNIT_EQUAL(s.price[2 * i].ticks + s.price[2 * i + 1].ticks, alone[i]);
    scene_close(&s);
}

/* An outer loop of two blocks, with a chain in a loop between them or without. */
static char *nest(uint64_t seed, bool with)
{
    struct base_random r = {seed};
    GString *text = g_string_new("function f\nblock -> 1 10000\n");
    add_ops(&r, 8, text);
    if (with) g_string_append(text, "block loop -> 1 8900 2 1100\nfp_add f8 live <0 _\n");
    if (with) add_ops(&r, (int)below(&r, 8), text);
    if (with) g_string_append(text, "branch i4 rounds\n");
    g_string_append_printf(text, "block -> 0 9900 %d 100\nadd i8 _ _\nbranch i4\n", with ? 3 : 2);
    g_string_append(text, "block\nreturn i4\n");
    return g_string_free(text, FALSE);
}

/* What is beside the loop is not hidden by less than it takes: a division, say, by one round. */
static void a_pass_costs_at_least_what_its_parts_occupy_however_often_its_loop_goes_round(void)
{
    const unsigned seeds = unit_sample("nests", 40, 200);
    for (uint64_t seed = 0; seed < seeds; seed++) {
        g_autofree char *text = nest(seed, true), *without = nest(seed, false);
        struct scene s = scene_open("rdma", "cpu.branch_miss=0", text),
                     own = scene_open("rdma", "cpu.branch_miss=0", without);
        for (uint64_t rounds = 0; rounds < 32; rounds++) {
            const uint64_t all = s.price[0].ticks + rounds * s.price[1].ticks + s.price[2].ticks,
                           pass = all - cpu_overlap_saves(&s.price[1].overlap, rounds);
            for (int b = 0; b < CPU_BOUND_CHAIN; b++) {
                CU_ASSERT(pass + CPU_TICKS / 16 >= own.price[0].at_least[b]);
                CU_ASSERT(pass + CPU_TICKS / 16 >= rounds * s.price[1].at_least[b]);
            }
        }
        scene_close(&s);
        scene_close(&own);
    }
}

UNIT_SUITE(cpu_random, UNIT_TEST(the_same_block_has_the_same_price),
           UNIT_TEST(a_block_costs_beside_others_what_it_costs_alone),
           UNIT_TEST(a_price_does_not_fall_when_an_operation_is_added),
           UNIT_TEST(a_chain_costs_more_when_a_latency_grows),
           UNIT_TEST(a_loop_costs_at_most_what_one_pass_costs_that_runs_dry),
           UNIT_TEST(a_loop_costs_at_least_each_of_its_bounds),
           UNIT_TEST(a_pass_costs_at_least_what_its_parts_occupy_however_often_its_loop_goes_round))
