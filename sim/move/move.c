/* The family of carriers: which of them takes an operation; and the object they share. */
#include "move/move.h"
#include "serve/policy/policy.h"
#include "move/carrier/carrier.h"
#include "move/carrier/atomic.h"
#include "move/carrier/engine.h"

static const struct move_carrier *const carriers[] = {
#define MOVE_CARRIER(name) &move_##name,
#include "move/carrier/models.def"
#undef MOVE_CARRIER
};

const struct move_carrier *const *move_all(size_t *n)
{
    *n = G_N_ELEMENTS(carriers);
    return carriers;
}

/* The first of the family that applies, among those the machine asks for if any of them does. */
static const struct move_carrier *choose(const struct move_transfer *t)
{
    const struct mach *m = t->move->mach;
    const char *selector = move_writes(t) ? m->move_put : m->move_get;
    const struct move_carrier *any = NULL;
    for (size_t i = 0; i < G_N_ELEMENTS(carriers); i++) {
        if (!carriers[i]->applies(t)) continue;
        if (strcmp(carriers[i]->selector, selector) == 0) return carriers[i];
        if (!any) any = carriers[i];
    }
    return any;
}

void move_start(struct move_transfer *t)
{
    if (move_writes(t)) t->writer = op_writer_id(t->trail.origin, t->trail.call, t->trail.site);
    t->set->outstanding++;
    t->set->started++;
    t->carrier = choose(t);
    t->trail.carrier = t->carrier->name;
    move_begin(t);
    t->carrier->start(t);
}

/* ---- the object ------------------------------------------------------------------------------ */

struct move *move_new(const struct mach *m, struct net *net, struct serve_proc *const *proc,
                      int ranks)
{
    struct move *move = g_new0(struct move, 1);
    *move = (struct move){.mach = m, .net = net, .proc = proc, .ranks = ranks};
    for (size_t i = 0; i < G_N_ELEMENTS(carriers); i++)
        g_assert(carriers[i]->name && carriers[i]->doc && carriers[i]->applies &&
                 carriers[i]->start && carriers[i]->service);
    return move;
}

void move_free(struct move *move)
{
    if (!move) return;
    move_buffers_free(move);
    move_remembered_free(move);
    if (move->unfed) g_hash_table_unref(move->unfed);
    move_atomics_free(move);
    move_engines_free(move);
    g_free(move->annex);
    move_chunks_free(move->chunks);
    g_free(move);
}

/* ---- what was used --------------------------------------------------------------------------- */

int move_uses(const struct move *move)
{
    return move->ranks * (2 + (int)move->mach->ni_atomic_units);
}

bool move_use(const struct move *move, int i, struct base_use *use)
{
    const int rank = i % move->ranks, which = i / move->ranks;
    if (which == 0) return move_engine_use(move, rank, use);
    if (which == 1) return move_lock_use(move, rank, use);
    return move_atomic_use(move, rank, which - 2, use);
}
