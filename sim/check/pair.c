/* Pairs of accesses that an earlier run has found: on this one their own bytes are watched, and the
 * two are forced into order perhaps.
 *
 * Left out: what an accumulate sent. */
#include "check/pair.h"
#include "check/moment.h"

#include <string.h>

/* Bytes of a side's operation: where they are in what it carries, and in what the side reads. */
struct carried {
    uint64_t packed, at, bytes;
};
struct watched {
    struct check_seen seen;
    bool fixed; /* which occurrence is meant is known */
    uint64_t times[2];
    uint64_t number[2]; /* of an operation; 0: none */
    GArray *carries[2]; /* struct carried */
    uint64_t moment[2];
    bool done[2];
    /* of a side that reads: its rank's next write of the bytes, that write's moment, and whether it
     * conflicts with the other side; again: it read them before that */
    uint64_t back[2];
    bool again[2], contested[2];
    const uint8_t *load; /* what the load under way reads; NULL: none */
    uint64_t loads;      /* bytes */
    int loader;
};
bool check_pairing;
static GPtrArray *pairs;
static struct {
    struct watched *pair; /* NULL: none is forced */
    int side;             /* that its rank has come to, and not asked about; -1: none */
    bool passing, ready, hopeless;
} forced;

static void watched_free(void *data)
{
    struct watched *w = data;
    for (int s = 0; s < 2; s++) {
        g_array_unref(w->carries[s]);
        g_free(w->seen.read[s]);
    }
    g_free(w);
}

void check_pairs_open(void)
{
    pairs = g_ptr_array_new_with_free_func(watched_free);
    check_pairing = false;
    forced.pair = NULL;
    forced.side = -1;
    forced.passing = forced.ready = forced.hopeless = false;
}

void check_pairs_close(void)
{
    check_pairing = false;
    g_clear_pointer(&pairs, g_ptr_array_unref);
}

void check_pair_watch(const struct check_pair *pair, bool force)
{
    struct watched *w = g_new0(struct watched, 1);
    w->seen.pair = *pair;
    w->seen.forced = w->fixed = force;
    w->loader = -1;
    for (int s = 0; s < 2; s++) w->carries[s] = g_array_new(FALSE, FALSE, sizeof(struct carried));
    g_ptr_array_add(pairs, w);
    if (force) forced.pair = w;
    check_pairing = true;
}

/* ---- what the sides do ----------------------------------------------------------------------- */

static bool writes(enum check_kind kind)
{
    switch (kind) {
    case CHECK_LOAD:
    case CHECK_ATOMIC_LOAD:
    case CHECK_RELAXED_LOAD:
    case CHECK_CALL_LOAD:
    case CHECK_GET:
    case CHECK_BUFFER_READ: return false;
    default: return true;
    }
}

static bool overlaps(const struct watched *w, uintptr_t addr, uint64_t bytes)
{
    return w->seen.addr < addr + bytes && addr < w->seen.addr + w->seen.bytes;
}

void check_pair_memory(int window, int owner, uintptr_t base, uint64_t bytes)
{
    for (guint i = 0; i < pairs->len; i++) {
        struct watched *w = pairs->pdata[i];
        const struct check_pair *pair = &w->seen.pair;
        if (pair->window != window || pair->owner != owner || w->seen.addr || pair->offset >= bytes)
            continue;
        w->seen.addr = base + pair->offset;
        w->seen.bytes = MIN(pair->bytes, CHECK_PAIR_BYTES);
    }
}

/* The side begins; true: it is the occurrence that is meant, as far as is known. */
static bool comes(struct watched *w, int s, uint64_t number)
{
    uint64_t times = ++w->times[s];
    if (w->fixed && w->seen.pair.side[s].times != times) return false;
    w->seen.came[s] = true;
    w->number[s] = number;
    w->moment[s] = 0;
    w->done[s] = number == 0;
    w->back[s] = 0;
    w->again[s] = false;
    if (number)
        check_moment_ask(number, &w->moment[s]);
    else
        w->moment[s] = check_moment_now();
    if (w == forced.pair) forced.side = s;
    return true;
}

static bool is_side(const struct watched *w, int s, int rank, enum check_kind kind, op_site site)
{
    const struct check_pair_side *side = &w->seen.pair.side[s];
    return side->rank == rank && side->kind == kind && side->site == site;
}

/* Does the rank write back what it has read as a side, or read it again before? */
static void follow(struct watched *w, int rank, bool wrote, uint64_t number)
{
    for (int s = 0; s < 2; s++) {
        if (!w->seen.came[s] || w->seen.pair.side[s].rank != rank || w->back[s]) continue;
        if (!wrote)
            w->again[s] = true;
        else if (!w->again[s] && number)
            check_moment_ask(number, &w->back[s]);
        else if (!w->again[s])
            w->back[s] = check_moment_now();
    }
}

