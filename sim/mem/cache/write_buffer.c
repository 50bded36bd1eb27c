/* write_buffer: when the entries stand open, wait and are written: see write_buffer.h. */
#include "mem/cache/write_buffer.h"

static void append(struct mem_write_buffer *b, struct mem_entry *e, enum mem_entry_state state)
{
    struct mem_entry_queue *q = &b->queue[state];
    e->state = state;
    e->after = NULL;
    *q->end = e;
    q->end = &e->after;
}

/* The first of its queue goes to the end of another. */
static void move(struct mem_write_buffer *b, enum mem_entry_state from, enum mem_entry_state to)
{
    struct mem_entry_queue *q = &b->queue[from];
    struct mem_entry *e = q->first;
    q->first = e->after;
    if (!q->first) q->end = &q->first;
    append(b, e, to);
}

void mem_buffer_init(struct mem_write_buffer *b)
{
    b->none.host = ~UINT64_C(0);
    b->newest = &b->none;
    for (int i = 0; i < MEM_OPENED; i++) b->opened[i] = &b->none;
    b->inside = (UINT64_C(1) << b->shift) - 1;
    b->full = b->shift < 6 ? (UINT64_C(1) << (1u << b->shift)) - 1 : ~UINT64_C(0);
    for (int state = 0; state < MEM_ENTRY_STATES; state++)
        b->queue[state].end = &b->queue[state].first;
    if (!b->entries) return;
    b->entry = g_new0(struct mem_entry, b->entries);
    for (uint32_t i = 0; i < b->entries; i++) {
        b->entry[i].host = ~UINT64_C(0);
        b->entry[i].index = i;
        append(b, &b->entry[i], MEM_ENTRY_FREE);
    }
}

void mem_buffer_clear(struct mem_write_buffer *b) { g_free(b->entry); }

static void close_oldest(struct mem_write_buffer *b, int64_t now)
{
    struct mem_entry *e = b->queue[MEM_ENTRY_OPEN].first;
    if (b->newest == e) b->newest = &b->none;
    move(b, MEM_ENTRY_OPEN, MEM_ENTRY_CLOSED);
    e->when = now;
    b->open--;
    b->queued++;
}

/* The oldest goes, and those full that stood behind it. */
static void retire_oldest(struct mem_write_buffer *b, int64_t now)
{
    struct mem_entry *e;
    do close_oldest(b, now);
    while ((e = b->queue[MEM_ENTRY_OPEN].first) && e->mask == b->full);
}

void mem_buffer_complete(struct mem_write_buffer *b, const struct mem_entry *e, int64_t now)
{
    if (b->queue[MEM_ENTRY_OPEN].first == e) retire_oldest(b, now);
}

/* Memory takes the next closed entry; false: none is waiting, or memory is not free before `now`.
 */
static bool start_one(struct mem_write_buffer *b, int64_t now)
{
    struct mem_entry *e = b->queue[MEM_ENTRY_CLOSED].first;
    if (!e || MAX(b->port->free, e->when) > now) return false;
    e->when = mem_dram_occupy(b->port, e->when, b->retire);
    move(b, MEM_ENTRY_CLOSED, MEM_ENTRY_WRITING);
    if (e->segment) b->performed(b->who, e->index, e->when);
    return true;
}

void mem_buffer_expire_due(struct mem_write_buffer *b, int64_t now)
{
    struct mem_entry *e;
    bool follows = false;
    for (; (e = b->queue[MEM_ENTRY_OPEN].first); follows = true) {
        bool stood_behind = follows && e->mask == b->full;
        if (!stood_behind && now - e->when < b->timeout) break;
        int64_t leaves = stood_behind ? b->written : MAX(b->written, e->when + b->timeout);
        b->written = leaves + b->retire;
        if (b->newest == e) b->newest = &b->none;
        move(b, MEM_ENTRY_OPEN, MEM_ENTRY_FREE);
        e->host = ~UINT64_C(0);
        b->open--;
        if (e->segment) b->performed(b->who, e->index, b->written);
    }
}

void mem_buffer_advance_due(struct mem_write_buffer *b, int64_t now)
{
    mem_buffer_expire(b, now);
    if (!b->queued) return;
    while (start_one(b, now)) continue;
    for (struct mem_entry *e; (e = b->queue[MEM_ENTRY_WRITING].first) && e->when <= now;) {
        move(b, MEM_ENTRY_WRITING, MEM_ENTRY_FREE);
        e->host = ~UINT64_C(0);
        b->queued--;
    }
}

/* Waits until an entry is free and returns when that is. */
static int64_t wait_free(struct mem_write_buffer *b, int64_t now)
{
    mem_buffer_advance(b, now);
    if (b->queue[MEM_ENTRY_FREE].first) return now;
    if (!b->queued) retire_oldest(b, now);
    start_one(b, INT64_MAX);
    now = MAX(now, b->queue[MEM_ENTRY_WRITING].first->when);
    mem_buffer_advance(b, now);
    return now;
}

struct mem_entry *mem_buffer_open(struct mem_write_buffer *b, uint64_t host, uint64_t model,
                                  int64_t *now)
{
    *now = wait_free(b, *now);
    struct mem_entry *e = b->queue[MEM_ENTRY_FREE].first;
    e->host = host;
    e->model = model;
    e->mask = 0;
    e->segment = false;
    e->when = *now;
    b->opened[host & (MEM_OPENED - 1)] = e;
    move(b, MEM_ENTRY_FREE, MEM_ENTRY_OPEN);
    b->open++;
    if (b->open > b->hold && b->queue[MEM_ENTRY_OPEN].first != e) retire_oldest(b, *now);
    return e;
}

int64_t mem_buffer_drain(struct mem_write_buffer *b, int64_t now)
{
    struct mem_entry *e;
    int64_t done = now;
    mem_buffer_expire(b, now);
    done = MAX(done, b->written);
    while (b->queue[MEM_ENTRY_OPEN].first) close_oldest(b, now);
    while (start_one(b, INT64_MAX)) continue;
    for (e = b->queue[MEM_ENTRY_WRITING].first; e; e = e->after) done = MAX(done, e->when);
    mem_buffer_advance(b, done);
    return done;
}

bool mem_buffer_covers(const struct mem_write_buffer *b, uintptr_t addr, uint64_t bytes)
{
    uint64_t host = (uint64_t)addr >> b->shift;
    uint64_t want = ((UINT64_C(1) << bytes) - 1) << (addr - (host << b->shift)), have = 0;
    for (uint32_t i = 0; i < b->entries; i++)
        if (b->entry[i].host == host) have |= b->entry[i].mask;
    return (have & want) == want;
}

void mem_buffer_forget(struct mem_write_buffer *b, uintptr_t addr, uint64_t bytes)
{
    for (uint32_t i = 0; i < b->entries; i++) {
        struct mem_entry *e = &b->entry[i];
        if (e->state != MEM_ENTRY_OPEN && e->state != MEM_ENTRY_CLOSED) continue;
        uintptr_t line = (uintptr_t)(e->host << b->shift), end = line + ((uintptr_t)1 << b->shift);
        for (uintptr_t a = MAX(addr, line); a < MIN(addr + bytes, end); a++)
            e->mask &= ~(UINT64_C(1) << (a - line));
    }
}
