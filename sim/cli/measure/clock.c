/* The clock, by a chain of dependent additions, one a cycle: the reference of all cycles. Its row
 * is written when all has been measured: what it mostly was. The fastest that was seen lasts for
 * milliseconds, and a program takes longer. */
#include "cli/measure/families.h"

void cli_measure_reference(struct cli_bench *b)
{
    (void)b;
    cli_code_begin();
    cli_code_repeat(CLI_CODE_ADD, CLI_REFERENCE_CYCLES, 1);
    cli_code_end();
    cli_code_keep_reference();
}

void cli_measure_clock(struct cli_bench *b)
{
    g_autofree char *value = g_strdup_printf("%.0fMHz", 1e-6 / cli_usual_cycle(b));
    cli_row_add(b, "cpu.clock", cli_cycle_spread(b), value,
                "measured: a chain of additions, one a cycle, beside all that follows; the median");
}
