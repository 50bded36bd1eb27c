/* Operations that wait at the target for a servicer (PUT/ACCEPT): bytes that come before it lie in
 * a buffer there, at the price of one copy more; those of more than move.eager_bytes stay at the
 * origin until they are asked for.
 *
 * Each of them lies in a place of its own, for what waits was written by somebody else and is not
 * in its reader's cache, however often another place has been read. Places are powers of two; the
 * one given back last is taken again first, as an allocator does it, so what the copies cost does
 * not depend on the host's heap.
 */
#include "move/servicing/stage.h"
#include "mem/agent/agent.h"
#include "mem/segment/segment.h"

#include <sys/mman.h>

static const struct base_state states[MOVE_STATES] = {
    [MOVE_SENT] = {"sent", 1 << MOVE_SETTLING | 1 << MOVE_PLACED},
    [MOVE_SETTLING] = {"settling", 1 << MOVE_CALLED | 1 << MOVE_WAITING},
    [MOVE_CALLED] = {"called", 1 << MOVE_PLACED},
    [MOVE_WAITING] = {"waiting", 1 << MOVE_PLACED},
    [MOVE_PLACED] = {"placed", 1 << MOVE_SERVED},
    [MOVE_SERVED] = {"served", 0},
};

static void become(struct move_transfer *t, enum move_state state)
{
    t->state = (enum move_state)base_state_next("transfer", states, (int)t->state, (int)state);
}

void move_begin(struct move_transfer *t)
{
    if (!t->place) become(t, MOVE_PLACED);
}

/* place() may find a servicer for others that wait here. */
bool move_placed(struct move_transfer *t, double at_s)
{
    if (t->state == MOVE_SENT && t->place(t, at_s))
        become(t, MOVE_PLACED);
    else if (t->state == MOVE_SENT)
        become(t, MOVE_SETTLING);
    else if (t->state == MOVE_CALLED)
        become(t, MOVE_PLACED);
    return t->state == MOVE_PLACED;
}

void move_waits(struct move_transfer *t, double at_s)
{
    const bool called = t->state == MOVE_CALLED;
    become(t, called ? MOVE_PLACED : MOVE_WAITING);
    if (called) t->carrier->service(t, at_s);
}

void move_service(struct move_transfer *t, double at_s)
{
    const bool waits = t->state == MOVE_WAITING;
    become(t, waits ? MOVE_PLACED : MOVE_CALLED);
    if (waits) t->carrier->service(t, at_s);
}

void move_served(struct move_transfer *t, double at_s)
{
    become(t, MOVE_SERVED);
    if (t->served) t->served(t, at_s);
}

bool move_brings(const struct move_transfer *t)
{
    return t->trail.kind == OP_PUT && t->trail.bytes <= (uint64_t)t->move->mach->move_eager_bytes;
}

/* ---- buffers --------------------------------------------------------------------------------- */

enum { PLACE_MIN_SHIFT = 7 /* no line is longer */, PLACE_SHIFTS = 64 };

struct block {
    void *memory;
    uint64_t bytes;
};
struct move_buffer {
    GArray *blocks;             /* struct block; they stay */
    uintptr_t next, end;        /* of the last one, what no place has been cut from yet */
    GSList *free[PLACE_SHIFTS]; /* places of 2^i bytes */
    uintptr_t message;          /* move_stage_of */
};

static struct move_buffer *buffer_of(struct move *move, int rank)
{
    if (!move->buffer) move->buffer = g_new0(struct move_buffer, move->ranks);
    return &move->buffer[rank];
}

/* Begins on a page, as the interface's buffer would; whoever shares the node's memory may write
 * there. Not the heap's: it shows in a run's times what lay at an address before (mem/page.c). */
static uintptr_t block_new(struct move *move, int rank, uint64_t bytes)
{
    struct move_buffer *buffer = buffer_of(move, rank);
    struct block block = {
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), bytes};
    if (block.memory == MAP_FAILED)
        g_error("no memory for a buffer of %" G_GUINT64_FORMAT " bytes", bytes);
    if (!buffer->blocks) buffer->blocks = g_array_new(FALSE, FALSE, sizeof block);
    g_array_append_val(buffer->blocks, block);
    mem_share(move->proc[rank]->memory, rank, (uintptr_t)block.memory, bytes);
    return (uintptr_t)block.memory;
}

