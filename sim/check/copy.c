/* Stores that nobody recorded into buffers that operations on their way read: by code that is not
 * instrumented. Such a buffer is compared with what it held when its call began. Loads leave no
 * trace: of buffers that operations fill it is known which they are.
 *
 * Left out: buffers in windows, whose stores the engine finds; of a buffer, what lies behind its
 * first 4 KiB; more than 64 of them at once. */
#include "check/copy.h"

#include <string.h>

enum { SOME = 64, MOST = 4096 };

struct copy {
    uintptr_t addr;
    uint64_t bytes;
    uint8_t *held;
    struct check_flight *flight;
    bool on_stack;
};
static GArray **copies; /* by rank: struct copy */
struct filled {
    uintptr_t addr;
    uint64_t bytes;
    struct check_flight *flight;
    const struct check_actor *by;
};
static GArray **fills;                     /* by rank: struct filled */
static uint32_t *copies_seen, *fills_seen; /* by rank: check_flights_done, when looked through */
static int ranks;

static void clear(void *data)
{
    struct copy *copy = data;
    check_flight_unref(copy->flight);
    g_free(copy->held);
}

static void clear_filled(void *data) { check_flight_unref(((struct filled *)data)->flight); }

void check_copies_open(int n)
{
    ranks = n;
    copies = g_new(GArray *, n);
    fills = g_new(GArray *, n);
    copies_seen = g_new0(uint32_t, n);
    fills_seen = g_new0(uint32_t, n);
    for (int i = 0; i < n; i++) {
        copies[i] = g_array_new(FALSE, FALSE, sizeof(struct copy));
        g_array_set_clear_func(copies[i], clear);
        fills[i] = g_array_new(FALSE, FALSE, sizeof(struct filled));
        g_array_set_clear_func(fills[i], clear_filled);
    }
}

void check_copies_close(void)
{
    for (int i = 0; i < ranks; i++) g_array_unref(copies[i]), g_array_unref(fills[i]);
    g_clear_pointer(&copies, g_free);
    g_clear_pointer(&fills, g_free);
    g_clear_pointer(&copies_seen, g_free);
    g_clear_pointer(&fills_seen, g_free);
}

static struct copy *nth(GArray *of, guint i) { return &g_array_index(of, struct copy, i); }

static void forget_complete(GArray *of)
{
    for (guint i = of->len; i-- > 0;)
        if (nth(of, i)->flight->done) g_array_remove_index_fast(of, i);
}

/* Of a window, or of something that will store there. */
static bool of_others(uintptr_t addr, uint64_t bytes)
{
    for (uintptr_t at = addr; at < addr + bytes; at = (at | (CHECK_PAGE - 1)) + 1) {
        const struct check_page *page = check_page_find(at);
        if (page && page->parts->len > 0) return true;
        for (guint i = 0; page && i < page->records->len; i++) {
            const struct check_use *use = &((struct check_record *)page->records->pdata[i])->use;
            if (use->flight && !use->flight->done && check_writes(use->actor)) return true;
        }
    }
    return false;
}

void check_copy_keep(const struct check_use *use, const struct check_buffer *buffer,
                     const struct check_stack *stack)
{
    GArray *of = copies[use->actor->rank];
    if (buffer->layout->pieces == 0 || !use->flight) return;
    const struct op_piece *piece = &buffer->layout->piece[0];
    struct copy copy = {.addr = buffer->addr + (uintptr_t)piece->offset,
                        .bytes = MIN(piece->bytes, (uint64_t)MOST)};
    uint32_t *seen = &copies_seen[use->actor->rank];
    if (of->len > 0 && nth(of, of->len - 1)->flight == use->flight &&
        nth(of, of->len - 1)->addr == copy.addr && nth(of, of->len - 1)->bytes == copy.bytes)
        return; /* what it held before the last call is compared */
    if (of->len > 0 && (nth(of, 0)->flight->done || (of->len >= SOME && check_flights_news(seen))))
        forget_complete(of);
    if (of->len >= SOME || copy.bytes == 0 || of_others(copy.addr, copy.bytes)) return;
    copy.held = g_memdup2((const void *)copy.addr, copy.bytes);
    copy.flight = check_flight_ref(use->flight);
    copy.on_stack = copy.addr >= stack->low && copy.addr < stack->high;
    g_array_append_val(of, copy);
    check_changed(use->actor->rank);
}

void check_copy_known(int rank, uintptr_t addr, uint64_t bytes)
{
    GArray *of = copies[rank];
    for (guint i = of->len; i-- > 0;) {
        const struct copy *copy = nth(of, i);
        if (copy->flight->done || (copy->addr < addr + bytes && addr < copy->addr + copy->bytes))
            g_array_remove_index_fast(of, i);
    }
}

bool check_stored_unseen(int rank, uintptr_t low, uintptr_t *addr, uint64_t *bytes)
{
    GArray *of = copies[rank];
    forget_complete(of);
    for (guint i = of->len; i-- > 0;) {
        const struct copy *copy = nth(of, i);
        const uint8_t *now = (const uint8_t *)copy->addr;
        uint64_t first = 0, end = copy->bytes;
        /* a function has returned, and others have its place */
        const bool gone = copy->on_stack && copy->addr < low;
        if (!gone && memcmp(now, copy->held, copy->bytes) == 0) continue;
        while (!gone && now[first] == copy->held[first]) first++;
        while (!gone && now[end - 1] == copy->held[end - 1]) end--;
        *addr = copy->addr + first;
        *bytes = end - first;
        g_array_remove_index_fast(of, i);
        if (!gone) return true;
    }
    return false;
}

/* ---- what operations fill -------------------------------------------------------------------- */

static struct filled *filled_at(GArray *of, guint i)
{
    return &g_array_index(of, struct filled, i);
}

static void forget_filled(GArray *of)
{
    for (guint i = of->len; i-- > 0;)
        if (filled_at(of, i)->flight->done) g_array_remove_index_fast(of, i);
}

void check_copy_fills(const struct check_use *use, const struct check_buffer *buffer)
{
    GArray *of = fills[use->actor->rank];
    if (!use->flight || buffer->layout->bytes == 0) return;
    uint32_t *seen = &fills_seen[use->actor->rank];
    if (of->len > 0 &&
        (filled_at(of, 0)->flight->done || (of->len >= SOME && check_flights_news(seen))))
        forget_filled(of);
    if (of->len >= SOME) return;
    const struct filled fresh = {.addr = buffer->addr + (uintptr_t)buffer->layout->low,
                                 .bytes = (uint64_t)(buffer->layout->high - buffer->layout->low),
                                 .flight = check_flight_ref(use->flight),
                                 .by = use->actor};
    g_array_append_val(of, fresh);
}

bool check_fills(int rank, uintptr_t *low, uintptr_t *bytes)
{
    GArray *of = fills[rank];
    uintptr_t end = 0;
    *low = UINTPTR_MAX;
    forget_filled(of);
    for (guint i = 0; i < of->len; i++) {
        *low = MIN(*low, filled_at(of, i)->addr);
        end = MAX(end, filled_at(of, i)->addr + filled_at(of, i)->bytes);
    }
    *bytes = of->len ? end - *low : 0;
    return of->len > 0;
}

const char *check_filler(int rank, uintptr_t addr)
{
    GArray *of = fills[rank];
    forget_filled(of);
    for (guint i = 0; i < of->len; i++)
        if (addr - filled_at(of, i)->addr < filled_at(of, i)->bytes)
            return filled_at(of, i)->by->call;
    return NULL;
}
