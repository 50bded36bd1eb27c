/* Pairs of accesses that an earlier run has found: on this one their own bytes are watched, and the
 * two are forced into order perhaps.
 *
 * Left out: what an accumulate sent. */
#include "check/watched.h"
#include "check/pair.h"
#include "check/moment.h"

#include <string.h>

bool check_pairing;
GPtrArray *check_watches;
struct check_forced check_forced;

static void watched_free(void *data)
{
    struct check_watched *w = data;
    for (int s = 0; s < 2; s++) {
        g_array_unref(w->carries[s]);
        g_free(w->seen.read[s]);
    }
    g_free(w);
}

void check_pairs_open(void)
{
    check_watches = g_ptr_array_new_with_free_func(watched_free);
    check_pairing = false;
    check_forced.pair = NULL;
    check_forced.side = -1;
    check_forced.passing = check_forced.ready = check_forced.hopeless = false;
}

void check_pairs_close(void)
{
    check_pairing = false;
    g_clear_pointer(&check_watches, g_ptr_array_unref);
}

void check_pair_watch(const struct check_pair *pair, bool force)
{
    struct check_watched *w = g_new0(struct check_watched, 1);
    w->seen.pair = *pair;
    w->seen.forced = w->fixed = force;
    w->loader = -1;
    for (int s = 0; s < 2; s++)
        w->carries[s] = g_array_new(FALSE, FALSE, sizeof(struct check_carries));
    g_ptr_array_add(check_watches, w);
    if (force) check_forced.pair = w;
    check_pairing = true;
}

/* ---- what the sides do ----------------------------------------------------------------------- */

bool check_kind_writes(enum check_kind kind)
{
    switch (kind) {
    case CHECK_LOAD:
    case CHECK_ATOMIC_LOAD:
    case CHECK_RELAXED_LOAD:
    case CHECK_CALL_LOAD:
    case CHECK_GET:
    case CHECK_BUFFER_READ:
    case CHECK_REQUEST_READ:
    case CHECK_OFFERED: return false;
    default: return true;
    }
}

static bool overlaps(const struct check_watched *w, uintptr_t addr, uint64_t bytes)
{
    return w->seen.addr < addr + bytes && addr < w->seen.addr + w->seen.bytes;
}

void check_pair_memory(int window, int owner, uintptr_t base, uint64_t bytes)
{
    for (guint i = 0; i < check_watches->len; i++) {
        struct check_watched *w = check_watches->pdata[i];
        const struct check_pair *pair = &w->seen.pair;
        if (pair->window != window || pair->owner != owner || w->seen.addr || pair->offset >= bytes)
            continue;
        w->seen.addr = base + pair->offset;
        w->seen.bytes = MIN(pair->bytes, CHECK_PAIR_BYTES);
    }
}

void check_pair_memory_gone(int window, int owner, uintptr_t base, uint64_t bytes)
{
    for (guint i = 0; i < check_watches->len; i++) {
        struct check_watched *w = check_watches->pdata[i];
        if (w->seen.pair.window == window && w->seen.pair.owner == owner &&
            w->seen.addr - base < bytes)
            w->gone = true;
    }
}

/* The side begins; true: it is the occurrence that is meant, as far as is known. */
static bool comes(struct check_watched *w, int s, uint64_t number)
{
    uint64_t times = ++w->times[s];
    if (w->fixed && w->seen.pair.side[s].times != times) return false;
    w->seen.came[s] = true;
    w->number[s] = number;
    w->own[s] = check_clock_own(w->seen.pair.side[s].rank);
    w->moment[s] = 0;
    w->done[s] = number == 0;
    w->back[s] = 0;
    w->again[s] = false;
    if (number)
        check_moment_ask(number, &w->moment[s]);
    else
        w->moment[s] = check_moment_now();
    if (w == check_forced.pair) check_forced.side = s;
    return true;
}

static bool is_side(const struct check_watched *w, int s, int rank, enum check_kind kind,
                    op_site site)
{
    const struct check_pair_side *side = &w->seen.pair.side[s];
    return side->rank == rank && side->kind == kind && side->site == site;
}

/* Does the rank write back what it has read as a side, or read it again before? */
static void follow(struct check_watched *w, int rank, bool wrote, uint64_t number)
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
    for (guint i = 0; i < check_watches->len; i++) {
        struct check_watched *w = check_watches->pdata[i];
        if (!overlaps(w, addr, bytes)) continue;
        follow(w, rank, check_kind_writes(kind), 0);
        for (int s = 0; s < 2; s++) {
            if (!is_side(w, s, rank, kind, site) || !comes(w, s, 0) || check_kind_writes(kind))
                continue;
            w->load = (const uint8_t *)MAX(addr, w->seen.addr);
            w->loads = MIN(addr + bytes, w->seen.addr + w->seen.bytes) - (uintptr_t)w->load;
            w->loader = rank;
        }
    }
}

/* The side reads so many bytes; where they go. */
static uint8_t *reads(struct check_watched *w, int s, uint64_t bytes)
{
    g_free(w->seen.read[s]);
    w->seen.reads[s] = bytes;
    return w->seen.read[s] = g_malloc0(bytes);
}