uintptr_t move_stage_of(struct move *move, int rank)
{
    struct move_buffer *buffer = buffer_of(move, rank);
    if (!buffer->message) buffer->message = block_new(move, rank, MOVE_STAGE_BYTES);
    return buffer->message;
}

static uint32_t place_shift(uint64_t bytes)
{
    uint32_t shift = bytes > 1 ? (uint32_t)g_bit_storage(bytes - 1) : 0;
    return MAX(shift, PLACE_MIN_SHIFT);
}

static uintptr_t place_cut(struct move *move, int rank, uint64_t bytes)
{
    struct move_buffer *buffer = buffer_of(move, rank);
    if (bytes >= MOVE_STAGE_BYTES) return block_new(move, rank, bytes);
    if (buffer->end - buffer->next < bytes) {
        buffer->next = block_new(move, rank, MOVE_STAGE_BYTES);
        buffer->end = buffer->next + MOVE_STAGE_BYTES;
    }
    buffer->next += bytes;
    return buffer->next - bytes;
}

uintptr_t move_stage_place(struct move_transfer *t)
{
    uint32_t shift = place_shift(t->trail.bytes);
    GSList **places = &buffer_of(t->move, t->target->rank)->free[shift];
    if (*places) {
        t->staged = (uintptr_t)(*places)->data;
        *places = g_slist_delete_link(*places, *places);
    } else
        t->staged = place_cut(t->move, t->target->rank, UINT64_C(1) << shift);
    return t->staged;
}

static void give_back(struct move_transfer *t)
{
    GSList **places = &buffer_of(t->move, t->target->rank)->free[place_shift(t->trail.bytes)];
    *places = g_slist_prepend(*places, (gpointer)t->staged);
    t->staged = 0;
}

void move_buffers_free(struct move *move)
{
    for (int rank = 0; move->buffer && rank < move->ranks; rank++) {
        struct move_buffer *buffer = &move->buffer[rank];
        for (int i = 0; i < PLACE_SHIFTS; i++) g_slist_free(buffer->free[i]);
        for (guint i = 0; buffer->blocks && i < buffer->blocks->len; i++) {
            const struct block *block = &g_array_index(buffer->blocks, struct block, i);
            munmap(block->memory, block->bytes);
        }
        if (buffer->blocks) g_array_unref(buffer->blocks);
    }
    g_free(move->buffer);
}

/* ---- in and out ------------------------------------------------------------------------------ */

double move_stage(struct move_transfer *t, struct mem_cpu *cpu, double at_s)
{
    if (!move_brings(t)) return 0;
    uintptr_t place = move_stage_place(t);
    if (cpu)
        return move_took(t, mem_cpu_write(cpu, place, t->bytes, t->trail.bytes, t->writer, at_s));
    mem_ni_write(t->target->memory, place, t->bytes, t->trail.bytes, t->writer, at_s);
    return 0;
}

double move_unstage(struct move_transfer *t, struct mem_cpu *cpu, double at_s)
{
    if (!t->staged) return 0;
    const double cost_s =
        move_took(t, mem_cpu_read(cpu, t->staged, t->bytes, t->trail.bytes, at_s));
    give_back(t);
    return cost_s;
}

/* What the processor has just written for one request must not reach memory after what the
 * interface writes for the next. */
double move_perform_late(struct move_transfer *t, double at_s)
{
    struct mem_cpu *cpu = t->target->cpu;
    double cost_s = move_took(t, move_perform(t, cpu, at_s));
    for (uint32_t i = 0; move_writes(t) && i < t->op.to.layout.pieces; i++) {
        struct op_piece p = t->op.to.layout.piece[i];
        cost_s += mem_publish(cpu, t->op.to.addr + p.offset, p.bytes, at_s + cost_s);
    }
    return cost_s;
}
