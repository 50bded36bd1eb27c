/* What else differs between the machines on which no error did anything: that is timing. */
#include "cli/check/column.h"

#include "report/print/print.h"

#include <stdio.h>
#include <string.h>

static bool harmless(const GArray *rows, guint judged, int column)
{
    for (guint k = 0; k < judged; k++) {
        const GPtrArray *did = g_array_index(rows, struct cli_check_row, k).did;
        const char *word = did && (guint)column < did->len ? did->pdata[column] : "?";
        if (strcmp(word, "harmless here") != 0 && strcmp(word, "not reached") != 0) return false;
    }
    return true;
}

/* The first line that differs, from 1; of the shorter one, or where it ends: "". */
static int first_difference(char **a, char **b, const char **one, const char **other)
{
    int i = 0;
    while (a[i] && b[i] && strcmp(a[i], b[i]) == 0) i++;
    *one = a[i] ? a[i] : "";
    *other = b[i] ? b[i] : "";
    return i + 1;
}

static void print_difference(const struct cli_check_column *from, const struct cli_check_column *c)
{
    const char *one, *other;
    g_auto(GStrv) before = g_strsplit(from->printed, "\n", -1),
                  after = g_strsplit(c->printed, "\n", -1);
    int line = first_difference(before, after, &one, &other);
    g_autofree char *text = g_strdup_printf(
        "Timing: the output on %s differs from that on %s, first in line %d: \"%s\", not \"%s\".",
        c->name, from->name, line, other, one);
    putchar('\n');
    report_wrap(stdout, 2, 0, text);
}

void cli_check_timing(const GArray *rows, guint judged, const struct cli_check_column *column,
                      int columns)
{
    int first = -1;
    for (int i = 0; i < columns; i++) {
        if (!column[i].parser || !harmless(rows, judged, i)) continue;
        if (first < 0) first = i;
        bool known = false; /* by an earlier one with the same output */
        for (int k = first; k < i && !known; k++)
            known = column[k].parser && harmless(rows, judged, k) &&
                    strcmp(column[k].printed, column[i].printed) == 0;
        if (!known && i != first) print_difference(&column[first], &column[i]);
    }
}
