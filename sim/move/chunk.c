/* chunk: memory that is only written in whole chunks (shmalloc.chunk). A put that begins or ends
 * inside one needs the chunk's other bytes, and puts them back with its own. "What happens if two
 * different processes try to write to bytes located within the same remote word?" (E. Salo, MPI-2
 * mailing list, 31 October 1995): a carrier that reaches memory without the target's processor
 * reads the chunk, and writes it some time later; what came there in between is lost, and told. A
 * handler of the target's processor does both at once.
 *
 * Alpha stores longwords (4 bytes) as they are, and quadwords for anything less (cpu.subword):
 * edges at a multiple of 4 need no reading there. Chunks lie on multiples of their size from the
 * window's base.
 */
#include "move/carrier/carrier.h"
#include "findings/findings.h"

/* A put that has written there: who may have lost something to somebody that read before. */
struct passed {
    const struct move_op *op; /* still writing; NULL: done */
    int target;
    uintptr_t addr, end; /* its own bytes */
    uintptr_t low, high; /* with those that it put back */
    uint32_t writer;
    double seen_s; /* from then on others read it */
};

struct move_edges {
    struct move_edge *open; /* chunks read and not written back yet */
    /* struct passed, by the time of writing; those that an open one may have missed */
    GArray *passed;
};

struct move_edge {
    struct move_edge *next; /* open */
    int segment;
    uintptr_t base;      /* of the window */
    uint64_t head, tail; /* bytes to put back before and behind the put's own */
    uint8_t *whole;      /* head, the put's bytes, tail */
    bool read, back;     /* read at the target; the origin knows */
    double read_s;
    struct op_piece chunk[2]; /* that must be read: offsets from the put's first byte */
    uint32_t chunks;
};

void move_op_chunked(struct move_op *op, int segment, uintptr_t base, uint64_t bytes)
{
    const struct mach *m = op->move->mach;
    uint64_t chunk = m->shmalloc_chunk,
             alone = strcmp(m->cpu_subword, "rmw8") == 0 ? MIN(chunk, 4) : chunk;
    if (chunk == 1 || op->trail.kind != OP_PUT) return;
    struct move_edge *e = op->edge = g_new0(struct move_edge, 1);
    *e = (struct move_edge){.segment = segment, .base = base};
    if (!op->move->edges) {
        op->move->edges = g_new0(struct move_edges, 1);
        op->move->edges->passed = g_array_new(FALSE, FALSE, sizeof(struct passed));
    }
    uint64_t from = op->to.addr + (uint64_t)op->to.layout.low - base, to = from + op->trail.bytes;
    uint64_t first = from & ~(chunk - 1), last = (to - 1) & ~(chunk - 1);
    uint64_t first_end = MIN(first + chunk, bytes), end = MIN(last + chunk, bytes);
    bool begins = from % alone != 0, ends = to % alone != 0 && to < bytes;
    if (begins) e->head = from - first;
    if (ends) e->tail = end - to;
    if (begins && first == last) e->tail = end - to;
    if (ends && last < from) e->head = from - last;
    if (e->head)
        e->chunk[e->chunks++] = (struct op_piece){(int64_t)(first - from), first_end - first};
    if (e->tail && (last != first || !e->head))
        e->chunk[e->chunks++] = (struct op_piece){(int64_t)last - (int64_t)from, end - last};
    if (e->chunks) e->whole = g_malloc(e->head + op->trail.bytes + e->tail);
}

void move_edge_free(struct move_op *op)
{
    if (op->edge) g_free(op->edge->whole);
    g_free(op->edge);
}

void move_edges_free(struct move_edges *edges)
{
    if (edges) g_array_unref(edges->passed);
    g_free(edges);
}

bool move_edge_early(const struct move_op *op)
{
    return op->edge && op->edge->chunks > 0 && !op->target->policy->processor &&
           !(op->target->delayed && op->target != op->origin);
}

void move_edge_chunks(const struct move_op *op, struct op_layout *chunks)
{
    *chunks = (struct op_layout){op->edge->chunk, op->edge->chunks, 0, 0, 0};
    for (uint32_t i = 0; i < chunks->pieces; i++) chunks->bytes += chunks->piece[i].bytes;
}

/* ---- reading --------------------------------------------------------------------------------- */

static uintptr_t first_byte(const struct move_op *op)
{
    return op->to.addr + (uintptr_t)op->to.layout.low;
}

struct side {
    uintptr_t addr;
    uint8_t *to;
    uint64_t bytes;
};

/* The bytes to put back: before the put's own, and behind. */
static struct side side_of(const struct move_op *op, int behind)
{
    const struct move_edge *e = op->edge;
    if (!behind) return (struct side){first_byte(op) - e->head, e->whole, e->head};
    return (struct side){first_byte(op) + op->trail.bytes, e->whole + e->head + op->trail.bytes,
                         e->tail};
}

static void opened(struct move_op *op, double at_s)
{
    op->edge->read = true;
    op->edge->read_s = at_s;
    op->edge->next = op->move->edges->open;
    op->move->edges->open = op->edge;
}

void move_edge_read(struct move_op *op, double at_s)
{
    for (int i = 0; i < 2; i++) {
        struct side side = side_of(op, i);
        mem_ni_read(op->target->memory, side.addr, side.to, side.bytes, at_s);
    }
    opened(op, at_s);
}

