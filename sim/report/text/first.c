/* Sentences at the top of the report, each of some time. */
#include "report/text/sections.h"

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

static int longest(gconstpointer a, gconstpointer b)
{
    const struct first *x = a, *y = b;
    return (x->time_s < y->time_s) - (x->time_s > y->time_s);
}

void report_first_put(GArray *first, FILE *out)
{
    g_array_sort(first, longest);
    for (guint i = 0; i < first->len; i++) {
        fprintf(out, "  - ");
        report_wrap(out, 4, 4, g_array_index(first, struct first, i).text);
    }
}
