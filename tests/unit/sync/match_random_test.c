/* Random programs of PUT/ACCEPT that mix all its calls, their counts known in advance: they
 * complete with the right values on every kind of machine and under every servicing policy.
 * tests/programs/put_accept/put_accept_plan.h makes them. */
#include <stdlib.h>

#include <CUnit/CUnit.h>
#include <math.h>
#include <string.h>

#include "programs/put_accept/put_accept_plan.h"
#include "match_scene.h"
#include "unit.h"

/* of each number of ranks on each world; more TESTs than any wait needs */
enum { TESTS = 1 << 20 };

struct pending {
    int unit;
    struct sync_servicer *servicer;
};
struct random {
    struct engine e;
    struct plan *plan;
    unsigned seed;
    struct sync_match *match[PLAN_COMMS];
    struct sync_barrier *barrier;
    struct pending pending[PLAN_RANKS][PLAN_SERVICES];
    int pendings[PLAN_RANKS], wrong;
    long memory[PLAN_RANKS][PLAN_CELLS], buffer[PLAN_RANKS][PLAN_CELLS];
    long memory_must[PLAN_RANKS][PLAN_CELLS], buffer_must[PLAN_RANKS][PLAN_CELLS];
};

static void must(struct random *x, bool truth) { x->wrong += !truth; }

/* ---- the calls ------------------------------------------------------------------------------- */

static struct op_layout layout_of(struct plan_shape s, struct op_piece *piece)
{
    uint32_t n = 0;
    for (int i = 0; i < s.n; i += s.block)
        piece[n++] = (struct op_piece){8 * plan_at(s, i), 8 * (uint64_t)s.block};
    return (struct op_layout){piece, n, 8 * (uint64_t)s.n, 0, 8 * (int64_t)plan_extent(s)};
}

static void issue(struct random *x, int rank, const struct plan_ask *a)
{
    struct op_piece here[160], there[160];
    struct serve_proc *me = x->e.proc[rank];
    serve_enter(me, true);
    sync_match_ask(
        x->match[a->comm], plan_rank_in(x->plan->ranks, a->comm, rank), me,
        &(struct sync_ask){(enum sync_kind)a->kind, a->hold, a->tag, a->disp},
        &(struct move_op){
            .kind = (int)a->kind == SYNC_GET || (int)a->kind == SYNC_GETC ? OP_GET : OP_PUT,
            .call = "PA_Put",
            .target = plan_rank_in(x->plan->ranks, a->comm, a->target),
            .from = {(uintptr_t)&x->buffer[rank][a->buffer], layout_of(a->here, here)},
            .to = {0, layout_of(a->there, there)}});
    serve_leave(me);
}

/* What the program stores into a range before it lets others use it. */
static void store(struct random *x, int rank, const struct plan_service *s)
{
    for (int i = s->base; s->fills && i < s->base + s->cells; i++)
        x->memory[rank][i] = x->memory_must[rank][i] = plan_range_value(x->seed, rank, i);
}

static struct sync_servicer *post_it(struct random *x, int rank, const struct plan_service *s)
{
    struct serve_proc *me = x->e.proc[rank];
    store(x, rank, s);
    serve_enter(me, true);
    struct sync_servicer *servicer =
        sync_match_post(x->match[s->comm], plan_rank_in(x->plan->ranks, s->comm, rank), me,
                        &(struct sync_service){.kinds = s->kinds,
                                               .tag = s->tag,
                                               .base = &x->memory[rank][s->base],
                                               .bytes = 8 * (uint64_t)s->cells,
                                               .disp_unit = s->step,
                                               .count = (uint64_t)s->count,
                                               .call = "PA_Accept"});
    serve_leave(me);
    return servicer;
}

static void end(struct random *x, struct sync_servicer *servicer)
{
    g_autofree char *error = sync_servicer_end(servicer, 0);
    must(x, error == NULL);
}

static bool one_done(void *data)
{
    for (struct pending *const *p = data; *p; p++)
        if (sync_servicer_done((*p)->servicer)) return true;
    return false;
}

