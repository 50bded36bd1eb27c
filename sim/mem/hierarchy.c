/* hierarchy: one access walks the levels of its processor, from the first to memory.
 *
 * A load is answered by the first level that has the line, and costs what that level takes in all;
 * every level it missed gets the line. Levels are inclusive: what the last one loses, the others
 * lose. A store goes on through write-through levels until a write-back level keeps it; if none
 * does, it goes to memory (store.c). Before a level keeps a store, the last level must hold the
 * line as M. Left out: non-blocking caches, victim buffers' forwarding.
 */
#include "core.h"
#include "dram.h"

/* ---- the last level's line leaves ------------------------------------------------------------ */

void mem_evict_last(struct mem_core *core, struct mem_line *e)
{
    struct mem_node *node = core->node;
    struct mem_cache *last = &core->cache[core->levels - 1];
    enum coh_state state = (enum coh_state)(e->key & MEM_LINE_STATE);
    bool newer = node->coherent
                     ? coh_step(node->protocol, state, COH_EVICT).actions & COH_WRITE_BACK
                     : state == COH_M;
    if (newer) {
        /* Buffered: the processor does not wait, later transactions do. */
        int64_t now = mem_now(core);
        last->count.write_backs++;
        if (node->bus) {
            mem_bus_book(node, now, node->slot, UINT64_C(1) << last->shift);
        } else {
            if (core->memory_free < now) core->memory_free = now;
            core->memory_free += node->line_time;
        }
        if (!node->coherent)
            mem_dirty_flush(core, (uintptr_t)(e->host << last->shift), UINT64_C(1) << last->shift);
    }
    if (node->shared->len) {
        uintptr_t addr = (uintptr_t)(e->host << last->shift);
        uint64_t model = (e->key >> 8) << last->shift, where = mem_page_where(core, addr);
        if (where & MEM_PAGE_SHARED) mem_holder_clear(core, where, model);
    }
}

static void evict(struct mem_core *core, struct mem_cache *c, struct mem_line *e)
{
    bool last = c->level + 1 == (int)core->levels;
    if (c->level == 0)
        mem_filter_drop(core->cpu, e->host);
    else if (mem_cache_drop_above(core, c, e, MEM_DROP_EVICTED))
        e->key |= MEM_LINE_DIRTY;
    if (last) {
        if ((e->key & MEM_LINE_STATE) != COH_I) mem_evict_last(core, e);
    } else if (e->key & MEM_LINE_DIRTY) {
        struct mem_cache *next = c + 1;
        struct mem_line *below = mem_cache_find(next, (e->key >> 8) << c->shift);
        c->count.write_backs++;
        if (below) below->key |= MEM_LINE_DIRTY;
    }
}

static struct mem_line *place(struct mem_core *core, struct mem_cache *c,
                              const struct mem_access *a, enum coh_state state)
{
    struct mem_line *e = c->ways == 1 ? &c->line[(a->model >> c->shift) & c->set_mask]
                                      : mem_cache_victim(c, a->model);
    if (e->key != MEM_LINE_EMPTY) evict(core, c, e);
    e->key = (a->model >> c->shift) << 8 | state;
    e->host = (uint64_t)a->addr >> c->shift;
    if (c->ways > 1) mem_cache_used(core, c, e, true);
    return e;
}

/* ---- a line comes from outside the processor ------------------------------------------------- */

/* The state in which the protocol wants the line, after asking the others. */
static enum coh_state ask(struct mem_core *core, const struct mem_access *a, unsigned *answered)
{
    struct mem_node *node = core->node;
    bool held = mem_snoop_held(node, core, a->where, a->model);
    struct coh_step step = coh_step(node->protocol, COH_I,
                                    a->own ? COH_STORE
                                    : held ? COH_LOAD_SHARED
                                           : COH_LOAD);
    g_assert(!(step.actions & COH_ILLEGAL));
    if (held)
        *answered = mem_snoop(node, core, a->where, a->model,
                              step.actions & COH_BUS_READ ? COH_SNOOP_READ : COH_SNOOP_OWN);
    mem_holder_set(core, a->where, a->model);
    return step.next;
}

static bool from_pool(const struct mem_node *node, const struct mem_access *a)
{
    return node->pool && (a->segment || a->where & MEM_PAGE_POOL);
}

