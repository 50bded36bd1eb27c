/* What a target whose processor handles operations must know about them: nothing for predefined
 * datatypes and operations, a handle for what is registered, the description of the datatype for
 * the rest. Where the origin's processor or an interface reaches the target's memory block by block
 * (loadstore, pool, ni), the target needs to know nothing, and nothing travels.
 *
 * register.cache: each target remembers that many descriptions of each origin. The pair forgets the
 * least recently used one on both sides alike, so the origin knows what the target remembers.
 */
#include "move/servicing/stage.h"
#include "mem/agent/agent.h"

static gint64 pair_of(const struct move_transfer *t)
{
    return (gint64)t->trail.origin * t->move->ranks + t->trail.target;
}

/* Numbers of the datatypes the target remembers of the origin, as pointers; the last used first. */
static GQueue *remembered(const struct move_transfer *t)
{
    gint64 pair = pair_of(t);
    return t->move->remembered ? g_hash_table_lookup(t->move->remembered, &pair) : NULL;
}

static GList *found(GQueue *numbers, const struct move_transfer *t)
{
    return numbers ? g_queue_find(numbers, GSIZE_TO_POINTER(t->op.described.number)) : NULL;
}

uint64_t move_description(const struct move_transfer *t)
{
    const struct move_described *d = &t->op.described;
    uint64_t bytes = (uint64_t)d->handles * MOVE_HANDLE_BYTES;
    if (d->number == 0) return bytes;
    bool remembers = t->move->mach->register_cache > 0;
    if (remembers) bytes += MOVE_HANDLE_BYTES; /* that it is, or will be, remembered by */
    return found(remembered(t), t) ? bytes : bytes + d->bytes;
}

/* The one used now comes first, the oldest beyond the limit goes. */
static void remember(const struct move_transfer *t)
{
    struct move *move = t->move;
    if (!move->remembered)
        move->remembered = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free,
                                                 (GDestroyNotify)g_queue_free);
    GQueue *numbers = remembered(t);
    if (!numbers) {
        gint64 pair = pair_of(t);
        g_hash_table_insert(move->remembered, g_memdup2(&pair, sizeof pair),
                            numbers = g_queue_new());
    }
    GList *old = found(numbers, t);
    if (old) g_queue_delete_link(numbers, old);
    g_queue_push_head(numbers, GSIZE_TO_POINTER(t->op.described.number));
    if (numbers->length > (guint)move->mach->register_cache) g_queue_pop_tail(numbers);
}

uint64_t move_describe(struct move_transfer *t)
{
    uint64_t bytes = move_description(t);
    t->trail.description = bytes;
    t->decodes = t->op.described.number != 0 && !found(remembered(t), t);
    if (t->op.described.number != 0 && t->move->mach->register_cache > 0) remember(t);
    return bytes;
}

/* The words of the description are loaded from the message's buffer, and offset and length of each
 * block stored beside them. */
double move_decode(struct move_transfer *t, double at_s)
{
    static uint8_t words[MOVE_STAGE_BYTES];
    enum { WORD_BYTES = 4, BLOCK_BYTES = 16, HALF = MOVE_STAGE_BYTES / 2 };
    const struct mach *m = t->move->mach;
    if (!t->decodes) return 0;
    t->decodes = false;
    uintptr_t stage = move_stage_of(t->move, t->target->rank);
    uint64_t made = (uint64_t)t->op.described.blocks * BLOCK_BYTES;
    double loads = (double)(t->op.described.bytes / WORD_BYTES);
    double stores = 2.0 * (double)t->op.described.blocks;
    struct mem_charge cost = {.compute_s =
                                  move_cycles(m, loads * mach_word_cycles(m, MACH_LOAD) +
                                                     stores * mach_word_cycles(m, MACH_STORE))};
    for (uint64_t done = 0, n; done < t->op.described.bytes; done += n) {
        n = MIN(t->op.described.bytes - done, HALF);
        mem_charge_more(&cost,
                        mem_cpu_read(t->target->cpu, stage, words, n, at_s + mem_charge_s(cost)));
    }
    for (uint64_t done = 0, n; done < made; done += n) {
        n = MIN(made - done, HALF);
        mem_charge_more(&cost, mem_cpu_write(t->target->cpu, stage + HALF, words, n, t->writer,
                                             at_s + mem_charge_s(cost)));
    }
    return move_took(t, cost);
}

void move_remembered_free(struct move *move)
{
    if (move->remembered) g_hash_table_unref(move->remembered);
}
