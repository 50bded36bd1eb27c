/* The trail of one operation in words: each step with its date, and what target and origin did
 * meanwhile. */
#include "report/timeline/moments.h"
#include "report/print/print.h"
#include "report/trail/trail.h"

static const double known_s = 5e-13; /* below: rounding */

/* ---- meanwhile ------------------------------------------------------------------------------- */

/* How long a track did what between two dates. */
struct sums {
    double sum_s[TRACE_ACTIVITIES];
    const struct report_interval *longest; /* wait with a call */
    double longest_s;
};

static struct sums between(const struct report_track *track, double from_s, double to_s)
{
    struct sums d = {.longest = NULL};
    for (guint i = 0; i < track->interval->len; i++) {
        const struct report_interval *interval = report_interval(track, i);
        double seconds = MIN(interval->is.to_s, to_s) - MAX(interval->is.from_s, from_s);
        if (seconds <= known_s) continue;
        d.sum_s[interval->is.activity] += seconds;
        if (interval->is.activity != TRACE_WAIT || !interval->is.call || seconds <= d.longest_s)
            continue;
        d.longest = interval;
        d.longest_s = seconds;
    }
    return d;
}

/* "computed for 3 µs and waited for 5 µs, in MPI_Win_fence at halo.c:122"; NULL: nothing is known.
 */
static char *sums_text(const struct sums *d)
{
    static const char *const verb[] = {[TRACE_COMPUTE] = "computed for",
                                       [TRACE_MEMORY] = "stalled on memory for",
                                       [TRACE_SERVICE] = "serviced others for",
                                       [TRACE_WAIT] = "waited for"};
    int parts = 0, done = 0;
    for (int activity = TRACE_COMPUTE; activity <= TRACE_WAIT; activity++)
        parts += d->sum_s[activity] > known_s;
    if (parts == 0) return NULL;
    GString *text = g_string_new(NULL);
    for (int activity = TRACE_COMPUTE; activity <= TRACE_WAIT; activity++) {
        if (d->sum_s[activity] <= known_s) continue;
        g_autofree char *time = report_time(d->sum_s[activity]);
        g_string_append_printf(text, "%s%s %s",
                               done == 0           ? ""
                               : done + 1 == parts ? " and "
                                                   : ", ",
                               verb[activity], time);
        done++;
    }
    if (d->longest)
        g_string_append_printf(text, "%s in %s at %s",
                               d->longest_s < d->sum_s[TRACE_WAIT] - known_s ? ", longest" : ",",
                               d->longest->is.call, d->longest->at ? d->longest->at : "?");
    return g_string_free(text, FALSE);
}

/* ---- steps ----------------------------------------------------------------------------------- */

static const char *const performed[OP_KINDS] = {
    [OP_PUT] = "The bytes are written into memory of rank %d.",
    [OP_GET] = "The bytes are read from memory of rank %d.",
    [OP_ACCUMULATE] = "The bytes are combined with those in memory of rank %d.",
    [OP_GET_ACCUMULATE] =
        "The old bytes are read from memory of rank %d, and combined there with those sent.",
    [OP_CONTROL] = "Rank %d receives it."};

static bool services_at(const struct report_track *track, double time_s)
{
    for (guint i = 0; i < track->interval->len; i++) {
        const struct trace_interval *is = &report_interval(track, i)->is;
        if (is->activity == TRACE_SERVICE && is->from_s <= time_s + known_s && time_s <= is->to_s)
            return true;
    }
    return false;
}

static char *serviced(const struct report_trace *t, const struct op_trail *trail)
{
    const struct report_track *target = &t->track[trail->target];
    double arrived_s = trail->at_s[OP_ARRIVED], serviced_s = trail->at_s[OP_SERVICED];
    const char *who = services_at(target, serviced_s) ? "'s processor begins servicing"
                                                      : "'s part begins, without its processor";
    if (trail->origin == trail->target || arrived_s < 0 || serviced_s - arrived_s <= known_s)
        return g_strdup_printf("Rank %d%s.", trail->target, who);
    struct sums d = between(target, arrived_s, serviced_s);
    g_autofree char *did = sums_text(&d);
    return g_strdup_printf("Rank %d%s. Since the arrival it %s.", trail->target, who,
                           did ? did : "had ended");
}

