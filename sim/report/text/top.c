/* What to look at first: where the program stalled, waited and computed most, and for whom. */
#include "report/places/places.h"
#include "report/text/sections.h"

#include <math.h>
#include <string.h>

/* Of all loads and stores: walking along arrays of doubles misses a quarter of lines of 32 bytes.
 */
static const double worth_missing = 0.3;

/* A target that computed is news, whatever was said of a loop that asks it again and again. */
static bool late_service(const struct report_call *call, const GArray *causes)
{
    const struct report_cause *cause = report_cause_at(causes, call->at);
    return cause && cause->cause == PROFILE_SERVICE;
}

/* The call that waited most. */
static const struct report_call *worst_call(const GArray *calls, const GArray *causes)
{
    const struct report_call *worst = NULL;
    for (guint i = 0; i < calls->len; i++) {
        const struct report_call *row = &g_array_index(calls, struct report_call, i);
        if (row->told && !late_service(row, causes)) continue;
        if (!worst || row->wait_s > worst->wait_s) worst = row;
    }
    return worst;
}

/* Did somebody come late, who waited for nobody else? */
static bool is_late(const struct report_cause *cause)
{
    return cause && cause->behind_rank < 0 &&
           (cause->cause == PROFILE_BARRIER || cause->cause == PROFILE_PARTNER ||
            cause->cause == PROFILE_SERVICE);
}

/* Which interface, link or memory was busy: of bytes on their way it may be what they take. */
static char *busiest(const struct report_run *run, const struct report_cause *cause)
{
    const bool taken =
                   cause && (cause->cause == PROFILE_INTERFACE ||
                             (is_late(cause) && cause->did_s[PROFILE_QUEUED] > cause->wait_s / 2)),
               moving = cause && cause->cause == PROFILE_NETWORK;
    return taken || moving ? report_busiest(run, taken ? 0 : REPORT_BUSY) : g_strdup("");
}

/* What kept the one that came late, if that is most of the wait: who waited itself did nothing. */
static char *late_words(const struct report_cause *cause)
{
    const bool late = is_late(cause);
    static const char *const did[PROFILE_DOINGS] = {
        "had computed until then",
        "had stalled on memory until then",
        "had serviced others until then",
        "had waited for other ranks until then",
        "had waited for bytes of its calls on their way",
        "had waited for an interface or a link that was busy"};
    int most = 0, next = 1;
    for (int i = 1; i < PROFILE_DOINGS; i++)
        if (cause && cause->did_s[i] > cause->did_s[most])
            next = most, most = i;
        else if (cause && cause->did_s[i] > cause->did_s[next])
            next = i;
    if (!late || cause->did_s[most] + cause->did_s[next] <= cause->wait_s / 2) return g_strdup("");
    const char *who = cause->cause == PROFILE_BARRIER ? "which" : "and";
    if (cause->did_s[most] > cause->wait_s / 2) return g_strdup_printf(", %s %s", who, did[most]);
    return g_strdup_printf(", %s %s, and %s", who, did[most], did[next]);
}

/* What many calls wait for messages, each. */
static char *each_words(const struct report_run *run, const struct report_call *call,
                        const struct report_cause *cause)
{
    const bool messages =
        cause && (cause->cause == PROFILE_NETWORK || cause->cause == PROFILE_COLLECTIVE);
    if (!messages || call->count <= REPORT_MANY_CALLS * (uint64_t)run->ranks) return g_strdup("");
    g_autofree char *n = report_count(call->count),
                    *each = report_time(call->wait_s / (double)call->count);
    return g_strdup_printf(", in %s calls for %s each: fewer of them would wait less", n, each);
}

/* Those who came late had waited themselves, in turn: no row of causes shows the way of it. */
static const char *more_words(const struct report_cause *cause)
{
    return is_late(cause) && cause->did_s[PROFILE_AWAITED] > cause->wait_s / 2
               ? "'sidewinder limits' shows along which calls they waited for one another."
               : "'sidewinder profile --by call' shows every cause.";
}

