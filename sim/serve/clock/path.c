/* The critical path: back from the end of a run along what led to what. */
#include "serve/clock/explain.h"

#include "profile/path/path.h"

#include "trace/trace.h"

#include <math.h>

/* The time that passed between a rank's act and the wake of another one, by what passed. */
struct between {
    double time_s[PROFILE_CAUSES];
    int rank[PROFILE_CAUSES]; /* that did it last; -1: none */
    op_site woke;             /* in that call */
};

static void set_out(const struct between *between, op_site from)
{
    for (int cause = 0; cause < PROFILE_CAUSES; cause++)
        if (between->time_s[cause] > 0)
            profile_link(&(struct profile_link){.cause = cause,
                                                .from = from,
                                                .to = between->woke,
                                                .rank = between->rank[cause],
                                                .count = 1,
                                                .time_s = between->time_s[cause]});
}

static double take(double *left_s, double wanted_s)
{
    const double taken_s = fmin(*left_s, wanted_s);
    *left_s -= taken_s;
    return taken_s;
}

/* What is spent counts when it begins: it may have gone on behind the act. */
static void ran(const struct kern_cause *act, double time_s)
{
    if (time_s <= 0) return;
    double left_s = time_s;
    const double compute_s = take(&left_s, act->spent.compute_s),
                 memory_s = take(&left_s, act->spent.memory_s),
                 service_s = take(&left_s, act->spent.service_s);
    profile_link(&(struct profile_link){.cause = -1,
                                        .from = act->from,
                                        .to = act->site,
                                        .rank = act->rank,
                                        .count = 1,
                                        .time_s = time_s,
                                        .compute_s = compute_s,
                                        .memory_s = memory_s,
                                        .service_s = service_s});
}

static void draw(const struct kern_cause *at, double until_s)
{
    const bool act = at->what == KERN_ACT;
    /* an act of no length is a place that the path goes through */
    if (!trace_on || until_s < at->from_s || (!act && until_s <= at->from_s)) return;
    trace_piece(
        &(struct trace_piece){.why = act ? "run" : profile_cause_name(serve_cause_of(at->what)),
                              .rank = at->rank,
                              .from_s = at->from_s,
                              .to_s = until_s,
                              .site = at->from,
                              .to_site = at->site});
}

static const char *name_of(const struct mach *m, const double *of)
{
    const size_t offset = (size_t)((const char *)of - (const char *)m);
    for (size_t i = 0; i < mach_keys(); i++)
        if (mach_key(i)->offset == offset) return mach_key(i)->name;
    g_assert_not_reached(); /* models note keys */
}

enum { ADDENDS = 4 };

/* What a number of the machine is the sum of: keys, and how much of it each is. */
static int addends(const struct mach *m, const double *of, struct profile_part *share)
{
    const double *const send[ADDENDS] = {&m->net_overhead_send, &m->net_kernel, &m->net_driver},
                        *const receive[ADDENDS] = {&m->net_overhead_receive, &m->net_kernel,
                                                   &m->net_driver, &m->net_interrupt},
                        *const itself[ADDENDS] = {of};
    const double *const *sum = of == &m->send_s ? send : of == &m->receive_s ? receive : itself;
    int n = 0;
    if (of == &kern_parts_memory) {
        share[n++] = (struct profile_part){"memory", 1};
        return n;
    }
    for (int i = 0; i < ADDENDS && sum[i]; i++)
        if (*sum[i] > 0) share[n++] = (struct profile_part){name_of(m, sum[i]), *sum[i] / *of};
    return n;
}

static void add_part(const struct mach *m, const double *of, double time_s)
{
    struct profile_part share[ADDENDS];
    const int n = time_s > 0 ? addends(m, of, share) : 0;
    for (int i = 0; i < n; i++) profile_part(share[i].key, time_s * share[i].time_s);
}

char *serve_graph_parts(const struct mach *m)
{
    GString *text = g_string_new(NULL);
    for (int i = 0; kern_parts_of(i); i++) {
        struct profile_part share[ADDENDS];
        const int n = addends(m, kern_parts_of(i), share);
        for (int j = 0; j < n; j++)
            g_string_append_printf(text, "%d %s %.17g\n", i, share[j].key, share[j].time_s);
    }
    return g_string_free(text, FALSE);
}

void serve_path(const struct mach *m, const struct kern_cause *end)
{
    struct kern_parts sum = {0};
    if (end) kern_cause_parts(end, end->to_s, &sum);
    struct between between = {.woke = 0};
    double until_s = end ? end->to_s : 0;
    profile_path_clear();
    for (const struct kern_cause *at = end; at; at = at->before) {
        const double time_s = fmax(0, until_s - at->from_s);
        draw(at, until_s);
        until_s = fmin(until_s, at->from_s);
        if (at->what == KERN_ACT) {
            set_out(&between, at->site);
            between = (struct between){.woke = at->from};
            ran(at, time_s);
        } else {
            const enum profile_cause cause = serve_cause_of(at->what);
            between.time_s[cause] += time_s;
            between.rank[cause] = at->rank;
        }
    }
    set_out(&between, 0);
    for (int i = 0; kern_parts_of(i); i++) add_part(m, kern_parts_of(i), sum.time_s[i]);
    profile_path_begins(until_s);
}
