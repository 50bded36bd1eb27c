/* Whose value the address of a load, or a branch's condition, is made of: back from the address,
 * through what computes it, to a load; which load that is in a loop's first round; and which loads
 * share a line. Left out: values that go
 * through memory, but for the stack's; structures of several lines. */
#include "cpu/parts.h"

#include <string.h>

enum { VISITS = 32 }; /* operations that one address is followed through */

struct trace {
    const struct cpu_object *object;
    const struct cpu_path *loop; /* NULL: in none */
    /* of what begins an inner loop: the head of the loop around that, object->blocks: none is */
    const struct cpu_loops *loops;
    uint32_t around;
    uint32_t seen[VISITS], visits;
    bool unknown; /* a value that no operation of the function makes */
};

static uint32_t op_of(const struct cpu_object *object, uint32_t block, uint32_t k)
{
    return cpu_block_at(object, block)->first_op + k;
}

static bool first_visit(struct trace *t, uint32_t op)
{
    for (uint32_t i = 0; i < t->visits; i++)
        if (t->seen[i] == op) return false;
    if (t->visits == VISITS) return false;
    t->seen[t->visits++] = op;
    return true;
}

/* The operation that makes an operand of one of a block; NULL: a constant, or none of the function,
 * as far as addresses go: what a call returns comes from the callee's operations. */
static const struct cpu_op *maker_of(const struct cpu_object *object, uint32_t block,
                                     const struct cpu_operand *o)
{
    if (!cpu_is_made(o)) return NULL;
    uint32_t home = o->where == BLOCK_THERE ? o->block : block;
    const struct cpu_op *maker = cpu_op_at(object, op_of(object, home, o->k));
    return maker->class == BLOCK_CALL ? NULL : maker;
}

/* Does a loop bring the phi's value, and no operation of the function makes it? A call returned it.
 */
static bool is_returned(const struct trace *t, uint32_t block, const struct cpu_op *phi)
{
    bool outside = false;
    for (uint32_t i = 0; i < phi->operands; i++) {
        const struct cpu_operand *o = cpu_operand_at(t->object, phi->first_operand + i);
        if (maker_of(t->object, block, o)) return false;
        outside |= !cpu_is_constant(o);
    }
    return outside;
}

/* Is the block in the loop of that head, or in one in it? */
static bool is_within(const struct cpu_loops *loops, uint32_t blocks, uint32_t head, uint32_t b)
{
    while (b != blocks && b != head) b = loops->within[b];
    return b == head;
}

/* A load before the loop has come by the time that the loop goes round. */
static bool was_before(const struct trace *t, uint32_t block)
{
    const uint32_t blocks = t->object->blocks;
    if (t->loops && t->around < blocks) return !is_within(t->loops, blocks, t->around, block);
    for (uint32_t p = 0; t->loop && p < t->loop->positions; p++)
        if (t->loop->block[p] == block) return false;
    return t->loop != NULL;
}

/* Does nobody of the function make it, nor was it there before? */
static bool is_unknown(const struct trace *t, const struct cpu_operand *o)
{
    if (cpu_is_constant(o)) return false;
    bool loops = t->loops && t->around < t->object->blocks;
    return !loops || (o->where == BLOCK_THERE && !was_before(t, o->block));
}

static uint32_t find_load(struct trace *t, uint32_t block, const struct cpu_op *op, uint32_t first);

/* The load that makes an operand of one of a block; CPU_AFTER_NONE: there is none. */
static uint32_t find_maker(struct trace *t, uint32_t block, const struct cpu_operand *o)
{
    const struct cpu_op *maker = maker_of(t->object, block, o);
    t->unknown |= !maker && is_unknown(t, o);
    if (!maker) return CPU_AFTER_NONE;
    uint32_t home = o->where == BLOCK_THERE ? o->block : block;
    uint32_t at = op_of(t->object, home, o->k);
    if (!first_visit(t, at)) return CPU_AFTER_NONE;
    if (maker->class == BLOCK_PHI && is_returned(t, home, maker)) return CPU_AFTER_YOUNGEST;
    if (cpu_is_access(maker) && was_before(t, home)) return CPU_AFTER_NONE;
    if (cpu_is_access(maker)) return maker->form == BLOCK_STACK ? CPU_AFTER_YOUNGEST : at;
    return find_load(t, home, maker, 0);
}

/* The load among what makes the operands from the first on. */
static uint32_t find_load(struct trace *t, uint32_t block, const struct cpu_op *op, uint32_t first)
{
    for (uint32_t i = first; i < op->operands; i++) {
        const struct cpu_operand *o = cpu_operand_at(t->object, op->first_operand + i);
        uint32_t found = find_maker(t, block, o);
        if (found != CPU_AFTER_NONE) return found;
    }
    return CPU_AFTER_NONE;
}

