/* Every carrier and every servicing policy of the lists, whatever they are called. */
#include "move/servicing/servicing.h"
#include "move/move.h"
#include "serve/policy/policy.h"
#include "trace/trace.h"
#include "engine.h"
#include "unit.h"

#include <CUnit/CUnit.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS = 2, MOST = 1 << 14, SIZES = 4 };
static const uint64_t sizes[SIZES] = {8, 512, 4096, MOST};

struct scene {
    struct engine e;
    enum op_kind kind;
    uint64_t bytes;
    bool counter;    /* the target is a register */
    const char *doc; /* of the carrier that took it */
    double last_s;   /* of the dates known when its target's part is done */
    double took_s;
    bool ascends;
    uint8_t *memory[RANKS];
};

static double add(const void *in, void *inout, uint64_t bytes, const void *arg)
{
    (void)arg;
    for (uint64_t i = 0; i < bytes; i++) ((uint8_t *)inout)[i] += ((const uint8_t *)in)[i];
    return 0;
}

/* Of the steps before the last: that one is not known yet. last_s: the last of them. */
static bool dates_ascend(const struct op_trail *trail, double *last_s)
{
    *last_s = 0;
    for (int step = 0; step < OP_COMPLETED; step++) {
        if (trail->at_s[step] < 0) continue;
        if (trail->at_s[step] < *last_s - 1e-12) return false;
        *last_s = trail->at_s[step];
    }
    return true;
}

/* The target's part is done. */
static void look(struct move_transfer *t, double at_s)
{
    struct scene *s = t->request;
    s->doc = t->carrier->doc;
    s->ascends = dates_ascend(&t->trail, &s->last_s) && at_s >= t->trail.at_s[OP_CALLED];
}

static void body(int rank, void *data)
{
    struct scene *s = data;
    struct serve_proc *me = s->e.proc[rank];
    if (rank != 0) return;
    serve_enter(me, true);
    const struct op_piece piece = {0, s->bytes};
    const struct op_layout layout = {&piece, 1, s->bytes, 0, (int64_t)s->bytes};
    const struct move_op op = {.kind = s->kind,
                               .call = "a call",
                               .target = 1,
                               .from = {(uintptr_t)s->memory[0], layout},
                               .to = {0, layout},
                               .combine = s->kind == OP_ACCUMULATE ? add : NULL,
                               .counter = s->counter};
    struct move_set set = {.origin = me};
    struct move_transfer *t = move_transfer_new(s->e.move, &op, 0, 1, (uintptr_t)s->memory[1]);
    double from_s = serve_now(me);
    t->set = &set;
    t->served = look;
    t->request = s;
    trace_clear();
    move_start(t);
    move_set_wait(&set);
    s->took_s = kern_now() - from_s;
    s->ascends = s->ascends && set.last_s >= s->last_s - 1e-12 &&
                 fabs(trace_total(s->kind)->latency_max_s - (set.last_s - from_s)) < 1e-12;
    serve_leave(me);
}

/* One operation between two ranks of an idle machine. False: the machine has no such way. */
static bool run_one(struct scene *s, const char *machine, const struct move_carrier *way,
                    enum op_kind kind, uint64_t bytes)
{
    if (strcmp(way->name, "counter") == 0 && bytes > 8) return false; /* an integer */
    g_autofree char *put = g_strdup_printf("move.put=%s", way->selector),
                    *get = g_strdup_printf("move.get=%s", way->selector);
    const char *const sets[] = {put, get, NULL};
    struct mach *m = NULL;
    if (!mach_load(machine, sets, RANKS, &m, NULL)) return false;
    mach_free(m);
    engine_open(&s->e, machine, sets, RANKS);
    s->kind = kind;
    s->bytes = bytes;
    s->counter = strcmp(way->name, "counter") == 0;
    for (int rank = 0; rank < RANKS; rank++) {
        s->memory[rank] =
            mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memset(s->memory[rank], rank + 1, MOST);
    }
    UNIT_EQUAL(engine_run(&s->e, body, s), 0);
    engine_close(&s->e);
    for (int rank = 0; rank < RANKS; rank++) munmap(s->memory[rank], MOST);
    return true;
}

/* On each machine, each way that a machine can ask for, each kind of operation. Two sizes that
 * different carriers take are not compared. */
static void the_cost_of_every_carrier_grows_with_bytes_and_the_dates_of_a_trail_ascend(void)
{
    size_t n;
    const struct move_carrier *const *all = move_all(&n);
    g_autofree bool *seen = g_new0(bool, n);
    g_auto(GStrv) machines = mach_list();
    for (char **machine = machines; *machine; machine++)
        for (size_t way = 0; way < n; way++)
            for (int kind = OP_PUT; kind <= OP_ACCUMULATE; kind++) {
                struct scene before = {0};
                for (int i = 0; i < SIZES; i++) {
                    struct scene s = {0};
                    if (!run_one(&s, *machine, all[way], (enum op_kind)kind, sizes[i])) break;
                    CU_ASSERT_TRUE(s.ascends);
                    if (before.doc == s.doc) CU_ASSERT_TRUE(s.took_s >= before.took_s);
                    before = s;
                    for (size_t c = 0; c < n; c++) seen[c] |= all[c]->doc == s.doc;
                }
            }
    for (size_t c = 0; c < n; c++) CU_ASSERT_TRUE(seen[c]);
}

static void every_servicing_policy_begins_at_the_arrival_or_later_and_inside_mpi_at_some_time(void)
{
    size_t n;
    const struct serve_policy *const *all = serve_all(&n);
    g_auto(GStrv) machines = mach_list();
    for (char **machine = machines; *machine; machine++) {
        struct mach *m = NULL;
        UNIT_EQUAL(mach_load(*machine, NULL, RANKS, &m, NULL), true);
        for (size_t p = 0; p < n; p++)
            for (int inside = 0; inside < 2; inside++) {
                const struct serve_state state = {.inside = inside, .now_s = 1e-3};
                CU_ASSERT_TRUE(all[p]->begin(m, &state) >= state.now_s);
                CU_ASSERT_TRUE(all[p]->extra(m, &state) >= 0);
                if (inside) CU_ASSERT_TRUE(all[p]->begin(m, &state) < 1);
            }
        mach_free(m);
    }
}

/* In a process of its own, for that one ends. */
static void a_transfer_whose_request_is_on_the_way_cannot_be_serviced(void)
{
    struct engine e;
    const struct move_op op = {.kind = OP_PUT, .call = "a call", .target = 1};
    int status = 0;
    engine_open(&e, "t3d", NULL, RANKS);
    struct move_transfer *t = move_transfer_new(e.move, &op, 0, 1, 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
        move_service(t, 0);
        _exit(0);
    }
    UNIT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_TRUE(WIFSIGNALED(status));
    move_cut(t);
    struct move_set set = {.origin = e.proc[0], .outstanding = 1};
    t->set = &set;
    move_drop(t);
    engine_close(&e);
}

UNIT_SUITE(
    carrier, UNIT_TEST(a_transfer_whose_request_is_on_the_way_cannot_be_serviced),
    UNIT_TEST(the_cost_of_every_carrier_grows_with_bytes_and_the_dates_of_a_trail_ascend),
    UNIT_TEST(every_servicing_policy_begins_at_the_arrival_or_later_and_inside_mpi_at_some_time))
