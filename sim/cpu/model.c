/* A machine's pipeline, made from its cpu.* keys, whose texts mach has checked. */
#include "cpu/parts.h"

#include <string.h>

/* Classes that share a unit: the first stands for it. A class of repeat 1 needs none. */
static const enum mach_class unit_of[MACH_CLASSES] = {
    [MACH_INT_ADD] = MACH_INT_ADD,
    [MACH_INT_COMPARE] = MACH_INT_COMPARE,
    [MACH_SHIFT] = MACH_SHIFT,
    [MACH_SELECT] = MACH_SELECT,
    [MACH_INT_MULTIPLY_32] = MACH_INT_MULTIPLY,
    [MACH_INT_MULTIPLY] = MACH_INT_MULTIPLY,
    [MACH_INT_DIVIDE_32] = MACH_INT_MULTIPLY,
    [MACH_INT_DIVIDE] = MACH_INT_MULTIPLY,
    [MACH_INT_TO_FP] = MACH_INT_TO_FP,
    [MACH_FP_TO_INT] = MACH_FP_TO_INT,
    [MACH_FP_MOVE] = MACH_FP_MOVE,
    [MACH_FP_ADD] = MACH_FP_ADD,
    [MACH_FP_COMPARE] = MACH_FP_COMPARE,
    [MACH_FP_MULTIPLY] = MACH_FP_MULTIPLY,
    [MACH_FP_FMA] = MACH_FP_FMA,
    [MACH_FP_DIVIDE_32] = MACH_FP_DIVIDE,
    [MACH_FP_DIVIDE] = MACH_FP_DIVIDE,
    [MACH_FP_SQRT_32] = MACH_FP_DIVIDE,
    [MACH_FP_SQRT] = MACH_FP_DIVIDE,
    [MACH_SHUFFLE] = MACH_SHUFFLE,
    [MACH_LOAD] = MACH_LOAD,
    [MACH_LOAD_SIGNED] = MACH_LOAD,
    [MACH_STORE] = MACH_STORE,
    [MACH_FP_STORE] = MACH_STORE,
    [MACH_BRANCH] = MACH_BRANCH,
    [MACH_FP_BRANCH] = MACH_BRANCH,
};

static void fill_lowerings(struct cpu *cpu, const struct mach *m)
{
    const char *const text[LOWERINGS] = {
        [LOWER_BYTE_LOAD] = m->cpu_lower_byte_load,
        [LOWER_SIGNED_BYTE_LOAD] = m->cpu_lower_signed_byte_load,
        [LOWER_BYTE_STORE] = m->cpu_lower_byte_store,
        [LOWER_INT_DIVIDE] = m->cpu_lower_int_divide,
        [LOWER_INT_TO_FP] = m->cpu_lower_int_to_fp,
        [LOWER_FP_TO_INT] = m->cpu_lower_fp_to_int,
        [LOWER_SELECT] = m->cpu_lower_select,
        [LOWER_TRUTH] = m->cpu_lower_truth,
        [LOWER_FP_MINIMUM] = m->cpu_lower_fp_minimum,
        [LOWER_FMA] = m->cpu_lower_fma,
        [LOWER_SQRT] = m->cpu_lower_sqrt,
        [LOWER_WIDE_CONSTANT] = m->cpu_lower_wide_constant,
        [LOWER_INDEXED] = m->cpu_lower_indexed,
        [LOWER_SCALED_INDEX] = m->cpu_lower_scaled_index,
        [LOWER_CALL] = m->cpu_lower_call,
    };
    for (int i = 0; i < LOWERINGS; i++) mach_parse_lower(text[i], &cpu->lower[i], NULL);
}

static enum cpu_compare compare_of(const char *word)
{
    if (strcmp(word, "fused") == 0) return COMPARE_FUSED;
    return strcmp(word, "zero") == 0 ? COMPARE_ZERO : COMPARE_SEPARATE;
}

/* What was just stored is loaded from an address that counts: at one that stays the same, as chains
 * through memory are measured, it may come sooner. */
static void forward_later(struct cpu *cpu, int cycles)
{
    for (int u = 0; u < MACH_USES; u++) {
        int *store = &cpu->class[MACH_STORE].latency.cycles[u],
            *fp_store = &cpu->class[MACH_FP_STORE].latency.cycles[u];
        *store = MAX(*store, cycles);
        *fp_store = MAX(*fp_store, cycles);
    }
}

