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

enum { FAR = 16 }; /* so many windows long a run saves no more */

/* The second site is the one below. */
void world_again_at(struct mem_site *site, const struct cpu_timing *timing, uint32_t stores)
{
    site[0] = (struct mem_site){.rest = timing->again};
    site[-1] = (struct mem_site){.rest = timing->again_way,
                                 .slack = (int32_t)MIN(timing->again_rounds, INT32_MAX),
                                 .after = (int32_t)stores};
}

/* Ticks of a run, more than its rounds take without a way. */
static uint64_t takes(const struct mem_site *site, uint64_t rounds)
{
    const uint64_t way = (uint64_t)site[-1].rest, alone = way - (uint64_t)site[0].rest,
                   window = (uint64_t)site[-1].slack, part = CPU_AGAIN_PART;
    const uint64_t all = way * rounds * rounds * part / (rounds * part + window);
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

uint64_t world_again(struct mem_runs *runs, const struct mem_site *site, uint64_t at,
                     uint64_t stores)
{
    const uint64_t window = (uint64_t)site[-1].slack / CPU_AGAIN_PART + 1,
                   back = window * (uint64_t)site[-1].after;
    struct mem_run *r = run_of(runs, at, stores > back ? stores - back : 0);
    const uint64_t rest = (uint64_t)site[0].rest;
    const uint64_t since = r->stores ? (stores - r->stores) / (uint64_t)site[-1].after : 1;
    r->stores = stores;
    r->rounds = MIN(r->rounds + MAX(since, 1), FAR * window);
    if (r->rounds == FAR * window) return 0;
    const uint64_t more = takes(site, r->rounds) - takes(site, r->rounds - 1);
    return rest > more ? rest - more : 0;
}
