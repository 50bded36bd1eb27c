/* Out of order, of two loops one behind the other whose chains do not wait for each other the
 * second begins before the first is done: while the last rounds of the first that fill the window
 * wait for their chain, rounds of the second enter behind them. What a loop of R rounds has in the
 * window of W operations takes c (W / n) R / (R + W / n), of n operations and c cycles of chain a
 * round (overlap.c). So the second takes less by what the shorter of the two has there: known where
 * it is left, as is whether it was that first loop which was left before (probe/hooks.c).
 *
 * Left out: loops in different functions, and between which there is a call, an atomic or assembly;
 * values that go from one to the other through memory. */
#include "cpu/parts.h"

enum { PART = CPU_TICKS / 256, BETWEEN = 16, VISITS = 1024 };

static bool is_loop(const struct cpu_object *object, uint32_t b)
{
    return cpu_block_at(object, b)->flags & BLOCK_LOOP;
}

static bool goes_on(const struct cpu_object *object, uint32_t b)
{
    const struct cpu_block *block = cpu_block_at(object, b);
    for (uint32_t i = block->first_op; i < block->first_op + block->ops; i++) {
        enum block_class class = cpu_op_at(object, i)->class;
        if (class == BLOCK_CALL || class == BLOCK_ATOMIC || class == BLOCK_ASM) return false;
    }
    return true;
}

/* The loop that the likelier way leads to behind one; object->blocks: to none. */
static uint32_t next_loop(const struct cpu_object *object, const struct cpu_loops *loops,
                          uint32_t loop)
{
    uint32_t b = loops->rounds[loop].exit;
    for (int i = 0; i < BETWEEN && b < object->blocks && goes_on(object, b); i++) {
        if (is_loop(object, b)) return b;
        b = cpu_likelier(object, b);
    }
    return object->blocks;
}

struct search {
    const struct cpu_object *object;
    uint32_t from, visits;
    bool *seen; /* of each operation */
};

/* Is an operation, or what it is made of, of that block? Yes, if that takes too long to find. */
static bool comes_from(struct search *search, uint32_t b, uint32_t k)
{
    const struct cpu_object *object = search->object;
    uint32_t i = cpu_block_at(object, b)->first_op + k;
    if (b == search->from || search->visits == VISITS) return true;
    if (search->seen[i]) return false;
    search->seen[i] = true;
    search->visits++;
    const struct cpu_op *op = cpu_op_at(object, i);
    for (uint32_t o = op->first_operand; o < op->first_operand + op->operands; o++) {
        const struct cpu_operand *v = cpu_operand_at(object, o);
        if (!cpu_is_made(v)) continue;
        if (comes_from(search, v->where == BLOCK_THERE ? v->block : b, v->k)) return true;
    }
    return false;
}

static bool waits_for(const struct cpu_object *object, uint32_t loop, uint32_t before)
{
    g_autofree bool *seen = g_new0(bool, object->op->len + 1);
    struct search search = {.object = object, .from = before, .seen = seen};
    for (uint32_t k = 0; k < cpu_block_at(object, loop)->ops; k++)
        if (comes_from(&search, loop, k)) return true;
    return false;
}

/* What a loop has in the window; most 0: its chain does not bound it. */
static struct cpu_overlap in_window(const struct cpu *cpu, const struct cpu_price *p)
{
    const double window = p->window;
    uint64_t round = p->ticks - p->miss, width = cpu_widest(p);
    uint64_t least = MAX(width, (uint64_t)cpu->taken * CPU_TICKS);
    double n = (double)p->at_least[CPU_BOUND_ISSUE] * cpu->issue / CPU_TICKS;
    if (round <= least || n <= 0) return (struct cpu_overlap){0};
    return (struct cpu_overlap){
        .most = (uint32_t)MIN((double)round * window / n / PART, UINT32_MAX),
        .half = (uint32_t)(window / n),
        .behind = CPU_OVERLAP_FIRST,
        .each = (uint32_t)MIN((round - least) / PART, UINT32_MAX),
        .round = (uint32_t)MIN(round / PART, UINT32_MAX),
    };
}

void cpu_price_behind(const struct cpu *cpu, const struct cpu_object *object,
                      const struct cpu_loops *loops, struct cpu_price *price)
{
    g_autofree bool *alone = g_new0(bool, object->blocks + 1);
    if (cpu->window == 0) return;
    for (uint32_t b = 0; b < object->blocks; b++)
        alone[b] = !is_loop(object, b) || !goes_on(object, b) || price[b].overlap.round > 0 ||
                   loops->rounds[b].known;
    for (uint32_t b = 0; b < object->blocks; b++) {
        if (alone[b]) continue;
        uint32_t next = next_loop(object, loops, b);
        if (next == object->blocks || next == b || alone[next] || price[next].follows) continue;
        struct cpu_overlap first = in_window(cpu, &price[b]), second = in_window(cpu, &price[next]);
        if (first.most == 0 || second.most == 0 || waits_for(object, next, b)) continue;
        price[b].overlap = first;
        price[next].overlap = second;
        price[next].follows = b + 1;
    }
}