static char *words_of(const struct report_trace *t, const struct op_trail *trail, enum op_step step)
{
    int origin_node = t->track[trail->origin].node, target_node = t->track[trail->target].node;
    switch (step) {
    case OP_CALLED:
        return g_strdup_printf("Rank %d, on node %d, calls %s.", trail->origin, origin_node,
                               trail->call);
    case OP_DEPARTED:
        return trail->kind == OP_GET
                   ? g_strdup_printf("The request leaves node %d.", origin_node)
                   : g_strdup_printf("The last byte leaves node %d.", origin_node);
    case OP_ARRIVED: return g_strdup_printf("It arrives at node %d.", target_node);
    case OP_SERVICED: return serviced(t, trail);
    case OP_PERFORMED: return g_strdup_printf(performed[trail->kind], trail->target);
    case OP_COMPLETED: return g_strdup_printf("Complete at rank %d.", trail->origin);
    case OP_STEPS: break;
    }
    g_assert_not_reached();
}

static void print_step(const struct report_trace *t, const struct op_trail *trail,
                       enum op_step step, double last_s, FILE *out)
{
    enum { INDENT = 38 };
    g_autofree char *date = report_time(trail->at_s[step]),
                    *delta = report_time(trail->at_s[step] - last_s);
    g_autofree char *after = step == OP_CALLED ? g_strdup("") : g_strconcat("+", delta, NULL);
    g_autofree char *words = words_of(t, trail, step);
    fprintf(out, "  %-10s%*s%s%*s%s  ", op_step_name(step), 11 - (int)g_utf8_strlen(date, -1), "",
            date, 13 - (int)g_utf8_strlen(after, -1), "", after);
    report_wrap(out, INDENT, INDENT, words);
}

/* ---- the whole ------------------------------------------------------------------------------- */

bool report_trail_text(const struct report_trace *t, uint64_t number, FILE *out, GError **error)
{
    if (number < 1 || number > t->operation->len) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "there is no operation %" G_GUINT64_FORMAT ": the trace has %s%u",
                    (guint64)number, t->operation->len ? "1 to " : "", t->operation->len);
        return false;
    }
    const struct report_operation *operation = report_operation(t, (guint)number - 1);
    const struct op_trail *trail = &operation->trail;
    g_autofree char *bytes = report_count(trail->bytes);
    fprintf(out,
            "Operation %" G_GUINT64_FORMAT
            " of %s on %s: %s of %s %s from rank %d to rank %d, called at %s, carrier %s.\n\n",
            (guint64)number, t->about.program, t->about.machine, trail->call, bytes,
            trail->bytes == 1 ? "byte" : "bytes", trail->origin, trail->target,
            operation->at ? operation->at : "a place without a known line", trail->carrier);
    double called_s = trail->at_s[OP_CALLED], last_s = called_s;
    for (int step = 0; step < OP_STEPS; step++) {
        if (trail->at_s[step] < 0) continue;
        print_step(t, trail, (enum op_step)step, last_s, out);
        last_s = trail->at_s[step];
    }
    double whole_s = last_s - called_s, arrived_s = trail->at_s[OP_ARRIVED],
           serviced_s = trail->at_s[OP_SERVICED];
    g_autofree char *whole = report_time(whole_s);
    GString *end = g_string_new(NULL);
    g_string_append_printf(end, "Total: %s.", whole);
    if (arrived_s >= 0 && serviced_s - arrived_s > known_s) {
        g_autofree char *share = report_percent(serviced_s - arrived_s, whole_s);
        g_string_append_printf(end, " %s of it passed at the target before servicing began.",
                               share);
    }
    struct sums d = between(&t->track[trail->origin], called_s, last_s);
    g_autofree char *did = sums_text(&d);
    if (did) g_string_append_printf(end, " Rank %d meanwhile %s.", trail->origin, did);
    fputs("\n  ", out);
    report_wrap(out, 2, 2, end->str);
    g_string_free(end, TRUE);
    return true;
}
