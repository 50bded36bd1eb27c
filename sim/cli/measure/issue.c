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

void cli_measure_issue(struct cli_bench *b)
{
    static const enum cli_snippet nops[] = {CLI_CODE_LONG_NOP};
    static const enum cli_snippet mixed[] = {CLI_CODE_ADD, CLI_CODE_LOAD, CLI_CODE_LONG_NOP,
                                             CLI_CODE_FP_ADD, CLI_CODE_LONG_NOP};
    struct cli_figure f = mix(b, nops, 1), also = mix(b, mixed, G_N_ELEMENTS(mixed));
    double most = 1 / MIN(f.cycles, also.cycles);
    g_autofree char *value = g_strdup_printf("%d", MAX(1, (int)(most + 0.5)));
    cli_row_add(b, "cpu.issue", f.cycles <= also.cycles ? f.spread : also.spread, value,
                "measured: %.2f nops a cycle, %.2f of a mix with additions and loads", 1 / f.cycles,
                1 / also.cycles);
}
