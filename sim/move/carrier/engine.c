/* engine: a node has one block engine, which moves one block at a time, at ni.block_bandwidth, in
 * the order in which it is asked (the T3D's block transfer engine: Arpaci et al., ISCA 1995). */
#include "move/carrier/engine.h"

#include <math.h>

struct move_engine {
    double free_s; /* busy until */
};

double move_engine_leaves(const struct move_transfer *t, double ready_s)
{
    struct move *move = t->move;
    const double bytes = (double)t->trail.bytes, takes_s = bytes / move->mach->ni_block_bandwidth;
    if (!move->engine) move->engine = g_new0(struct move_engine, move->ranks);
    struct move_engine *engine = &move->engine[t->origin->node];
    const double begin_s = fmax(ready_s, engine->free_s);
    engine->free_s = begin_s + takes_s;
    return begin_s + fmax(0, takes_s - bytes / move->mach->net_bandwidth);
}

void move_engines_free(struct move *move) { g_free(move->engine); }
