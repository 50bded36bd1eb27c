/* prefetch: the family of prefetchers; models.def lists its members. */
#include "mem/prefetch/prefetch.h"

#include <string.h>

#define MEM_PREFETCH(name) extern const struct mem_prefetch mem_prefetch_##name;
#include "models.def"
#undef MEM_PREFETCH

static const struct mem_prefetch *const members[] = {
#define MEM_PREFETCH(name) &mem_prefetch_##name,
#include "models.def"
#undef MEM_PREFETCH
};

const struct mem_prefetch *const *mem_prefetch_all(size_t *n)
{
    *n = G_N_ELEMENTS(members);
    return members;
}

const struct mem_prefetch *mem_prefetch_find(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
        const struct mem_prefetch *p = members[i];
        g_assert(p->name && p->doc && p->source && p->read);
        if (strcmp(p->name, name) == 0) return p;
    }
    return NULL;
}

void mem_prefetch_init(struct mem_prefetcher *p, const struct mem_prefetch *model, uint32_t streams,
                       uint32_t depth, uint32_t page_shift)
{
    *p = (struct mem_prefetcher){.model = model,
                                 .streams = streams,
                                 .depth = depth,
                                 .page_shift = page_shift,
                                 .last = MEM_PREFETCH_NOTHING,
                                 .step = model ? model->step : MEM_PREFETCH_NEVER};
    if (model && model->init) model->init(p);
}

void mem_prefetch_clear(struct mem_prefetcher *p)
{
    if (p->model && p->model->clear) p->model->clear(p);
}