uint32_t cpu_address_after(const struct cpu_path *path, uint32_t block, const struct cpu_op *op)
{
    struct trace t = {.object = path->object, .loop = path->cyclic ? path : NULL};
    bool valued = op->class == BLOCK_STORE || op->class == BLOCK_ATOMIC;
    bool called = op->class == BLOCK_CALL && op->operands > 0; /* the pointer is the last */
    uint32_t found = find_load(&t, block, op, called ? op->operands - 1 : valued ? 1 : 0);
    return found == CPU_AFTER_NONE && t.unknown && !t.loop ? CPU_AFTER_YOUNGEST : found;
}

/* The longest ways, in cycles, from the value of a load to operands of steps, of those looked at so
 * far; -1: there is none, or it is being looked for. */
struct ways {
    const struct cpu_path *path;
    uint32_t after, step[VISITS], steps;
    int64_t longest[VISITS];
};

static int64_t longest_to(struct ways *w, uint32_t s)
{
    const struct cpu_step *step = cpu_step_at(w->path, s);
    uint32_t at = 0;
    while (at < w->steps && w->step[at] != s) at++;
    if (at < w->steps || at == VISITS) return at < w->steps ? w->longest[at] : -1;
    w->step[w->steps++] = s;
    w->longest[at] = -1;
    int64_t longest = -1;
    for (uint32_t i = 0; i < step->deps; i++) {
        const struct cpu_dep *d = cpu_dep_at(w->path, step->first_dep + i);
        if (d->step == CPU_NO_STEP) continue;
        const struct cpu_step *from = cpu_step_at(w->path, d->step);
        const bool loads = cpu_is_access(cpu_op_at(w->path->object, from->op));
        int64_t way = loads ? -1 : longest_to(w, d->step);
        if (way >= 0) way += cpu_wait(w->path, d, step);
        if (loads && from->op == w->after) way = 0;
        longest = MAX(longest, way);
    }
    return w->longest[at] = longest;
}

uint32_t cpu_between(const struct cpu_path *path, uint32_t position, uint32_t k, uint32_t after)
{
    struct ways w = {.path = path, .after = after};
    const uint32_t step = path->result[path->base[position] + k];
    if (step == CPU_NO_STEP || path->cpu->window == 0 || after >= CPU_AFTER_YOUNGEST) return 0;
    return (uint32_t)MAX(longest_to(&w, step), 0);
}

/* ---- where a loop begins ----------------------------------------------------------------------
 */

/* Is it what the rounds of a loop of that head hand on? */
static bool goes_round(const struct cpu_path *path, uint32_t head, const struct cpu_operand *o)
{
    if (!cpu_is_made(o)) return false;
    return o->where != BLOCK_THERE || is_within(path->loops, path->object->blocks, head, o->block);
}

/* The loads of the loop that make what it hands on, as far as there is room. */
static void add_handed(struct trace *t, const struct cpu_path *path, uint32_t head, uint32_t block,
                       const struct cpu_op *op, struct cpu_timing *timing)
{
    for (uint32_t i = 0; i < op->operands; i++) {
        const struct cpu_operand *o = cpu_operand_at(path->object, op->first_operand + i);
        const struct cpu_op *maker = maker_of(path->object, block, o);
        if (!maker || !goes_round(path, head, o)) continue;
        uint32_t home = o->where == BLOCK_THERE ? o->block : block,
                 at = op_of(path->object, home, o->k);
        if (!first_visit(t, at)) continue;
        if (!cpu_is_access(maker)) {
            add_handed(t, path, head, home, maker, timing);
            continue;
        }
        uint32_t n = 0;
        while (n < CPU_HANDED && timing->handed[n] != CPU_AFTER_NONE) n++;
        if (n < CPU_HANDED && maker->form != BLOCK_STACK) timing->handed[n] = at;
    }
}

void cpu_time_begun(const struct cpu_path *path, uint32_t head, const struct cpu_op *phi,
                    struct cpu_timing *timing)
{
    struct trace handed = {.object = path->object};
    struct trace t = {
        .object = path->object, .loops = path->loops, .around = path->loops->within[head]};
    if (path->cpu->window == 0) return;
    add_handed(&handed, path, head, head, phi, timing);
    for (uint32_t i = 0; i < phi->operands && timing->after == CPU_AFTER_NONE; i++) {
        const struct cpu_operand *o = cpu_operand_at(path->object, phi->first_operand + i);
        if (!goes_round(path, head, o)) timing->after = find_maker(&t, head, o);
    }
    if (timing->after == CPU_AFTER_NONE && t.unknown) timing->after = CPU_AFTER_YOUNGEST;
}

