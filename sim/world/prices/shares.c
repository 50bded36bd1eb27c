/* A block's price is split over its lines by largest remainder (Hamilton's method): the parts sum
 * to the price.
 *
 * The weight of an operation is the time from its issue to the next later one's, which those of one
 * cycle share: what others wait for is dear, what runs beside it is cheap. Where the later ones
 * wait for a division, that has all but a cycle, whatever was issued since. Of a block out of order
 * that is longer than its price (the next pass has begun meanwhile), weights are all that counts.
 */
#include "world/prices/shares.h"

#include <stdlib.h>

/* Operations of one cycle, and how long nothing else is issued. */
struct cycle {
    uint32_t at, ops;
    /* the next cycle's wait for the value of that operation, a division: 1 is the object's first
     * one; 0: they do not */
    uint32_t waits;
};

static int by_at(gconstpointer a, gconstpointer b)
{
    const struct cycle *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* The cycles of a block, and behind them its end. */
static void find_cycles(const struct cpu_block *b, const struct cpu_timing *timing, uint32_t end,
                        GArray *cycle)
{
    g_array_set_size(cycle, 0);
    for (uint32_t i = b->first_op; i < b->first_op + b->ops; i++)
        if (timing[i].steps > 0) g_array_append_val(cycle, ((struct cycle){timing[i].issue, 1, 0}));
    g_array_sort(cycle, by_at);
    guint kept = 0;
    for (guint i = 0; i < cycle->len; i++) {
        struct cycle *list = (struct cycle *)cycle->data;
        if (kept > 0 && list[kept - 1].at == list[i].at)
            list[kept - 1].ops++;
        else
            list[kept++] = list[i];
    }
    g_array_set_size(cycle, kept);
    uint32_t last = kept ? g_array_index(cycle, struct cycle, kept - 1).at : 0;
    g_array_append_val(cycle, ((struct cycle){MAX(end, last + 1), 0, 0}));
}

static bool divides(const struct cpu_op *op)
{
    return op->class == BLOCK_DIVIDE || op->class == BLOCK_FP_DIVIDE || op->class == BLOCK_FP_SQRT;
}

static struct cycle *cycle_at(const GArray *cycle, uint32_t at)
{
    const struct cycle key = {.at = at};
    return bsearch(&key, cycle->data, cycle->len - 1, sizeof key, by_at);
}

/* What the operations of each cycle wait for, where it is a division of the block. */
static void find_waits(const struct cpu_object *object, const struct cpu_block *b,
                       const struct cpu_timing *timing, const GArray *cycle)
{
    for (uint32_t i = b->first_op; i < b->first_op + b->ops; i++) {
        const struct cpu_op *op = &g_array_index(object->op, struct cpu_op, i);
        for (uint32_t k = 0; timing[i].steps > 0 && k < op->operands; k++) {
            const struct cpu_operand *o =
                &g_array_index(object->operand, struct cpu_operand, op->first_operand + k);
            const uint32_t from = b->first_op + o->k;
            if (o->where != BLOCK_HERE || timing[from].steps == 0 ||
                timing[from].issue >= timing[i].issue ||
                !divides(&g_array_index(object->op, struct cpu_op, from)))
                continue;
            cycle_at(cycle, timing[i].issue)[-1].waits = from + 1;
        }
    }
}

/* i: of the operation op. */
static double weight_of(const GArray *cycle, const struct cpu_timing *timing,
                        const struct cpu_op *op, uint32_t i)
{
    if (timing[i].steps == 0) return 0;
    const struct cycle *c = cycle_at(cycle, timing[i].issue);
    double weight = (double)(c->waits ? 1 : c[1].at - c->at) / c->ops;
    const struct cycle *end = (const struct cycle *)cycle->data + cycle->len - 1;
    for (; divides(op) && c < end; c++)
        if (c->waits == i + 1) weight += (double)(c[1].at - c->at - 1);
    return weight;
}

/* The block's share of that line, from `first` on; added if there is none. */
static guint share_of(GArray *shares, guint first, const struct world_share *fresh)
{
    for (guint i = first; i < shares->len; i++) {
        const struct world_share *s = &g_array_index(shares, struct world_share, i);
        if (s->line == fresh->line && s->file == fresh->file) return i;
    }
    g_array_append_val(shares, *fresh);
    return shares->len - 1;
}

/* Whole ticks first, then one each to the largest remainders; of equal ones to the first. */
static void split(int64_t ticks, const double *weight, guint n, struct world_share *share)
{
    double sum = 0;
    int64_t left = ticks;
    for (guint i = 0; i < n; i++) sum += weight[i];
    g_autofree double *rest = g_new(double, n);
    for (guint i = 0; i < n; i++) {
        double exact = sum > 0 ? (double)ticks * weight[i] / sum : (double)ticks / n;
        int64_t whole = MIN((int64_t)exact, left);
        share[i].ticks += whole;
        left -= whole;
        rest[i] = exact - (double)whole;
    }
    for (; left > 0; left--) {
        guint most = 0;
        for (guint i = 1; i < n; i++)
            if (rest[i] > rest[most]) most = i;
        share[most].ticks++;
        rest[most] -= 1;
    }
}

/* How much of its path a divider works: 0 where none does. What the next round of a loop waits for
 * has no operation behind it, so weights do not show it. */
static double divider(const struct cpu_price *price)
{
    /* integers are divided where they are multiplied, which takes much less (cpu/model.c) */
    const bool one = price->unit == MACH_INT_MULTIPLY || price->unit == MACH_FP_DIVIDE;
    uint64_t longest = 1;
    for (int i = 0; i < CPU_BOUNDS; i++) longest = MAX(longest, price->at_least[i]);
    return one ? (double)price->at_least[CPU_BOUND_UNIT] / (double)longest : 0;
}

/* Of a line's part, divisions: so much of its weight. */
static int64_t divided_of(int64_t ticks, double of, double weight, const struct cpu_price *price)
{
    return of < 0 ? 0
                  : (int64_t)((double)ticks * MAX(weight > 0 ? of / weight : 0, divider(price)));
}

/* What all blocks are split in. */
struct room {
    GArray *cycle;     /* struct cycle */
    GArray *weight;    /* double; of the block's lines */
    GArray *divided;   /* double; of that, divisions, and 1; 0: there is none */
    const char **file; /* the object's files, interned */
};

static void add_block(GArray *shares, const struct cpu_object *object, const struct cpu_function *f,
                      const char *function, uint32_t block, const struct cpu_price *price,
                      const struct cpu_timing *timing, const struct room *room)
{
    const struct cpu_block *b = &g_array_index(object->block, struct cpu_block, block);
    guint first = shares->len;
    GArray *cycle = room->cycle, *weight = room->weight, *divided = room->divided;
    find_cycles(b, timing, (uint32_t)((price->ticks + CPU_TICKS - 1) / CPU_TICKS), cycle);
    find_waits(object, b, timing, cycle);
    g_array_set_size(weight, 0);
    g_array_set_size(divided, 0);
    for (uint32_t i = b->first_op; i < b->first_op + b->ops; i++) {
        const struct cpu_op *op = &g_array_index(object->op, struct cpu_op, i);
        struct world_share fresh = {
            .function = function, .file = room->file[op->file], .block = block, .line = op->line};
        guint at = share_of(shares, first, &fresh);
        struct world_share *s = &g_array_index(shares, struct world_share, at);
        s->loads += op->class == BLOCK_LOAD || (op->class == BLOCK_ATOMIC && op->bytes);
        s->stores += op->class == BLOCK_STORE || (op->class == BLOCK_ATOMIC && op->bytes);
        g_array_set_size(weight, MAX(weight->len, at - first + 1));
        g_array_set_size(divided, weight->len);
        const double here = weight_of(cycle, timing, op, i);
        g_array_index(weight, double, at - first) += here;
        if (divides(op)) {
            double *of = &g_array_index(divided, double, at - first);
            *of = MAX(*of, 1) + here;
        }
    }
    if (b->ops == 0) {
        struct world_share fresh = {
            .function = function, .file = room->file[f->file], .block = block, .line = f->line};
        g_array_append_val(shares, fresh);
        g_array_set_size(weight, 1);
    }
    struct world_share *own = &g_array_index(shares, struct world_share, first);
    split((int64_t)price->ticks, (const double *)weight->data, weight->len, own);
    for (guint i = 0; i < divided->len; i++)
        own[i].divided = divided_of(own[i].ticks, g_array_index(divided, double, i) - 1,
                                    g_array_index(weight, double, i), price);
    for (uint32_t i = b->first_op; i < b->first_op + b->ops; i++) {
        const struct cpu_op *op = &g_array_index(object->op, struct cpu_op, i);
        if (!(op->flags & (BLOCK_COUNTED | BLOCK_AGAIN))) continue;
        struct world_share more = {.function = function,
                                   .file = room->file[op->file],
                                   .block = block,
                                   .line = op->line,
                                   .at_site = true,
                                   .again = op->flags & BLOCK_AGAIN,
                                   .site = op->flags & BLOCK_AGAIN ? op->again : op->site};
        g_array_append_val(shares, more);
    }
}

GArray *world_shares(const struct cpu_object *object, const struct cpu_price *price,
                     const struct cpu_timing *timing)
{
    GArray *shares = g_array_new(FALSE, TRUE, sizeof(struct world_share));
    g_autoptr(GArray) cycle = g_array_new(FALSE, FALSE, sizeof(struct cycle)),
                      weight = g_array_new(FALSE, TRUE, sizeof(double)),
                      divided = g_array_new(FALSE, TRUE, sizeof(double));
    g_autofree const char **file = g_new(const char *, object->file->len);
    for (guint i = 0; i < object->file->len; i++)
        file[i] = g_intern_string(g_ptr_array_index(object->file, i));
    const struct room room = {cycle, weight, divided, file};
    for (guint i = 0; i < object->function->len; i++) {
        const struct cpu_function *f = &g_array_index(object->function, struct cpu_function, i);
        const char *function = g_intern_string(f->name);
        for (uint32_t b = f->first; b < f->first + f->blocks; b++)
            add_block(shares, object, f, function, b, &price[b], timing, &room);
    }
    return shares;
}
