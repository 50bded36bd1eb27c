/* What a target whose processor handles operations is told about them: nothing for predefined
 * datatypes and operations, a handle for what is registered, the description of the datatype for
 * the rest. Where the origin's processor or an interface reaches the target's memory block by block
 * (loadstore, pool, ni), the target needs to know nothing, and nothing travels.
 *
 * register.cache: each target remembers that many descriptions of each origin. The pair forgets the
 * least recently used one on both sides alike, so the origin knows what the target remembers.
 */
#include "move/carrier/carrier.h"

static gint64 pair_of(const struct move_op *op)
{
    return (gint64)op->trail.origin * op->move->ranks + op->trail.target;
}

/* Numbers of the datatypes the target remembers of the origin, as pointers; the last used first. */
static GQueue *remembered(const struct move_op *op)
{
    gint64 pair = pair_of(op);
    return op->move->remembered ? g_hash_table_lookup(op->move->remembered, &pair) : NULL;
}

static GList *found(GQueue *numbers, const struct move_op *op)
{
    return numbers ? g_queue_find(numbers, GSIZE_TO_POINTER(op->described.number)) : NULL;
}

uint64_t move_description(const struct move_op *op)
{
    const struct move_described *d = &op->described;
    uint64_t bytes = (uint64_t)d->handles * MOVE_HANDLE_BYTES;
    if (d->number == 0) return bytes;
    bool remembers = op->move->mach->register_cache > 0;
    if (remembers) bytes += MOVE_HANDLE_BYTES; /* that it is, or will be, remembered by */
    return found(remembered(op), op) ? bytes : bytes + d->bytes;
}

/* The one used now comes first, the oldest beyond the limit goes. */
static void remember(const struct move_op *op)
{
    struct move *move = op->move;
    if (!move->remembered)
        move->remembered = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                                 (GDestroyNotify)g_queue_free);
    GQueue *numbers = remembered(op);
    if (!numbers) {
        gint64 pair = pair_of(op);
        g_hash_table_insert(move->remembered, g_memdup2(&pair, sizeof pair),
                            numbers = g_queue_new());
    }
    GList *old = found(numbers, op);
    if (old) g_queue_delete_link(numbers, old);
    g_queue_push_head(numbers, GSIZE_TO_POINTER(op->described.number));
    if (numbers->length > (guint)move->mach->register_cache) g_queue_pop_tail(numbers);
}

uint64_t move_describe(struct move_op *op)
{
    uint64_t bytes = move_description(op);
    op->trail.description = bytes;
    op->decodes = op->described.number != 0 && !found(remembered(op), op);
    if (op->described.number != 0 && op->move->mach->register_cache > 0) remember(op);
    return bytes;
}

/* The words of the description are loaded from the message's buffer, and offset and length of each
 * block stored beside them. */
double move_decode(struct move_op *op, double at_s)
{
    static uint8_t words[MOVE_STAGE_BYTES];
    enum { WORD_BYTES = 4, BLOCK_BYTES = 16, HALF = MOVE_STAGE_BYTES / 2 };
    const struct mach *m = op->move->mach;
    if (!op->decodes) return 0;
    op->decodes = false;
    uintptr_t stage = move_stage_of(op->move, op->target->rank);
    uint64_t made = (uint64_t)op->described.blocks * BLOCK_BYTES;
    double cost_s = move_cycles(m, m->cpu_cycles_per_access * (op->described.bytes / WORD_BYTES +
                                                               2 * op->described.blocks));
    for (uint64_t done = 0, n; done < op->described.bytes; done += n) {
        n = MIN(op->described.bytes - done, HALF);
        cost_s += mem_cpu_read(op->target->cpu, stage, words, n, at_s + cost_s);
    }
    for (uint64_t done = 0, n; done < made; done += n) {
        n = MIN(made - done, HALF);
        cost_s += mem_cpu_write(op->target->cpu, stage + HALF, words, n, op->writer, at_s + cost_s);
    }
    return cost_s;
}

void move_remembered_free(struct move *move)
{
    if (move->remembered) g_hash_table_unref(move->remembered);
}
