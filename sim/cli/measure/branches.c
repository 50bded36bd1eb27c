/* What a branch predicted wrongly costs: branches on random bytes, too many to be learnt, against
 * branches that always go the same way. The loads that they wait for and the comparisons, which
 * nothing overlaps with behind a wrong prediction, are not in it: cpu adds those of each branch.
 * How many such outcomes are learnt is what the predictor has room for.
 *
 * A branch on numbers of floating point is known later: they go from the load's registers to the
 * flags. What it costs more is all its own. */
#include "cli/measure/arena.h"
#include "cli/measure/families.h"

#include <string.h>

enum { BYTES = 1 << 20, UNROLLED = 8 };

static struct cli_figure branches_of(struct cli_bench *b, enum cli_snippet snippet, void *table,
                                     int n, bool random)
{
    struct cli_data data;
    cli_data_init(&data);
    data.chain[0] = table;
    cli_code_begin();
    cli_code_repeat(snippet, UNROLLED, 1);
    cli_code_end();
    const size_t of = 2 * (size_t)n + random;
    return cli_best_over(b, CLI_RING_BYTES, of, cli_sample(b, &data, true, n / UNROLLED, UNROLLED));
}
static struct cli_figure branches(struct cli_bench *b, char *table, int bytes, bool random)
{
    return branches_of(b, CLI_CODE_BRANCH_ON_BYTE, table, bytes, random);
}

/* Its passes differ since it learns: no spread. So many random outcomes, again and again, are
 * predicted better than not. */
static void add_outcomes(struct cli_bench *b, char *table, double same, double random)
{
    enum { FEWEST = 1 << 10, MOST = BYTES / 4 };
    int known = FEWEST;
    while (known < MOST) {
        struct cli_figure f = branches(b, table, 2 * known, true);
        if (f.cycles - same > (random - same) / 2) break;
        known *= 2;
    }
    g_autofree char *value = g_strdup_printf("%d", known);
    cli_row_add(b, "cpu.branch_outcomes", 0, value,
                "measured: the most random branches in a loop, a power of two, of which most are "
                "predicted");
}

/* lost: by a wrong prediction on bytes, beside the load. */
static void add_floating(struct cli_bench *b, char *table, double lost)
{
    enum { NUMBERS = BYTES / sizeof(float) };
    float *number = (float *)table;
    for (int i = 0; i < NUMBERS; i++) number[i] = 1;
    struct cli_figure same = branches_of(b, CLI_CODE_BRANCH_ON_FLOAT, number, NUMBERS, false);
    for (int i = 0; i < NUMBERS; i++) number[i] = cli_random() >> 63 ? 1 : -1;
    struct cli_figure random = branches_of(b, CLI_CODE_BRANCH_ON_FLOAT, number, NUMBERS, true);
    double cycles = 2 * (random.cycles - same.cycles) - b->l1_cycles - lost -
                    cli_row_number(b, "cpu.latency.fp_compare");
    g_autofree char *value = g_strdup_printf("%d", MAX(1, (int)(cycles + 0.5)));
    cli_row_add(b, "cpu.latency.fp_branch", MAX(random.spread, same.spread), value,
                "measured: %.1f cycles, branches on random numbers of floating point, half of them "
                "wrong, less what those on bytes lose, the load and the comparison",
                cycles);
}

void cli_measure_branches(struct cli_bench *b)
{
    char *table = cli_arena(BYTES);
    if (!table) return;
    memset(table, 0, BYTES);
    struct cli_figure same = branches(b, table, BYTES, false);
    for (int i = 0; i < BYTES; i++) table[i] = (char)(cli_random() >> 63);
    struct cli_figure random = branches(b, table, BYTES, true);
    add_outcomes(b, table, same.cycles, random.cycles);
    const double lost = MAX(2 * (random.cycles - same.cycles) - b->l1_cycles - 1, 0);
    add_floating(b, table, lost);
    cli_arena_free(table, BYTES);
    g_autofree char *value = g_strdup_printf("%.1fcycles", lost);
    cli_row_add(
        b, "cpu.branch_miss", MAX(random.spread, same.spread), value,
        "measured: branches on random bytes against ones that are alike, half of them wrong, less "
        "the load and the comparison before each");
}