static uint32_t registers_of(const struct cpu *cpu, int registers)
{
    return registers > 0 ? MIN((uint32_t)registers, cpu->window) : cpu->window;
}

struct cpu *cpu_new(const struct mach *m)
{
    struct cpu *cpu = g_new0(struct cpu, 1);
    for (int c = 0; c < MACH_CLASSES; c++) {
        mach_parse_latency(m->op[c].latency, &cpu->class[c].latency, NULL);
        mach_parse_ports(m->op[c].ports, &cpu->class[c].ports, NULL);
        cpu->class[c].repeat = (uint32_t)m->op[c].repeat;
        cpu->class[c].unit = unit_of[c];
    }
    forward_later(cpu, (int)m->cpu_forward);
    fill_lowerings(cpu, m);
    memcpy(cpu->function, m->function, sizeof cpu->function);
    cpu->issue = (uint32_t)m->cpu_issue;
    cpu->window = (uint32_t)m->cpu_window;
    cpu->registers[CPU_FILE_INTEGER] = registers_of(cpu, m->cpu_registers);
    cpu->registers[CPU_FILE_FLOATING] = registers_of(cpu, m->cpu_fp_registers);
    cpu->queue = (uint32_t)m->cpu_queue;
    cpu->taken = (uint32_t)m->cpu_taken;
    cpu->jump = (uint32_t)m->cpu_jump;
    cpu->call = (uint32_t)m->cpu_call;
    cpu->store_lines = (uint32_t)m->cpu_store_lines;
    cpu->fp_add_bypass = (uint32_t)m->cpu_fp_add_bypass;
    cpu->unroll = (uint32_t)m->cpu_unroll;
    cpu->saved = (uint32_t)m->cpu_saved_registers;
    cpu->constant_bits = (uint32_t)m->cpu_constant_bits;
    cpu->vector = (uint32_t)m->cpu_vector;
    cpu->compare = compare_of(m->cpu_branch_compare);
    cpu->miss_ticks = (uint64_t)(m->cpu_branch_miss * CPU_TICKS + 0.5);
    cpu->predictor = m->cpu_predictor; /* an interned word */
    cpu->renames = m->cpu_memory_renaming;
    for (int narrow = 0; narrow < 2; narrow++)
        cpu->multiple[narrow] = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
    if (cpu->window == 0) return cpu;
    cpu->ring = g_new0(struct cpu_ring, 1);
    cpu->ring->alike = cpu_alike_new();
    return cpu;
}

void cpu_free(struct cpu *cpu)
{
    for (int narrow = 0; narrow < 2; narrow++) g_hash_table_unref(cpu->multiple[narrow]);
    if (cpu->ring) cpu_alike_free(cpu->ring->alike);
    g_free(cpu->ring);
    g_free(cpu);
}

const char *cpu_class_word(enum block_class c)
{
    static const char *const word[BLOCK_CLASSES] = {
        [BLOCK_MOVE] = "move",
        [BLOCK_ADD] = "add",
        [BLOCK_LOGIC] = "logic",
        [BLOCK_SHIFT] = "shift",
        [BLOCK_COMPARE] = "compare",
        [BLOCK_SELECT] = "select",
        [BLOCK_MULTIPLY] = "multiply",
        [BLOCK_DIVIDE] = "divide",
        [BLOCK_CONVERT] = "convert",
        [BLOCK_FP_MOVE] = "fp_move",
        [BLOCK_FP_ADD] = "fp_add",
        [BLOCK_FP_COMPARE] = "fp_compare",
        [BLOCK_FP_MULTIPLY] = "fp_multiply",
        [BLOCK_FP_FMA] = "fp_fma",
        [BLOCK_FP_DIVIDE] = "fp_divide",
        [BLOCK_FP_SQRT] = "fp_sqrt",
        [BLOCK_SHUFFLE] = "shuffle",
        [BLOCK_LOAD] = "load",
        [BLOCK_STORE] = "store",
        [BLOCK_ATOMIC] = "atomic",
        [BLOCK_BRANCH] = "branch",
        [BLOCK_SWITCH] = "switch",
        [BLOCK_CALL] = "call",
        [BLOCK_RETURN] = "return",
        [BLOCK_PHI] = "phi",
        [BLOCK_ASM] = "asm",
        [BLOCK_SAVE] = "save",
        [BLOCK_MINIMUM] = "minimum",
    };
    return word[c];
}
