/* Numbers with a large spread are measured once more: what else ran may be over. Of the two the
 * family counts whose largest spread is less, as a whole, since its numbers go together. */
#include "cli/measure/parts.h"

#include <math.h>

/* The rows from one on, taken out of the others. */
static GArray *take_rows(struct cli_bench *b, guint from)
{
    GArray *taken = g_array_new(FALSE, FALSE, sizeof(struct cli_row));
    if (b->row->len > from)
        g_array_append_vals(taken, &g_array_index(b->row, struct cli_row, from),
                            b->row->len - from);
    g_array_set_size(b->row, from);
    return taken;
}

static void drop_rows(GArray *row, char *of)
{
    struct cli_bench b = {.row = row, .of = of};
    cli_rows_clear(&b);
}

/* All but what all measurements together give. */
static void go_back(struct cli_bench *b, const struct cli_bench *to)
{
    double cycle_s = b->cycle_s;
    *b = *to;
    b->cycle_s = cycle_s;
}

void cli_measure_early(struct cli_bench *b, void (*measure)(struct cli_bench *b))
{
    const double spread = b->spread;
    const guint rows = b->row->len;
    b->spread = INFINITY;
    measure(b);
    b->spread = spread;
    drop_rows(take_rows(b, rows), NULL);
}

void cli_measure_family(struct cli_bench *b, void (*measure)(struct cli_bench *b))
{
    double spread = b->spread;
    char *of = b->of;
    guint rows = b->row->len;
    b->spread = 0;
    b->of = NULL;
    const struct cli_bench before = *b;
    measure(b);
    if (b->spread > CLI_MUCH && !b->quick) {
        const struct cli_bench first = *b;
        GArray *first_rows = take_rows(b, rows);
        go_back(b, &before);
        measure(b);
        if (b->spread < first.spread) {
            drop_rows(first_rows, first.of);
        } else {
            drop_rows(take_rows(b, rows), b->of);
            go_back(b, &first);
            if (first_rows->len > 0) g_array_append_vals(b->row, first_rows->data, first_rows->len);
            g_array_free(first_rows, TRUE);
        }
    }
    if (b->spread >= spread) {
        g_free(of);
    } else {
        g_free(b->of);
        b->spread = spread;
        b->of = of;
    }
}
