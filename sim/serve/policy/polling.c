/* polling: handlers run only inside communication calls (Active Messages on the NOW). A request
 * that arrives while the target computes waits until its next MPI call: delayed servicing. */
#include <math.h>

#include "serve/policy/policy.h"

static double begin(const struct mach *m, const struct serve_state *state)
{
    (void)m;
    return state->inside ? state->now_s : HUGE_VAL;
}

static double extra(const struct mach *m, const struct serve_state *state)
{
    (void)m, (void)state;
    return 0;
}

const struct serve_policy serve_polling = {
    .name = "polling",
    .doc = "the target's processor services requests only while it is inside MPI",
    .processor = true,
    .polls = true,
    .begin = begin,
    .extra = extra,
};
