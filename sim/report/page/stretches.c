/* Intervals of a track, the waits among them cut by their causes. */
#include "report/page/stretches.h"

#include <string.h>

static const char activity_letter[TRACE_ACTIVITIES] = {
    [TRACE_COMPUTE] = 'c', [TRACE_MEMORY] = 'm', [TRACE_SERVICE] = 's',
    [TRACE_WAIT] = 'w',    [TRACE_SEND] = 'o',   [TRACE_RECEIVE] = 'r'};

/* What kinds of waits the page tells apart. */
static char cause_letter(const char *why)
{
    static const struct {
        const char *why;
        char letter;
    } of[] = {{"lock", 'l'},    {"barrier", 'b'},    {"partner", 'b'},   {"service", 'd'},
              {"network", 'n'}, {"collective", 'n'}, {"interface", 'i'}, {"servicing", 't'},
              {"atomic", 'a'},  {"date", 'z'}};
    for (size_t i = 0; i < G_N_ELEMENTS(of); i++)
        if (strcmp(of[i].why, why) == 0) return of[i].letter;
    return 'w';
}

static int by_begin(gconstpointer a, gconstpointer b)
{
    const struct report_interval *x = a, *y = b;
    return x->is.from_s < y->is.from_s ? -1 : x->is.from_s > y->is.from_s;
}

static int by_wait(gconstpointer a, gconstpointer b)
{
    const struct report_wait *x = a, *y = b;
    return x->is.from_s < y->is.from_s ? -1 : x->is.from_s > y->is.from_s;
}

static void add(GArray *list, struct report_stretch is, int64_t from_ps, int64_t to_ps)
{
    if (list->len > 0)
        from_ps = MAX(from_ps, g_array_index(list, struct report_stretch, list->len - 1).to_ps);
    if (to_ps <= from_ps) return;
    is.from_ps = from_ps;
    is.to_ps = to_ps;
    g_array_append_val(list, is);
}

/* The causes that begin before its end, from *next on. */
static void add_wait(GArray *list, const struct report_stretch *is, const GArray *waits,
                     guint *next)
{
    int64_t at_ps = is->from_ps;
    for (; *next < waits->len; ++*next) {
        const struct report_wait *wait = &g_array_index(waits, struct report_wait, *next);
        const int64_t from_ps = report_ps(wait->is.from_s), to_ps = report_ps(wait->is.to_s);
        if (from_ps >= is->to_ps) break;
        if (to_ps > at_ps) {
            struct report_stretch part = *is;
            add(list, part, at_ps, MIN(from_ps, is->to_ps));
            part.letter = cause_letter(wait->is.why);
            part.other = wait->is.other_rank;
            part.there = wait->other_at;
            add(list, part, MAX(from_ps, at_ps), MIN(to_ps, is->to_ps));
            at_ps = MIN(to_ps, is->to_ps);
        }
        if (to_ps > is->to_ps) break; /* it goes on in the next interval */
    }
    add(list, *is, at_ps, is->to_ps);
}

GArray *report_stretches(const struct report_trace *trace, const struct report_track *track)
{
    const bool rank = track->first == TRACE_COMPUTE;
    g_autoptr(GArray) sorted = g_array_copy(track->interval);
    g_autoptr(GArray) waits = rank ? g_array_copy(trace->wait->pdata[track->of]) : NULL;
    GArray *list = g_array_new(FALSE, FALSE, sizeof(struct report_stretch));
    guint next = 0;
    if (!rank) g_array_sort(sorted, by_begin);
    if (rank) g_array_sort(waits, by_wait);
    for (guint i = 0; i < sorted->len; i++) {
        const struct report_interval *interval = &g_array_index(sorted, struct report_interval, i);
        const struct report_stretch is = {.from_ps = report_ps(interval->is.from_s),
                                          .to_ps = report_ps(interval->is.to_s),
                                          .activity = interval->is.activity,
                                          .letter = activity_letter[interval->is.activity],
                                          .call = interval->is.call,
                                          .at = interval->at,
                                          .other = -1};
        if (interval->is.activity == TRACE_WAIT)
            add_wait(list, &is, waits, &next);
        else
            add(list, is, is.from_ps, is.to_ps);
    }
    return list;
}
