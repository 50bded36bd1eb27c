/* serve, move and sync together, on small worlds: who does the target's part, when operations are
 * complete, who holds a lock. */
#include <CUnit/CUnit.h>
#include <math.h>
#include <string.h>

#include "engine.h"
#include "mem/agent/agent.h"
#include "mem/counters/counters.h"
#include "unit.h"

enum { RANKS = 3, CELLS = 64 };

struct scene {
    struct engine e;
    struct sync_win *win;
    double memory[RANKS][CELLS];
    double seen[RANKS];
    double begin_s[RANKS], end_s[RANKS];
    double first_s; /* a target that computes calls MPI after so much of it */
    enum sync_status status[RANKS];
};

static void scene_open(struct scene *s, const char *machine, const char *const *sets)
{
    static const int members[RANKS] = {0, 1, 2};
    memset(s, 0, sizeof *s);
    engine_open(&s->e, machine, sets, RANKS);
    s->win = sync_win_new(RANKS, members);
    for (int i = 0; i < RANKS; i++)
        sync_win_join(s->win, i, s->e.proc[i], s->memory[i], sizeof s->memory[i], 8);
}

static void leave(int rank, void *data)
{
    struct scene *s = data;
    sync_win_leave(s->win, rank, s->e.proc[rank]);
}

static void scene_close(struct scene *s)
{
    engine_run(&s->e, leave, s);
    engine_close(&s->e);
}

static void put(struct scene *s, int rank, int target, int cell, double *value)
{
    const struct op_piece piece = {0, 8};
    const struct op_layout layout = {&piece, 1, 8, 0, 8};
    const struct move_op op = {.kind = OP_PUT,
                               .call = "MPI_Put",
                               .target = target,
                               .from = {(uintptr_t)value, layout},
                               .to = {8 * (uintptr_t)cell, layout}};
    s->status[rank] = sync_operate(s->win, rank, s->e.proc[rank], &op);
}

static double peek(struct scene *s, int rank, int cell)
{
    double value;
    mem_ni_read(s->e.proc[rank]->memory, (uintptr_t)&s->memory[rank][cell], &value, 8, kern_now());
    return value;
}

/* ---- lock, put, unlock to a rank that computes 10 ms ----------------------------------------- */

static void lock_put_unlock(int rank, void *data)
{
    struct scene *s = data;
    struct serve_proc *me = s->e.proc[rank];
    double value = 42;
    if (rank == 1) {
        serve_compute(me, s->first_s);
        serve_pay(me);
        serve_enter(me, true); /* a call that does nothing */
        serve_leave(me);
        serve_compute(me, 10e-3 - s->first_s);
        serve_pay(me);
        s->end_s[1] = kern_now();
    }
    if (rank != 0) return;
    serve_enter(me, true);
    sync_lock(s->win, 0, 1, true, 0);
    put(s, 0, 1, 3, &value);
    sync_unlock(s->win, 0, me, 1);
    serve_leave(me);
    s->end_s[0] = kern_now();
    s->seen[0] = peek(s, 1, 3);
}

static void run_lock_put_unlock(struct scene *s, const char *machine, const char *policy)
{
    g_autofree char *set = g_strdup_printf("serve.policy=%s", policy);
    const char *const sets[] = {policy ? set : NULL, NULL};
    scene_open(s, machine, sets);
    CU_ASSERT_EQUAL(engine_run(&s->e, lock_put_unlock, s), 0);
    CU_ASSERT_EQUAL(s->seen[0], 42);
}

static void an_interrupt_at_the_end_of_computation_takes_the_processor_once(void)
{
    /* "The target loses t_int a message": the handler runs 50 us after the request came, and until
     * then the target does not go on, also if what it computes would end and MPI be called in
     * between. */
    struct scene s;
    const char *const sets[] = {"serve.policy=interrupt", NULL};
    scene_open(&s, "now", sets);
    s.first_s = 30e-6;
    CU_ASSERT_EQUAL(engine_run(&s.e, lock_put_unlock, &s), 0);
    CU_ASSERT(s.e.proc[1]->spent.service_s > 150e-6); /* lock, put, unlock */
    CU_ASSERT_DOUBLE_EQUAL(s.end_s[1], 10e-3 + s.e.proc[1]->spent.service_s, 1e-6);
    scene_close(&s);
}

