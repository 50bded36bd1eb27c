/* Which ranks and kinds of a run are shown. */
#include "report/page/choice.h"

#include <string.h>

/* What lasts, then what is done, as the lines of a trace begin. */
enum { KINDS = TRACE_ACTIVITIES + OP_KINDS };

struct range {
    guint64 first, last;
};
struct report_choice {
    GArray *ranks;     /* struct range; NULL: all */
    bool kinds[KINDS]; /* activities, then operations */
};

static const char *kind_name(int kind)
{
    return kind < TRACE_ACTIVITIES ? trace_activity_name((enum trace_activity)kind)
                                   : op_kind_name((enum op_kind)(kind - TRACE_ACTIVITIES));
}

static bool read_number(const char *text, guint64 *value)
{
    return g_ascii_string_to_unsigned(text, 10, 0, INT_MAX, value, NULL);
}

static bool read_ranks(struct report_choice *c, const char *text, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    c->ranks = g_array_new(FALSE, FALSE, sizeof(struct range));
    for (char **part = parts; *part; part++) {
        g_auto(GStrv) ends = g_strsplit(g_strstrip(*part), "-", -1);
        const guint n = g_strv_length(ends);
        struct range range;
        if (n < 1 || n > 2 || !read_number(ends[0], &range.first) ||
            !read_number(ends[n - 1], &range.last) || range.last < range.first)
            break;
        g_array_append_val(c->ranks, range);
    }
    if (c->ranks->len > 0 && c->ranks->len == g_strv_length(parts)) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                "--ranks %s: accepted are ranks and ranges of them, such as 0-3,8", text);
    return false;
}

static char *known_kinds(void)
{
    const char *name[KINDS + 1] = {NULL};
    for (int kind = 0; kind < KINDS; kind++) name[kind] = kind_name(kind);
    return g_strjoinv(", ", (char **)name);
}

static bool read_kinds(struct report_choice *c, const char *text, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    for (char **part = parts; *part || part == parts; part++) {
        int kind = 0;
        while (kind < KINDS && (!*part || strcmp(g_strstrip(*part), kind_name(kind)) != 0)) kind++;
        if (kind == KINDS) {
            g_autofree char *known = known_kinds();
            g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "--kinds %s: accepted are %s",
                        *part ? *part : "", known);
            return false;
        }
        c->kinds[kind] = true;
    }
    return true;
}

struct report_choice *report_choice_new(const char *ranks, const char *kinds, GError **error)
{
    struct report_choice *c = g_new0(struct report_choice, 1);
    if ((!ranks || read_ranks(c, ranks, error)) && (!kinds || read_kinds(c, kinds, error))) {
        for (int kind = 0; !kinds && kind < KINDS; kind++) c->kinds[kind] = true;
        return c;
    }
    report_choice_free(c);
    return NULL;
}

void report_choice_free(struct report_choice *c)
{
    if (c && c->ranks) g_array_unref(c->ranks);
    g_free(c);
}

bool report_choice_fits(const struct report_choice *c, int ranks, GError **error)
{
    for (guint i = 0; c && c->ranks && i < c->ranks->len; i++) {
        const guint64 last = g_array_index(c->ranks, struct range, i).last;
        if (last < (guint64)ranks) continue;
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "--ranks: the run has no rank %" G_GUINT64_FORMAT ", its last is %d", last,
                    ranks - 1);
        return false;
    }
    return true;
}

bool report_choice_rank(const struct report_choice *c, int rank)
{
    if (!c || !c->ranks) return true;
    for (guint i = 0; i < c->ranks->len; i++) {
        const struct range *range = &g_array_index(c->ranks, struct range, i);
        if (rank >= 0 && range->first <= (guint64)rank && (guint64)rank <= range->last) return true;
    }
    return false;
}

bool report_choice_track(const struct report_choice *c, const struct report_trace *trace,
                         const struct report_track *track)
{
    if (track->first == TRACE_COMPUTE) return report_choice_rank(c, track->of);
    bool near = false;
    for (int rank = 0; rank < trace->about.ranks && !near; rank++)
        near = trace->node_of[rank] == track->node && report_choice_rank(c, rank);
    return near && report_choice_activity(c, track->first);
}

bool report_choice_activity(const struct report_choice *c, enum trace_activity activity)
{
    return !c || c->kinds[activity];
}

bool report_choice_operations(const struct report_choice *c, enum op_kind kind)
{
    return !c || c->kinds[TRACE_ACTIVITIES + (int)kind];
}
