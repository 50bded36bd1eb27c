/* Windows without epochs: order, completion, and puts that begin or end inside a chunk. */
#include <CUnit/CUnit.h>

#include "direct_scene.h"
#include "mem/agent/agent.h"
#include "unit.h"

/* ---- order ----------------------------------------------------------------------------------- */

static void put_then_get(int rank, void *data)
{
    struct scene *s = data;
    int to = (rank + 1) % s->ranks;
    static const int size[] = {1, 3, 8, 100, 9000, BYTES, 5, 64, BYTES, 1};
    for (int i = 0; i < 10; i++) {
        put(s, rank, to, 0, size[i], 10 * (unsigned)(rank + i));
        if (i % 2) put(s, rank, to, size[i] / 2, 1, 99);
        const uint8_t *got = get(s, rank, to, size[i] - 1, 1);
        expect(s, *got == (i % 2 && size[i] == 1
                               ? 99
                               : (uint8_t)(10 * (unsigned)(rank + i) + (unsigned)size[i] - 1)));
        expect(s, i % 2 == 0 || *get(s, rank, to, size[i] / 2, 1) == 99);
    }
}

static void a_get_returns_what_the_puts_before_it_wrote_on_every_machine(void)
{
    EVERYWHERE(3, put_then_get)
}

static void put_put_barrier(int rank, void *data)
{
    struct scene *s = data;
    uint8_t seen[128]; /* a chunk for each rank */
    for (int round = 0; round < 4; round++) {
        load(s, rank, 0, seen, sizeof seen); /* into the cache */
        barrier(s, rank);
        for (int to = 0; to < s->ranks; to++)
            put(s, rank, to, 32 * rank, 8, (unsigned)(50 * round + 8 * rank + to));
        barrier(s, rank);
        load(s, rank, 0, seen, sizeof seen);
        for (int r = 0; r < s->ranks; r++)
            for (int i = 0; i < 8; i++)
                expect(s, seen[32 * r + i] == (uint8_t)(50 * round + 8 * r + rank + i));
    }
}

static void a_barrier_completes_everybodys_puts_and_loads_see_them(void)
{
    EVERYWHERE(4, put_put_barrier)
}

static void busy_target(int rank, void *data)
{
    struct scene *s = data;
    if (rank == 1) compute(s, 1, 5e-3);
    if (rank != 0) return;
    put(s, 0, 1, 0, 8, 1);
    put(s, 0, 1, 8, 8, 1);
    s->begin_s[0] = kern_now();
    put(s, 0, 2, 0, 8, 1);
    s->end_s[0] = serve_now(s->e.proc[0]);
}

