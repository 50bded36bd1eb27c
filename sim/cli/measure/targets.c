/* Is it predicted where calls through a pointer go that two functions have in turn? They make no
 * branch, so nothing came before a call but the calls before it. */
#include "cli/measure/families.h"
#include "cli/measure/parts.h"

#define APART __attribute__((noipa))

static APART uint64_t one(uint64_t x) { return x + 3; }
static APART uint64_t other(uint64_t x) { return x ^ 5; }
static uint64_t (*called[2])(uint64_t);

static APART void call(long rounds)
{
    uint64_t x = 0;
    for (long i = 0; i < rounds; i++) x = called[i & 1](x);
}
static void call_one(long rounds)
{
    called[0] = called[1] = one;
    call(rounds);
}
static void call_in_turn(long rounds)
{
    called[0] = one;
    called[1] = other;
    call(rounds);
}

void cli_measure_targets(struct cli_bench *b)
{
    const struct cli_row *miss = cli_row_find(b, "cpu.branch_miss");
    if (!miss) return;
    struct cli_figure same = cli_sample_calls(b, call_one, 1),
                      turns = cli_sample_calls(b, call_in_turn, 1);
    const bool predicted = turns.cycles - same.cycles < g_ascii_strtod(miss->value, NULL) / 2;
    cli_row_add(
        b, "cpu.call_targets", MAX(same.spread, turns.spread), predicted ? "1" : "0",
        "measured: %.1f cycles a call through a pointer that two functions have in turn, %.1f "
        "of one",
        turns.cycles, same.cycles);
}
