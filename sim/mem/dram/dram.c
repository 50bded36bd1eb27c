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

void mem_dram_init(struct mem_dram_port *port, const struct mach *m, uint32_t line_shift)
{
    port->model = mem_dram_find(m->dram_model);
    port->prefetch = m->dram_readahead ? mem_prefetch_find(m->prefetch_model) : NULL;
    g_assert(port->model && (port->prefetch || !m->dram_readahead));
    port->step = port->prefetch ? port->prefetch->step : MEM_PREFETCH_NEVER;
    port->last = MEM_PREFETCH_NOTHING;
    port->model->init(port, m, line_shift);
}
