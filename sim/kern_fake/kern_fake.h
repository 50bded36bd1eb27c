/* kern_fake: kern's door without SimGrid, for tests: ranks are threads that run one at a time,
 * dates are a heap.
 *
 * Every pair of nodes is one link of the same latency and bandwidth. Works under the address and
 * thread sanitizers, which SMPI does not.
 */
#ifndef KERN_FAKE_H
#define KERN_FAKE_H

#include "kern/kern.h"

void kern_fake_route(double latency_s, double bandwidth_bytes_per_s);
/* Runs body(rank, data) for every rank from date 0 to its end. Returns how many ranks wait for ever
 * (0: none); their threads are abandoned. */
int kern_fake_run(int ranks, void (*body)(int rank, void *data), void *data);

#endif
