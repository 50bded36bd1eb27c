/* edge: memory that is only written in whole chunks (shmalloc.chunk). A put that begins or ends inside one needs the chunk's other
 * bytes, and puts them back with its own. "What happens if two different processes try to write to bytes located within the
 * same remote word?" (E. Salo, MPI-2 mailing list, 31 October 1995): a carrier that reaches memory without the target's processor
 * reads the chunk, and writes it some time later; what came there in between is lost, and told. A handler of the target's processor does
 * both at once.
 *
 * Alpha stores longwords (4 bytes) as they are, and quadwords for anything less (cpu.subword): edges at a multiple of 4 need no reading
 * there. Chunks lie on multiples of their size from the window's base.
 */
#include "move/carrier.h"

struct move_edge {
    struct move_edge *next;   /* chunks read and not written yet */
    struct move_op *op;
    int segment;
    uintptr_t base;           /* of the window */
    uint64_t head, tail;      /* bytes to put back before and behind the put's own */
    uint8_t *whole;           /* head, the put's bytes, tail */
    bool read, back;          /* read at the target; the origin knows */
    uint32_t other;           /* who wrote there since; 0: no put */
    struct op_piece chunk[2]; /* that must be read: offsets from the put's first byte */
    uint32_t chunks;
};

void move_op_chunked(struct move_op *op, int segment, uintptr_t base, uint64_t bytes)
{
    const struct mach *m = op->move->mach;
    uint64_t chunk = m->shmalloc_chunk, alone = strcmp(m->cpu_subword, "rmw8") == 0 ? MIN(chunk, 4) : chunk;
    if (chunk == 1 || op->trail.kind != OP_PUT) return;
    struct move_edge *e = op->edge = g_new0(struct move_edge, 1);
    *e = (struct move_edge){.op = op, .segment = segment, .base = base};
    uint64_t from = op->to.addr + (uint64_t)op->to.layout.low - base, to = from + op->trail.bytes;
    uint64_t first = from & ~(chunk - 1), last = (to - 1) & ~(chunk - 1), first_end = MIN(first + chunk, bytes), end = MIN(last + chunk, bytes);
    bool begins = from % alone != 0, ends = to % alone != 0 && to < bytes;
    if (begins) e->head = from - first;
    if (ends) e->tail = end - to;
    if (begins && first == last) e->tail = end - to;
    if (ends && last < from) e->head = from - last;
    if (e->head) e->chunk[e->chunks++] = (struct op_piece){(int64_t)(first - from), first_end - first};
    if (e->tail && (last != first || !e->head)) e->chunk[e->chunks++] = (struct op_piece){(int64_t)last - (int64_t)from, end - last};
    e->whole = g_malloc(e->head + op->trail.bytes + e->tail);
}

void move_edge_free(struct move_op *op)
{
    if (op->edge) g_free(op->edge->whole);
    g_free(op->edge);
}

bool move_edge_early(const struct move_op *op)
{
    return op->edge && op->edge->chunks > 0 && !op->target->policy->processor && !(op->target->delayed && op->target != op->origin);
}

void move_edge_chunks(const struct move_op *op, struct op_layout *chunks)
{
    *chunks = (struct op_layout){op->edge->chunk, op->edge->chunks, 0, 0, 0};
    for (uint32_t i = 0; i < chunks->pieces; i++) chunks->bytes += chunks->piece[i].bytes;
}

/* ---- reading ------------------------------------------------------------------------------------------------*/

static uintptr_t first_byte(const struct move_op *op) { return op->to.addr + (uintptr_t)op->to.layout.low; }

struct side { uintptr_t addr; uint8_t *to; uint64_t bytes; };

/* The bytes to put back: before the put's own, and behind. */
static struct side side_of(const struct move_op *op, int behind)
{
    const struct move_edge *e = op->edge;
    if (!behind) return (struct side){first_byte(op) - e->head, e->whole, e->head};
    return (struct side){first_byte(op) + op->trail.bytes, e->whole + e->head + op->trail.bytes, e->tail};
}

static void opened(struct move_op *op)
{
    op->edge->read = true;
    op->edge->next = op->move->edges;
    op->move->edges = op->edge;
}

void move_edge_read(struct move_op *op, double at_s)
{
    for (int i = 0; i < 2; i++) {
        struct side side = side_of(op, i);
        mem_ni_read(op->target->memory, side.addr, side.to, side.bytes, at_s);
    }
    opened(op);
}

