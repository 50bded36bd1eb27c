/* A small world with one communicator, for the suites of matching. */
#ifndef UNIT_MATCH_SCENE_H
#define UNIT_MATCH_SCENE_H

#include "record.h"
#include "engine.h"

#include <stdio.h>
#include <string.h>

enum { RANKS = 4, CELLS = 512 };

struct scene {
    struct engine e;
    struct sync_match *match;
    double memory[RANKS][CELLS], buffer[RANKS][CELLS];
    double begin_s[RANKS], end_s[RANKS];
    char *error[RANKS];
    struct sync_found found[8];
    unsigned seed;
    int wrong;
};

static const struct world {
    const char *machine, *set;
} worlds[] = {
    {"t3d", NULL},
    {"t3d", "serve.when=completion"},
    {"smp", NULL},
    {"smp", "serve.when=completion"},
    {"now", "serve.policy=polling"},
    {"now", "serve.policy=interrupt"},
    {"now", "serve.policy=thread"},
    {"now", "serve.when=completion"},
    {"now", "move.eager_bytes=64B"},
    {"t3d", "move.eager_bytes=64B"},
    {"smp", "move.eager_bytes=64B"},
    {"rdma", NULL},
    {"cxl-pool", NULL},
    {"clump", NULL},
    {"rdma", "serve.when=completion"},
};

static inline void scene_open(struct scene *s, const struct world *world)
{
    static const int members[RANKS] = {0, 1, 2, 3};
    const char *const sets[] = {world->set, NULL};
    memset(s, 0, sizeof *s);
    engine_open(&s->e, world->machine, sets, RANKS);
    s->match = sync_match_new(RANKS, members);
    for (int r = 0; r < RANKS; r++)
        for (int i = 0; i < CELLS; i++) s->buffer[r][i] = 1000 * (r + 1) + i;
}

static inline void scene_close(struct scene *s)
{
    for (int r = 0; r < RANKS; r++) g_free(s->error[r]);
    sync_match_free(s->match);
    engine_close(&s->e);
}

/* ---- the calls ------------------------------------------------------------------------------- */

static inline void ask(struct scene *s, int rank, enum sync_kind kind, bool hold, int target,
                       int disp, int cells, int tag, int from)
{
    const struct op_piece piece = {0, 8 * (uint64_t)cells};
    const struct op_layout layout = {&piece, 1, piece.bytes, 0, (int64_t)piece.bytes};
    struct serve_proc *me = s->e.proc[rank];
    serve_enter(me, true);
    sync_match_ask(
        s->match, rank, me, &(struct sync_ask){kind, hold, tag, disp},
        &(struct move_op){.kind = kind == SYNC_GET || kind == SYNC_GETC ? OP_GET : OP_PUT,
                          .call = "PA_Put",
                          .target = target,
                          .from = {(uintptr_t)&s->buffer[rank][from], layout},
                          .to = {0, layout}});
    serve_leave(me);
}

static inline struct sync_servicer *post(struct scene *s, int rank, unsigned kinds, int cells,
                                         int tag, int count)
{
    struct serve_proc *me = s->e.proc[rank];
    serve_enter(me, true);
    struct sync_servicer *servicer =
        sync_match_post(s->match, rank, me,
                        &(struct sync_service){.kinds = kinds,
                                               .tag = tag,
                                               .base = s->memory[rank],
                                               .bytes = 8 * (uint64_t)cells,
                                               .disp_unit = 8,
                                               .count = (uint64_t)count,
                                               .call = "PA_Accept"});
    serve_leave(me);
    return servicer;
}

static inline void finish(struct scene *s, int rank, struct sync_servicer *servicer)
{
    struct serve_proc *me = s->e.proc[rank];
    serve_enter(me, true);
    sync_servicer_wait(servicer);
    g_free(s->error[rank]);
    s->error[rank] = sync_servicer_end(servicer, 0);
    serve_leave(me);
}

static inline void accept(struct scene *s, int rank, int cells, int tag, int count)
{
    finish(s, rank, post(s, rank, 1u << SYNC_PUT, cells, tag, count));
}

static inline void offer(struct scene *s, int rank, int cells, int tag, int count)
{
    finish(s, rank, post(s, rank, 1u << SYNC_GET, cells, tag, count));
}

static inline void compute(struct scene *s, int rank, double seconds)
{
    serve_compute(s->e.proc[rank], seconds);
    serve_pay(s->e.proc[rank]);
}

#define EVERYWHERE(body) EVERYWHERE_WITH(0, body)
#define EVERYWHERE_WITH(its_seed, body)                                                            \
    for (size_t w = 0; w < G_N_ELEMENTS(worlds); w++) {                                            \
        struct scene s;                                                                            \
        scene_open(&s, &worlds[w]);                                                                \
        s.seed = its_seed;                                                                         \
        CU_ASSERT_EQUAL(engine_run(&s.e, body, &s), 0);                                            \
        if (s.wrong)                                                                               \
            printf("\n    %d wrong on %s %s", s.wrong, worlds[w].machine,                          \
                   worlds[w].set ? worlds[w].set : "");                                            \
        CU_ASSERT_EQUAL(s.wrong, 0);

#define NOWHERE_ELSE                                                                               \
    scene_close(&s);                                                                               \
    }

static inline void expect(struct scene *s, bool truth) { s->wrong += !truth; }

#endif
