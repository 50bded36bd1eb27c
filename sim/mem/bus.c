/* bus: the calendar of a node's snooping bus.
 *
 * A transaction occupies the bus for one slot. Processors run ahead of the simulated clock by up to
 * the quantum and ask in any order, so the bus is a calendar: a transaction takes the first gap
 * that is long enough at or after its date. A plain "busy until" would make a processor wait for
 * transactions that lie in its future. Saturation follows: with n processors missing every t
 * seconds, queueing begins near n = t / slot. Left out: arbitration priorities, a limit of
 * outstanding reads.
 */
#include "core.h"

/* ---- the calendar's intervals, in order. A copy of many megabytes books hundreds of thousands
 * ahead of the clock, each beside the one before, among those of other processors: so the array has
 * a hole, and it is where the last one came in. */

static size_t intervals(const struct mem_node *node)
{
    return node->busy_hole - node->busy_first + node->busy_room - node->busy_rest;
}

static struct mem_busy *interval(const struct mem_node *node, size_t i)
{
    size_t at = node->busy_first + i;
    return &node->busy[at < node->busy_hole ? at : at + node->busy_rest - node->busy_hole];
}

static void move_hole(struct mem_node *node, size_t i)
{
    size_t at = node->busy_first + i;
    if (at < node->busy_hole) {
        size_t n = node->busy_hole - at;
        memmove(node->busy + node->busy_rest - n, node->busy + at, n * sizeof *node->busy);
        node->busy_hole -= n;
        node->busy_rest -= n;
    } else {
        size_t n = at - node->busy_hole;
        memmove(node->busy + node->busy_hole, node->busy + node->busy_rest, n * sizeof *node->busy);
        node->busy_hole += n;
        node->busy_rest += n;
    }
}

/* There is no hole left. Half of the room may be of the past. */
static void widen(struct mem_node *node)
{
    size_t before = node->busy_hole - node->busy_first, behind = node->busy_room - node->busy_rest;
    if (before > 0) memmove(node->busy, node->busy + node->busy_first, before * sizeof *node->busy);
    if (node->busy_first <= node->busy_room / 2) {
        size_t room = node->busy_room ? node->busy_room * 2 : 64;
        node->busy = g_renew(struct mem_busy, node->busy, room);
        if (behind > 0)
            memmove(node->busy + room - behind, node->busy + node->busy_rest,
                    behind * sizeof *node->busy);
        node->busy_room = room;
        node->busy_rest = room - behind;
    }
    node->busy_first = 0;
    node->busy_hole = before;
}

static void insert(struct mem_node *node, size_t i, struct mem_busy b)
{
    if (node->busy_hole == node->busy_rest) widen(node);
    move_hole(node, i);
    node->busy[node->busy_hole++] = b;
}

static void withdraw(struct mem_node *node, size_t i)
{
    move_hole(node, i);
    node->busy_rest++;
}

static void forget_past(struct mem_node *node)
{
    size_t all = intervals(node), n = 0;
    while (n < all && interval(node, n)->end <= node->latest) n++;
    /* a processor may still be a little behind the latest */
    if (!n || (n < 32 && n < all)) return;
    size_t before = node->busy_hole - node->busy_first;
    node->busy_first += MIN(n, before);
    if (n < before) return;
    node->busy_rest += n - before;
    node->busy_first = node->busy_hole = 0;
}

int64_t mem_bus_book(struct mem_node *node, int64_t now, int64_t slot, uint64_t bytes)
{
    node->bus_count.transactions++;
    node->bus_count.bytes += bytes;
    if (slot <= 0) return 0;
    if (!mem_meets_others(node)) node->latest = MAX(node->latest, now); /* nobody is behind */
    forget_past(node);
    /* The last interval that begins before now: the first that can matter. */
    size_t n = intervals(node), low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (interval(node, middle)->start <= now)
            low = middle + 1;
        else
            high = middle;
    }
    size_t i = low ? low - 1 : 0;
    int64_t start = now;
    for (; i < n; i++) {
        const struct mem_busy *busy = interval(node, i);
        if (busy->start >= start + slot) break;
        if (busy->end > start) start = busy->end;
    }
    struct mem_busy *before = i > 0 ? interval(node, i - 1) : NULL,
                    *after = i < n ? interval(node, i) : NULL;
    bool joins_before = before && before->end == start,
         joins_after = after && after->start == start + slot;
    if (joins_before && joins_after) {
        before->end = after->end;
        withdraw(node, i);
    } else if (joins_before) {
        before->end = start + slot;
    } else if (joins_after) {
        after->start = start;
    } else {
        insert(node, i, (struct mem_busy){start, start + slot});
    }
    node->bus_count.busy_s += mem_seconds(node, slot);
    node->bus_count.queued_s += mem_seconds(node, start - now);
    return start - now;
}

struct mem_bus_count mem_bus_count(const struct mem_node *node) { return node->bus_count; }
