/* thread: a communication thread of the target waits for requests; each wake-up is a context switch
 * to it and one back, on the same processor, whether the rank computes or is inside MPI. */
#include "serve/policy/policy.h"

static double begin(const struct mach *m, const struct serve_state *state)
{
    return state->now_s + m->serve_thread;
}

static double extra(const struct mach *m, const struct serve_state *state)
{
    (void)state;
    return 2 * m->serve_thread;
}

static const double *number(const struct mach *m) { return &m->serve_thread; }

const struct serve_policy serve_thread = {
    .name = "thread",
    .doc = "a communication thread of the target is woken for each request",
    .processor = true,
    .begin = begin,
    .extra = extra,
    .number = number,
};
