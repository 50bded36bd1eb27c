/* What is in flight out of order: results have registers, what waits has entries of queues. */
#include "cpu/cpu_scene.h"
#include "unit.h"

#define SIMPLE_WINDOW                                                                              \
    "cpu.issue=4 cpu.window=128 cpu.predictor=history cpu.branch_miss=0 cpu.latency.fp_add=4 "     \
    "cpu.latency.load=3 cpu.branch_compare=fused"
/* A machine file that says nothing of its pipeline. */
#define PLAIN "./tests/unit/cpu/plain.xml"

static uint32_t window(const char *sets, const char *text)
{
    struct scene s = scene_open(PLAIN, sets, text);
    const uint32_t window = s.price[0].window;
    scene_close(&s);
    return window;
}

/* A load and seven additions behind each other, of 3 and 4 cycles, that no other round waits for:
 * the window has 12 rounds. With eight registers a round's load enters behind the last addition of
 * the round before, and that where the one before it has left: two rounds in 31 cycles. */
static void a_chain_overlaps_as_far_as_registers_go_for_its_results(void)
{
    static const char floating[] =
        "function f\nblock loop -> 0 9000 1 1000\n"
        "load f8 _\nfp_add f8 .0 _\nfp_add f8 .1 _\nfp_add f8 .2 _\nfp_add f8 .3 _\n"
        "fp_add f8 .4 _\nfp_add f8 .5 _\nfp_add f8 .6 _\nstore f8 .7 _\nbranch i4\n"
        "block\nreturn i4\n";
    const double all = scene_cycles(PLAIN, SIMPLE_WINDOW, floating, 0),
                 few = scene_cycles(PLAIN, SIMPLE_WINDOW " cpu.fp_registers=8", floating, 0);
    UNIT_NEAR(all, 2.5, 0.01);
    UNIT_NEAR(few, 15.5, 1);
    UNIT_NEAR(scene_cycles(PLAIN, SIMPLE_WINDOW " cpu.registers=8", floating, 0), all, 0);
    UNIT_EQUAL(window(SIMPLE_WINDOW " cpu.fp_registers=8", floating), 10);
    UNIT_EQUAL(window(SIMPLE_WINDOW, floating), 128);
}

/* Six multiplications behind each other, of 4 cycles each, at one port: a round goes on in 6. Where
 * three may wait there, half a round is in flight. */
static void what_waits_at_a_port_keeps_out_what_is_behind_where_its_queue_is_full(void)
{
    static const char text[] =
        "function f\nblock loop -> 0 9000 1 1000\n"
        "multiply i8 _ _\nmultiply i8 .0 _\nmultiply i8 .1 _\nmultiply i8 .2 _\n"
        "multiply i8 .3 _\nmultiply i8 .4 _\nadd i8 .5 _\nbranch i4\nblock\nreturn i4\n";
#define MULTIPLIER                                                                                 \
    SIMPLE_WINDOW " cpu.latency.int_multiply=4 cpu.ports.int_multiply=p0 cpu.ports.int_add=p12 "   \
                  "cpu.ports.branch=p3"
    const double all = scene_cycles(PLAIN, MULTIPLIER, text, 0),
                 few = scene_cycles(PLAIN, MULTIPLIER " cpu.queue=3", text, 0);
    UNIT_NEAR(all, 6, 0.01);
    UNIT_NEAR(few, 12, 1);
    UNIT_NEAR(scene_cycles(PLAIN, MULTIPLIER " cpu.queue=100", text, 0), all, 0);
}

UNIT_SUITE(cpu_registers, UNIT_TEST(a_chain_overlaps_as_far_as_registers_go_for_its_results),
           UNIT_TEST(what_waits_at_a_port_keeps_out_what_is_behind_where_its_queue_is_full))
