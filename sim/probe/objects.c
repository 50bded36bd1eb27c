/* Where the prices of a program's blocks are (in_line/in_line.h). Each rank's copy of the program
 * has its own objects, which come here before the copy's own constructors run. */
#include "world/prices/prices.h"
#include "world/rank/rank.h"
#include "probe/foreign.h"
#include "probe/hooks.h"

#include "probe/in_line/in_line.h"

#include <errno.h>
#include <signal.h>
#include <ucontext.h>

_Static_assert(sizeof(struct probe_block) == sizeof(struct world_block) &&
                   offsetof(struct probe_block, count) == offsetof(struct world_block, count),
               "a table is what instrumented code believes");
_Static_assert(sizeof(struct probe_site) == sizeof(struct mem_site) &&
                   offsetof(struct probe_site, rest) == offsetof(struct mem_site, rest) &&
                   offsetof(struct probe_site, slack) == offsetof(struct mem_site, slack),
               "a table is what instrumented code believes");

/* What a function's prices take has a stack of its own, as the program's may be small, and no
 * signal comes meanwhile: its handler may enter a function that has no prices either. */
static struct {
    ucontext_t program, own;
    uint64_t identity;
    uint32_t first;
} pricing;

static void price(void)
{
    struct base_floating floating;
    base_floating_begin(&floating);
    world_price(pricing.identity, pricing.first);
    base_floating_end(&floating);
}

void probe_hook_price(uintptr_t object, uint32_t first)
{
    static char stack[1 << 20];
    const int kept = errno;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pricing.identity = ((const struct probe_object *)object)->identity;
    pricing.first = first;
    getcontext(&pricing.own);
    pricing.own.uc_stack = (stack_t){.ss_sp = stack, .ss_size = sizeof stack};
    pricing.own.uc_link = &pricing.program;
    makecontext(&pricing.own, price, 0);
    swapcontext(&pricing.program, &pricing.own);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = kept;
}

void probe_objects(struct probe_object *first, struct probe_object *end)
{
    if (!world_simulated()) return;
    for (struct probe_object *o = first; o < end; o++) {
        uintptr_t zeros = (uintptr_t)&o->zeros + (uintptr_t)o->zeros;
        const struct world_block *prices = world_prices(o->identity, o->blocks, o->sites, o);
        o->offset = (int64_t)((uintptr_t)prices - zeros);
    }
    probe_foreign_described();
}
