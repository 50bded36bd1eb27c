/* Why a call waited, in words. */
#include "report/print/print.h"

#include <string.h>

#define TAKEN "taken" /* "atomic", where no holder is known */

/* %1: who made it wait; %2: the line at which that rank acted, where one is known. */
static const struct {
    const char *cause, *words;
} words[] = {
    {"lock", "the lock was held from %2, by %1"},
    {"barrier", "the last to come was %1"},
    {"service", "operations had arrived and were not yet serviced by %1, which came to %2"},
    {"partner", "%1 came later, to %2"},
    {"network", "bytes, flags and answers were on their way"},
    {"interface", "an interface or a link was busy with bytes of %1"},
    {"servicing", "servicing by %1, of this request and those before it"},
    {"atomic", "the lock of accumulates was held for %2, by %1"},
    {TAKEN, "the atomic unit or the lock of accumulates was taken at %1"},
    {"collective", "messages of a barrier or a reduction"},
    {"date", "it slept until a date"},
    {"unknown", "the cause is not known (messages, collectives)"},
};

static bool place_known(const struct report_why *why)
{
    return *why->at && strcmp(why->at, "?") != 0;
}

char *report_cause_words(const struct report_why *why)
{
    const int others = why->ranks - 1;
    const char *cause = strcmp(why->cause, "atomic") == 0 && !place_known(why) ? TAKEN : why->cause;
    g_autofree char *who = others < 1 ? g_strdup_printf("rank %d", why->rank)
                                      : g_strdup_printf("rank %d (mostly) and %d other%s",
                                                        why->rank, others, others == 1 ? "" : "s");
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (strcmp(words[i].cause, cause) != 0) continue;
        g_auto(GStrv) part = g_strsplit(words[i].words, "%", -1);
        GString *text = g_string_new(part[0]);
        for (char **p = part + 1; *p; p++)
            g_string_append_printf(text, "%s%s", (*p)[0] == '1' ? who : why->at, *p + 1);
        if (why->behind_rank >= 0)
            g_string_append_printf(text, "; %s waited for rank %d %s, which came to %s",
                                   others < 1 ? "it had" : "most had", why->behind_rank,
                                   others < 1 ? "itself" : "themselves", why->behind_at);
        return g_string_free(text, FALSE);
    }
    return g_strdup(why->cause);
}

/* ", waits 12 %"; nothing of less than a hundredth */
static char *part_words(const char *name, double part_s, double whole_s)
{
    g_autofree char *share = report_percent(part_s, whole_s);
    return part_s < 0.01 * whole_s ? g_strdup("") : g_strdup_printf(", %s %s", share, name);
}

char *report_link_words(const char *what, const char *from, const char *to, int rank, bool others,
                        const struct report_link_times *times)
{
    if (strcmp(what, "run") != 0) {
        g_autofree char *why =
            report_cause_words(&(struct report_why){what, from, "", rank, 1, .behind_rank = -1});
        return g_strdup_printf("%s -> %s: %s%s", from, to, why,
                               others && rank >= 0 ? " (and other ranks)" : "");
    }
    const double all_s = times->time_s,
                 rest_s = all_s - times->compute_s - times->memory_s - times->service_s;
    g_autofree char *compute = part_words("computation", times->compute_s, all_s),
                    *memory = part_words("stalls", times->memory_s, all_s),
                    *service = part_words("servicing", times->service_s, all_s),
                    *rest = part_words("messages and collectives", rest_s, all_s);
    return g_strdup_printf("%s -> %s: rank %d%s%s%s%s%s", from, to, rank,
                           others ? " and others" : "", compute, memory, service, rest);
}