static void wait_sentence(GArray *first, const struct report_run *run,
                          const struct report_call *call, const struct report_cause *cause,
                          double all_s)
{
    g_autofree char *share = report_percent(call->wait_s, all_s),
                    *words = cause ? report_cause_said(cause) : NULL, *busy = busiest(run, cause),
                    *late = late_words(cause), *each = each_words(run, call, cause);
    report_first_add(first, call->wait_s,
                     g_strdup_printf("%s of the time of all ranks was spent waiting in %s at "
                                     "%s%s%s%s%s.%s %s",
                                     share, call->call, call->at, words ? ": " : "",
                                     words ? words : "", late, each, busy, more_words(cause)));
}

/* Who came late may have waited itself: the worst other wait for which a rank is to blame. Locks
 * have a sentence of their own. */
static const struct report_call *behind(const GArray *calls, const GArray *causes,
                                        const struct report_call *worst)
{
    const struct report_call *most = NULL;
    for (guint i = 0; i < calls->len; i++) {
        const struct report_call *row = &g_array_index(calls, struct report_call, i);
        const struct report_cause *cause = report_cause_at(causes, row->at);
        const bool blames =
            cause && (cause->cause == PROFILE_PARTNER || cause->cause == PROFILE_SERVICE ||
                      cause->cause == PROFILE_SERVICING);
        if (blames && strcmp(row->at, worst->at) != 0 && (!most || row->wait_s > most->wait_s))
            most = row;
    }
    return most;
}

static void first_wait(GArray *first, const struct report_run *run, const GArray *calls,
                       const GArray *causes, double all_s)
{
    const struct report_call *worst = worst_call(calls, causes);
    const bool wait = worst && worst->wait_s > REPORT_SENTENCE_SHARE * all_s;
    const struct report_cause *cause = wait ? report_cause_at(causes, worst->at) : NULL;
    const bool lock = cause && cause->cause == PROFILE_LOCK;
    g_autofree char *who = lock ? g_strdup_printf("in %s at %s", worst->call, worst->at)
                                : g_strdup(""),
                    *held = lock ? report_cause_said(cause) : g_strdup("");
    /* one sentence for one time */
    if (report_locks_first(run, first, all_s, who, held) && lock) return;
    if (!wait) return;
    wait_sentence(first, run, worst, cause, all_s);
    if (!cause || (cause->cause != PROFILE_BARRIER && cause->cause != PROFILE_PARTNER)) return;
    const struct report_call *next = behind(calls, causes, worst);
    if (next && next->wait_s > REPORT_SENTENCE_SHARE * all_s)
        wait_sentence(first, run, next, report_cause_at(causes, next->at), all_s);
}

/* What was computed of which something was said, at that line, or in its calls. */
static double told_at(const GArray *calls, const struct report_line *line)
{
    double sum_s = line->told_s;
    g_autofree char *at = g_strdup_printf("%s:%d", line->file, line->line);
    for (guint i = 0; i < calls->len; i++) {
        const struct report_call *row = &g_array_index(calls, struct report_call, i);
        if (row->told && strcmp(row->at, at) == 0) sum_s += row->compute_s;
    }
    return sum_s;
}

static double untold_at(const GArray *calls, const struct report_line *line)
{
    return line->compute_s - told_at(calls, line);
}

static double told_s(const GArray *calls, const GArray *lines)
{
    double sum_s = 0;
    for (guint i = 0; i < lines->len; i++)
        sum_s += g_array_index(lines, struct report_line, i).told_s;
    for (guint i = 0; i < calls->len; i++) {
        const struct report_call *row = &g_array_index(calls, struct report_call, i);
        if (row->told) sum_s += row->compute_s;
    }
    return sum_s;
}

/* The line that computed most, but for those calls; NULL: there is none. */
static const struct report_line *most_computed(const GArray *lines, const GArray *calls)
{
    const struct report_line *most = NULL;
    for (guint i = 0; i < lines->len; i++) {
        const struct report_line *row = &g_array_index(lines, struct report_line, i);
        if (row->line <= 0 || told_at(calls, row) > row->compute_s / 2) continue;
        if (!most || untold_at(calls, row) > untold_at(calls, most)) most = row;
    }
    return most;
}

