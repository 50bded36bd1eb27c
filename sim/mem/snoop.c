/* snoop: what the other processors of the node do when one of them asks for a line.
 *
 * Each processor's last level keeps the state of its lines; the protocol (coh) says how a copy
 * answers. Only pages that hold, or held, bytes of a segment can be in several caches; for each of
 * their lines the node remembers who may hold it, so that a transaction asks only those (the
 * hardware asks all; the answers are the same).
 *
 * A line on its way to a processor that will write it is nobody's to give yet: who asks meanwhile
 * waits until it is there, so processors that want to write one line get it one after the other.
 * One that is behind, and asks at a date before that writer did, does not wait.
 *
 * A processor that may run ahead of the clock by the quantum would keep such a line all that time,
 * where the others in fact take it after one store. So a line that has lately changed writers is
 * accessed at exact dates.
 */
#include "core.h"

enum { FOUGHT_QUANTA = 16 }; /* how long a line is remembered to have changed writers */

static uint64_t *holders_of(struct mem_node *node, uint64_t where, uint64_t model)
{
    if (!(where & MEM_PAGE_SHARED)) return NULL;
    return &mem_shared_of(node, where)->holders[(model & (MEM_PAGE_BYTES - 1)) >> node->last_shift];
}

void mem_holder_set(struct mem_core *core, uint64_t where, uint64_t model)
{
    uint64_t *holders = holders_of(core->node, where, model);
    if (holders) *holders |= UINT64_C(1) << (core->index & 63);
}

void mem_holder_clear(struct mem_core *core, uint64_t where, uint64_t model)
{
    uint64_t *holders = holders_of(core->node, where, model);
    /* Beyond 64 processors a bit stands for several: it stays, as a hint. */
    if (holders && core->node->cpus <= 64) *holders &= ~(UINT64_C(1) << core->index);
}

static struct mem_coming *coming_of(struct mem_node *node, uint64_t where, uint64_t model)
{
    if (!(where & MEM_PAGE_SHARED)) return NULL;
    return &mem_shared_of(node, where)->coming[(model & (MEM_PAGE_BYTES - 1)) >> node->last_shift];
}

int64_t mem_coming_wait(struct mem_node *node, uint64_t where, uint64_t model, int64_t now)
{
    const struct mem_coming *c = coming_of(node, where, model);
    return c && c->asked <= now && now < c->there ? c->there - now : 0;
}

void mem_coming_set(const struct mem_core *core, uint64_t where, uint64_t model, int64_t asked,
                    int64_t there)
{
    struct mem_coming *c = coming_of(core->node, where, model);
    if (!c) return;
    bool others = c->writer && c->writer != core->index + 1 && !core->node->never_pays;
    *c = (struct mem_coming){asked, there,
                             others ? there + FOUGHT_QUANTA * core->node->quantum : c->fought,
                             core->index + 1};
}

int64_t mem_shared_lead(const struct mem_core *core, uint64_t where, uintptr_t addr)
{
    const struct mem_coming *c = coming_of(core->node, where, mem_model(where, addr));
    return c->fought > mem_now(core) ? 0 : core->node->quantum;
}

bool mem_fought(const struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes)
{
    struct mem_core *core = cpu->core;
    uint64_t line = UINT64_C(1) << core->node->last_shift;
    if (!core->node->coherent || core->node->cpus == 1) return false;
    for (uintptr_t at = addr & ~(line - 1); at < addr + bytes; at += line)
        if (mem_lead(core, mem_page_where(core, at), at) == 0) return true;
    return false;
}

/* The next processor after i that may hold the line; cpus: none. */
static int next_holder(const struct mem_node *node, uint64_t holders, int i)
{
    for (i++; i < node->cpus; i++)
        if (holders >> (i & 63) & 1) break;
    return i;
}

static struct mem_line *copy_of(struct mem_core *core, uint64_t model)
{
    return core->levels ? mem_cache_find(&core->cache[core->levels - 1], model) : NULL;
}

bool mem_snoop_held(struct mem_node *node, const struct mem_core *asker, uint64_t where,
                    uint64_t model)
{
    const uint64_t *word = holders_of(node, where, model);
    uint64_t holders = word ? *word : 0;
    if (!holders) return false;
    for (int i = next_holder(node, holders, -1); i < node->cpus; i = next_holder(node, holders, i))
        if (&node->core[i] != asker && copy_of(&node->core[i], model)) return true;
    return false;
}

unsigned mem_snoop(struct mem_node *node, const struct mem_core *asker, uint64_t where,
                   uint64_t model, enum coh_event event)
{
    const uint64_t *word = holders_of(node, where, model);
    /* Private lines have one holder at most, and then only the network interface asks others than
     * it. */
    uint64_t holders = word ? *word : asker ? 0 : ~UINT64_C(0);
    unsigned answered = 0;
    for (int i = next_holder(node, holders, -1); i < node->cpus;
         i = next_holder(node, holders, i)) {
        struct mem_core *other = &node->core[i];
        struct mem_line *e = other == asker ? NULL : copy_of(other, model);
        if (!e) continue;
        struct mem_cache *last = &other->cache[other->levels - 1];
        struct coh_step step =
            coh_step(node->protocol, (enum coh_state)(e->key & MEM_LINE_STATE), event);
        g_assert(!(step.actions & COH_ILLEGAL));
        answered |= step.actions;
        if (step.actions & COH_WRITE_BACK) last->count.write_backs++;
        if (step.next == COH_I) {
            mem_holder_clear(other, where, model);
            mem_cache_drop_line(other, e, MEM_DROP_KILLED, true);
        } else {
            if (step.next != COH_M) mem_cache_clean_above(other, e);
            e->key = (e->key & ~(uint64_t)MEM_LINE_STATE) | step.next;
        }
    }
    return answered;
}
