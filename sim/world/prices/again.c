/* Stores of a loop to where the round before stored (cpu/again.c): each is charged its whole way
 * from the load on. A run of them to one place begins in the window, while the run before it goes
 * on. Of R rounds, w of way and N rounds in the window, it takes w R R / (R + N), as executions of
 * inner loops do (cpu/overlap.c), or what its rounds take without a way, if that is more. What a
 * round was charged too much is given back behind it.
 *
 * A place that was stored to within the window goes on with its run: rounds in between that went to
 * others count, too. Left out: rounds that go to other places each time. */
#include "world/prices/again.h"
#include "world/prices/prices.h"

#include "mem/mem.h"

#include <string.h>

enum { FAR = 16 }; /* so many windows long a run saves no more */

/* In the place of the second site, which is the one below. */
struct again_site {
    uint32_t way; /* ticks */
    uint16_t rounds, stores;
    int64_t saved; /* by all runs so far, in all ranks */
};
_Static_assert(sizeof(struct again_site) == sizeof(struct mem_site), "in the place of a site");

static struct again_site again_at(const struct mem_site *site)
{
    struct again_site a;
    memcpy(&a, site - 1, sizeof a);
    return a;
}

void world_again_at(struct mem_site *site, const struct cpu_timing *timing, uint32_t stores)
{
    const struct again_site a = {.way = timing->again_way,
                                 .rounds = (uint16_t)MIN(timing->again_rounds, UINT16_MAX),
                                 .stores = (uint16_t)CLAMP(stores, 1, UINT16_MAX)};
    *site = (struct mem_site){.rest = timing->again};
    memcpy(site - 1, &a, sizeof a);
}

/* Ticks of a run, more than its rounds take without a way. */
static uint64_t takes(const struct again_site *a, uint64_t rest, uint64_t rounds)
{
    const uint64_t way = a->way, alone = way - rest, part = CPU_AGAIN_PART,
                   all = way * rounds * rounds * part / (rounds * part + a->rounds);
    return all > alone * rounds ? all - alone * rounds : 0;
}

/* The run of a place, if that is still in the window; else the oldest, which becomes its own: the
 * store before is its first round. */
static struct mem_run *run_of(struct mem_runs *runs, uint64_t at, uint64_t since)
{
    struct mem_run *oldest = &runs->run[0];
    for (int i = 0; i < MEM_RUNS; i++) {
        struct mem_run *r = &runs->run[i];
        if (r->rounds > 0 && r->at == at && r->stores >= since) return r;
        if (r->stores < oldest->stores) oldest = r;
    }
    *oldest = (struct mem_run){.at = at, .rounds = 1};
    return oldest;
}

int64_t world_again(struct mem_runs *runs, struct mem_site *site, uint64_t at, uint64_t stores)
{
    struct again_site a = again_at(site);
    if (a.stores == 0 || site->rest == 0) return 0; /* of no machine's table, or nothing to save */
    const uint64_t window = a.rounds / CPU_AGAIN_PART + 1, back = window * a.stores,
                   rest = (uint64_t)site->rest;
    struct mem_run *r = run_of(runs, at, stores > back ? stores - back : 0);
    const uint64_t since = r->stores ? (stores - r->stores) / a.stores : 1;
    r->stores = stores;
    r->rounds = (uint32_t)MIN(r->rounds + MAX(since, 1), FAR * window);
    if (r->rounds == FAR * window) return 0;
    const uint64_t more = takes(&a, rest, r->rounds) - takes(&a, rest, r->rounds - 1);
    const int64_t saved = rest > more ? (int64_t)(rest - more) : 0;
    a.saved += saved;
    memcpy(site - 1, &a, sizeof a);
    return saved;
}

int64_t world_again_saved(const struct mem_site *site) { return again_at(site).saved; }
