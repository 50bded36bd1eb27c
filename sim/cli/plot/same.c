/* sidewinder plot: lines that lie on each other, of which a reader sees only the last. The page
 * says which.
 *
 * Two lines are the same in a panel where both have values at the same x, and no two of these
 * differ by more than 1 %. */
#include "cli/plot/parts.h"

#include <math.h>
#include <string.h>

#define WITHIN 0.01

/* Several series, a bit each, and the panels where they are the same. */
struct group {
    guint series;
    GString *panels;
    guint count;
};

static void clear_group(gpointer data) { g_string_free(((struct group *)data)->panels, TRUE); }

static bool same(const struct cli_plot_figure *f, guint panel, guint a, guint b)
{
    guint points = 0;
    for (guint x = 0; x < f->x_text->len; x++) {
        const struct cli_plot_value *p = cli_plot_value(f, panel, a, x),
                                    *q = cli_plot_value(f, panel, b, x);
        if (!p->count != !q->count) return false;
        if (!p->count) continue;
        double v = cli_plot_mean(p), w = cli_plot_mean(q);
        if (fabs(v - w) > WITHIN * MAX(fabs(v), fabs(w))) return false;
        points++;
    }
    return points > 0;
}

static void add(GArray *groups, guint series, const char *panel)
{
    struct group *group = NULL;
    for (guint i = 0; i < groups->len && !group; i++)
        if (g_array_index(groups, struct group, i).series == series)
            group = &g_array_index(groups, struct group, i);
    if (!group) {
        struct group fresh = {series, g_string_new(NULL), 0};
        g_array_append_val(groups, fresh);
        group = &g_array_index(groups, struct group, groups->len - 1);
    }
    g_string_append_printf(group->panels, "%s%s", group->count++ ? ", " : "", panel);
}

static void find(const struct cli_plot_figure *f, guint panel, GArray *groups)
{
    guint taken = 0;
    for (guint i = 0; i < f->series_text->len; i++) {
        guint group = 1u << i;
        if (taken & group) continue;
        for (guint k = i + 1; k < f->series_text->len; k++)
            if (!(taken & 1u << k) && same(f, panel, i, k)) group |= 1u << k;
        taken |= group;
        if (group & (group - 1)) add(groups, group, f->panel_text->pdata[panel]);
    }
}

char *cli_plot_same(const struct cli_plot_figure *f)
{
    if (f->kind != CLI_PLOT_LINES) return NULL;
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(struct group));
    g_array_set_clear_func(groups, clear_group);
    for (guint panel = 0; panel < f->panel_text->len; panel++) find(f, panel, groups);
    if (!groups->len) return NULL;
    GString *text = g_string_new("Lines within 1 % of each other: ");
    for (guint i = 0; i < groups->len; i++) {
        const struct group *group = &g_array_index(groups, struct group, i);
        const char *between = i ? "; " : "";
        for (guint k = 0; k < f->series_text->len; k++) {
            if (!(group->series & 1u << k)) continue;
            g_string_append_printf(text, "%s%s", between, (char *)f->series_text->pdata[k]);
            between = " = ";
        }
        if (group->count < f->panel_text->len)
            g_string_append_printf(text, " (%s)", group->panels->str);
    }
    g_string_append_c(text, '.');
    return g_string_free(text, FALSE);
}
