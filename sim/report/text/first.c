/* Sentences at the top of the report, each of some time. */
#include "report/text/sections.h"

#include <math.h>

struct first {
    double time_s;
    char *text;
};

static void clear(void *data) { g_free(((struct first *)data)->text); }

GArray *report_first_new(void)
{
    GArray *first = g_array_new(FALSE, FALSE, sizeof(struct first));
    g_array_set_clear_func(first, clear);
    return first;
}

void report_first_add(GArray *first, double time_s, char *text)
{
    const struct first fresh = {time_s, text};
    g_array_append_val(first, fresh);
}

/* What is shown as the same share stays in its order. */
static int longest(gconstpointer a, gconstpointer b, void *all_s)
{
    const double of_s = *(const double *)all_s;
    const double x = round(100 * ((const struct first *)a)->time_s / of_s),
                 y = round(100 * ((const struct first *)b)->time_s / of_s);
    return (x < y) - (x > y);
}

void report_first_put(GArray *first, double all_s, FILE *out)
{
    g_array_sort_with_data(first, longest, &all_s);
    for (guint i = 0; i < first->len; i++) {
        fprintf(out, "  - ");
        report_wrap(out, 4, 4, g_array_index(first, struct first, i).text);
    }
}
