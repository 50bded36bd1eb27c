/* From operands to the steps that make them: back through what costs nothing, along the path, and
 * in a loop from one pass to the next. */
#include "cpu/lower.h"

struct value {
    uint32_t step, distance;
};
/* Operations that cost nothing which one operand is followed through. */
enum { VISITS = 64 };
static const struct value outside = {CPU_NO_STEP, 0};

static struct value made_by(const struct cpu_path *path, uint32_t position, uint32_t k,
                            uint32_t distance, int *visits);

/* The latest position of a block before `position`, else, where the path is a loop, the last one of
 * the pass before. */
static struct value made_in(const struct cpu_path *path, uint32_t block, uint32_t position,
                            uint32_t k, uint32_t distance, int *visits)
{
    for (uint32_t p = position; p-- > 0;)
        if (path->block[p] == block) return made_by(path, p, k, distance, visits);
    for (uint32_t p = path->positions; path->cyclic && p-- > position;)
        if (path->block[p] == block) return made_by(path, p, k, distance + 1, visits);
    return outside;
}

/* Is this where the path goes round an inner loop? */
static bool is_head(const struct cpu_path *path, uint32_t position)
{
    return path->inner[position] && path->loops->head[path->block[position]];
}

/* Does the path begin to go round it here? There is no iteration before. */
static bool enters(const struct cpu_path *path, uint32_t position)
{
    return is_head(path, position) &&
           (position == 0 || !path->inner[position - 1] ||
            !cpu_is_in(path->loops, path->block[position], path->block[position - 1]));
}

/* Is an operand of a phi node there what the iteration before has made? */
static bool is_carried(const struct cpu_path *path, uint32_t position, const struct cpu_operand *o)
{
    return o->where == BLOCK_PREVIOUS ||
           (o->where == BLOCK_THERE && cpu_is_in(path->loops, path->block[position], o->block));
}

static struct value from_operand(const struct cpu_path *path, uint32_t position,
                                 const struct cpu_operand *o, uint32_t distance, int *visits)
{
    switch (o->where) {
    case BLOCK_HERE: return made_by(path, position, o->k, distance, visits);
    case BLOCK_PREVIOUS:
        if (enters(path, position)) break;
        return made_in(path, path->block[position], position, o->k, distance, visits);
    case BLOCK_THERE: return made_in(path, o->block, position, o->k, distance, visits);
    case BLOCK_OUTSIDE:
    case BLOCK_CONSTANT:
    case BLOCK_VARIABLE:
    case BLOCK_WHERES: break;
    }
    return outside;
}

/* What memory is renamed for (Tyson and Austin, MICRO 1997): Zen 2 keeps what was stored in a
 * register if it is of 32 or 64 bits and from a general one (Fog, The microarchitecture of Intel,
 * AMD and VIA CPUs). The plugin describes no store of more than a round ago, and Zen 4 was seen to
 * keep none of these. */
static bool is_renamed(const struct cpu_path *path, const struct cpu_op *store)
{
    uint32_t bytes = block_type_bytes(store->type);
    return path->cpu->renames && !(store->type & BLOCK_FLOAT) && store->operands > 0 &&
           block_type_lanes(store->type) == 1 && (bytes == 4 || bytes == 8);
}

/* Out of order, what a load reads that was just stored comes from that store, cpu.latency.store or
 * .fp_store later, however early the load was issued; or from what it stored, where memory is
 * renamed. In order the load is behind the store. */
static struct value forwarded(const struct cpu_path *path, uint32_t position,
                              const struct cpu_op *op, uint32_t distance, int *visits)
{
    if (!op->stored || path->cpu->window == 0 || *visits == 0) return outside;
    --*visits; /* what is stored may be what was loaded the round before */
    return from_operand(path, position, cpu_operand_at(path->object, op->stored), distance, visits);
}

/* An operation that costs nothing has the value of the operand that comes last. */
static struct value made_by(const struct cpu_path *path, uint32_t position, uint32_t k,
                            uint32_t distance, int *visits)
{
    uint32_t step = path->result[path->base[position] + k];
    const struct cpu_block *block = cpu_block_at(path->object, path->block[position]);
    const struct cpu_op *op = cpu_op_at(path->object, block->first_op + k);
    struct value stored = forwarded(path, position, op, distance, visits);
    if (stored.step != CPU_NO_STEP) return stored;
    if (op->class == BLOCK_STORE && *visits > 0 && is_renamed(path, op))
        return from_operand(path, position, cpu_operand_at(path->object, op->first_operand),
                            distance, visits);
    if (step != FREE) return (struct value){step, distance};
    if (*visits == 0) return outside;
    --*visits;
    struct value latest = outside;
    bool chooses = op->class == BLOCK_PHI && is_head(path, position);
    bool carried = chooses && !enters(path, position);
    for (uint32_t i = 0; i < op->operands; i++) {
        const struct cpu_operand *o = cpu_operand_at(path->object, op->first_operand + i);
        if (chooses && is_carried(path, position, o) != carried) continue;
        struct value v = from_operand(path, position, o, distance, visits);
        if (v.step == CPU_NO_STEP) continue;
        bool later = latest.step == CPU_NO_STEP || v.distance < latest.distance ||
                     (v.distance == latest.distance && v.step > latest.step);
        if (later) latest = v;
    }
    return latest;
}

void cpu_find_values(struct cpu_path *path)
{
    for (uint32_t s = 0; s < path->step->len; s++) {
        const struct cpu_step *step = cpu_step_at(path, s);
        for (uint32_t i = 0; i < step->deps; i++) {
            struct cpu_dep *d = &g_array_index(path->dep, struct cpu_dep, step->first_dep + i);
            if (d->step != CPU_NO_STEP) continue;
            const struct cpu_operand *o = cpu_operand_at(path->object, d->operand - 1);
            int visits = VISITS;
            struct value v = from_operand(path, step->position, o, 0, &visits);
            d->step = v.step;
            d->distance = v.distance;
        }
    }
}
