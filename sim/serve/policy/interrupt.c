/* interrupt: an arriving request interrupts the target's computation: the handler runs
 * serve.interrupt later, and the target loses that much for each message. Inside MPI the target
 * polls, and no interrupt is taken. */
#include "serve/policy/policy.h"

static double extra(const struct mach *m, const struct serve_state *state)
{
    return state->inside ? 0 : m->serve_interrupt;
}

static double begin(const struct mach *m, const struct serve_state *state)
{
    return state->now_s + extra(m, state);
}

static const double *number(const struct mach *m) { return &m->serve_interrupt; }

const struct serve_policy serve_interrupt = {
    .name = "interrupt",
    .doc = "an arriving request interrupts the target's processor",
    .processor = true,
    .begin = begin,
    .extra = extra,
    .number = number,
};
