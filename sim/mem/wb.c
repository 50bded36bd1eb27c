/* wb: the merging write buffer between a write-through cache and memory.
 *
 * Entries hold one line each with a mask of bytes. Stores merge into an open entry of their line.
 * An entry that is full, or the oldest when more than wb.hold are open, is closed and waits for
 * memory; its write occupies memory for wb.retire_cycles whatever its fill (Grassl, STREAM mail,
 * 1995). A store that finds no free entry waits. Loads pass entries that wait, not the one being
 * written. Memory has the bytes when the write is done. Without a buffer each store waits for
 * memory.
 *
 * Sub-word stores (cpu.subword = rmw8; Alpha 21064 has none shorter than 4 bytes): the 8 bytes
 * around are read and written back with the store; `stored` tells the program's bytes from those
 * put back.
 */
#include "core.h"

static void append(struct mem_core *core, struct mem_entry *e, enum mem_entry_state state)
{
    struct mem_queue *q = &core->queue[state];
    e->state = state;
    e->before = q->last;
    e->after = NULL;
    if (q->last)
        q->last->after = e;
    else
        q->first = e;
    q->last = e;
}

static void move(struct mem_core *core, struct mem_entry *e, enum mem_entry_state state)
{
    struct mem_queue *q = &core->queue[e->state];
    if (e->before)
        e->before->after = e->after;
    else
        q->first = e->after;
    if (e->after)
        e->after->before = e->before;
    else
        q->last = e->before;
    append(core, e, state);
}

void mem_wb_init(struct mem_core *core)
{
    const struct mem_node *node = core->node;
    core->none.host = ~UINT64_C(0);
    core->newest = &core->none;
    if (!node->wb_entries) return;
    uint8_t *data = g_malloc0((size_t)node->wb_entries << node->wb_shift);
    core->entry = g_new0(struct mem_entry, node->wb_entries);
    for (uint32_t i = 0; i < node->wb_entries; i++) {
        core->entry[i].host = ~UINT64_C(0);
        core->entry[i].data = data + ((size_t)i << node->wb_shift);
        append(core, &core->entry[i], MEM_ENTRY_FREE);
    }
}

void mem_wb_clear(struct mem_core *core)
{
    if (core->entry) g_free(core->entry[0].data);
    g_free(core->entry);
}

void mem_wb_close(struct mem_core *core, struct mem_entry *e, int64_t now)
{
    if (core->newest == e) core->newest = &core->none;
    move(core, e, MEM_ENTRY_CLOSED);
    e->when = now;
    core->open--;
    core->cpu->way.queued++;
    core->cpu->way.open = 0;
}

/* Hands the masked bytes to the outbox, one record a run. */
static void post(struct mem_core *core, const struct mem_entry *e)
{
    uintptr_t line = (uintptr_t)(e->host << core->node->wb_shift);
    uint64_t mask = e->mask;
    while (mask) {
        unsigned from = (unsigned)__builtin_ctzll(mask);
        uint64_t rest = ~(mask >> from);
        unsigned length = rest ? (unsigned)__builtin_ctzll(rest) : 64;
        uint64_t run = length < 64 ? ((UINT64_C(1) << length) - 1) : ~UINT64_C(0);
        mem_out_push(core, line + from, length, e->late ? NULL : e->data + from,
                     ~(e->stored >> from) & run, e->site, e->when);
        mask &= ~(run << from);
    }
}

/* Memory takes the next closed entry; false: none is waiting, or memory is not free before `now`.
 */
static bool start_one(struct mem_core *core, int64_t now)
{
    struct mem_entry *e = core->queue[MEM_ENTRY_CLOSED].first;
    if (!e) return false;
    int64_t start = MAX(core->memory_free, e->when);
    if (start > now) return false;
    e->when = core->memory_free = start + core->node->retire;
    move(core, e, MEM_ENTRY_WRITING);
    if (e->segment) post(core, e);
    e->late = false; /* the record is, if its bytes are */
    return true;
}

void mem_wb_advance(struct mem_core *core, int64_t now)
{
    if (!core->cpu->way.queued) return;
    while (start_one(core, now)) continue;
    for (struct mem_entry *e; (e = core->queue[MEM_ENTRY_WRITING].first) && e->when <= now;) {
        move(core, e, MEM_ENTRY_FREE);
        e->host = ~UINT64_C(0);
        core->cpu->way.queued--;
    }
    mem_way_look(&core->cpu->way);
}

/* Waits until an entry is free and returns it. */
static struct mem_entry *take(struct mem_core *core)
{
    int64_t now = mem_now(core);
    mem_wb_advance(core, now);
    if (!core->queue[MEM_ENTRY_FREE].first) {
        if (!core->cpu->way.queued) mem_wb_close(core, core->queue[MEM_ENTRY_OPEN].first, now);
        start_one(core, INT64_MAX);
        const struct mem_entry *e = core->queue[MEM_ENTRY_WRITING].first;
        if (e->when > now) {
            core->memory += e->when - now;
            now = e->when;
        }
        mem_wb_advance(core, now);
    }
    return core->queue[MEM_ENTRY_FREE].first;
}

