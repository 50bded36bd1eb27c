/* What calls could be spared, as sentences: those in vain, and many operations of a few bytes that
 * one could be; and what servicing took. */
#include "report/places/places.h"
#include "report/text/sections.h"

#include <string.h>

enum { VAIN_LINES = 2 };  /* that are named */
enum { FEW_BYTES = 256 }; /* of an operation */

/* ---- in vain --------------------------------------------------------------------------------- */

/* Who came late would do so elsewhere. */
static bool for_late(const struct report_call *row, const GArray *causes)
{
    const struct report_cause *cause = report_cause_at(causes, row->at);
    return cause &&
           (cause->cause == PROFILE_BARRIER || cause->cause == PROFILE_PARTNER ||
            cause->cause == PROFILE_SERVICE) &&
           cause->wait_s > row->vain_s / 2;
}

static struct report_call *most_in_vain(const GArray *calls, const GArray *causes)
{
    struct report_call *most = NULL;
    for (guint i = 0; i < calls->len; i++) {
        struct report_call *row = &g_array_index(calls, struct report_call, i);
        if (row->told || (most && row->vain_s <= most->vain_s)) continue;
        if (!for_late(row, causes)) most = row;
    }
    return most;
}

/* Why, by what it is a call of. */
static const char *vain_words(const char *call)
{
    static const struct {
        const char *part, *words;
    } why[] = {{"fence",
                "found that no rank had used the window since the fence before, nor before "
                "that. One fence would do"},
               {"flush", "found nothing to complete. They can go"},
               {"Barrier", "came when no rank had called MPI since the barrier before, nor before "
                           "that. One barrier would do"},
               {"sync", "came in a row: a loop that waits for another rank's store. There could be "
                        "work to do meanwhile"}};
    for (size_t i = 0; i < G_N_ELEMENTS(why); i++)
        if (strstr(call, why[i].part)) return why[i].words;
    return "found nothing. A call that waits does the same, and there could be work to do "
           "meanwhile";
}

static void vain_first(GArray *first, GArray *calls, const GArray *causes, double all_s)
{
    struct report_call *row;
    for (int i = 0; i < VAIN_LINES && (row = most_in_vain(calls, causes)); i++) {
        g_autofree char *share = report_percent(row->vain_s, all_s), *n = report_count(row->vain),
                        *all = report_count(row->count);
        if (row->vain_s <= REPORT_SENTENCE_SHARE * all_s || row->vain < REPORT_MANY_CALLS) return;
        row->told = true;
        report_first_add(first, row->vain_s,
                         g_strdup_printf("%s of the time of all ranks was spent in %s at %s for "
                                         "nothing: %s of %s calls %s. 'sidewinder profile --by "
                                         "call' shows all calls.",
                                         share, row->call, row->at, n, all, vain_words(row->call)));
    }
}

/* ---- operations ------------------------------------------------------------------------------ */

static double serviced(const struct report_run *run)
{
    double sum_s = 0;
    for (int r = 0; r < run->ranks; r++) sum_s += run->rank[r].service_s;
    return sum_s;
}

static uint64_t operations(const GArray *calls)
{
    uint64_t sum = 0;
    for (guint i = 0; i < calls->len; i++)
        sum += g_array_index(calls, struct report_call, i).operations;
    return sum;
}

/* Its calls, and what servicing others takes for its operations. */
static double words_time(const struct report_call *row, double service_s, uint64_t all)
{
    return row->wait_s + row->memory_s + row->compute_s +
           service_s * (double)row->operations / (double)MAX(all, 1);
}

static bool words_few(const struct report_run *run, const struct report_call *row)
{
    return row->operations > REPORT_MANY_CALLS * (uint64_t)run->ranks &&
           row->bytes <= FEW_BYTES * row->operations && 2 * row->further > row->operations;
}

static void words_first(const struct report_run *run, GArray *first, GArray *calls, double all_s)
{
    const double service_s = serviced(run);
    const uint64_t all = operations(calls);
    struct report_call *most = NULL;
    for (guint i = 0; i < calls->len; i++) {
        struct report_call *row = &g_array_index(calls, struct report_call, i);
        if (!words_few(run, row)) continue;
        if (!most || words_time(row, service_s, all) > words_time(most, service_s, all)) most = row;
    }
    const double time_s = most ? words_time(most, service_s, all) : 0;
    if (time_s <= REPORT_SENTENCE_SHARE * all_s) return;
    g_autofree char *share = report_percent(time_s, all_s), *n = report_count(most->operations);
    most->told = true;
    report_first_add(
        first, time_s,
        g_strdup_printf("%s of the time of all ranks was %s at %s and the servicing of "
                        "it: %s calls for %.3g byte%s each. Most go on where the one "
                        "before ended, or as far from it: one call with a datatype "
                        "does the same. 'sidewinder profile --by call' shows all "
                        "calls.",
                        share, most->call, most->at, n,
                        (double)most->bytes / (double)most->operations,
                        most->bytes == most->operations ? "" : "s"));
}

/* Where no operations of a few bytes have been blamed for it. */
static void service_first(const struct report_run *run, GArray *first, const GArray *calls,
                          double all_s)
{
    const struct report_call *most = NULL;
    const double service_s = serviced(run);
    for (guint i = 0; i < calls->len; i++) {
        const struct report_call *row = &g_array_index(calls, struct report_call, i);
        if (!most || row->operations > most->operations) most = row;
    }
    if (service_s <= REPORT_SENTENCE_SHARE * all_s || !most || most->told || !most->operations)
        return;
    g_autofree char *share = report_percent(service_s, all_s), *n = report_count(most->operations),
                    *all = report_count(operations(calls));
    report_first_add(
        first, service_s,
        g_strdup_printf("%s of the time of all ranks was servicing others' operations, "
                        "%s of %s from %s at %s. 'sidewinder profile --by call' shows "
                        "all calls.",
                        share, n, all, most->call, most->at));
}

void report_calls_first(const struct report_run *run, GArray *first, GArray *calls,
                        const GArray *causes, double all_s)
{
    vain_first(first, calls, causes, all_s);
    words_first(run, first, calls, all_s);
    service_first(run, first, calls, all_s);
}