static void polling_makes_the_origin_wait_until_the_target_calls_mpi(void)
{
    struct scene s;
    run_lock_put_unlock(&s, "now", "polling");
    CU_ASSERT(s.end_s[0] > 10e-3 && s.end_s[0] < 10.2e-3);
    CU_ASSERT_DOUBLE_EQUAL(s.end_s[1], 10e-3, 1e-9);
    scene_close(&s);
}

static void an_interrupt_takes_tens_of_microseconds_and_the_target_ends_later(void)
{
    struct scene s;
    run_lock_put_unlock(&s, "now", "interrupt");
    CU_ASSERT(s.end_s[0] > 20e-6 && s.end_s[0] < 500e-6);
    CU_ASSERT(s.e.proc[1]->spent.service_s > 0);
    CU_ASSERT_DOUBLE_EQUAL(s.end_s[1], 10e-3 + s.e.proc[1]->spent.service_s, 1e-6);
    scene_close(&s);
}

static void a_thread_steals_time_too(void)
{
    struct scene s;
    run_lock_put_unlock(&s, "now", "thread");
    CU_ASSERT(s.end_s[0] < 1e-3);
    CU_ASSERT_DOUBLE_EQUAL(s.end_s[1], 10e-3 + s.e.proc[1]->spent.service_s, 1e-6);
    scene_close(&s);
}

static void where_memory_can_be_reached_the_target_loses_nothing(void)
{
    static const char *const machines[] = {"t3d", "smp", "rdma", "cxl-pool"};
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        struct scene s;
        run_lock_put_unlock(&s, machines[i], NULL);
        CU_ASSERT(s.end_s[0] < 100e-6);
        CU_ASSERT_DOUBLE_EQUAL(s.end_s[1], 10e-3, 1e-9);
        CU_ASSERT_EQUAL(s.e.proc[1]->spent.service_s, 0);
        scene_close(&s);
    }
}

static void servicing_at_completion_delays_on_any_machine(void)
{
    static const char *const sets[] = {"serve.when=completion", NULL};
    static const char *const machines[] = {"t3d", "smp", "now"};
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        struct scene s;
        scene_open(&s, machines[i], sets);
        CU_ASSERT_EQUAL(engine_run(&s.e, lock_put_unlock, &s), 0);
        if (s.end_s[0] < 10e-3 - 1e-9)
            fprintf(stderr, "    %s: the put took %g s\n", machines[i], s.end_s[0]);
        CU_ASSERT(s.end_s[0] > 10e-3 - 1e-9);
        scene_close(&s);
    }
}

/* ---- exclusion ------------------------------------------------------------------------------- */

struct locking {
    struct scene s;
    bool exclusive[RANKS];
};

static void hold(int rank, void *data)
{
    struct locking *l = data;
    struct scene *s = &l->s;
    struct serve_proc *me = s->e.proc[rank];
    serve_enter(me, true);
    sync_lock(s->win, rank, 0, l->exclusive[rank], 0);
    s->begin_s[rank] = kern_now();
    serve_compute(me, 50e-6);
    serve_pay(me);
    s->end_s[rank] = kern_now();
    sync_unlock(s->win, rank, me, 0);
    serve_leave(me);
}

static bool overlap(const struct scene *s, int a, int b)
{
    return s->begin_s[a] < s->end_s[b] && s->begin_s[b] < s->end_s[a];
}

static void exclusive_holders_never_overlap_and_shared_ones_do(void)
{
    static const char *const machines[] = {"t3d", "smp", "now"};
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        struct locking l = {.exclusive = {true, true, true}};
        scene_open(&l.s, machines[i], NULL);
        CU_ASSERT_EQUAL(engine_run(&l.s.e, hold, &l), 0);
        CU_ASSERT(!overlap(&l.s, 0, 1) && !overlap(&l.s, 1, 2) && !overlap(&l.s, 0, 2));
        scene_close(&l.s);
        memset(l.exclusive, 0, sizeof l.exclusive);
        scene_open(&l.s, machines[i], NULL);
        CU_ASSERT_EQUAL(engine_run(&l.s.e, hold, &l), 0);
        CU_ASSERT(overlap(&l.s, 0, 1) && overlap(&l.s, 1, 2));
        scene_close(&l.s);
        l.exclusive[1] = true;
        scene_open(&l.s, machines[i], NULL);
        CU_ASSERT_EQUAL(engine_run(&l.s.e, hold, &l), 0);
        CU_ASSERT(!overlap(&l.s, 0, 1) && !overlap(&l.s, 1, 2));
        scene_close(&l.s);
    }
}

