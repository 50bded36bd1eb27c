/* A small world over kern_fake for the tests of net, serve, move and sync: one rank a node unless
 * the machine says otherwise. */
#ifndef UNIT_ENGINE_H
#define UNIT_ENGINE_H

#include "record.h"
#include "kern_fake/kern_fake.h"
#include "mach/mach.h"
#include "net/net.h"
#include "serve/request/request.h"
#include "serve/serve.h"
#include "sync/barrier/barrier.h"
#include "sync/direct/direct.h"
#include "sync/epoch/epoch.h"
#include "sync/inquiry/inquiry.h"
#include "sync/guard/guard.h"
#include "sync/machine/machine.h"

struct engine {
    struct mach *mach;
    struct net *net;
    struct move *move;
    struct mem_node *node[16];
    struct serve_proc *proc[16];
    int ranks, nodes;
};
/* A machine of platforms/ with "key=value" changes (NULL ended). */
void engine_open(struct engine *e, const char *machine, const char *const *sets, int ranks);
/* Runs body(rank, data) for every rank inside this world; returns how many wait for ever. */
int engine_run(struct engine *e, void (*body)(int rank, void *data), void *data);
void engine_close(struct engine *e);

#endif
