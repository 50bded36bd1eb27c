/* chunk: memory that is only written in whole chunks (shmalloc.chunk). A put that begins or ends
 * inside one needs the chunk's other bytes, and puts them back with its own. "What happens if two
 * different processes try to write to bytes located within the same remote word?" (E. Salo, MPI-2
 * mailing list, 31 October 1995): a carrier that reaches memory without the target's processor
 * reads the chunk, and writes it some time later; what came there in between is overwritten, and
 * the loss is reported. A handler of the target's processor does both at once.
 *
 * Alpha stores longwords (4 bytes) as they are, and quadwords for anything less (cpu.subword):
 * edges at a multiple of 4 need no reading there. Chunks lie on multiples of their size from the
 * window's base.
 */
#include "move/transfer/chunk.h"
#include "mem/agent/agent.h"

#include "findings/findings.h"

/* A put that has written there: who may have lost something to somebody that read before. */
struct passed {
    const struct move_transfer *t; /* still writing; NULL: done */
    int target;
    uintptr_t addr, end; /* its own bytes */
    uintptr_t low, high; /* with those that it put back */
    uint32_t writer;
    double seen_s; /* from then on others read it */
};

struct move_chunks {
    struct move_chunk *open; /* chunks read and not written back yet */
    /* struct passed, by the time of writing; those that an open one may have missed */
    GArray *passed;
};

struct move_chunk {
    struct move_chunk *next; /* open */
    int segment;
    uintptr_t base;      /* of the window */
    uint64_t head, tail; /* bytes to put back before and behind the put's own */
    uint8_t *whole;      /* head, the put's bytes, tail */
    bool read, back;     /* read at the target; the origin knows */
    double read_s;
    struct op_piece chunk[2]; /* that must be read: offsets from the put's first byte */
    uint32_t chunks;
};

void move_chunk_split(struct move_transfer *t, int segment, uintptr_t base, uint64_t bytes)
{
    const struct mach *m = t->move->mach;
    uint64_t chunk = m->shmalloc_chunk,
             alone = strcmp(m->cpu_subword, "rmw8") == 0 ? MIN(chunk, 4) : chunk;
    if (chunk == 1 || t->trail.kind != OP_PUT) return;
    struct move_chunk *e = t->chunk = g_new0(struct move_chunk, 1);
    *e = (struct move_chunk){.segment = segment, .base = base};
    if (!t->move->chunks) {
        t->move->chunks = g_new0(struct move_chunks, 1);
        t->move->chunks->passed = g_array_new(FALSE, FALSE, sizeof(struct passed));
    }
    uint64_t from = t->op.to.addr + (uint64_t)t->op.to.layout.low - base,
             to = from + t->trail.bytes;
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
    if (e->chunks) e->whole = g_malloc(e->head + t->trail.bytes + e->tail);
}

void move_chunk_free(struct move_transfer *t)
{
    if (t->chunk) g_free(t->chunk->whole);
    g_free(t->chunk);
}

void move_chunks_free(struct move_chunks *chunks)
{
    if (chunks) g_array_unref(chunks->passed);
    g_free(chunks);
}

bool move_chunk_early(const struct move_transfer *t)
{
    return t->chunk && t->chunk->chunks > 0 && !t->target->policy->processor &&
           !(t->target->delayed && t->target != t->origin);
}

void move_chunk_pieces(const struct move_transfer *t, struct op_layout *chunks)
{
    *chunks = (struct op_layout){t->chunk->chunk, t->chunk->chunks, 0, 0, 0};
    for (uint32_t i = 0; i < chunks->pieces; i++) chunks->bytes += chunks->piece[i].bytes;
}

/* ---- reading --------------------------------------------------------------------------------- */

static uintptr_t first_byte(const struct move_transfer *t)
{
    return t->op.to.addr + (uintptr_t)t->op.to.layout.low;
}

struct side {
    uintptr_t addr;
    uint8_t *to;
    uint64_t bytes;
};

/* The bytes to put back: before the put's own, and behind. */
static struct side side_of(const struct move_transfer *t, int behind)
{
    const struct move_chunk *e = t->chunk;
    if (!behind) return (struct side){first_byte(t) - e->head, e->whole, e->head};
    return (struct side){first_byte(t) + t->trail.bytes, e->whole + e->head + t->trail.bytes,
                         e->tail};
}

static void opened(struct move_transfer *t, double at_s)
{
    t->chunk->read = true;
    t->chunk->read_s = at_s;
    t->chunk->next = t->move->chunks->open;
    t->move->chunks->open = t->chunk;
}

void move_chunk_read(struct move_transfer *t, double at_s)
{
    for (int i = 0; i < 2; i++) {
        struct side side = side_of(t, i);
        mem_ni_read(t->target->memory, side.addr, side.to, side.bytes, at_s);
    }
    opened(t, at_s);
}

void move_chunk_load(struct move_transfer *t)
{
    struct serve_proc *origin = t->origin;
    const struct move_chunk *e = t->chunk;
    serve_pay(origin);
    for (uint32_t i = 0; i < e->chunks; i++) {
        g_autofree uint8_t *into = g_malloc(e->chunk[i].bytes);
        uintptr_t addr = first_byte(t) + (uintptr_t)e->chunk[i].offset;
        serve_access(origin,
                     mem_cpu_read(origin->cpu, addr, into, e->chunk[i].bytes, serve_now(origin)));
    }
    /* what others have stored by now, they have stored; what they store from now on is lost */
    serve_pay(origin);
    for (int i = 0; i < 2; i++) {
        struct side side = side_of(t, i);
        mem_peek(t->target->memory, NULL, side.addr, side.to, side.bytes, kern_now());
    }
    opened(t, kern_now());
}

