/* Buffers on the stack: a function that returns before its operation is complete leaves the
 * operation a buffer that later calls use for something else, whether or not they are seen.
 *
 * Left out: blocks of a function that goes on, more than 64 buffers at once. */
#include "check/frame.h"

enum { REACH = 64 << 20 }; /* no rank's stack is larger: what lies farther away is another's */

struct buffer {
    uintptr_t addr;
    uint64_t bytes;
    struct check_use use;
    struct check_stack stack;
    bool ended; /* its function has returned, whose frame goes on */
};
static GArray **waiting; /* by rank: struct buffer */
static uint32_t *seen;   /* by rank: check_flights_done, when they were looked through */
static int ranks;

static void clear(void *data) { check_flight_unref(((struct buffer *)data)->use.flight); }

void check_frames_open(int n)
{
    ranks = n;
    waiting = g_new(GArray *, n);
    seen = g_new0(uint32_t, n);
    for (int i = 0; i < n; i++) {
        waiting[i] = g_array_new(FALSE, FALSE, sizeof(struct buffer));
        g_array_set_clear_func(waiting[i], clear);
    }
}

void check_frames_close(void)
{
    for (int i = 0; i < ranks; i++) g_array_unref(waiting[i]);
    g_clear_pointer(&waiting, g_free);
    g_clear_pointer(&seen, g_free);
}

static bool complete(const GArray *buffers, guint i)
{
    return g_array_index(buffers, struct buffer, i).use.flight->done;
}

static void forget_complete(GArray *buffers)
{
    for (guint i = buffers->len; i-- > 0;)
        if (complete(buffers, i)) g_array_remove_index_fast(buffers, i);
}

/* Most calls of a loop have the buffer of the call before, until the same call completes it. */
static bool waits(const GArray *buffers, const struct check_use *use, uintptr_t addr,
                  uint64_t bytes, const struct check_stack *stack)
{
    if (buffers->len == 0) return false;
    const struct buffer *last = &g_array_index(buffers, struct buffer, buffers->len - 1);
    return last->addr == addr && last->bytes == bytes && last->use.flight == use->flight &&
           last->use.actor == use->actor && last->use.holds == use->holds &&
           last->stack.high == stack->high && last->stack.pointer == stack->pointer;
}

void check_frame_buffer(const struct check_stack *stack, const struct check_use *use,
                        uintptr_t addr, uint64_t bytes)
{
    enum { SOME = 64 };
    GArray *buffers = waiting[use->actor->rank];
    if (addr < stack->low || addr >= stack->high || stack->high - stack->low > REACH ||
        waits(buffers, use, addr, bytes, stack))
        return;
    if (buffers->len > 0 && (complete(buffers, 0) ||
                             (buffers->len >= SOME && check_flights_news(&seen[use->actor->rank]))))
        forget_complete(buffers);
    if (buffers->len >= SOME) return;
    const struct buffer buffer = {addr, bytes, *use, *stack, false};
    check_flight_ref(use->flight);
    g_array_append_val(buffers, buffer);
}

void check_frame_ended(int rank, uintptr_t addr, uint64_t bytes)
{
    GArray *buffers = waiting[rank];
    for (guint i = 0; i < buffers->len; i++) {
        struct buffer *buffer = &g_array_index(buffers, struct buffer, i);
        if (buffer->addr < addr + bytes && addr < buffer->addr + buffer->bytes)
            buffer->ended = true;
    }
}

void check_frame_stack(const struct check_use *use, uintptr_t addr, struct check_stack *stack)
{
    const GArray *buffers = waiting[use->actor->rank];
    for (guint i = 0; use->flight && i < buffers->len; i++) {
        const struct buffer *buffer = &g_array_index(buffers, struct buffer, i);
        if (buffer->use.flight == use->flight && buffer->use.actor == use->actor &&
            addr - buffer->addr < buffer->bytes)
            *stack = buffer->stack;
    }
}

void check_frame_reported(const struct check_use *use, uintptr_t addr, uint64_t bytes)
{
    GArray *buffers = waiting[use->actor->rank];
    for (guint i = buffers->len; i-- > 0;) {
        const struct buffer *buffer = &g_array_index(buffers, struct buffer, i);
        if (buffer->use.flight == use->flight && buffer->use.actor == use->actor &&
            buffer->addr < addr + bytes && addr < buffer->addr + buffer->bytes)
            g_array_remove_index_fast(buffers, i);
    }
}

const struct check_use *check_frame_below(int rank, uintptr_t low, uintptr_t *addr, uint64_t *bytes)
{
    GArray *buffers = waiting[rank];
    forget_complete(buffers);
    for (guint i = buffers->len; i-- > 0;) {
        const struct buffer *buffer = &g_array_index(buffers, struct buffer, i);
        if (buffer->addr >= low && !buffer->ended) continue;
        *addr = buffer->addr;
        *bytes = buffer->bytes;
        return &buffer->use;
    }
    return NULL;
}
