/* The block engine of a node's interface (engine.c). */
#ifndef MOVE_ENGINE_H
#define MOVE_ENGINE_H

#include "move/transfer/transfer.h"

/* The origin asks its engine, at ready_s, to move the bytes of that transfer. Returns when they may
 * leave at the link's rate, so that the last byte comes as the engine moves it. */
double move_engine_leaves(const struct move_transfer *t, double ready_s);
void move_engines_free(struct move *move);
/* What the node's engine was used for; false: for nothing. */
bool move_engine_use(const struct move *move, int node, struct base_use *use);

#endif