static void only_strict_order_makes_a_put_wait_for_those_to_other_targets(void)
{
    static struct scene s;
    static const char *const strict[] = {"serve.policy=polling", NULL}, *const loose[] = {
                                                                            "shmalloc.strict=0",
                                                                            NULL};
    scene_open(&s, "now", strict, 3);
    CU_ASSERT_EQUAL(engine_run(&s.e, busy_target, &s), 0);
    CU_ASSERT(s.begin_s[0] < 1e-3 && s.end_s[0] > 5e-3);
    scene_close(&s);
    scene_open(&s, "now", loose, 3);
    CU_ASSERT_EQUAL(engine_run(&s.e, busy_target, &s), 0);
    CU_ASSERT(s.end_s[0] < 1e-3);
    scene_close(&s);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

enum { WHOLE = 40 }; /* bytes of the window that puts go to; it ends there for the last of them */

static void every_edge(int rank, void *data)
{
    struct scene *s = data;
    if (rank != 0) return;
    uint8_t *expected = s->expected[1];
    for (int from = BYTES - WHOLE; from < BYTES; from++)
        for (int n = 1; n <= BYTES - from; n += n < 20 ? 1 : 7) {
            unsigned value = (unsigned)(17 * from + 3 * n);
            put(s, 0, 1, from, n, value);
            for (int i = 0; i < n; i++) expected[from + i] = (uint8_t)(value + (unsigned)i);
            const uint8_t *got = get(s, 0, 1, BYTES - WHOLE - 16, WHOLE + 16);
            expect(s, memcmp(got, expected + BYTES - WHOLE - 16, WHOLE + 16) == 0);
        }
    if (findings_note_count() > 0) s->wrong++;
}

static void a_put_of_any_place_and_length_leaves_its_neighbours_alone(void)
{
    static const char *const chunk[] = {"shmalloc.chunk=1", "shmalloc.chunk=4", "shmalloc.chunk=8",
                                        "shmalloc.chunk=32"};
    static const char *const machine[] = {"t3d", "smp", "now", "rdma", "cxl-pool"};
    for (size_t m = 0; m < G_N_ELEMENTS(machine); m++)
        for (size_t c = 0; c < G_N_ELEMENTS(chunk); c++) {
            static struct scene s;
            const char *const sets[] = {chunk[c], NULL};
            scene_open(&s, machine[m], sets, 2);
            CU_ASSERT_EQUAL(engine_run(&s.e, every_edge, &s), 0);
            if (s.wrong) printf("\n    %d wrong on %s %s", s.wrong, machine[m], chunk[c]);
            CU_ASSERT_EQUAL(s.wrong, 0);
            scene_close(&s);
        }
}

/* Ranks 1 and 2 put at the same time; each waits until its own put is there. */
static void two_at_once(int rank, void *data)
{
    struct scene *s = data;
    if (rank > 0) put(s, rank, 0, s->step * (rank - 1), 1, (unsigned)(10 * rank));
    barrier(s, rank);
}

static int lost_at_once(const char *machine, const char *chunk, int apart)
{
    static struct scene s;
    const char *const sets[] = {chunk, NULL};
    scene_open(&s, machine, sets, 3);
    s.step = apart;
    CU_ASSERT_EQUAL(engine_run(&s.e, two_at_once, &s), 0);
    uint8_t first, second;
    mem_ni_read(s.e.proc[0]->memory, (uintptr_t)&s.memory[0][0], &first, 1, 1);
    mem_ni_read(s.e.proc[0]->memory, (uintptr_t)&s.memory[0][apart], &second, 1, 1);
    int lost = (first != 10) + (second != 20);
    UNIT_EQUAL(findings_note_count(), lost);
    for (size_t i = 0; i < findings_note_count(); i++) {
        const struct findings_note *note = findings_note_get(i);
        struct op_writer writer = op_writer(note->writer);
        CU_ASSERT_EQUAL(note->kind, FINDINGS_NOTE_LOST_UPDATE);
        UNIT_EQUAL(note->rank + writer.rank, 3);
        UNIT_STRING(note->call, "SHM_Put");
        UNIT_STRING(writer.call, "SHM_Put");
        UNIT_EQUAL(note->offset, writer.rank == 1 ? 0 : apart);
    }
    scene_close(&s);
    return lost;
}

static void of_two_puts_into_one_chunk_at_once_one_is_lost_and_both_are_named(void)
{
    UNIT_EQUAL(lost_at_once("t3d", "shmalloc.chunk=8", 1), 1);
    UNIT_EQUAL(lost_at_once("t3d", "shmalloc.chunk=8", 7), 1);
    UNIT_EQUAL(lost_at_once("t3d", "shmalloc.chunk=4", 3), 1);
    UNIT_EQUAL(lost_at_once("rdma", "shmalloc.chunk=8", 7), 1);
    UNIT_EQUAL(lost_at_once("cxl-pool", "shmalloc.chunk=8", 7), 1);
    UNIT_EQUAL(lost_at_once("t3d", "shmalloc.chunk=64", 60), 1);
}

static void of_two_puts_into_two_chunks_none_is(void)
{
    UNIT_EQUAL(lost_at_once("t3d", "shmalloc.chunk=8", 8), 0);
    UNIT_EQUAL(lost_at_once("t3d", "shmalloc.chunk=4", 4), 0);
    UNIT_EQUAL(lost_at_once("t3d", "shmalloc.chunk=1", 1), 0);
    UNIT_EQUAL(lost_at_once("rdma", "shmalloc.chunk=8", 8), 0);
    UNIT_EQUAL(lost_at_once("cxl-pool", "shmalloc.chunk=8", 8), 0);
}

static void a_handler_reads_and_writes_at_once(void)
{
    for (int apart = 1; apart <= 8; apart++)
        UNIT_EQUAL(lost_at_once("now", "shmalloc.chunk=8", apart), 0);
}

/* A byte costs the reading of its quadword, once or twice; longwords and quadwords do not
 * (HARDWARE: 91 cycles uncached, Arpaci et al.). */
static void one_put(int rank, void *data)
{
    struct scene *s = data;
    if (rank != 0) return;
    put(s, 0, 1, 0, 8, 0); /* the annex is set */
    serve_pay(s->e.proc[0]);
    s->begin_s[0] = kern_now();
    put(s, 0, 1, s->step / 100, s->step % 100, 0);
    serve_pay(s->e.proc[0]);
    s->end_s[0] = kern_now();
}

static double put_time(int offset, int bytes)
{
    static struct scene s;
    scene_open(&s, "t3d", NULL, 2);
    s.step = 100 * offset + bytes;
    CU_ASSERT_EQUAL(engine_run(&s.e, one_put, &s), 0);
    double time_s = s.end_s[0] - s.begin_s[0];
    scene_close(&s);
    return time_s;
}

static void on_the_t3d_a_ragged_edge_costs_a_remote_read(void)
{
    double word_s = put_time(8, 8), read_s = 91 / 150e6;
    UNIT_NEAR(put_time(8, 4), word_s, 0.5e-9);
    UNIT_NEAR(put_time(12, 4), word_s, 0.5e-9);
    UNIT_NEAR(put_time(9, 1), word_s + read_s, 20e-9);
    UNIT_NEAR(put_time(9, 9), put_time(8, 9) + read_s, 20e-9);
}

UNIT_SUITE(direct, UNIT_TEST(a_get_returns_what_the_puts_before_it_wrote_on_every_machine),
           UNIT_TEST(a_barrier_completes_everybodys_puts_and_loads_see_them),
           UNIT_TEST(only_strict_order_makes_a_put_wait_for_those_to_other_targets),
           UNIT_TEST(a_put_of_any_place_and_length_leaves_its_neighbours_alone),
           UNIT_TEST(of_two_puts_into_one_chunk_at_once_one_is_lost_and_both_are_named),
           UNIT_TEST(of_two_puts_into_two_chunks_none_is),
           UNIT_TEST(a_handler_reads_and_writes_at_once),
           UNIT_TEST(on_the_t3d_a_ragged_edge_costs_a_remote_read))
