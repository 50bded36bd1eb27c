/* replace: the family of replacement policies; models.def lists its members. */
#include "mem/cache/replace.h"

#include <string.h>

#define MEM_REPLACE(name) extern const struct mem_replace mem_replace_##name;
#include "models.def"
#undef MEM_REPLACE

static const struct mem_replace *const members[] = {
#define MEM_REPLACE(name) &mem_replace_##name,
#include "models.def"
#undef MEM_REPLACE
};

const struct mem_replace *const *mem_replace_all(size_t *n)
{
    *n = G_N_ELEMENTS(members);
    return members;
}

const struct mem_replace *mem_replace_find(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
        const struct mem_replace *r = members[i];
        g_assert(r->name && r->doc && r->source);
        if (strcmp(r->name, name) == 0) return r;
    }
    return NULL;
}