void move_edge_load(struct move_op *op)
{
    struct serve_proc *origin = op->origin;
    const struct move_edge *e = op->edge;
    serve_pay(origin);
    for (uint32_t i = 0; i < e->chunks; i++) {
        g_autofree uint8_t *into = g_malloc(e->chunk[i].bytes);
        uintptr_t addr = first_byte(op) + (uintptr_t)e->chunk[i].offset;
        serve_memory(origin,
                     mem_cpu_read(origin->cpu, addr, into, e->chunk[i].bytes, serve_now(origin)));
    }
    /* what others have stored by now, they have stored; what they store from now on is lost */
    serve_pay(origin);
    for (int i = 0; i < 2; i++) {
        struct side side = side_of(op, i);
        mem_peek(op->target->memory, NULL, side.addr, side.to, side.bytes, kern_now());
    }
    opened(op, kern_now());
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

/* ---- writing --------------------------------------------------------------------------------- */

/* The last put that wrote that byte, or put it back, and was not there yet when the chunk was read;
 * NULL: none. */
static const struct passed *who_passed(const struct move_op *op, uintptr_t addr)
{
    const GArray *passed = op->move->edges->passed;
    for (guint i = passed->len; i-- > 0;) {
        const struct passed *p = &g_array_index(passed, struct passed, i);
        if (p->target == op->trail.target && p->low <= addr && addr < p->high &&
            p->seen_s > op->edge->read_s)
            return p;
    }
    return NULL;
}

static void note_lost(const struct move_op *op, uintptr_t addr, uint64_t bytes, uint32_t writer,
                      double at_s)
{
    const struct move_edge *e = op->edge;
    struct findings_note note = {
        .kind = FINDINGS_NOTE_LOST_UPDATE,
        .rank = op->trail.origin,
        .time_s = at_s,
        .segment = e->segment,
        .offset = addr - e->base,
        .bytes = bytes,
        .site = op->trail.site,
        .call = op->trail.call,
        .writer = writer,
    };
    findings_note(&note);
}

/* Has anybody changed what is about to be put back? One note for each who has; if no put did, it
 * was the window's owner. What a put only put back was lost then, and is restored now. */
static void compare(const struct move_op *op, const struct mem_cpu *hands, double at_s)
{
    const struct move_edge *e = op->edge;
    uintptr_t low = first_byte(op) - e->head;
    uint64_t own_end = e->head + op->trail.bytes, all = own_end + e->tail;
    uint32_t told = 0;
    uintptr_t from = 0;
    uint64_t bytes = 0;
    g_autofree uint8_t *now = g_malloc(all);
    mem_peek(op->target->memory, hands, low, now, all, at_s);
    for (uint64_t i = 0; i < all; i++) {
        if ((i >= e->head && i < own_end) || now[i] == e->whole[i]) continue;
        const struct passed *by = who_passed(op, low + i);
        if (by && (low + i < by->addr || by->end <= low + i)) continue;
        uint32_t writer = by ? by->writer : op_writer_id(op->trail.target, "store", 0);
        if (bytes > 0 && writer != told) {
            note_lost(op, from, bytes, told, at_s);
            bytes = 0;
        }
        if (bytes++ == 0) from = low + i;
        told = writer;
    }
    if (bytes > 0) note_lost(op, from, bytes, told, at_s);
}

/* Entries that every open put has seen go. */
static void forget_passed(struct move_edges *edges, double now_s)
{
    for (const struct move_edge *e = edges->open; e; e = e->next) now_s = MIN(now_s, e->read_s);
    guint kept = 0;
    for (guint i = 0; i < edges->passed->len; i++) {
        struct passed p = g_array_index(edges->passed, struct passed, i);
        if (p.seen_s > now_s) g_array_index(edges->passed, struct passed, kept++) = p;
    }
    g_array_set_size(edges->passed, kept);
}

static void pass(const struct move_op *op, bool done, double at_s)
{
    struct move_edges *edges = op->move->edges;
    const uintptr_t first = first_byte(op), end = first + op->trail.bytes;
    const struct passed p = {
        done ? NULL : op,       op->trail.target,     first,      end,
        first - op->edge->head, end + op->edge->tail, op->writer, done ? at_s : HUGE_VAL};
    forget_passed(edges, at_s);
    g_array_append_val(edges->passed, p);
}

void move_edge_written(const struct move_op *op, double at_s)
{
    if (!op->edge) return;
    const GArray *passed = op->move->edges->passed;
    for (guint i = 0; i < passed->len; i++) {
        struct passed *p = &g_array_index(passed, struct passed, i);
        if (p->op != op) continue;
        p->op = NULL;
        p->seen_s = at_s;
    }
}

double move_edge_merge(struct move_op *op, struct mem_cpu *cpu, double at_s)
{
    struct move_edge *e = op->edge;
    double cost_s = 0;
    if (!e) return 0;
    if (e->read) {
        struct move_edge **link = &op->move->edges->open;
        while (*link != e) link = &(*link)->next;
        *link = e->next;
        compare(op, cpu, at_s);
    }
    for (int i = 0; i < 2 && !e->read; i++) {
        struct side side = side_of(op, i);
        if (cpu && side.bytes)
            cost_s += mem_cpu_read(cpu, side.addr, side.to, side.bytes, at_s + cost_s);
        if (!cpu) mem_ni_read(op->target->memory, side.addr, side.to, side.bytes, at_s);
    }
    pass(op, !(e->read && cpu), at_s);
    if (e->chunks == 0) return 0;
    memcpy(e->whole + e->head, op->bytes, op->trail.bytes);
    op->bytes = e->whole;
    struct op_piece *piece = &op->inline_piece[1];
    *piece = (struct op_piece){op->to.layout.low - (int64_t)e->head,
                               e->head + op->trail.bytes + e->tail};
    op->to.layout = (struct op_layout){piece, 1, piece->bytes, piece->offset,
                                       piece->offset + (int64_t)piece->bytes};
    return cost_s;
}
