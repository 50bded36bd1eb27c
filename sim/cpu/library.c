/* What a call of a library's function costs beside the accesses that are charged as such:
 * library.def says what it executes, and what of that one behind the other.
 *
 * Out of order its operations are steps among the others, and what is made of its result waits for
 * the chain. In order, and where there are too many, the call takes the longer of chain and issue.
 *
 * Where the machine says what a call takes (cpu.library), its operations still fill the window, and
 * what is behind it enters so many cycles after it: fetch of code that jumps is what such calls
 * mostly wait for.
 */
#include "cpu/lower.h"

/* Steps of a call that overlaps. More fill a window by themselves, and each is played in each pass:
 * that would be dear where a program prints much. */
enum { STEPS_MAX = 256 };

enum executed {
    FP_ADD,
    FP_MULTIPLY,
    FP_FMA,
    FP_DIVIDE,
    FP_SQRT,
    CONVERT,
    INTEGER,
    LOAD,
    CHAINED, /* stores make nothing that the rest waits for */
    STORE = CHAINED,
    EXECUTED
};
struct cpu_library {
    const char *name;
    uint16_t count[EXECUTED + CHAINED];
};
static const struct cpu_library row[] = {
#define LIBRARY(name, ...) {name, {__VA_ARGS__}},
#include "cpu/library.def"
#undef LIBRARY
};
/* How a machine executes each; LOWERINGS: every machine has it. */
static const struct {
    enum mach_class class;
    enum cpu_lowering lowering;
} how[EXECUTED] = {
    [FP_ADD] = {MACH_FP_ADD, LOWERINGS},    [FP_MULTIPLY] = {MACH_FP_MULTIPLY, LOWERINGS},
    [FP_FMA] = {MACH_FP_FMA, LOWER_FMA},    [FP_DIVIDE] = {MACH_FP_DIVIDE, LOWERINGS},
    [FP_SQRT] = {MACH_FP_SQRT, LOWER_SQRT}, [CONVERT] = {MACH_FP_TO_INT, LOWER_FP_TO_INT},
    [INTEGER] = {MACH_INT_ADD, LOWERINGS},  [LOAD] = {MACH_LOAD, LOWERINGS},
    [STORE] = {MACH_STORE, LOWERINGS},
};

/* What the machine says of each; NULL: nothing. */
static const struct mach_function_keys *said(const struct cpu *cpu, const struct cpu_library *f)
{
    static uint8_t function[G_N_ELEMENTS(row)]; /* and 1 */
    static bool known;
    for (int i = 0; !known && i < MACH_FUNCTIONS; i++) {
        const struct cpu_library *its = cpu_library_find(mach_function_word(i));
        if (its) function[its - row] = (uint8_t)(i + 1);
    }
    known = true;
    const uint8_t i = function[f - row];
    return i ? &cpu->function[i - 1] : NULL;
}
/* Cycles of one of many calls, and from the argument to the result; 0: it does not say. */
static uint64_t said_cycles(const struct cpu *cpu, const struct cpu_library *f)
{
    const struct mach_function_keys *keys = said(cpu, f);
    return keys && keys->library > 0 ? (uint64_t)MAX(keys->library + 0.5, 1) : 0;
}
static uint64_t said_result(const struct cpu *cpu, const struct cpu_library *f)
{
    const struct mach_function_keys *keys = said(cpu, f);
    return keys && keys->library_result > 0 ? (uint64_t)MAX(keys->library_result + 0.5, 1) : 0;
}

/* What a machine does instead of an operation that it lacks; NULL: it has it. */
static const struct mach_lower *lowered(const struct cpu *cpu, enum executed e)
{
    if (how[e].lowering == LOWERINGS) return NULL;
    const struct mach_lower *lower = &cpu->lower[how[e].lowering];
    return lower->cycles || lower->steps ? lower : NULL;
}

static uint64_t latency(const struct cpu *cpu, enum mach_class c)
{
    return (uint64_t)cpu->class[c].latency.cycles[MACH_USE_VALUE];
}

