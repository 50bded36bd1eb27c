/* Products with a constant, against what gcc 12 makes of them for the 21064 (-mcpu=ev4), the
 * UltraSPARC (-mcpu=ultrasparc) and x86-64. */
#include "cpu/cpu_scene.h"
#include "unit.h"

/* Operations of the machine that a product becomes, and cycles until it is there: those by which a
 * loop is longer whose chain it is part of. */
static void product(const char *machine, const char *type, uint64_t times, uint32_t steps,
                    double cycles)
{
    g_autofree char *text =
        g_strdup_printf("function f\nblock loop -> 0 9900 1 100\n"
                        "multiply %s times %" G_GUINT64_FORMAT " <0 #40\nbranch i4\n"
                        "block\nreturn i4\n",
                        type, times);
    struct scene s = scene_open(machine, "cpu.branch_miss=0", text);
    CU_ASSERT_EQUAL(s.timing[0].steps, steps);
    UNIT_NEAR((double)s.price[0].at_least[CPU_BOUND_CHAIN] / CPU_TICKS, cycles, 0.001);
    scene_close(&s);
}

static void alpha_adds_scaled_by_four_and_eight(void)
{
    product("t3d", "i8", 10, 2, 2);     /* s4addq, addq */
    product("t3d", "i8", 3, 1, 1);      /* s4subq */
    product("t3d", "i8", 1021, 3, 4);   /* sll, subq, s4addq */
    product("t3d", "i4", 31, 2, 3);     /* sll, subl */
    product("t3d", "i4", 1 << 8, 1, 2); /* sll */
}

static void sparc_shifts_and_adds(void)
{
    product("smp", "i8", 3, 2, 2);
    product("smp", "i8", 10, 3, 3);
    product("smp", "i8", 24, 3, 3);
    product("smp", "i8", 1021, 4, 4);
}

static void x86_takes_its_addresses_arithmetic_where_a_multiplication_takes_longer(void)
{
    product("rdma", "i8", 3, 1, 1);            /* lea */
    product("rdma", "i8", 10, 2, 2);           /* lea, add */
    product("rdma", "i8", 2654435761, 1, 3);   /* imul */
    product("rdma", "i4", 0x01010101, 1, 3);   /* imul */
    product("rdma", "i8", 0xdeadbeef11, 1, 3); /* imul */
}

/* mulq: the constant of Knuth's hash has no chain of 23 cycles. */
static void a_constant_without_a_pattern_is_multiplied_by(void)
{
    product("t3d", "i8", 0x9e3779b97f4a7c15, 1, 23);
}

static void a_negative_constant_costs_at_most_a_negation_more(void)
{
    product("t3d", "i4", (uint32_t)-1, 1, 1);
    product("t3d", "i4", (uint32_t)-10, 3, 3);
    product("t3d", "i8", (uint64_t)-3, 2, 2);
}

/* Of a factor each, and of none: a loop whose chain it is. */
static void price_products(const char *machine, uint64_t factors, double *cycles)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint64_t i = 0; i + 1 < factors; i++) {
        g_autofree char *times = i > 0 ? g_strdup_printf("times %d ", (int)i + 1) : g_strdup("");
        g_string_append_printf(text,
                               "function f%d\nblock loop -> %d 9900 %d 100\n"
                               "multiply i8 %s<0 %s\nbranch i4\nblock\nreturn i4\n",
                               (int)i, (int)(2 * i), (int)(2 * i + 1), times, i > 0 ? "#40" : "_");
    }
    struct scene s = scene_open(machine, "cpu.branch_miss=0", text->str);
    for (uint64_t i = 0; i + 1 < factors; i++) cycles[i] = (double)s.price[2 * i].ticks / CPU_TICKS;
    scene_close(&s);
}

/* Every small factor is far cheaper than the multiplication of the 21064, and none dearer. */
static void no_chain_costs_more_than_the_multiplication(void)
{
    enum { FACTORS = 300 };
    double alpha[FACTORS], x86[FACTORS];
    price_products("t3d", FACTORS, alpha);
    price_products("rdma", FACTORS, x86);
    for (int i = 1; i < FACTORS - 1; i++) CU_ASSERT(alpha[i] < 12 && x86[i] <= x86[0]);
}

/* A search that ends without a chain takes a millisecond, or ten here: this would take half a
 * minute. */
static void a_factor_is_looked_for_once_however_often_it_stands(void)
{
    enum { FUNCTIONS = 60, TIMES = 20 };
    g_autoptr(GString) text = g_string_new(NULL);
    for (int f = 0; f < FUNCTIONS; f++) {
        g_string_append_printf(text, "function f%d\nblock loop -> %d 9900 %d 100\n", f, 2 * f,
                               2 * f + 1);
        for (int i = 0; i < TIMES; i++)
            g_string_append(text, "multiply i8 times 1103515245 <0 #40\n");
        g_string_append(text, "branch i4\nblock\nreturn i4\n");
    }
    struct scene s = scene_open("t3d", "cpu.branch_miss=0", text->str);
    for (int f = 0; f < FUNCTIONS; f++) CU_ASSERT(s.price[2 * f].ticks / CPU_TICKS >= TIMES);
    scene_close(&s);
}

UNIT_SUITE(cpu_multiple, UNIT_TEST(alpha_adds_scaled_by_four_and_eight),
           UNIT_TEST(sparc_shifts_and_adds),
           UNIT_TEST(x86_takes_its_addresses_arithmetic_where_a_multiplication_takes_longer),
           UNIT_TEST(a_constant_without_a_pattern_is_multiplied_by),
           UNIT_TEST(a_negative_constant_costs_at_most_a_negation_more),
           UNIT_TEST(no_chain_costs_more_than_the_multiplication),
           UNIT_TEST(a_factor_is_looked_for_once_however_often_it_stands))