/* ---- one line ----------------------------------------------------------------------------------
 */

/* What is added up to an address, but for constants smaller than a line, in ascending order:
 * operations of the object; arguments and variables by their numbers. Of one with an index times
 * its size, the operands as they are. */
enum { PARTS = 4, LINE_BITS = 7 }; /* of a constant, with its sign: up to 63 */
enum { OF_ARGUMENTS = 1 << 29, OF_VARIABLES = 1 << 30 };
struct sum {
    uint32_t part[PARTS], parts;
    bool known, scaled;
};

/* Adding numbers, some of them constants that leave a line. */
static bool adds_up(const struct cpu_object *object, const struct cpu_op *op)
{
    for (uint32_t i = 0; i < op->operands; i++) {
        const struct cpu_operand *o = cpu_operand_at(object, op->first_operand + i);
        if (o->where == BLOCK_CONSTANT && o->k > LINE_BITS) return false;
    }
    return op->class == BLOCK_ADD && !(op->type & BLOCK_FLOAT) && block_type_lanes(op->type) == 1;
}

static void add_part(struct sum *s, uint32_t part)
{
    uint32_t at = s->parts++;
    for (; at > 0 && s->part[at - 1] > part; at--) s->part[at] = s->part[at - 1];
    s->part[at] = part;
}

static void add_up(struct sum *s, const struct cpu_object *object, uint32_t block,
                   const struct cpu_op *op, uint32_t visits)
{
    for (uint32_t i = 0; s->known && i < op->operands; i++) {
        const struct cpu_operand *o = cpu_operand_at(object, op->first_operand + i);
        if (o->where == BLOCK_CONSTANT) continue;
        const bool named = o->where == BLOCK_OUTSIDE || o->where == BLOCK_VARIABLE;
        s->known = s->parts < PARTS && (named ? o->k > 0 : o->where != BLOCK_PREVIOUS);
        if (!s->known) break;
        if (named) {
            add_part(s, o->k + (o->where == BLOCK_OUTSIDE ? OF_ARGUMENTS : OF_VARIABLES));
            continue;
        }
        const uint32_t home = o->where == BLOCK_THERE ? o->block : block,
                       at = op_of(object, home, o->k);
        const struct cpu_op *maker = cpu_op_at(object, at);
        if (visits > 0 && !s->scaled && adds_up(object, maker))
            add_up(s, object, home, maker, visits - 1);
        else
            add_part(s, at);
    }
}

/* Of a load's address, in this pass; not known: it is no load, or it has a part that is not, or too
 * many. */
static struct sum sum_of(const struct cpu_object *object, uint32_t block, const struct cpu_op *op)
{
    const bool scaled = op->form == BLOCK_SCALED;
    struct sum s = {.scaled = scaled,
                    .known = op->class == BLOCK_LOAD && op->operands > 0 &&
                             (op->form == BLOCK_BASE || op->form == BLOCK_INDEXED || scaled)};
    add_up(&s, object, block, op, PARTS);
    return s;
}

static gboolean same_sum(gconstpointer one, gconstpointer other)
{
    const struct sum *a = one, *b = other;
    return a->scaled == b->scaled && a->parts == b->parts &&
           memcmp(a->part, b->part, a->parts * sizeof *a->part) == 0;
}

static guint hash_of(gconstpointer key)
{
    const struct sum *s = key;
    guint hash = s->parts << 1 | s->scaled;
    for (uint32_t i = 0; i < s->parts; i++) hash = hash * 31 + s->part[i];
    return hash;
}

GHashTable *cpu_lines_new(const struct cpu_path *path)
{
    GHashTable *lines = g_hash_table_new_full(hash_of, same_sum, g_free, NULL);
    for (uint32_t p = 0; p < path->positions; p++) {
        const struct cpu_block *block = cpu_block_at(path->object, path->block[p]);
        for (uint32_t i = block->first_op; i < block->first_op + block->ops; i++) {
            const struct sum s = sum_of(path->object, path->block[p], cpu_op_at(path->object, i));
            if (s.known && !g_hash_table_contains(lines, &s))
                g_hash_table_insert(lines, g_memdup2(&s, sizeof s), GUINT_TO_POINTER(i));
        }
    }
    return lines;
}

uint32_t cpu_beside(GHashTable *lines, const struct cpu_path *path, uint32_t position, uint32_t k)
{
    const uint32_t load = op_of(path->object, path->block[position], k);
    const struct sum s = sum_of(path->object, path->block[position], cpu_op_at(path->object, load));
    if (!s.known) return CPU_AFTER_NONE;
    const uint32_t first = GPOINTER_TO_UINT(g_hash_table_lookup(lines, &s));
    return first == load ? CPU_AFTER_NONE : first;
}