/* ---- epochs ---------------------------------------------------------------------------------- */

static void fenced_ring(int rank, void *data)
{
    struct scene *s = data;
    struct serve_proc *me = s->e.proc[rank];
    double value = rank + 1;
    serve_enter(me, true);
    sync_fence(s->win, rank, me, 0);
    put(s, rank, (rank + 1) % RANKS, 0, &value);
    sync_fence(s->win, rank, me, SYNC_NOSUCCEED);
    s->seen[rank] = peek(s, rank, 0);
    s->end_s[rank] = kern_now();
    serve_leave(me);
}

static void a_fence_completes_every_put_at_its_target(void)
{
    static const char *const machines[] = {"t3d", "smp", "now", "clump", "rdma", "cxl-pool"};
    for (size_t i = 0; i < G_N_ELEMENTS(machines); i++) {
        struct scene s;
        scene_open(&s, machines[i], NULL);
        CU_ASSERT_EQUAL(engine_run(&s.e, fenced_ring, &s), 0);
        for (int rank = 0; rank < RANKS; rank++)
            CU_ASSERT_EQUAL(s.seen[rank], (rank + RANKS - 1) % RANKS + 1);
        CU_ASSERT_EQUAL(trace_total(OP_PUT)->count, RANKS);
        scene_close(&s);
    }
}

static void posted(int rank, void *data)
{
    struct scene *s = data;
    struct serve_proc *me = s->e.proc[rank];
    static const int target[] = {0}, origins[] = {1, 2};
    double value = 10 * rank;
    serve_enter(me, true);
    if (rank == 0) {
        serve_compute(me, 1e-3); /* start must wait for this late post */
        serve_pay(me);
        sync_post(s->win, 0, me, origins, 2, 0);
        sync_wait(s->win, 0, me);
        s->seen[0] = peek(s, 0, 1) + peek(s, 0, 2);
    } else {
        sync_start(s->win, rank, me, target, 1, 0);
        s->begin_s[rank] = kern_now();
        put(s, rank, 0, rank, &value);
        sync_complete(s->win, rank, me);
    }
    serve_leave(me);
}

static void start_waits_for_post_and_wait_for_every_complete(void)
{
    static const char *const machines[] = {"t3d", "smp", "now"};
    static const char *const delayed[] = {"serve.when=completion", NULL};
    for (size_t i = 0; i < 2 * G_N_ELEMENTS(machines); i++) {
        struct scene s;
        scene_open(&s, machines[i / 2], i % 2 ? delayed : NULL);
        CU_ASSERT_EQUAL(engine_run(&s.e, posted, &s), 0);
        CU_ASSERT(s.begin_s[1] > 1e-3 && s.begin_s[2] > 1e-3);
        CU_ASSERT_EQUAL(s.seen[0], 30);
        scene_close(&s);
    }
}

static void misuse(int rank, void *data)
{
    struct scene *s = data;
    struct serve_proc *me = s->e.proc[rank];
    double value = 1;
    static const int target[] = {1};
    if (rank != 0) return;
    serve_enter(me, true);
    put(s, 0, 1, 0, &value);
    CU_ASSERT_EQUAL(s->status[0], SYNC_NO_EPOCH);
    CU_ASSERT_EQUAL(sync_complete(s->win, 0, me), SYNC_NO_EPOCH);
    CU_ASSERT_EQUAL(sync_wait(s->win, 0, me), SYNC_NO_EPOCH);
    CU_ASSERT_EQUAL(sync_unlock(s->win, 0, me, 1), SYNC_NOT_LOCKED);
    CU_ASSERT_EQUAL(sync_lock(s->win, 0, 1, true, 0), SYNC_OK);
    CU_ASSERT_EQUAL(sync_lock(s->win, 0, 1, true, 0), SYNC_LOCKED_TWICE);
    CU_ASSERT_EQUAL(sync_fence(s->win, 0, me, 0), SYNC_EPOCH_OPEN);
    CU_ASSERT_EQUAL(sync_win_leave(s->win, 0, me), SYNC_EPOCH_OPEN);
    CU_ASSERT_EQUAL(sync_unlock(s->win, 0, me, 1), SYNC_OK);
    CU_ASSERT_EQUAL(sync_start(s->win, 0, me, target, 1, SYNC_NOCHECK), SYNC_OK);
    put(s, 0, 2, 0, &value);
    CU_ASSERT_EQUAL(s->status[0], SYNC_NOT_IN_GROUP);
    CU_ASSERT_EQUAL(sync_complete(s->win, 0, me), SYNC_OK);
    serve_leave(me);
}

