/* What a loop took less, known where it is left. */
#include "world/prices/rounds.h"
#include "world/prices/prices.h"
#include "world/rank/state.h"

#include "mem/branch/branch.h"

#include <string.h>

/* In the place of a site; NULL: it is not asked about. */
struct rounds_site {
    const struct cpu_overlap *overlap;
    int64_t unused;
};
_Static_assert(sizeof(struct rounds_site) == sizeof(struct mem_site), "in the place of a site");

void world_rounds_at(struct mem_site *site, const struct cpu_overlap *overlap)
{
    const struct rounds_site s = {.overlap = overlap};
    memcpy(site, &s, sizeof s);
}

static const struct cpu_overlap *overlap_at(const struct mem_site *site)
{
    struct rounds_site s;
    memcpy(&s, site, sizeof s);
    return s.overlap;
}

struct world_end world_end(const struct mem_site *site)
{
    const struct cpu_overlap *o = overlap_at(site);
    return (struct world_end){(int64_t)o->lost * CPU_OVERLAP_PART, o->number};
}

uint64_t world_overlap(struct mem_branches *branches, const struct mem_site *site, uint64_t rounds)
{
    const struct cpu_overlap *o = overlap_at(site);
    const uint64_t now = branches->mispredicted;
    const bool wrong = now != branches->wrong_before, earlier = now != branches->wrong_earlier;
    branches->wrong_earlier = branches->wrong_before;
    branches->wrong_before = now;
    if ((o->several && wrong) || (o->others && earlier)) return 0;
    uint64_t saved = cpu_overlap_saves(o, rounds), before = branches->in_window;
    if (o->behind == 0) return saved;
    bool follows = o->behind != CPU_OVERLAP_FIRST && branches->loop == site + o->behind;
    branches->loop = site;
    branches->in_window = saved;
    return follows ? MIN(before, saved) : 0;
}
