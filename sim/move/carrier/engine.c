/* engine: a node has one block engine, which moves one block at a time, at ni.block_bandwidth, in
 * the order in which it is asked (the T3D's block transfer engine: Arpaci et al., ISCA 1995). */
#include "move/carrier/engine.h"

#include <math.h>

struct move_engine {
    double free_s, busy_s; /* busy until, and for how long so far */
    uint64_t blocks, bytes;
};

double move_engine_leaves(const struct move_transfer *t, double ready_s)
{
    struct move *move = t->move;
    const double bytes = (double)t->trail.bytes, takes_s = bytes / move->mach->ni_block_bandwidth;
    if (!move->engine) move->engine = g_new0(struct move_engine, move->ranks);
    struct move_engine *engine = &move->engine[t->origin->node];
    const double begin_s = fmax(ready_s, engine->free_s);
    engine->free_s = begin_s + takes_s;
    engine->busy_s += takes_s;
    engine->bytes += t->trail.bytes;
    engine->blocks++;
    return begin_s + fmax(0, takes_s - bytes / move->mach->net_bandwidth);
}

bool move_engine_use(const struct move *move, int node, struct base_use *use)
{
    const struct move_engine *engine = move->engine ? &move->engine[node] : NULL;
    if (!engine || engine->blocks == 0) return false;
    *use = (struct base_use){.messages = engine->blocks,
                             .bytes = engine->bytes,
                             .bytes_per_s = move->mach->ni_block_bandwidth,
                             .busy_s = engine->busy_s};
    g_snprintf(use->name, sizeof use->name, "block engine of node %d", node);
    return true;
}

void move_engines_free(struct move *move) { g_free(move->engine); }