void check_pair_access(int rank, uintptr_t addr, uint64_t bytes, enum check_kind kind, op_site site)
{
    for (guint i = 0; i < pairs->len; i++) {
        struct watched *w = pairs->pdata[i];
        if (!overlaps(w, addr, bytes)) continue;
        follow(w, rank, writes(kind), 0);
        for (int s = 0; s < 2; s++) {
            if (!is_side(w, s, rank, kind, site) || !comes(w, s, 0) || writes(kind)) continue;
            w->load = (const uint8_t *)MAX(addr, w->seen.addr);
            w->loads = MIN(addr + bytes, w->seen.addr + w->seen.bytes) - (uintptr_t)w->load;
            w->loader = rank;
        }
    }
}

/* The side reads so many bytes; where they go. */
static uint8_t *reads(struct watched *w, int s, uint64_t bytes)
{
    g_free(w->seen.read[s]);
    w->seen.reads[s] = bytes;
    return w->seen.read[s] = g_malloc0(bytes);
}

void check_pair_loaded(int rank)
{
    for (guint i = 0; i < pairs->len; i++) {
        struct watched *w = pairs->pdata[i];
        if (w->loader != rank) continue;
        int s = w->seen.pair.side[0].rank == rank && !writes(w->seen.pair.side[0].kind) ? 0 : 1;
        memcpy(reads(w, s, w->loads), w->load, w->loads);
        w->loader = -1;
    }
}

/* Where in what the operation carries the pair's bytes are; s -1: only whether it has any. */
static bool within(struct watched *w, int s, const struct check_buffer *buffer)
{
    uint64_t packed = 0;
    uintptr_t first = 0;
    if (s >= 0) g_array_set_size(w->carries[s], 0);
    for (uint32_t i = 0; buffer->layout && i < buffer->layout->pieces; i++) {
        const struct op_piece *piece = &buffer->layout->piece[i];
        uintptr_t addr = buffer->addr + (uintptr_t)piece->offset;
        if (overlaps(w, addr, piece->bytes)) {
            uintptr_t from = MAX(addr, w->seen.addr);
            if (s < 0) return true;
            if (!first) first = from;
            const struct carried c = {packed + (from - addr), from - first,
                                      MIN(addr + piece->bytes, w->seen.addr + w->seen.bytes) -
                                          from};
            if (from >= first) g_array_append_val(w->carries[s], c);
        }
        packed += piece->bytes;
    }
    return first != 0;
}

static void buffer_comes(struct watched *w, const struct check_operation *o, int rank,
                         uint64_t number, const struct check_buffer *buffer, enum check_kind kind)
{
    for (int s = 0; s < 2 && buffer->layout && buffer->layout->bytes > 0; s++) {
        if (!is_side(w, s, rank, kind, o->site)) continue;
        if (w->seen.pair.window < 0 && s == 0) {
            w->seen.addr = buffer->addr + (uintptr_t)buffer->layout->low;
            w->seen.bytes = MIN(buffer->layout->bytes, CHECK_PAIR_BYTES);
        }
        if (within(w, s, buffer)) comes(w, s, number);
    }
}

void check_pair_operation(const struct check_operation *o, int rank, uint64_t number)
{
    for (guint i = 0; i < pairs->len; i++) {
        struct watched *w = pairs->pdata[i];
        if (within(w, -1, &o->there)) {
            follow(w, rank, o->kind != CHECK_GET && !o->no_op, number);
            for (int s = 0; s < 2; s++)
                if (is_side(w, s, rank, o->kind, o->site)) {
                    within(w, s, &o->there);
                    comes(w, s, number);
                }
        }
        buffer_comes(w, o, rank, number, &o->origin,
                     o->kind == CHECK_GET ? CHECK_BUFFER_WRITE : CHECK_BUFFER_READ);
        buffer_comes(w, o, rank, number, &o->compare, CHECK_BUFFER_READ);
        buffer_comes(w, o, rank, number, &o->result, CHECK_BUFFER_WRITE);
    }
}

void check_pair_held(int rank, const struct check_buffer *buffer, enum check_kind kind,
                     op_site site, uint64_t number)
{
    for (uint32_t i = 0; number == 0 && i < buffer->layout->pieces; i++)
        check_pair_access(rank, buffer->addr + (uintptr_t)buffer->layout->piece[i].offset,
                          buffer->layout->piece[i].bytes, kind, site);
    for (guint i = 0; number > 0 && i < pairs->len; i++) {
        struct watched *w = pairs->pdata[i];
        for (int s = 0; s < 2; s++)
            if (is_side(w, s, rank, kind, site) && within(w, s, buffer)) comes(w, s, number);
    }
}