/* The call that took most of what the line computed; NULL: none did. */
static const struct report_call *call_that_computed(const GArray *calls,
                                                    const struct report_line *line)
{
    g_autofree char *at = g_strdup_printf("%s:%d", line->file, line->line);
    for (guint i = 0; i < calls->len; i++) {
        const struct report_call *row = &g_array_index(calls, struct report_call, i);
        if (!row->told && strcmp(row->at, at) == 0 && row->compute_s > line->compute_s / 2)
            return row;
    }
    return NULL;
}

/* The same of all calls of the line together, where none took most: how much, and of how many. */
static char *calls_that_computed(const GArray *calls, const struct report_line *line, double all_s)
{
    g_autofree char *at = g_strdup_printf("%s:%d", line->file, line->line);
    double compute_s = 0;
    uint64_t count = 0;
    for (guint i = 0; i < calls->len; i++) {
        const struct report_call *row = &g_array_index(calls, struct report_call, i);
        if (row->told || strcmp(row->at, at) != 0) continue;
        compute_s += row->compute_s;
        count += row->count;
    }
    if (count == 0 || compute_s <= untold_at(calls, line) / 2) return NULL;
    g_autofree char *part = report_percent(compute_s, all_s), *n = report_count(count),
                    *each = report_time(compute_s / (double)count);
    return g_strdup_printf("%s in MPI calls at %s: what the calls themselves take, %s in each of "
                           "%s, in the mean",
                           part, at, each, n);
}

static void call_sentence(GArray *first, const struct report_call *call, double compute_s,
                          double all_s)
{
    g_autofree char *share = report_percent(compute_s, all_s),
                    *part = report_percent(call->compute_s, all_s), *n = report_count(call->count),
                    *each = report_time(call->compute_s / (double)call->count);
    report_first_add(
        first, compute_s,
        g_strdup_printf("%s of the time of all ranks was computation, %s in %s at %s: "
                        "what the call itself takes, %s in each of %s calls. 'sidewinder "
                        "profile --by call' shows all calls.",
                        share, part, call->call, call->at, each, n));
}

/* Do others wait most for one that computes? */
static bool waits_for_computation(const GArray *calls, const GArray *causes, double all_s)
{
    const struct report_call *worst = worst_call(calls, causes);
    const struct report_cause *cause = worst ? report_cause_at(causes, worst->at) : NULL;
    return worst && worst->wait_s > all_s / 4 && is_late(cause) &&
           cause->did_s[0] > cause->wait_s / 2;
}

/* Is most of what was computed at a line, which is worth a sentence? */
static bool one_line(const struct report_line *most, double compute_s, double all_s)
{
    return most && most->compute_s > compute_s / 4 &&
           most->compute_s > REPORT_SENTENCE_SHARE * all_s;
}

/* Where computation is most of the time, no line below is to blame; nor where others wait for it.
 */
static void first_compute(const struct report_run *run, GArray *first, const GArray *calls,
                          const GArray *causes, const GArray *lines, double all_s)
{
    double compute_s = 0;
    for (int r = 0; r < run->ranks; r++) compute_s += run->rank[r].compute_s;
    const double other_s = told_s(calls, lines);
    compute_s -= other_s;
    if (compute_s <= all_s / 2 && !(one_line(most_computed(lines, calls), compute_s, all_s) &&
                                    waits_for_computation(calls, causes, all_s)))
        return;
    g_autofree char *share = report_percent(compute_s, all_s);
    const char *other = other_s > 0 ? "other " : "";
    g_autofree char *program =
        run->program ? g_path_get_basename(run->program) : g_strdup("PROGRAM");
    const struct report_line *most = most_computed(lines, calls);
    const struct report_call *call = most ? call_that_computed(calls, most) : NULL;
    if (call) {
        call_sentence(first, call, compute_s, all_s);
        return;
    }
    g_autofree char *calls_of = most ? calls_that_computed(calls, most, all_s) : NULL;
    if (calls_of) {
        report_first_add(first, compute_s,
                         g_strdup_printf("%s of the time of all ranks was %scomputation, %s. "
                                         "'sidewinder profile --by call' shows all calls.",
                                         share, other, calls_of));
        return;
    }
    g_autofree char *dearest = most ? report_percent(untold_at(calls, most), all_s) : NULL;
    g_autofree char *at =
        most ? g_strdup_printf(", %s at %s:%d", dearest, most->file, most->line) : g_strdup("");
    report_first_add(
        first, compute_s,
        g_strdup_printf("%s of the time of all ranks was %scomputation%s: 'sidewinder blocks %s -m "
                        "%s' shows what each of its blocks costs and why.",
                        share, other, at, program, run->machine));
}

