/* core: the family of processors; models.def lists its members. */
#include "mem/core/core.h"

#include <string.h>

#define MEM_CORE(name) extern const struct mem_core_model mem_core_##name;
#include "models.def"
#undef MEM_CORE

static const struct mem_core_model *const members[] = {
#define MEM_CORE(name) &mem_core_##name,
#include "models.def"
#undef MEM_CORE
};

const struct mem_core_model *const *mem_core_all(size_t *n)
{
    *n = G_N_ELEMENTS(members);
    return members;
}

const struct mem_core_model *mem_core_find(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
        const struct mem_core_model *p = members[i];
        g_assert(p->name && p->doc && p->source);
        if (strcmp(p->name, name) == 0) return p;
    }
    return NULL;
}