static enum coh_state fetch(struct mem_core *core, const struct mem_access *a)
{
    struct mem_node *node = core->node;
    unsigned answered = 0;
    enum coh_state state = node->coherent ? ask(core, a, &answered) : a->own ? COH_M : COH_S;
    int64_t now = mem_now(core);
    core->filled = true;
    if (node->bus) {
        uint64_t line = UINT64_C(1) << node->last_shift;
        int64_t asked = now, queued = mem_coming_wait(node, a->where, a->model, now), ticks;
        now += queued;
        /* A protocol that does not supply writes the line back first; the asker then reads memory.
         */
        if (answered & COH_WRITE_BACK && !(answered & COH_SUPPLY)) {
            int64_t first = mem_bus_book(node, now, node->slot, line) + node->slot;
            queued += first;
            now += first;
        }
        queued += mem_bus_book(node, now, node->slot, line);
        if (answered & COH_SUPPLY && node->cache_to_cache)
            ticks = node->cache_to_cache;
        else if (from_pool(node, a))
            ticks = node->pool;
        else
            ticks = mem_dram(core, a->model);
        ticks = queued + MAX(ticks, node->slot);
        core->memory += ticks;
        if (a->own) mem_coming_set(core, a->where, a->model, asked, asked + ticks);
    } else if (answered & COH_SUPPLY && node->cache_to_cache) {
        core->memory += node->cache_to_cache;
    } else if (from_pool(node, a)) {
        core->memory += node->pool;
    } else {
        core->memory += mem_dram_wait(core, a->model, now);
    }
    if (a->segment && !node->coherent)
        mem_view_fill(core, a->addr >> node->last_shift << node->last_shift,
                      UINT64_C(1) << node->last_shift);
    return state;
}

/* The line is not in level c: get it there. */
static struct mem_line *miss(struct mem_core *core, struct mem_cache *c, const struct mem_access *a)
{
    if (c->level + 1 == (int)core->levels) {
        enum coh_state state = fetch(core, a);
        return place(core, c, a, state);
    }
    struct mem_cache *next = c + 1;
    struct mem_line *e = mem_cache_find(next, a->model);
    if (a->own)
        next->count.stores++;
    else
        next->count.loads++;
    if (e) {
        core->memory += next->hit;
        if (next->ordered) mem_cache_used(core, next, e, false);
    } else {
        if (a->own)
            next->count.store_misses++;
        else
            next->count.load_misses++;
        miss(core, next, a);
    }
    return place(core, c, a, COH_I);
}

/* The last level holds the line: make it M there. */
static void own(struct mem_core *core, const struct mem_access *a)
{
    struct mem_node *node = core->node;
    struct mem_line *e = mem_cache_find(&core->cache[core->levels - 1], a->model);
    enum coh_state state = (enum coh_state)(e->key & MEM_LINE_STATE);
    if (state != COH_M && node->coherent) {
        struct coh_step step = coh_step(node->protocol, state, COH_STORE);
        g_assert(!(step.actions & COH_ILLEGAL));
        if (step.actions & (COH_BUS_UPGRADE | COH_BUS_OWN)) {
            int64_t queued =
                node->bus ? mem_bus_book(node, mem_now(core), node->address_slot, 0) : 0;
            core->memory += queued + node->address_slot;
            mem_snoop(node, core, a->where, a->model, COH_SNOOP_OWN);
            mem_coming_set(core, a->where, a->model, mem_now(core) - queued - node->address_slot,
                           mem_now(core));
        }
        state = step.next;
    } else {
        state = COH_M;
    }
    e->key = (e->key & ~(uint64_t)MEM_LINE_STATE) | state | MEM_LINE_DIRTY;
}

/* ---- the walks ------------------------------------------------------------------------------- */

void mem_walk_load(struct mem_core *core, struct mem_access *a)
{
    struct mem_cache *c = core->cache;
    core->compute += core->access;
    if (MEM_UNLIKELY(!core->levels)) {
        fetch(core, a);
        return;
    }
    struct mem_line *e = mem_cache_find(c, a->model);
    c->count.loads++;
    if (e) {
        core->memory += c->hit;
        if (c->ordered) mem_cache_used(core, c, e, false);
    } else {
        c->count.load_misses++;
        miss(core, c, a);
    }
}

bool mem_walk_store(struct mem_core *core, struct mem_access *a)
{
    core->compute += core->access;
    for (uint32_t i = 0; i < core->levels; i++) {
        struct mem_cache *c = &core->cache[i];
        struct mem_line *e = mem_cache_find(c, a->model);
        bool hit = e != NULL;
        c->count.stores++;
        if (hit) {
            if (c->ordered) mem_cache_used(core, c, e, false);
        } else {
            c->count.store_misses++;
            if (!c->allocate_write) continue;
            a->own = c->write_back;
            e = miss(core, c, a);
        }
        if (!c->write_back) continue;
        if (!(e->key & MEM_LINE_DIRTY)) {
            own(core, a);
            e->key |= MEM_LINE_DIRTY;
        }
        /* a store buffer hides what lies behind the first level */
        if (hit) core->memory += core->cache[0].hit;
        return true;
    }
    return false;
}

bool mem_needs_bus(struct mem_core *core, const struct mem_access *a, bool store)
{
    if (!core->node->bus) return false;
    if (!core->levels) return true;
    struct mem_cache *last = &core->cache[core->levels - 1];
    const struct mem_line *e = mem_cache_find(last, a->model);
    if (!e) return true;
    if (!store) return false;
    enum coh_state state = (enum coh_state)(e->key & MEM_LINE_STATE);
    return !last->write_back || (state != COH_M && state != COH_E);
}
