/* target: the family of predictors of targets; models.def lists its members. */
#include "mem/target/target.h"

#include "mem/branch/history.h"

#include <string.h>

#define MEM_TARGET(name) extern const struct mem_target_model mem_target_##name;
#include "models.def"
#undef MEM_TARGET

static const struct mem_target_model *const members[] = {
#define MEM_TARGET(name) &mem_target_##name,
#include "models.def"
#undef MEM_TARGET
};

const struct mem_target_model *const *mem_target_all(size_t *n)
{
    *n = G_N_ELEMENTS(members);
    return members;
}

const struct mem_target_model *mem_target_find(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(members); i++) {
        const struct mem_target_model *m = members[i];
        g_assert(m->name && m->doc && m->source && m->wrong);
        if (strcmp(m->name, name) == 0) return m;
    }
    return NULL;
}

void mem_targets_init(struct mem_targets *t, const struct mem_target_model *model, uint32_t targets,
                      bool calls, struct mem_branches *branches)
{
    *t = (struct mem_targets){.model = model, .calls = calls};
    t->past = branches->history ? &branches->history->past : &t->own;
    if (model->begin) t->history = model->begin(targets);
}

void mem_targets_clear(struct mem_targets *t)
{
    if (t->history) t->model->end(t->history);
}
