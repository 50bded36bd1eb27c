/* The family of servicing policies. */
#include "serve/policy/policy.h"

static const struct serve_policy *const policies[] = {
#define SERVE_POLICY(name) &serve_##name,
#include "serve/policy/models.def"
#undef SERVE_POLICY
};

const struct serve_policy *const *serve_all(size_t *n)
{
    *n = G_N_ELEMENTS(policies);
    return policies;
}

const struct serve_policy *serve_find(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(policies); i++) {
        g_assert(policies[i]->begin && policies[i]->extra);
        if (strcmp(policies[i]->name, name) == 0) return policies[i];
    }
    return NULL;
}
