/* Latency and rate of each class of operations: a chain of dependent instructions, and eight chains
 * side by side. */
#include "cli/measure/families.h"
#include "cli/measure/ports.h"

#include <math.h>

/* What else a chain's snippet has in it. */
#define HALF             (-0.5)
#define LESS_FP_ADD      (-1.0)
#define LESS_FP_MULTIPLY (-2.0)
/* A class and its instruction. `extra`: cycles of the chain's snippet that are not the operation's
 * own, or one of those above; `each`: operations of a snippet. */
static const struct class_code {
    enum mach_class class;
    enum cli_snippet chain, many;
    double extra;
    int each;
    const char *what;
} codes[] = {
    {MACH_INT_ADD, CLI_CODE_ADD, CLI_CODE_ADD, 0, 1, "add"},
    {MACH_INT_COMPARE, CLI_CODE_COMPARE_CHAIN, CLI_CODE_COMPARE, 1, 1, "cmp and sbb, less 1"},
    {MACH_SHIFT, CLI_CODE_SHIFT, CLI_CODE_SHIFT, 0, 1, "rol by a constant"},
    {MACH_SELECT, CLI_CODE_SELECT, CLI_CODE_SELECT, 0, 1, "cmovc"},
    {MACH_INT_MULTIPLY_32, CLI_CODE_MULTIPLY_32, CLI_CODE_MULTIPLY_32, 0, 1, "imul of 32 bits"},
    {MACH_INT_MULTIPLY, CLI_CODE_MULTIPLY, CLI_CODE_MULTIPLY, 0, 1, "imul of 64 bits"},
    {MACH_INT_DIVIDE_32, CLI_CODE_DIVIDE_32_CHAIN, CLI_CODE_DIVIDE_32, 1, 1,
     "div of 31 bits by 3 bits and or, less 1"},
    {MACH_INT_DIVIDE, CLI_CODE_DIVIDE_CHAIN, CLI_CODE_DIVIDE, 1, 1,
     "div of 31 bits by 3 bits in 64 and or, less 1"},
    {MACH_INT_TO_FP, CLI_CODE_THERE_AND_BACK, CLI_CODE_TO_FP, HALF, 1,
     "cvtsi2sd, half of the way there and back; its rate: after xorps, as compilers write it"},
    {MACH_FP_TO_INT, CLI_CODE_THERE_AND_BACK, CLI_CODE_TO_INT, HALF, 1,
     "cvttsd2si, half of the way there and back"},
    {MACH_FP_MOVE, CLI_CODE_FP_MOVE, CLI_CODE_FP_MOVE, 0, 1, "xorps"},
    {MACH_FP_ADD, CLI_CODE_FP_MULTIPLY_ADD, CLI_CODE_FP_ADD, LESS_FP_MULTIPLY, 1,
     "mulsd and addsd, less that of mulsd"},
    {MACH_FP_COMPARE, CLI_CODE_FP_COMPARE_CHAIN, CLI_CODE_FP_COMPARE, 0, 1,
     "cmpltsd; its rate: ucomisd"},
    {MACH_FP_MULTIPLY, CLI_CODE_FP_MULTIPLY, CLI_CODE_FP_MULTIPLY, 0, 1, "mulsd"},
    {MACH_FP_FMA, CLI_CODE_FP_FMA, CLI_CODE_FP_FMA, 0, 1, "vfmadd213sd"},
    {MACH_FP_DIVIDE_32, CLI_CODE_FP_DIVIDE_32, CLI_CODE_FP_DIVIDE_32, 0, 1, "divss by 1"},
    {MACH_FP_DIVIDE, CLI_CODE_FP_DIVIDE, CLI_CODE_FP_DIVIDE, 0, 2, "divsd by 1.25 and 0.8"},
    {MACH_FP_SQRT_32, CLI_CODE_FP_SQRT_32, CLI_CODE_FP_SQRT_32, 0, 1, "sqrtss"},
    {MACH_FP_SQRT, CLI_CODE_FP_SQRT_CHAIN, CLI_CODE_FP_SQRT, LESS_FP_ADD, 1,
     "sqrtsd and addsd, less that of addsd"},
    {MACH_SHUFFLE, CLI_CODE_SHUFFLE, CLI_CODE_SHUFFLE, 0, 1, "shufpd"},
    {MACH_LOAD, CLI_CODE_CHASE, CLI_CODE_LOAD, 0, 1, "mov from the address it gave itself"},
    {MACH_LOAD_SIGNED, CLI_CODE_LOAD_SIGNED_CHAIN, CLI_CODE_LOAD, 0, 1, "movsx of a word"},
    {MACH_STORE, CLI_CODE_STORE_CHAIN, CLI_CODE_STORE, 0, 1, "mov to and from one address"},
    {MACH_FP_STORE, CLI_CODE_FP_STORE_CHAIN, CLI_CODE_FP_STORE, 0, 1,
     "movsd to and from one address"},
    {MACH_BRANCH, CLI_CODE_BRANCH, CLI_CODE_BRANCH, 0, 1, "jc that is not taken"},
};
enum { BODY = 128 };

