/* branch: the family of branch predictors; models.def lists its members. */
#include "mem/branch/branch.h"

#include <string.h>

#define MEM_BRANCH(name) extern const struct mem_branch_model mem_branch_##name;
#include "models.def"
#undef MEM_BRANCH

static const struct mem_branch_model *const members[] = {
#define MEM_BRANCH(name) &mem_branch_##name,
#include "models.def"
#undef MEM_BRANCH
};

const struct mem_branch_model *const *mem_branch_all(size_t *n)
{
    *n = G_N_ELEMENTS(members);
    return members;
}

const struct mem_branch_model *mem_branch_find(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
        const struct mem_branch_model *p = members[i];
        g_assert(p->name && p->doc && p->source && p->wrong);
        if (strcmp(p->name, name) == 0) return p;
    }
    return NULL;
}

void mem_branches_init(struct mem_branches *p, const struct mem_branch_model *model)
{
    *p = (struct mem_branches){.model = model};
    if (model->history_bytes) p->history = g_malloc0(model->history_bytes);
    if (model->begin) model->begin(p->history);
}

void mem_branches_clear(struct mem_branches *p) { g_free(p->history); }
