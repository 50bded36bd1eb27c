/* PUT/ACCEPT, for the check: memory that the program must leave alone until a servicing call ends
 * ("Non-conformance"). */
#include "world/access/access.h"
#include "world/clock/clock.h"
#include "world/pair/pair.h"
#include "world/place/place.h"
#include "dialect/put_accept/inside.h"

uint64_t dialect_lend(struct world_rank *r, const char *call, uintptr_t frame, uintptr_t pc,
                      const struct check_buffer *buffer, enum check_kind kind, bool *first)
{
    *first = false;
    if (!check_on || buffer->layout->bytes == 0) return 0;
    const struct check_stack stack = world_stack(r, frame, pc);
    const uint64_t number =
        check_held(r->rank, buffer, kind, call, world_site(r), world_now(), &stack, 0);
    *first = check_pairing && world_pair_comes(r, true);
    return number;
}

static bool done(void *servicer) { return sync_servicer_try(servicer, true); }

void dialect_lent_first(struct world_rank *r, struct sync_servicer *servicer)
{
    world_pair_await(r, servicer ? done : NULL, servicer);
}