static struct mem_entry *open_entry(struct mem_core *core, uint64_t host,
                                    const struct mem_access *a)
{
    const struct mem_node *node = core->node;
    if (core->newest->host == host) return core->newest;
    for (struct mem_entry *e = core->queue[MEM_ENTRY_OPEN].last; e; e = e->before)
        if (e->host == host) return e;
    struct mem_entry *e = take(core);
    e->host = host;
    e->model = a->model;
    e->mask = e->stored = 0;
    e->segment = e->late = false;
    e->site = 0;
    move(core, e, MEM_ENTRY_OPEN);
    core->open++;
    if (core->open > node->wb_hold) {
        struct mem_entry *oldest = core->queue[MEM_ENTRY_OPEN].first;
        if (oldest != e) mem_wb_close(core, oldest, mem_now(core));
    }
    return e;
}

/* No buffer: the processor waits until memory has the bytes. */
static void store_through(struct mem_core *core, const struct mem_access *a, uintptr_t from,
                          uintptr_t to, op_site site)
{
    int64_t now = mem_now(core);
    int64_t done = MAX(now, core->memory_free) + core->node->retire;
    core->memory += done - now;
    core->memory_free = done;
    if (!a->segment) return;
    for (; from < to; from += 64) {
        uint64_t put_back = 0, bytes = MIN(to - from, 64);
        for (uint64_t i = 0; i < bytes; i++)
            if (from + i < a->addr || from + i >= a->addr + a->bytes) put_back |= UINT64_C(1) << i;
        mem_out_push(core, from, bytes, NULL, put_back, site, done);
    }
}

void mem_wb_store(struct mem_core *core, const struct mem_access *a, uint64_t from, uint64_t to,
                  op_site site)
{
    const struct mem_node *node = core->node;
    if (!node->wb_entries) {
        store_through(core, a, from, to, site);
        return;
    }
    uint32_t shift = node->wb_shift;
    uint64_t full = shift < 6 ? (UINT64_C(1) << (1u << shift)) - 1 : ~UINT64_C(0);
    while (from < to) {
        uint64_t host = from >> shift, end = MIN(to, (host + 1) << shift);
        unsigned at = (unsigned)(from - (host << shift)), bytes = (unsigned)(end - from);
        uint64_t mask = (bytes < 64 ? (UINT64_C(1) << bytes) - 1 : ~UINT64_C(0)) << at;
        uint64_t stored = mask;
        if (from < a->addr || end > a->addr + a->bytes) { /* neighbours that are put back */
            for (uint64_t b = from; b < end; b++)
                if (b < a->addr || b >= a->addr + a->bytes)
                    stored &= ~(UINT64_C(1) << (b - (host << shift)));
        }
        struct mem_entry *e = open_entry(core, host, a);
        e->mask |= mask;
        e->stored |= stored;
        if (stored != mask) e->site = site;
        if (a->segment) {
            e->segment = true;
            mem_wb_late(core, e);
        }
        core->newest = node->wb_merge ? e : &core->none;
        if (e->mask == full || !node->wb_hold) mem_wb_close(core, e, mem_now(core));
        from = end;
    }
}

void mem_wb_drain(struct mem_core *core)
{
    struct mem_entry *e;
    int64_t now = mem_now(core), done = now;
    while ((e = core->queue[MEM_ENTRY_OPEN].first)) mem_wb_close(core, e, now);
    while (start_one(core, INT64_MAX)) continue;
    if ((e = core->queue[MEM_ENTRY_WRITING].last)) done = MAX(done, e->when);
    core->memory += done - now;
    mem_wb_advance(core, done);
}

bool mem_wb_covers(const struct mem_core *core, uintptr_t addr, uint64_t bytes)
{
    uint64_t host = (uint64_t)addr >> core->node->wb_shift;
    uint64_t want = ((UINT64_C(1) << bytes) - 1) << (addr - (host << core->node->wb_shift)),
             have = 0;
    for (uint32_t i = 0; i < core->node->wb_entries; i++)
        if (core->entry[i].host == host) have |= core->entry[i].mask;
    return (have & want) == want;
}

void mem_wb_forget(struct mem_core *core, uintptr_t addr, uint64_t bytes)
{
    for (uint32_t i = 0; i < core->node->wb_entries; i++) {
        struct mem_entry *e = &core->entry[i];
        if (e->state != MEM_ENTRY_OPEN && e->state != MEM_ENTRY_CLOSED) continue;
        uintptr_t line = (uintptr_t)(e->host << core->node->wb_shift),
                  end = line + ((uintptr_t)1 << core->node->wb_shift);
        for (uintptr_t a = MAX(addr, line); a < MIN(addr + bytes, end); a++)
            e->mask &= ~(UINT64_C(1) << (a - line));
    }
}