static void back(void *data, double at_s)
{
    (void)at_s;
    struct move_transfer *t = data;
    t->chunk->back = true;
    kern_gate_open(t->origin->gate);
}

static bool is_back(void *data)
{
    const struct move_transfer *t = data;
    return t->chunk->back;
}

void move_chunk_answer(struct move_transfer *t, double at_s)
{
    kern_at(at_s, KERN_NETWORK, -1, back, t);
}

void move_chunk_wait(struct move_transfer *t)
{
    serve_wait(t->origin, PROFILE_SERVICE, is_back, t);
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The last put that wrote that byte, or put it back, and was not there yet when the chunk was read;
 * NULL: none. */
static const struct passed *who_passed(const struct move_transfer *t, uintptr_t addr)
{
    const GArray *passed = t->move->chunks->passed;
    for (guint i = passed->len; i-- > 0;) {
        const struct passed *p = &g_array_index(passed, struct passed, i);
        if (p->target == t->trail.target && p->low <= addr && addr < p->high &&
            p->seen_s > t->chunk->read_s)
            return p;
    }
    return NULL;
}

static void note_lost(const struct move_transfer *t, uintptr_t addr, uint64_t bytes,
                      uint32_t writer, double at_s)
{
    const struct move_chunk *e = t->chunk;
    struct findings_note note = {
        .kind = FINDINGS_NOTE_LOST_UPDATE,
        .rank = t->trail.origin,
        .time_s = at_s,
        .segment = e->segment,
        .offset = addr - e->base,
        .bytes = bytes,
        .site = t->trail.site,
        .call = t->trail.call,
        .writer = writer,
    };
    findings_note(&note);
}

/* Has anybody changed what is about to be put back? One note for each who has; if no put did, it
 * was the window's owner. What a put only put back was lost then, and is restored now. */
static void compare(const struct move_transfer *t, const struct mem_cpu *cpu, double at_s)
{
    const struct move_chunk *e = t->chunk;
    uintptr_t low = first_byte(t) - e->head;
    uint64_t own_end = e->head + t->trail.bytes, all = own_end + e->tail;
    uint32_t writer_before = 0;
    uintptr_t from = 0;
    uint64_t bytes = 0;
    g_autofree uint8_t *now = g_malloc(all);
    mem_peek(t->target->memory, cpu, low, now, all, at_s);
    for (uint64_t i = 0; i < all; i++) {
        if ((i >= e->head && i < own_end) || now[i] == e->whole[i]) continue;
        const struct passed *by = who_passed(t, low + i);
        if (by && (low + i < by->addr || by->end <= low + i)) continue;
        uint32_t writer = by ? by->writer : op_writer_id(t->trail.target, "store", 0);
        if (bytes > 0 && writer != writer_before) {
            note_lost(t, from, bytes, writer_before, at_s);
            bytes = 0;
        }
        if (bytes++ == 0) from = low + i;
        writer_before = writer;
    }
    if (bytes > 0) note_lost(t, from, bytes, writer_before, at_s);
}

/* Entries that every open put has seen go. */
static void forget_passed(struct move_chunks *chunks, double now_s)
{
    for (const struct move_chunk *e = chunks->open; e; e = e->next) now_s = MIN(now_s, e->read_s);
    guint kept = 0;
    for (guint i = 0; i < chunks->passed->len; i++) {
        struct passed p = g_array_index(chunks->passed, struct passed, i);
        if (p.seen_s > now_s) g_array_index(chunks->passed, struct passed, kept++) = p;
    }
    g_array_set_size(chunks->passed, kept);
}

static void pass(const struct move_transfer *t, bool done, double at_s)
{
    struct move_chunks *chunks = t->move->chunks;
    const uintptr_t first = first_byte(t), end = first + t->trail.bytes;
    const struct passed p = {
        done ? NULL : t,        t->trail.target,      first,     end,
        first - t->chunk->head, end + t->chunk->tail, t->writer, done ? at_s : HUGE_VAL};
    forget_passed(chunks, at_s);
    g_array_append_val(chunks->passed, p);
}

void move_chunk_written(const struct move_transfer *t, double at_s)
{
    if (!t->chunk) return;
    const GArray *passed = t->move->chunks->passed;
    for (guint i = 0; i < passed->len; i++) {
        struct passed *p = &g_array_index(passed, struct passed, i);
        if (p->t != t) continue;
        p->t = NULL;
        p->seen_s = at_s;
    }
}

struct mem_charge move_chunk_merge(struct move_transfer *t, struct mem_cpu *cpu, double at_s)
{
    struct move_chunk *e = t->chunk;
    struct mem_charge cost = {0};
    if (!e) return cost;
    if (e->read) {
        struct move_chunk **link = &t->move->chunks->open;
        while (*link != e) link = &(*link)->next;
        *link = e->next;
        compare(t, cpu, at_s);
    }
    for (int i = 0; i < 2 && !e->read; i++) {
        struct side side = side_of(t, i);
        if (cpu && side.bytes)
            mem_charge_more(&cost, mem_cpu_read(cpu, side.addr, side.to, side.bytes,
                                                at_s + mem_charge_s(cost)));
        if (!cpu) mem_ni_read(t->target->memory, side.addr, side.to, side.bytes, at_s);
    }
    pass(t, !(e->read && cpu), at_s);
    if (e->chunks == 0) return cost;
    memcpy(e->whole + e->head, t->bytes, t->trail.bytes);
    t->bytes = e->whole;
    struct op_piece *piece = &t->inline_piece[1];
    *piece = (struct op_piece){t->op.to.layout.low - (int64_t)e->head,
                               e->head + t->trail.bytes + e->tail};
    t->op.to.layout = (struct op_layout){piece, 1, piece->bytes, piece->offset,
                                         piece->offset + (int64_t)piece->bytes};
    return cost;
}