void check_pair_loaded(int rank)
{
    for (guint i = 0; i < check_watches->len; i++) {
        struct check_watched *w = check_watches->pdata[i];
        if (w->loader != rank) continue;
        int s = w->seen.pair.side[0].rank == rank && !check_kind_writes(w->seen.pair.side[0].kind)
                    ? 0
                    : 1;
        memcpy(reads(w, s, w->loads), w->load, w->loads);
        w->loader = -1;
    }
}

/* Where in what the operation carries the pair's bytes are; s -1: only whether it has any. */
static bool within(struct check_watched *w, int s, const struct check_buffer *buffer)
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
            const struct check_carries c = {packed + (from - addr), from - first,
                                            MIN(addr + piece->bytes, w->seen.addr + w->seen.bytes) -
                                                from};
            if (from >= first) g_array_append_val(w->carries[s], c);
        }
        packed += piece->bytes;
    }
    return first != 0;
}

/* The pair's bytes are a buffer of the first side. */
static void is_at(struct check_watched *w, const struct check_buffer *buffer)
{
    w->seen.addr = buffer->addr + (uintptr_t)buffer->layout->low;
    w->seen.bytes = MIN(buffer->layout->bytes, CHECK_PAIR_BYTES);
}

static void buffer_comes(struct check_watched *w, const struct check_operation *o, int rank,
                         uint64_t number, const struct check_buffer *buffer, enum check_kind kind)
{
    for (int s = 0; s < 2 && buffer->layout && buffer->layout->bytes > 0; s++) {
        if (!is_side(w, s, rank, kind, o->site)) continue;
        if (w->seen.pair.window < 0 && s == 0) is_at(w, buffer);
        if (within(w, s, buffer)) comes(w, s, number);
    }
}

void check_pair_operation(const struct check_operation *o, int rank, uint64_t number)
{
    for (guint i = 0; i < check_watches->len; i++) {
        struct check_watched *w = check_watches->pdata[i];
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
    for (guint i = 0; number > 0 && i < check_watches->len; i++) {
        struct check_watched *w = check_watches->pdata[i];
        for (int s = 0; s < 2; s++) {
            if (!is_side(w, s, rank, kind, site)) continue;
            if (check_lent(kind) && w->seen.pair.window < 0 && s == 0) is_at(w, buffer);
            if (within(w, s, buffer)) comes(w, s, number);
        }
    }
}

static void read_carried(struct check_watched *w, int s, const uint8_t *bytes, uint64_t n)
{
    const struct check_carries *c = (const struct check_carries *)(void *)w->carries[s]->data;
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
    for (guint i = 0; i < check_watches->len; i++) {
        struct check_watched *w = check_watches->pdata[i];
        for (int s = 0; s < 2; s++) {
            if (w->number[s] != number || w->done[s]) continue;
            w->done[s] = true;
            enum check_kind kind = w->seen.pair.side[s].kind;
            if (bytes && (kind == CHECK_GET || kind == CHECK_FETCH || kind == CHECK_BUFFER_READ ||
                          kind == CHECK_REQUEST_READ))
                read_carried(w, s, bytes, n);
        }
    }
}

void check_pair_fetched(uint64_t number, const struct check_buffer *there, const uint8_t *bytes)
{
    for (guint i = 0; i < 2 * check_watches->len; i++) {
        struct check_watched *w = check_watches->pdata[i / 2];
        const int s = (int)(i % 2);
        if (w->number[s] != number || w->done[s]) continue;
        uint64_t packed = 0;
        for (uint32_t k = 0; k < there->layout->pieces; k++) {
            const struct op_piece *piece = &there->layout->piece[k];
            const uintptr_t addr = there->addr + (uintptr_t)piece->offset,
                            from = MAX(addr, w->seen.addr),
                            to = MIN(addr + piece->bytes, w->seen.addr + w->seen.bytes);
            if (from < to && !w->seen.read[s]) reads(w, s, w->seen.bytes);
            if (from < to)
                memcpy(w->seen.read[s] + (from - w->seen.addr), bytes + packed + (from - addr),
                       to - from);
            packed += piece->bytes;
        }
    }
}

/* One is the side's rank, writing, and the other is the other side. */
static bool contests(const struct check_watched *w, int s, const struct check_actor *one,
                     const struct check_actor *other)
{
    const struct check_pair_side *side = &w->seen.pair.side[1 - s];
    return one->rank == w->seen.pair.side[s].rank && one->writes && other->rank == side->rank &&
           other->site == side->site;
}

static bool are_sides(const struct check_watched *w, const struct check_actor *a,
                      const struct check_actor *b)
{
    return is_side(w, 0, a->rank, a->kind, a->site) && is_side(w, 1, b->rank, b->kind, b->site);
}

void check_pair_noted(const struct check_actor *a, const struct check_actor *b)
{
    for (guint i = 0; i < check_watches->len; i++) {
        struct check_watched *w = check_watches->pdata[i];
        for (int s = 0; s < 2; s++)
            if (contests(w, s, a, b) || contests(w, s, b, a)) w->contested[s] = true;
        if (w->fixed || !(are_sides(w, a, b) || are_sides(w, b, a))) continue;
        w->fixed = true;
        for (int s = 0; s < 2; s++) w->seen.pair.side[s].times = w->times[s];
    }
}