static uint64_t chain_cycles(const struct cpu *cpu, const struct cpu_library *f)
{
    uint64_t cycles = said_result(cpu, f);
    for (int e = 0; e < CHAINED && !said_result(cpu, f); e++) {
        const struct mach_lower *lower = lowered(cpu, e);
        uint64_t each = lower ? (uint64_t)lower->cycles : latency(cpu, how[e].class);
        for (int i = 0; lower && i < lower->steps; i++) each += latency(cpu, lower->step[i]);
        cycles += f->count[EXECUTED + e] * each;
    }
    return cycles;
}

static uint64_t steps_of(const struct cpu *cpu, const struct cpu_library *f)
{
    uint64_t steps = 0;
    for (int e = 0; e < EXECUTED; e++) {
        const struct mach_lower *lower = lowered(cpu, e);
        steps += f->count[e] * (lower ? (uint64_t)MAX(lower->steps, 1) : 1);
    }
    return steps;
}

const struct cpu_library *cpu_library_find(const char *name)
{
    static GHashTable *known;
    if (!known) {
        known = g_hash_table_new(g_str_hash, g_str_equal);
        for (size_t i = 0; i < G_N_ELEMENTS(row); i++)
            g_hash_table_insert(known, (char *)row[i].name, (void *)&row[i]);
    }
    return g_hash_table_lookup(known, name);
}

uint32_t cpu_library_cycles(const struct cpu *cpu, const struct cpu_library *f)
{
    const uint64_t said = said_cycles(cpu, f), steps = steps_of(cpu, f);
    if (said) return (uint32_t)MAX(said, said_result(cpu, f));
    return (uint32_t)MAX(chain_cycles(cpu, f), steps / cpu->issue + (steps % cpu->issue > 0));
}

uint64_t cpu_library_ticks(const struct cpu *cpu, const struct cpu_library *f)
{
    const struct mach_function_keys *keys = said(cpu, f);
    if (keys && keys->library > 0) return (uint64_t)(keys->library * CPU_TICKS + 0.5);
    return cpu->window > 0 ? steps_of(cpu, f) * CPU_TICKS / cpu->issue
                           : (uint64_t)cpu_library_cycles(cpu, f) * CPU_TICKS;
}

bool cpu_library_said(const struct cpu *cpu, const struct cpu_library *f)
{
    return said_cycles(cpu, f) > 0;
}

/* Its operations, each as soon as there is room. */
static void add_steps(struct lowering *l, const struct cpu_library *f)
{
    const uint32_t first = l->path->step->len;
    for (int e = 0; e < EXECUTED; e++) {
        const struct mach_lower *lower = lowered(l->path->cpu, e);
        for (uint32_t n = f->count[e]; n > 0; n--) {
            if (!lower) cpu_add_step(l, how[e].class);
            for (int i = 0; lower && i < lower->steps; i++) cpu_add_step(l, lower->step[i]);
        }
    }
    for (uint32_t s = first; s < l->path->step->len; s++)
        g_array_index(l->path->step, struct cpu_step, s).within = true;
}

uint32_t cpu_add_library(struct lowering *l, uint32_t call)
{
    const struct cpu *cpu = l->path->cpu;
    bool beside = cpu->window > 0 && steps_of(cpu, l->op->library) <= STEPS_MAX;
    uint32_t s = cpu_add_step(l, MACH_BRANCH);
    cpu_wait_for_step(l, call, 0, MACH_USE_VALUE);
    struct cpu_step *step = &g_array_index(l->path->step, struct cpu_step, s);
    step->beside = beside;
    step->holds = (uint32_t)said_cycles(cpu, l->op->library);
    step->cycles = beside ? (uint32_t)MAX(chain_cycles(cpu, l->op->library), 1)
                          : cpu_library_cycles(cpu, l->op->library);
    if (beside) add_steps(l, l->op->library);
    return s;
}
