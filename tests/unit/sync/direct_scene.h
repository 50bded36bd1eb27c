/* A small world with one get/put communicator, for the suites of windows without epochs. */
#ifndef UNIT_DIRECT_SCENE_H
#define UNIT_DIRECT_SCENE_H

#include "record.h"
#include "engine.h"
#include "mem/agent/agent.h"

#include <stdio.h>
#include <string.h>

enum { RANKS_MAX = 5, BYTES = 1 << 14 };

struct scene {
    struct engine e;
    struct sync_win *win;
    _Alignas(4096) uint8_t memory[RANKS_MAX][BYTES];
    uint8_t buffer[RANKS_MAX][BYTES], expected[RANKS_MAX][BYTES];
    double begin_s[RANKS_MAX], end_s[RANKS_MAX];
    int ranks, wrong, step;
    unsigned seed;
};

static const struct world {
    const char *machine, *set;
} worlds[] = {
    {"t3d", NULL},
    {"t3d", "serve.when=completion"},
    {"t3d", "ni.invalidate=index"},
    {"t3d", "move.put=message"},
    {"t3d", "move.get=message"},
    {"smp", NULL},
    {"smp", "serve.when=completion"},
    {"smp", "serve.policy=thread"},
    {"now", "serve.policy=polling"},
    {"now", "serve.policy=interrupt"},
    {"now", "serve.policy=thread"},
    {"now", "serve.when=completion"},
    {"now", "move.eager_bytes=64B"},
    {"now", "shmalloc.strict=0"},
    {"rdma", NULL},
    {"cxl-pool", NULL},
    {"clump", NULL},
    {"smp", "shmalloc.chunk=32B"},
    {"now", "shmalloc.chunk=32B"},
    {"rdma", "shmalloc.chunk=32B"},
    {"cxl-pool", "shmalloc.chunk=32B"},
};

static inline void scene_open(struct scene *s, const char *machine, const char *const *sets,
                              int ranks)
{
    static const int members[RANKS_MAX] = {0, 1, 2, 3, 4};
    memset(s, 0, sizeof *s);
    s->ranks = ranks;
    engine_open(&s->e, machine, sets, ranks);
    s->win = sync_win_new(ranks, members);
    sync_win_direct(s->win);
    for (int i = 0; i < ranks; i++) sync_win_join(s->win, i, s->e.proc[i], s->memory[i], BYTES, 1);
}

static inline void scene_leave(int rank, void *data)
{
    struct scene *s = data;
    sync_win_leave(s->win, rank, s->e.proc[rank]);
}

static inline void scene_close(struct scene *s)
{
    engine_run(&s->e, scene_leave, s);
    engine_close(&s->e);
}

/* ---- the calls ------------------------------------------------------------------------------- */

static inline void operate(struct scene *s, int rank, enum op_kind kind, int target, int offset,
                           int bytes, uint8_t *buffer)
{
    const struct op_piece piece = {0, (uint64_t)bytes};
    const struct op_layout layout = {&piece, 1, piece.bytes, 0, bytes};
    const struct move_op op = {.kind = kind,
                               .call = kind == OP_PUT ? "SHM_Put" : "SHM_Get",
                               .target = target,
                               .from = {(uintptr_t)buffer, layout},
                               .to = {(uintptr_t)offset, layout}};
    struct serve_proc *me = s->e.proc[rank];
    serve_enter(me, true);
    if (kind == OP_PUT)
        sync_direct_put(s->win, rank, me, &op);
    else
        sync_direct_get(s->win, rank, me, &op);
    serve_leave(me);
}

/* Puts n bytes value, value + 1 ... */
static inline void put(struct scene *s, int rank, int target, int offset, int n, unsigned value)
{
    uint8_t *buffer = s->buffer[rank];
    for (int i = 0; i < n; i++) buffer[i] = (uint8_t)(value + (unsigned)i);
    operate(s, rank, OP_PUT, target, offset, n, buffer);
    memset(buffer, 0xaa, (size_t)n); /* it may be used again */
}

static inline const uint8_t *get(struct scene *s, int rank, int target, int offset, int n)
{
    operate(s, rank, OP_GET, target, offset, n, s->buffer[rank]);
    return s->buffer[rank];
}

static inline void barrier(struct scene *s, int rank)
{
    serve_enter(s->e.proc[rank], true);
    sync_direct_barrier(s->win, rank, s->e.proc[rank]);
    serve_leave(s->e.proc[rank]);
}

static inline void compute(struct scene *s, int rank, double seconds)
{
    serve_compute(s->e.proc[rank], seconds);
    serve_pay(s->e.proc[rank]);
}

/* A load of the rank's own window, through its caches. */
static inline void load(struct scene *s, int rank, int offset, uint8_t *out, int bytes)
{
    struct serve_proc *me = s->e.proc[rank];
    serve_access(me, mem_cpu_read(me->cpu, (uintptr_t)&s->memory[rank][offset], out,
                                  (uint64_t)bytes, serve_now(me)));
    serve_pay(me);
}

static inline void expect(struct scene *s, bool truth) { s->wrong += !truth; }

#define EVERYWHERE(ranks, body)                                                                    \
    for (size_t w = 0; w < G_N_ELEMENTS(worlds); w++) {                                            \
        static struct scene s;                                                                     \
        const char *const sets[] = {worlds[w].set, NULL};                                          \
        scene_open(&s, worlds[w].machine, sets, ranks);                                            \
        CU_ASSERT_EQUAL(engine_run(&s.e, body, &s), 0);                                            \
        if (s.wrong)                                                                               \
            printf("\n    %d wrong on %s %s", s.wrong, worlds[w].machine,                          \
                   worlds[w].set ? worlds[w].set : "");                                            \
        CU_ASSERT_EQUAL(s.wrong, 0);                                                               \
        scene_close(&s);                                                                           \
    }

#endif
