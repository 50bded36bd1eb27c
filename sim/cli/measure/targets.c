/* Is it predicted where a jump goes that has four targets in turn, and calls through a pointer that
 * two functions have? They make no branch, so nothing came before one but those before it. And what
 * takes a jump that was predicted? */
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

/* From four places back to one jump, each by a branch of its own. */
static APART void jump_in_turn(long rounds)
{
#if defined __x86_64__
    enum { PLACES = 4 };
    const void *to[PLACES];
    __asm__ volatile("lea 2f(%%rip), %%rax\n\tmov %%rax, (%1)\n\t"
                     "lea 3f(%%rip), %%rax\n\tmov %%rax, 8(%1)\n\t"
                     "lea 4f(%%rip), %%rax\n\tmov %%rax, 16(%1)\n\t"
                     "lea 5f(%%rip), %%rax\n\tmov %%rax, 24(%1)\n\t.balign 64\n"
                     "1:\tmov %0, %%rax\n\tand $3, %%rax\n\tjmp *(%1,%%rax,8)\n\t.balign 16\n"
                     "2:\tsub $1, %0\n\tjnz 1b\n\tjmp 6f\n\t.balign 16\n"
                     "3:\tsub $1, %0\n\tjnz 1b\n\tjmp 6f\n\t.balign 16\n"
                     "4:\tsub $1, %0\n\tjnz 1b\n\tjmp 6f\n\t.balign 16\n"
                     "5:\tsub $1, %0\n\tjnz 1b\n"
                     "6:"
                     : "+r"(rounds)
                     : "r"(to)
                     : "rax", "cc", "memory");
#endif
}

static void add_calls(struct cli_bench *b, double miss)
{
    struct cli_figure same = cli_sample_calls(b, call_one, 1),
                      turns = cli_sample_calls(b, call_in_turn, 1);
    const bool predicted = turns.cycles - same.cycles < miss / 2;
    cli_row_add(b, "cpu.call_targets", MAX(same.spread, turns.spread), predicted ? "1" : "0",
                "measured: %.1f cycles a call through a pointer that two functions have in turn, "
                "%.1f of one",
                turns.cycles, same.cycles);
}

void cli_measure_targets(struct cli_bench *b)
{
    const double miss = cli_row_number(b, "cpu.branch_miss");
    if (miss == 0) return;
    struct cli_figure jump = cli_sample_calls(b, jump_in_turn, 1);
    jump.cycles -= MAX(cli_row_number(b, "cpu.taken"), 1);
    const bool predicted = jump.cycles < miss / 2;
    cli_row_add(b, "cpu.target_predictor", jump.spread, predicted ? "history" : "last",
                "measured: %.1f cycles a jump that goes to four places in turn", jump.cycles);
    if (predicted) {
        g_autofree char *value = g_strdup_printf("%.0f", MAX(jump.cycles, 0));
        cli_row_add(b, "cpu.jump", jump.spread, value,
                    "measured: %.2f cycles a jump that goes to four places in turn, less those of "
                    "the branch back",
                    jump.cycles);
    }
    add_calls(b, miss);
}
