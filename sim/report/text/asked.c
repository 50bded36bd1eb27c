/* Loops that ask for the same bytes again and again, by loads or by operations, as sentences. */
#include "report/places/places.h"
#include "report/text/sections.h"

enum { FEW_BYTES = 64 }; /* of an operation */

static void spin_sentence(GArray *first, const struct report_line *line, double all_s)
{
    g_autofree char *share = report_percent(line->spun_s, all_s);
    const char *on = line->spun_on ? line->spun_on : "";
    report_first_add(first, line->spun_s,
                     g_strdup_printf("%s of the time of all ranks was a loop at %s:%d that loads "
                                     "the same bytes%s%s again and again, as it does to wait for "
                                     "another's store. There could be work to do meanwhile. "
                                     "'sidewinder run --view run.html' draws who "
                                     "computed then.",
                                     share, line->file, line->line, *on ? " " : "", on));
}

static void spin_first(GArray *first, GArray *lines, double all_s)
{
    struct report_line *most = NULL;
    for (guint i = 0; i < lines->len; i++) {
        struct report_line *row = &g_array_index(lines, struct report_line, i);
        if (row->line > 0 && (!most || row->spun_s > most->spun_s)) most = row;
    }
    if (!most || most->spun_s <= REPORT_SENTENCE_SHARE * all_s) return;
    spin_sentence(first, most, all_s);
    most->told_s += MIN(most->spun_s, most->compute_s);
}

/* Its calls, and those that complete what they start: where most of a line's time is that. */
static void tell(GArray *calls, struct report_call *asks)
{
    asks->told = true;
    for (guint i = 0; i < calls->len; i++) {
        struct report_call *row = &g_array_index(calls, struct report_call, i);
        row->told |= row->asking_s > row->time_s / 2;
    }
}

static void asks_first(const struct report_run *run, GArray *first, GArray *calls, double all_s)
{
    struct report_call *most = NULL;
    for (guint i = 0; i < calls->len; i++) {
        struct report_call *row = &g_array_index(calls, struct report_call, i);
        if (!most || row->asked_s > most->asked_s) most = row;
    }
    if (!most || most->asked_s <= REPORT_SENTENCE_SHARE * all_s) return;
    if (most->bytes > FEW_BYTES * most->operations) return; /* no value to wait for */
    if (most->asked < REPORT_MANY_CALLS * (uint64_t)run->ranks || 2 * most->asked < most->count)
        return;
    tell(calls, most);
    g_autofree char *share = report_percent(most->asked_s, all_s), *n = report_count(most->asked),
                    *all = report_count(most->count);
    report_first_add(
        first, most->asked_s,
        g_strdup_printf("%s of the time of all ranks was spent in %s at %s and what completes it, "
                        "for bytes that it asked for again at once: %s of %s calls. If that waits "
                        "for a value, it keeps the network or its target busy: a message, or a "
                        "put to memory of the rank that waits, would not. 'sidewinder profile --by "
                        "call' shows all calls.",
                        share, most->call, most->at, n, all));
}

void report_asked_first(const struct report_run *run, GArray *first, GArray *calls, GArray *lines,
                        double all_s)
{
    spin_first(first, lines, all_s);
    asks_first(run, first, calls, all_s);
}
