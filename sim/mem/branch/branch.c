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

/* Asked once for every entry and outcome, and kept for all processors. */
static const struct mem_branch_steps *steps_of(const struct mem_branch_model *model)
{
    static struct mem_branch_steps *known[G_N_ELEMENTS(members)];
    size_t m = 0;
    while (members[m] != model) m++;
    if (known[m]) return known[m];
    known[m] = g_malloc(sizeof *known[m]);
    for (unsigned i = 0; i < 2 * 2 * MEM_BRANCH_WRONG; i++) {
        const bool backward = i & 512, against = i & 256;
        uint8_t entry = i & 255;
        const bool wrong = model->wrong(NULL, &entry, (struct mem_branch){0, against, backward});
        known[m]->step[backward][against][i & 255] = (uint16_t)(entry | wrong * MEM_BRANCH_WRONG);
    }
    return known[m];
}

void mem_branches_init(struct mem_branches *p, const struct mem_branch_model *model,
                       uint32_t outcomes)
{
    *p = (struct mem_branches){.model = model};
    if (model->begin)
        p->history = model->begin(outcomes);
    else
        p->steps = steps_of(model);
}

void mem_branches_clear(struct mem_branches *p)
{
    if (p->history) p->model->end(p->history);
}