/* As the calls of one MPI_Wait... or MPI_Test... do, over and over until none is left. */
static void complete(struct random *x, int rank, unsigned units, int mode)
{
    struct serve_proc *me = x->e.proc[rank];
    struct pending *open[PLAN_SERVICES + 1];
    int left = 0, spins = 0;
    for (int i = 0; i < x->pendings[rank]; i++)
        if (x->pending[rank][i].servicer && units >> x->pending[rank][i].unit & 1)
            open[left++] = &x->pending[rank][i];
    for (open[left] = NULL; left > 0 && spins < TESTS; spins++) {
        serve_enter(me, true);
        for (int i = 0; i < left; i++) sync_servicer_try(open[i]->servicer, mode < 3);
        if (mode == 0)
            for (int i = 0; i < left; i++) sync_servicer_wait(open[i]->servicer);
        else if (mode < 3)
            sync_match_doze(me, HUGE_VAL, HUGE_VAL, one_done, open);
        int kept = 0;
        for (int i = 0; i < left; i++) {
            if (sync_servicer_done(open[i]->servicer) && (mode != 2 || kept == i)) {
                end(x, open[i]->servicer);
                open[i]->servicer = NULL;
            } else {
                sync_servicer_rest(open[i]->servicer);
                open[kept++] = open[i];
            }
        }
        open[left = kept] = NULL;
        if (left > 0 && mode >= 3) sync_match_polled(me);
        serve_leave(me);
    }
    must(x, spins < TESTS);
}

static struct sync_servicer *take(struct random *x, int rank, const struct plan_service *s)
{
    for (int i = 0; i < x->pendings[rank]; i++) {
        struct sync_servicer *servicer = x->pending[rank][i].servicer;
        if (x->pending[rank][i].unit != s->unit || !servicer) continue;
        x->pending[rank][i].servicer = NULL;
        return servicer;
    }
    g_assert_not_reached();
}

struct look {
    struct random *x;
    const struct plan_service *s;
    int origin, member;
    struct sync_found found;
};

static bool is_there(void *data)
{
    struct look *l = data;
    return sync_match_probe(l->x->match[l->s->comm], l->member, l->origin, l->s->tag, &l->found);
}

/* The first request that this servicer will take is the first there. */
static void probe(struct random *x, int rank, int service)
{
    int i = 0;
    while (x->plan->ask[i].service != service) i++;
    const struct plan_ask *first = &x->plan->ask[i];
    struct look l = {.x = x,
                     .s = &x->plan->service[service],
                     .origin = plan_rank_in(x->plan->ranks, first->comm, first->origin),
                     .member = plan_rank_in(x->plan->ranks, first->comm, rank)};
    serve_enter(x->e.proc[rank], true);
    sync_match_doze(x->e.proc[rank], HUGE_VAL, HUGE_VAL, is_there, &l);
    must(x, is_there(&l) && (int)l.found.kind == (int)first->kind && l.found.hold == first->hold &&
                l.found.bytes == 8 * (uint64_t)first->here.n);
    serve_leave(x->e.proc[rank]);
}

/* ---- a rank's program ------------------------------------------------------------------------ */

static void check_range(struct random *x, int rank, const struct plan_service *s)
{
    for (int i = s->base; i < s->base + s->cells; i++)
        must(x, x->memory[rank][i] == x->memory_must[rank][i]);
}

static void apply(struct random *x, int rank, int index, int mode)
{
    const struct plan *p = x->plan;
    if (!mode && p->unit[index].type == PLAN_MESSAGES) return;
    plan_apply(p, x->seed, rank, index, mode, x->memory_must[rank], x->buffer_must[rank]);
    for (int i = 0; i < p->services; i++)
        if (p->service[i].rank == rank && (mode ? i : p->service[i].unit) == index)
            check_range(x, rank, &p->service[i]);
}

static void act(struct random *x, int rank, const struct plan_action *a)
{
    const struct plan_service *s = &x->plan->service[a->index >= 0 ? a->index % PLAN_SERVICES : 0];
    struct serve_proc *me = x->e.proc[rank];
    switch (a->what) {
    case PLAN_ASK: issue(x, rank, &x->plan->ask[a->index]); break;
    case PLAN_POST:
        x->pending[rank][x->pendings[rank]++] = (struct pending){s->unit, post_it(x, rank, s)};
        break;
    case PLAN_SERVE: {
        struct sync_servicer *servicer = post_it(x, rank, s);
        serve_enter(me, true);
        sync_servicer_wait(servicer);
        end(x, servicer);
        serve_leave(me);
        break;
    }
    case PLAN_COMPLETE: complete(x, rank, (unsigned)a->index, a->mode); break;
    case PLAN_APPLY: apply(x, rank, a->index, a->mode); break;
    case PLAN_CANCEL: must(x, sync_servicer_cancel(take(x, rank, s))); break;
    case PLAN_FREE: sync_servicer_detach(take(x, rank, s)); break;
    case PLAN_PROBE: probe(x, rank, a->index); break;
    case PLAN_COMPUTE:
        serve_compute(me, a->index * 1e-9);
        serve_pay(me);
        break;
    case PLAN_MESSAGE: break; /* real programs have them */
    }
}