static struct cli_figure timed(struct cli_bench *b, enum cli_snippet snippet, int instances,
                               int each)
{
    struct cli_data data;
    cli_data_init(&data);
    for (int i = 0; i < CLI_INSTANCES; i++) data.chain[i] = &data.chain[i];
    cli_code_begin();
    cli_code_repeat(snippet, BODY, instances);
    cli_code_end();
    return cli_sample_cycles(b, &data, BODY * each);
}

/* Cycles of what stands in the chains of others, beside them. */
struct beside {
    double fp_add, fp_multiply;
};

/* What the operation has of a chain's snippet, in cycles. */
static double own_part(const struct class_code *c, double cycles, struct beside beside)
{
    if (c->extra == HALF) return cycles / 2;
    if (c->extra == LESS_FP_ADD) return cycles - beside.fp_add;
    if (c->extra == LESS_FP_MULTIPLY) return cycles - beside.fp_multiply;
    return cycles - c->extra;
}

static void add_latency(struct cli_bench *b, const struct class_code *c, struct beside beside)
{
    struct cli_figure f = timed(b, c->chain, 1, c->each);
    double cycles = own_part(c, f.cycles, beside);
    g_autofree char *key = g_strdup_printf("cpu.latency.%s", mach_class_word(c->class));
    g_autofree char *value = g_strdup_printf("%d", MAX(1, (int)(cycles + 0.5)));
    cli_row_add(b, key, f.spread, value, "measured: %.2f cycles, a chain of %s", cycles, c->what);
    if (c->class == MACH_LOAD) b->l1_cycles = cycles;
}

/* Classes that no result comes of have no chain. */
static bool has_result(enum mach_class c) { return c != MACH_BRANCH; }

/* Independent ones. Eight chains of additions and multiplications are too few to fill four ports
 * with both: where there are instructions whose result waits for none before, these. */
static enum cli_snippet many_of(const struct class_code *c)
{
    if (!cli_code_has_fma()) return c->many; /* nor AVX's three operands */
    if (c->class == MACH_FP_ADD) return CLI_CODE_FP_ADD_FREE;
    return c->class == MACH_FP_MULTIPLY ? CLI_CODE_FP_MULTIPLY_FREE : c->many;
}

static double add_rate(struct cli_bench *b, const struct class_code *c)
{
    struct cli_figure f = timed(b, many_of(c), CLI_INSTANCES, c->each);
    double cycles = f.cycles;
    g_autofree char *key = g_strdup_printf("cpu.repeat.%s", mach_class_word(c->class));
    g_autofree char *value = g_strdup_printf("%d", cli_nearest(cycles));
    cli_row_add(b, key, f.spread, value, "measured: %.2f a cycle, independent ones", 1 / cycles);
    return 1 / cycles;
}

/* Through memory where each store and its load have another address than those before, the sum of
 * two registers: a core may know beforehand one that stays the same, or one register that counts.
 */
static struct cli_figure forwarded(struct cli_bench *b, enum cli_snippet snippet, int pairs)
{
    struct cli_data data;
    cli_data_init(&data);
    data.chain[0] = NULL; /* the index, of scratch */
    cli_code_begin();
    for (int i = 0; i < pairs / CLI_INSTANCES; i++) {
        cli_code_repeat(snippet, CLI_INSTANCES, 1);
        cli_code_add(CLI_CODE_FORWARD_AGAIN, 0);
    }
    cli_code_end();
    return cli_sample_cycles(b, &data, pairs);
}

/* A core that renames memory does so for as many pairs as a loop of a program has, not for all of
 * many: 8 took 1.0 cycles on a Zen 4, and 32 took 6.1. With an addition to each, which then alone
 * takes a cycle. */
static void add_forward(struct cli_bench *b)
{
    struct cli_figure f = forwarded(b, CLI_CODE_FORWARD, BODY),
                      few = forwarded(b, CLI_CODE_FORWARD_ADD, CLI_INSTANCES);
    g_autofree char *value = g_strdup_printf("%d", MAX(1, (int)(f.cycles + 0.5)));
    cli_row_add(b, "cpu.forward", f.spread, value,
                "measured: %.2f cycles, a chain of mov to and from ascending indices", f.cycles);
    cli_row_add(b, "cpu.memory_renaming", few.spread, few.cycles < 2 ? "1" : "0",
                "measured: %.2f cycles, %d of them and an add to each in a loop", few.cycles,
                CLI_INSTANCES);
}

