/* How many operations are issued in a cycle, whatever they are. */
#include "cli/measure/families.h"

enum { BODY = 256 };

/* A mix, `of` each in turn, none waits for another. */
static struct cli_figure mix(struct cli_bench *b, const enum cli_snippet *snippet, int of)
{
    struct cli_data data;
    cli_data_init(&data);
    cli_code_begin();
    for (int i = 0; i < BODY; i++) cli_code_add(snippet[i % of], i / of % CLI_INSTANCES);
    cli_code_end();
    return cli_sample_cycles(b, &data, BODY);
}

/* A register set to 0 needs no unit and waits for nothing. A nop would not do: some processors join
 * it to the instruction before (AMD, Software Optimization Guide for the Zen4 Microarchitecture).
 */
void cli_measure_issue(struct cli_bench *b)
{
    static const enum cli_snippet zeros[] = {CLI_CODE_ZERO};
    static const enum cli_snippet mixed[] = {CLI_CODE_ADD, CLI_CODE_LOAD, CLI_CODE_ZERO,
                                             CLI_CODE_FP_ADD, CLI_CODE_ZERO};
    struct cli_figure f = mix(b, zeros, 1), also = mix(b, mixed, G_N_ELEMENTS(mixed));
    double most = 1 / MIN(f.cycles, also.cycles);
    g_autofree char *value = g_strdup_printf("%d", MAX(1, (int)(most + 0.5)));
    cli_row_add(b, "cpu.issue", f.cycles <= also.cycles ? f.spread : also.spread, value,
                "measured: %.2f registers set to 0 a cycle, %.2f of a mix with additions and loads",
                1 / f.cycles, 1 / also.cycles);
}
