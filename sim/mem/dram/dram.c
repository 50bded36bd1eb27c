/* dram: the family of main memories; models.def lists its members. */
#include "mem/dram/dram.h"

#include <string.h>

#define MEM_DRAM(name) extern const struct mem_dram mem_dram_##name;
#include "models.def"
#undef MEM_DRAM

static const struct mem_dram *const members[] = {
#define MEM_DRAM(name) &mem_dram_##name,
#include "models.def"
#undef MEM_DRAM
};

const struct mem_dram *const *mem_dram_all(size_t *n)
{
    *n = G_N_ELEMENTS(members);
    return members;
}

const struct mem_dram *mem_dram_find(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
        const struct mem_dram *p = members[i];
        g_assert(p->name && p->doc && p->source && p->init && p->read && p->far);
        if (strcmp(p->name, name) == 0) return p;
    }
    return NULL;
}

void mem_dram_init(struct mem_dram_port *port, const struct mach *m, uint32_t line_shift,
                   const struct mem_dram_port *first)
{
    enum { PAGE_BITS = 12 }; /* streams end at a page of 4 KiB */
    const struct mem_prefetch *ahead =
        m->dram_readahead ? mem_prefetch_find(m->prefetch_model) : NULL;
    port->model = mem_dram_find(m->dram_model);
    g_assert(port->model && (ahead || !m->dram_readahead));
    mem_prefetch_init(&port->prefetch, ahead, (uint32_t)m->prefetch_streams,
                      (uint32_t)m->prefetch_depth, PAGE_BITS - line_shift);
    port->busy = mem_ticks(mem_scale(m->cpu_clock), m->dram_busy);
    port->queue = (struct mem_dram_queue){.places = (uint32_t)m->dram_outstanding};
    if (m->dram_outstanding) port->queue.there = g_new0(int64_t, m->dram_outstanding);
    port->in_place = port->model->in_place && port->prefetch.step && !m->dram_outstanding;
    port->model->init(port, m, line_shift, first);
}

void mem_dram_clear(struct mem_dram_port *port)
{
    mem_prefetch_clear(&port->prefetch);
    g_free(port->queue.there);
    g_free(port->own);
}