/* The line that missed the first level most; NULL: no line did. */
static const struct report_line *most_missed(const GArray *lines)
{
    const struct report_line *most = NULL;
    for (guint i = 0; i < lines->len; i++) {
        const struct report_line *row = &g_array_index(lines, struct report_line, i);
        if (row->line > 0 && row->missed[0] > (most ? most->missed[0] : 0)) most = row;
    }
    return most;
}

/* Where most of the time is computation: many misses of which a processor hides nearly all are no
 * stalls, but others would stall. */
static void first_misses(const struct report_run *run, FILE *out)
{
    uint64_t missed = 0, accesses = 0;
    double computed_s = 0, stalled_s = 0;
    for (int r = 0; r < run->ranks; r++) {
        const struct report_cache *l1 = run->rank[r].caches ? run->rank[r].cache : NULL;
        computed_s += run->rank[r].compute_s;
        stalled_s += run->rank[r].memory_s;
        missed += l1 ? l1->load_misses + l1->store_misses : 0;
        accesses += l1 ? l1->loads + l1->stores : 0;
    }
    const double all_s = report_time_of_all(run);
    if (computed_s <= all_s / 2 || stalled_s > REPORT_SENTENCE_SHARE * all_s) return;
    if ((double)missed <= worth_missing * (double)accesses) return;
    g_autoptr(GArray) lines = report_lines(run);
    const struct report_line *most = most_missed(lines);
    if (!most || 2 * most->missed[0] < missed) return;
    if (most->compute_s <= REPORT_SENTENCE_SHARE * all_s) return;
    g_autofree char *share = report_percent((double)missed, (double)accesses),
                    *there = report_percent((double)most->missed[0], (double)missed),
                    *text = g_strdup_printf(
                        "%s of loads and stores missed the first level of caches, %s of them at "
                        "%s:%d. Hardly any waited: the processor went on meanwhile. 'sidewinder "
                        "profile --by line' shows the misses of each line.",
                        share, there, most->file, most->line);
    report_first_say(text, out);
}

void report_first(const struct report_run *run, FILE *out, const struct report_ink *ink)
{
    double all_s = report_time_of_all(run);
    g_autoptr(GArray) calls = report_calls(run);
    g_autoptr(GArray) causes = report_causes(run);
    g_autoptr(GArray) lines = report_lines(run);
    report_heading(out, ink, "What to look at first", NULL);
    bool any = report_first_findings(run, out);
    g_autoptr(GArray) first = report_first_new();
    report_calls_first(run, first, calls, causes, all_s);
    report_asked_first(run, first, calls, lines, all_s);
    report_operations_first(run, first, lines, all_s);
    first_compute(run, first, calls, causes, lines, all_s);
    first_wait(first, run, calls, causes, all_s);
    const guint sentences = first->len;
    report_contended_first(run, first, all_s);
    report_stalls_first(run, first, calls, first->len > sentences, all_s);
    any |= first->len > 0;
    report_first_put(first, all_s, out);
    first_misses(run, out);
    any |= run->ranks > 1 && report_first_rank(run, out);
    if (!any)
        fprintf(out, "  No line stalled or waited for as much as 5 %% of the time of all ranks.\n");
}
