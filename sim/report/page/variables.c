/* Variables of a trace, for the page. */
#include "report/page/variables.h"

char *report_page_variables(const struct report_trace *trace)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < trace->variable->len; i++) {
        const struct trace_variable *v = &g_array_index(trace->variable, struct trace_variable, i);
        const uint64_t *m = v->missed,
                       n[] = {m[0], m[1], m[2], m[3], v->stale, v->moves, v->operations};
        g_string_append_printf(text, "%s%s\t%s\t%" G_GINT64_FORMAT "\t%" G_GINT64_FORMAT,
                               i ? "\n" : "", v->memory, v->name ? v->name : "",
                               (gint64)report_ps(v->load_s), (gint64)report_ps(v->store_s));
        for (size_t k = 0; k < G_N_ELEMENTS(n); k++)
            g_string_append_printf(text, "\t%" G_GUINT64_FORMAT, (guint64)n[k]);
    }
    return g_string_free(text, FALSE);
}
