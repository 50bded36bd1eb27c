/* Requests that come before their servicer: where their bytes wait, and what taking them out costs.
 */
#include <CUnit/CUnit.h>

#include "match_scene.h"
#include "mem/counters/counters.h"
#include "unit.h"

/* 3,200 bytes each: they travel at once on every machine below */
enum { WAITING = 4, PUT_CELLS = 400 };

/* In two rounds rank 0 puts, and rank 1 comes to its ACCEPT when all of it has arrived. */
struct late {
    struct scene s;
    /* the ACCEPT; of that, what rank 1's processor did */
    double took_s[2], worked_s[2];
    /* of its last cache: in the ACCEPT; until then */
    uint64_t load_misses[2], store_misses[2];
};

static double worked(const struct serve_proc *me)
{
    return me->spent.compute_s + me->spent.memory_s + me->spent.service_s;
}

static void accept_late(int rank, void *data)
{
    struct late *late = data;
    struct scene *s = &late->s;
    for (int round = 0; round < 2 && rank < 2; round++) {
        if (rank == 0) {
            compute(s, 0, round * 5e-3);
            for (int i = 0; i < WAITING; i++) ask(s, 0, SYNC_PUT, false, 1, i, PUT_CELLS, 1, i);
            accept(s, 0, 0, 1, 0);
            continue;
        }
        struct serve_proc *me = s->e.proc[1];
        /* of its own levels, the last */
        int last = mem_levels(me->cpu) - 1 - s->e.mach->cache[mem_levels(me->cpu) - 1].shared;
        struct mem_cache_count first = mem_cache_count(me->cpu, last);
        /* inside MPI: what comes as a message is taken in */
        serve_enter(me, true);
        serve_wait_until(me, KERN_DATE, 3e-3 + 8e-3 * round, 0);
        serve_leave(me);
        struct mem_cache_count before = mem_cache_count(me->cpu, last);
        double begin_s = kern_now(), worked_s = worked(me);
        accept(s, 1, CELLS, 1, WAITING);
        serve_pay(me);
        late->took_s[round] = kern_now() - begin_s;
        late->worked_s[round] = worked(me) - worked_s;
        late->load_misses[round] = mem_cache_count(me->cpu, last).load_misses - before.load_misses;
        late->store_misses[round] = before.store_misses - first.store_misses;
        expect(s, s->memory[1][WAITING + PUT_CELLS - 2] == 1000 + WAITING + PUT_CELLS - 2);
    }
}

static struct late accepted_late(const char *machine, const char *set)
{
    struct late late;
    const struct world world = {machine, set};
    scene_open(&late.s, &world);
    CU_ASSERT_EQUAL(engine_run(&late.s.e, accept_late, &late), 0);
    CU_ASSERT_EQUAL(late.s.wrong, 0);
    scene_close(&late.s);
    return late;
}

/* Everything has arrived: an ACCEPT that only copies takes what the copies take. */
static void a_copy_that_its_processor_waits_for_takes_its_time_once(void)
{
    static const struct world kinds[] = {{"smp", NULL},
                                         {"t3d", NULL},
                                         {"rdma", NULL},
                                         {"cxl-pool", NULL},
                                         {"now", NULL},
                                         {"t3d", "move.eager_bytes=64B"},
                                         {"smp", "serve.when=completion"},
                                         {"t3d", "serve.when=completion"}};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        struct late late = accepted_late(kinds[i].machine, kinds[i].set);
        for (int round = 0; round < 2; round++) {
            CU_ASSERT(late.worked_s[round] > 0);
            CU_ASSERT_DOUBLE_EQUAL(late.took_s[round], late.worked_s[round], 1e-9);
        }
    }
}

/* Somebody else wrote it: the processor that put it, whose cache has it, or the interface. */
static void what_waits_at_a_target_is_not_in_its_cache_unless_its_processor_took_it_in(void)
{
    static const struct {
        const char *machine, *set;
        int line;
    } kinds[] = {{"smp", NULL, 64},
                 {"challenge", NULL, 128},
                 {"t3d", NULL, 32},
                 {"rdma", "ni.invalidate=address", 64}};
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        struct late late = accepted_late(kinds[i].machine, kinds[i].set);
        for (int round = 0; round < 2; round++)
            CU_ASSERT(late.load_misses[round] >= WAITING * 8 * PUT_CELLS / (unsigned)kinds[i].line);
    }
}

static void requests_that_wait_lie_each_in_a_place_of_its_own_which_the_next_ones_use_again(void)
{
    struct late late = accepted_late("now", NULL);
    CU_ASSERT(late.store_misses[0] >= WAITING * 8 * PUT_CELLS / 64);
    CU_ASSERT(late.store_misses[1] < 8 * PUT_CELLS / 64);
}

UNIT_SUITE(
    match_wait, UNIT_TEST(a_copy_that_its_processor_waits_for_takes_its_time_once),
    UNIT_TEST(what_waits_at_a_target_is_not_in_its_cache_unless_its_processor_took_it_in),
    UNIT_TEST(requests_that_wait_lie_each_in_a_place_of_its_own_which_the_next_ones_use_again))