static void read_carried(struct watched *w, int s, const uint8_t *bytes, uint64_t n)
{
    const struct carried *c = (const struct carried *)(void *)w->carries[s]->data;
    uint64_t all = 0;
    for (guint i = 0; i < w->carries[s]->len; i++) {
        if (c[i].packed + c[i].bytes > n) return;
        all = MAX(all, c[i].at + c[i].bytes);
    }
    uint8_t *to = reads(w, s, all);
    for (guint i = 0; i < w->carries[s]->len; i++)
        memcpy(to + c[i].at, bytes + c[i].packed, c[i].bytes);
}

void check_pair_carried(uint64_t number, const uint8_t *bytes, uint64_t n)
{
    for (guint i = 0; i < pairs->len; i++) {
        struct watched *w = pairs->pdata[i];
        for (int s = 0; s < 2; s++) {
            if (w->number[s] != number || w->done[s]) continue;
            w->done[s] = true;
            enum check_kind kind = w->seen.pair.side[s].kind;
            if (bytes && (kind == CHECK_GET || kind == CHECK_FETCH || kind == CHECK_BUFFER_READ))
                read_carried(w, s, bytes, n);
        }
    }
}

/* One is the side's rank, writing, and the other is the other side. */
static bool contests(const struct watched *w, int s, const struct check_actor *one,
                     const struct check_actor *other)
{
    const struct check_pair_side *side = &w->seen.pair.side[1 - s];
    return one->rank == w->seen.pair.side[s].rank && one->writes && other->rank == side->rank &&
           other->site == side->site;
}

static bool are_sides(const struct watched *w, const struct check_actor *a,
                      const struct check_actor *b)
{
    return is_side(w, 0, a->rank, a->kind, a->site) && is_side(w, 1, b->rank, b->kind, b->site);
}

void check_pair_noted(const struct check_actor *a, const struct check_actor *b)
{
    for (guint i = 0; i < pairs->len; i++) {
        struct watched *w = pairs->pdata[i];
        for (int s = 0; s < 2; s++)
            if (contests(w, s, a, b) || contests(w, s, b, a)) w->contested[s] = true;
        if (w->fixed || !(are_sides(w, a, b) || are_sides(w, b, a))) continue;
        w->fixed = true;
        for (int s = 0; s < 2; s++) w->seen.pair.side[s].times = w->times[s];
    }
}

/* ---- the forced one -------------------------------------------------------------------------- */

enum check_turn check_pair_turn(int rank)
{
    struct watched *w = forced.pair;
    if (!w || forced.side < 0 || w->seen.pair.side[forced.side].rank != rank)
        return CHECK_TURN_NONE;
    bool first = forced.side == 0;
    forced.side = -1;
    if (first) {
        forced.passing = w->number[0] == 0;
        return CHECK_TURN_FIRST;
    }
    if (!forced.ready && w->seen.pair.side[0].rank == rank && !forced.passing)
        forced.hopeless = true;
    w->seen.ordered = forced.ready;
    return forced.hopeless ? CHECK_TURN_NONE : CHECK_TURN_THEN;
}

void check_pair_complete(int rank)
{
    struct watched *w = forced.pair;
    if (!w || w->seen.pair.side[0].rank != rank || forced.ready) return;
    forced.ready = true;
    forced.passing = false;
    w->seen.ordered = !w->seen.came[1] || !forced.hopeless;
}

bool check_pair_passed(int rank)
{
    return forced.pair && forced.passing && forced.pair->seen.pair.side[0].rank == rank;
}

bool check_pair_requested(uint64_t number)
{
    const struct watched *w = forced.pair;
    return w && number && w->number[0] == number && !check_remote(w->seen.pair.side[0].kind) &&
           !check_buffer_kind(w->seen.pair.side[0].kind);
}

bool check_pair_ready(void *data)
{
    (void)data;
    return forced.ready || forced.hopeless;
}

void check_pair_give_up(void)
{
    if (!forced.ready) forced.hopeless = true;
}

int check_pair_then(void) { return forced.pair ? forced.pair->seen.pair.side[1].rank : -1; }

/* ---- what was seen --------------------------------------------------------------------------- */

size_t check_pairs(void) { return pairs ? pairs->len : 0; }

bool check_pair_settled(size_t i)
{
    const struct watched *w = pairs->pdata[i];
    return w->seen.came[0] && w->seen.came[1] && w->done[0] && w->done[1];
}

static bool lost(const struct watched *w)
{
    for (int s = 0; s < 2; s++) {
        const struct check_pair_side *other = &w->seen.pair.side[1 - s];
        if (!writes(w->seen.pair.side[s].kind) && writes(other->kind) && w->back[s] &&
            w->contested[s] && w->moment[s] > 0 && w->moment[s] < w->moment[1 - s] &&
            w->moment[1 - s] < w->back[s])
            return true;
    }
    return false;
}

const struct check_seen *check_pair_seen(size_t i)
{
    struct watched *w = pairs->pdata[i];
    w->seen.ordered =
        w->seen.forced && w->seen.came[0] && w->seen.came[1] && forced.ready && !forced.hopeless;
    w->seen.lost = lost(w);
    return &w->seen;
}
