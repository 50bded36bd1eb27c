/* thread: a communication thread of the target waits for requests; each wake-up is a context switch
 * to it and one back, on the same processor, whether the rank computes or is inside MPI. It
 * services all that has come before it goes back to sleep. */
#include "serve/policy/policy.h"

static double begin(const struct mach *m, const struct serve_state *state)
{
    return state->now_s + (state->awake ? 0 : m->serve_thread);
}

static double extra(const struct mach *m, const struct serve_state *state)
{
    return state->awake ? 0 : 2 * m->serve_thread;
}

static double back(const struct mach *m) { return m->serve_thread; }

static const double *number(const struct mach *m) { return &m->serve_thread; }

const struct serve_policy serve_thread = {
    .name = "thread",
    .doc = "a communication thread of the target is woken for each request",
    .processor = true,
    .begin = begin,
    .extra = extra,
    .back = back,
    .number = number,
};
