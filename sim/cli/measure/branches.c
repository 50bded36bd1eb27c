/* What a branch predicted wrongly costs: branches on random bytes, too many to be learnt, against
 * branches that always go the same way. The loads that they wait for and the comparisons, which
 * nothing overlaps with behind a wrong prediction, are not in it: cpu adds those of each branch.
 * How many such outcomes are learnt is what the predictor has room for. */
#include "cli/measure/arena.h"
#include "cli/measure/families.h"

#include <string.h>

enum { BYTES = 1 << 20, UNROLLED = 8 };

static struct cli_figure branches(struct cli_bench *b, char *table, int bytes, bool random)
{
    struct cli_data data;
    cli_data_init(&data);
    data.chain[0] = table;
    cli_code_begin();
    cli_code_repeat(CLI_CODE_BRANCH_ON_BYTE, UNROLLED, 1);
    cli_code_end();
    const size_t of = 2 * (size_t)bytes + random;
    return cli_best_over(b, CLI_RING_BYTES, of,
                         cli_sample(b, &data, true, bytes / UNROLLED, UNROLLED));
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

void cli_measure_branches(struct cli_bench *b)
{
    char *table = cli_arena(BYTES);
    if (!table) return;
    memset(table, 0, BYTES);
    struct cli_figure same = branches(b, table, BYTES, false);
    for (int i = 0; i < BYTES; i++) table[i] = (char)(cli_random() >> 63);
    struct cli_figure random = branches(b, table, BYTES, true);
    add_outcomes(b, table, same.cycles, random.cycles);
    cli_arena_free(table, BYTES);
    double lost = 2 * (random.cycles - same.cycles) - b->l1_cycles - 1;
    g_autofree char *value = g_strdup_printf("%.1fcycles", MAX(lost, 0));
    cli_row_add(
        b, "cpu.branch_miss", MAX(random.spread, same.spread), value,
        "measured: branches on random bytes against ones that are alike, half of them wrong, less "
        "the load and the comparison before each");
}