/* Additions one behind the other, which cores pass on sooner than to others. */
static void add_bypass(struct cli_bench *b)
{
    struct cli_figure f = timed(b, CLI_CODE_FP_ADD, 1, 1);
    g_autofree char *value = g_strdup_printf("%d", MAX(1, (int)(f.cycles + 0.5)));
    cli_row_add(b, "cpu.fp_add_bypass", f.spread, value, "measured: %.2f cycles, a chain of addsd",
                f.cycles);
}

/* The lesser of two numbers: some cores take it as a comparison, others as an addition. */
static void add_minimum(struct cli_bench *b, double fp_add)
{
    struct cli_figure f = timed(b, CLI_CODE_FP_MINIMUM, 1, 1);
    cli_row_add(b, "cpu.lower.fp_minimum", f.spread,
                f.cycles < (1 + fp_add) / 2 ? "fp_compare" : "fp_add",
                "measured: %.2f cycles, a chain of minsd", f.cycles);
}

/* Stores to two lines in turn. */
static void add_store_lines(struct cli_bench *b)
{
    struct cli_figure f = timed(b, CLI_CODE_STORE_LINE, 2, 1);
    g_autofree char *value = g_strdup_printf("%d", MAX(1, (int)(1 / f.cycles + 0.5)));
    cli_row_add(b, "cpu.store_lines", f.spread, value,
                "measured: %.2f stores a cycle, to two lines in turn", 1 / f.cycles);
}

/* One behind the other; the cycle that the load and the store of each take is theirs. */
static void add_atomic(struct cli_bench *b)
{
    struct cli_figure f = timed(b, CLI_CODE_ATOMIC, CLI_INSTANCES, 1);
    g_autofree char *value = g_strdup_printf("%.1fcycles", MAX(0, f.cycles - 1));
    cli_row_add(b, "cpu.atomic", f.spread, value, "measured: %.2f cycles a lock add, less 1",
                f.cycles);
}

/* Few enough to be remembered; the round's own jump is the last. */
static void add_taken(struct cli_bench *b)
{
    enum { JUMPS = 8 };
    struct cli_data data;
    cli_data_init(&data);
    cli_code_begin();
    cli_code_repeat(CLI_CODE_JUMP, JUMPS - 1, 1);
    cli_code_end();
    struct cli_figure f = cli_sample_cycles(b, &data, JUMPS);
    g_autofree char *value = g_strdup_printf("%d", MAX(1, (int)(f.cycles + 0.5)));
    cli_row_add(b, "cpu.taken", f.spread, value, "measured: %.2f cycles a jump, %d in a loop",
                f.cycles, JUMPS);
}

/* Functions that call each other, as in a program half a line of code or more apart: where calls
 * and returns stand closer they take 5 to 11 cycles each, by who else is on the core. */
static void add_call(struct cli_bench *b)
{
    enum { CALLS = 4 };
    struct cli_data data;
    cli_data_init(&data);
    cli_code_begin();
    cli_code_add(CLI_CODE_CALL_OVER_THREE, 0);
    cli_code_repeat(CLI_CODE_CALL, CALLS - 1, 1);
    cli_code_add(CLI_CODE_RETURN, 0);
    cli_code_end();
    struct cli_figure f = cli_sample_cycles(b, &data, CALLS);
    g_autofree char *value = g_strdup_printf("%d", MAX(1, (int)(f.cycles + 0.5)));
    cli_row_add(b, "cpu.call", f.spread, value,
                "measured: %.2f cycles a call and return, %d inside each other in a loop", f.cycles,
                CALLS);
}

void cli_measure_pipeline(struct cli_bench *b)
{
    struct cli_port_class port[G_N_ELEMENTS(codes)];
    int n = 0;
    struct beside beside = {.fp_multiply = timed(b, CLI_CODE_FP_MULTIPLY, 1, 1).cycles};
    beside.fp_add = timed(b, CLI_CODE_FP_MULTIPLY_ADD, 1, 1).cycles - beside.fp_multiply;
    for (size_t i = 0; i < G_N_ELEMENTS(codes); i++) {
        const struct class_code *c = &codes[i];
        if (c->class == MACH_FP_FMA && !cli_code_has_fma()) continue;
        if (has_result(c->class)) add_latency(b, c, beside);
        double rate = add_rate(b, c);
        port[n++] = (struct cli_port_class){c->class, many_of(c), rate, 0};
    }
    cli_measure_ports(b, port, n);
    add_forward(b);
    add_taken(b);
    add_call(b);
    add_store_lines(b);
    add_atomic(b);
    add_bypass(b);
    add_minimum(b, beside.fp_add);
}