static void calls_outside_their_epoch_are_told_and_change_nothing(void)
{
    struct scene s;
    scene_open(&s, "t3d", NULL);
    CU_ASSERT_EQUAL(engine_run(&s.e, misuse, &s), 0);
    scene_close(&s);
}

static void wait_for_ever(int rank, void *data)
{
    struct scene *s = data;
    if (rank != 0) return;
    serve_enter(s->e.proc[0], true);
    static const int target[] = {1};
    sync_start(s->win, 0, s->e.proc[0], target, 1, 0);
}

static void a_start_without_a_post_waits_for_ever(void)
{
    static struct scene s; /* the abandoned rank keeps what it has */
    scene_open(&s, "t3d", NULL);
    CU_ASSERT_EQUAL(engine_run(&s.e, wait_for_ever, &s), 1);
}

/* ---- loads and stores on one node ------------------------------------------------------------ */

/* cells, the line's worth at either end left out: those lines are others', too */
enum { MIDDLE = 48 };

static uint64_t transactions(const struct scene *s) { return mem_bus_count(s->e.node[0]).requests; }

static void get_middle(int rank, void *data)
{
    struct scene *s = data;
    struct serve_proc *me = s->e.proc[rank];
    const struct op_piece piece = {0, 8 * MIDDLE};
    const struct op_layout layout = {&piece, 1, 8 * MIDDLE, 0, 8 * MIDDLE};
    const double stored[MIDDLE] = {rank + 1.0};
    if (rank == 2) return;
    serve_enter(me, true);
    serve_access(me, mem_cpu_write(me->cpu, (uintptr_t)&s->memory[rank][8], stored, sizeof stored,
                                   0, serve_now(me)));
    serve_wait_until(me, KERN_DATE, 1e-3, 0);
    if (rank == 0) {
        sync_lock(s->win, 0, 1, true, 0);
        uint64_t before = transactions(s);
        sync_operate(s->win, 0, me,
                     &(struct move_op){.kind = OP_GET,
                                       .call = "MPI_Get",
                                       .target = 1,
                                       .from = {(uintptr_t)&s->memory[0][8], layout},
                                       .to = {64, layout}});
        s->seen[0] = transactions(s) - before;
        sync_unlock(s->win, 0, me, 1);
    }
    serve_leave(me);
}

static void a_get_on_a_bus_fetches_each_line_once(void)
{
    struct scene s;
    scene_open(&s, "smp", NULL);
    CU_ASSERT_EQUAL(engine_run(&s.e, get_middle, &s), 0);
    uintptr_t from = (uintptr_t)&s.memory[1][8];
    CU_ASSERT_EQUAL(s.seen[0], (double)(((from + 8 * MIDDLE - 1) >> 6) - (from >> 6) + 1));
    CU_ASSERT_EQUAL(s.memory[0][8], 2);
    scene_close(&s);
}

UNIT_SUITE(sync, UNIT_TEST(polling_makes_the_origin_wait_until_the_target_calls_mpi),
           UNIT_TEST(an_interrupt_at_the_end_of_computation_takes_the_processor_once),
           UNIT_TEST(an_interrupt_takes_tens_of_microseconds_and_the_target_ends_later),
           UNIT_TEST(a_thread_steals_time_too),
           UNIT_TEST(where_memory_can_be_reached_the_target_loses_nothing),
           UNIT_TEST(servicing_at_completion_delays_on_any_machine),
           UNIT_TEST(exclusive_holders_never_overlap_and_shared_ones_do),
           UNIT_TEST(a_fence_completes_every_put_at_its_target),
           UNIT_TEST(start_waits_for_post_and_wait_for_every_complete),
           UNIT_TEST(calls_outside_their_epoch_are_told_and_change_nothing),
           UNIT_TEST(a_start_without_a_post_waits_for_ever),
           UNIT_TEST(a_get_on_a_bus_fetches_each_line_once))