static void random_program(int rank, void *data)
{
    struct random *x = data;
    const struct plan *p = x->plan;
    for (int i = 0; i < p->actions[rank]; i++) act(x, rank, &p->action[rank][i]);
    serve_enter(x->e.proc[rank], true);
    sync_barrier_wait(x->barrier, x->e.proc[rank]);
    serve_leave(x->e.proc[rank]);
    for (int u = 0; u < p->units; u++)
        if (p->unit[u].type == PLAN_DETACHED && p->unit[u].target == rank) apply(x, rank, u, 0);
    for (int i = 0; i < p->memory[rank]; i++)
        must(x, x->memory[rank][i] == x->memory_must[rank][i]);
    for (int i = 0; i < p->buffer[rank]; i++)
        must(x, x->buffer[rank][i] == x->buffer_must[rank][i]);
}

/* ---- worlds of them -------------------------------------------------------------------------- */

static int unserviced;
static void count(void *data, const char *what, op_site site, int target)
{
    (void)data, (void)what, (void)site, (void)target, unserviced++;
}

static void once(struct random *x, const struct world *world, unsigned seed, int ranks)
{
    const char *const sets[] = {world->set, NULL};
    int member[PLAN_RANKS];
    x->seed = seed;
    x->wrong = 0;
    plan_make(x->plan, seed, ranks);
    engine_open(&x->e, world->machine, sets, ranks);
    x->barrier = sync_barrier_new(ranks);
    for (int c = 0; c < PLAN_COMMS; c++)
        x->match[c] = sync_match_new(plan_members(ranks, c, member), member);
    for (int r = 0; r < ranks; r++) {
        x->pendings[r] = 0;
        g_assert(x->plan->memory[r] <= PLAN_CELLS && x->plan->buffer[r] <= PLAN_CELLS);
        for (int i = 0; i < x->plan->memory[r]; i++) x->memory[r][i] = x->memory_must[r][i] = 0;
        for (int i = 0; i < x->plan->buffer[r]; i++)
            x->buffer[r][i] = x->buffer_must[r][i] = plan_origin_value(seed, r, i);
    }
    int stuck = engine_run(&x->e, random_program, x);
    unserviced = 0;
    for (int c = 0; c < PLAN_COMMS; c++)
        for (int m = 0; m < sync_match_members(x->match[c]); m++)
            sync_match_unserviced(x->match[c], m, count, NULL);
    if (stuck || x->wrong || unserviced || findings_violation_count())
        printf("\n    seed %u of %d ranks on %s %s: %d wait for ever, %d wrong, %d not serviced, "
               "%d violations",
               seed, ranks, world->machine, world->set ? world->set : "", stuck, x->wrong,
               unserviced, (int)findings_violation_count());
    CU_ASSERT(!stuck && !x->wrong && !unserviced && !findings_violation_count());
    for (int c = 0; c < PLAN_COMMS; c++) sync_match_free(x->match[c]);
    sync_barrier_free(x->barrier);
    engine_close(&x->e);
}

static void random_programs_complete_with_the_right_values(void)
{
    struct random *x = g_new0(struct random, 1);
    x->plan = g_new0(struct plan, 1);
    const unsigned programs = unit_sample("programs of each number of ranks", 5, 50);
    for (size_t w = 0; w < G_N_ELEMENTS(worlds); w++)
        for (unsigned seed = 1; seed <= programs; seed++)
            for (int ranks = 2; ranks <= PLAN_RANKS; ranks++)
                once(x, &worlds[w], seed * 8 + (unsigned)ranks, ranks);
    g_free(x->plan);
    g_free(x);
}

UNIT_SUITE(match_random, UNIT_TEST(random_programs_complete_with_the_right_values))
