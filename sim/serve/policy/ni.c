/* ni: the network interface does the target's part; the processor never knows (Cray T3D; RDMA). */
#include "serve/policy/policy.h"

static double begin(const struct mach *m, const struct serve_state *state)
{
    (void)m;
    return state->now_s;
}

static double extra(const struct mach *m, const struct serve_state *state)
{
    (void)m, (void)state;
    return 0;
}

const struct serve_policy serve_ni = {
    .name = "ni",
    .doc = "the network interface reads and writes memory; the target's processor loses nothing",
    .processor = false,
    .begin = begin,
    .extra = extra,
};