void move_edge_load(struct move_op *op)
{
    struct serve_proc *origin = op->origin;
    const struct move_edge *e = op->edge;
    serve_pay(origin);
    for (uint32_t i = 0; i < e->chunks; i++) {
        g_autofree uint8_t *into = g_malloc(e->chunk[i].bytes);
        uintptr_t addr = first_byte(op) + (uintptr_t)e->chunk[i].offset;
        serve_memory(origin, mem_cpu_read(origin->cpu, addr, into, e->chunk[i].bytes, serve_now(origin)));
    }
    serve_pay(origin);   /* what others have stored by now, they have stored; what they store from now on is lost */
    for (int i = 0; i < 2; i++) {
        struct side side = side_of(op, i);
        mem_peek(op->target->memory, NULL, side.addr, side.to, side.bytes, kern_now());
    }
    opened(op);
}

static void back(void *data, double at_s)
{
    (void)at_s;
    struct move_op *op = data;
    op->edge->back = true;
    kern_gate_open(op->origin->gate);
}

static bool is_back(void *data)
{
    const struct move_op *op = data;
    return op->edge->back;
}

void move_edge_answer(struct move_op *op, double at_s) { kern_at(at_s, back, op); }

void move_edge_wait(struct move_op *op) { serve_wait(op->origin, is_back, op); }

/* ---- writing ------------------------------------------------------------------------------------------------*/

/* Did anybody change what is about to be put back? The window's owner may have, by a store. */
static void note_lost(struct move_op *op, struct mem_cpu *hands, double at_s)
{
    struct move_edge *e = op->edge;
    uintptr_t low = first_byte(op) - e->head;
    uint64_t all = e->head + op->trail.bytes + e->tail, at = 0;
    g_autofree uint8_t *now = g_malloc(all);
    mem_peek(op->target->memory, hands, low, now, all, at_s);
    while (at < all && ((at >= e->head && at < e->head + op->trail.bytes) || now[at] == e->whole[at])) at++;
    if (at == all) return;
    struct op_note note = {
        .kind = OP_NOTE_LOST_UPDATE,
        .rank = op->trail.origin,
        .time_s = at_s,
        .segment = e->segment,
        .offset = low + at - e->base,
        .site = op->trail.site,
        .call = op->trail.call,
        .writer = e->other ? e->other : op_writer_id(op->trail.target, "store", 0),
    };
    op_note(&note);
}

static bool meets(uintptr_t a, uint64_t n, uintptr_t b, uint64_t m) { return a < b + m && b < a + n; }

/* The put's own bytes come over what others have read and not written back yet. */
static void tell_others(const struct move_op *op)
{
    uintptr_t addr = first_byte(op);
    for (struct move_edge *e = op->move->edges; e; e = e->next) {
        uintptr_t theirs = first_byte(e->op);
        if (e->op->target == op->target && (meets(addr, op->trail.bytes, theirs - e->head, e->head) ||
                                            meets(addr, op->trail.bytes, theirs + e->op->trail.bytes, e->tail)))
            e->other = op->writer;
    }
}

double move_edge_merge(struct move_op *op, struct mem_cpu *cpu, double at_s)
{
    struct move_edge *e = op->edge;
    double cost_s = 0;
    if (!e) return 0;
    if (e->read) {
        struct move_edge **link = &op->move->edges;
        while (*link != e) link = &(*link)->next;
        *link = e->next;
        note_lost(op, cpu, at_s);
    }
    for (int i = 0; i < 2 && !e->read; i++) {
        struct side side = side_of(op, i);
        if (cpu && side.bytes) cost_s += mem_cpu_read(cpu, side.addr, side.to, side.bytes, at_s + cost_s);
        if (!cpu) mem_ni_read(op->target->memory, side.addr, side.to, side.bytes, at_s);
    }
    tell_others(op);
    if (e->chunks == 0) return 0;
    memcpy(e->whole + e->head, op->bytes, op->trail.bytes);
    op->bytes = e->whole;
    struct op_piece *piece = &op->inline_piece[1];
    *piece = (struct op_piece){op->to.layout.low - (int64_t)e->head, e->head + op->trail.bytes + e->tail};
    op->to.layout = (struct op_layout){piece, 1, piece->bytes, piece->offset, piece->offset + (int64_t)piece->bytes};
    return cost_s;
}
