/* bus: the calendar of a node's snooping bus.
 *
 * A transaction occupies the bus for one slot. Processors run ahead of the simulated clock by up to the quantum and ask in
 * any order, so the bus is a calendar: a transaction takes the first gap that is long enough at or after its date. A plain
 * "busy until" would make a processor wait for transactions that lie in its future. Saturation follows: with n processors
 * missing every t seconds, queueing begins near n = t / slot. Left out: arbitration priorities, a limit of outstanding reads.
 */
#include "core.h"

static void insert(struct mem_node *node, size_t at, struct mem_busy b)
{
    if (node->busies == node->busy_room) {
        node->busy_room = node->busy_room ? node->busy_room * 2 : 64;
        node->busy = g_renew(struct mem_busy, node->busy, node->busy_room);
    }
    memmove(node->busy + at + 1, node->busy + at, (node->busies - at) * sizeof b);
    node->busy[at] = b;
    node->busies++;
}

static void forget_past(struct mem_node *node)
{
    size_t n = 0;
    while (n < node->busies && node->busy[n].end <= node->latest) n++;
    if (!n || (n < 32 && n < node->busies)) return; /* moving the rest costs more than it saves */
    memmove(node->busy, node->busy + n, (node->busies - n) * sizeof *node->busy);
    node->busies -= n;
}

int64_t mem_bus_book(struct mem_node *node, int64_t now, int64_t slot, uint64_t bytes)
{
    node->bus_count.transactions++;
    node->bus_count.bytes += bytes;
    if (slot <= 0) return 0;
    if (!mem_meets_others(node)) node->latest = MAX(node->latest, now);   /* nobody is behind */
    forget_past(node);
    /* The last interval that begins before now: the first that can matter. */
    size_t low = 0, high = node->busies;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (node->busy[middle].start <= now)
            low = middle + 1;
        else
            high = middle;
    }
    size_t i = low ? low - 1 : 0;
    int64_t start = now;
    for (; i < node->busies; i++) {
        if (node->busy[i].start >= start + slot) break;
        if (node->busy[i].end > start) start = node->busy[i].end;
    }
    bool joins_before = i > 0 && node->busy[i - 1].end == start;
    bool joins_after = i < node->busies && node->busy[i].start == start + slot;
    if (joins_before && joins_after) {
        node->busy[i - 1].end = node->busy[i].end;
        memmove(node->busy + i, node->busy + i + 1, (node->busies - i - 1) * sizeof *node->busy);
        node->busies--;
    } else if (joins_before) {
        node->busy[i - 1].end = start + slot;
    } else if (joins_after) {
        node->busy[i].start = start;
    } else {
        insert(node, i, (struct mem_busy){start, start + slot});
    }
    node->bus_count.busy_s += mem_seconds(node, slot);
    node->bus_count.queued_s += mem_seconds(node, start - now);
    return start - now;
}

struct mem_bus_count mem_bus_count(const struct mem_node *node) { return node->bus_count; }
