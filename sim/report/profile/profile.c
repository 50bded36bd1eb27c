/* The profile's file: see profile.h. Seconds are written so that their sums are right to the
 * nanosecond in a run of a month. */
#include "report/profile/profile.h"

#include "report/places/places.h"
#include "report/print/print.h"

#include <inttypes.h>

static void seconds(GString *out, double s)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_c(out, '\t');
    g_string_append(out, g_ascii_formatd(text, sizeof text, "%.15g", s == 0 ? 0 : s));
}

/* A field, on its line whatever name it is. */
static void word(GString *out, const char *text)
{
    g_string_append_c(out, '\t');
    for (const char *c = text; *c; c++) g_string_append_c(out, (unsigned char)*c < ' ' ? '?' : *c);
}

static void whole(GString *out, uint64_t n) { g_string_append_printf(out, "\t%" PRIu64, n); }

static void head(GString *out, const struct report_run *run)
{
    g_autofree char *program = g_path_get_basename(run->program);
    int levels = 0;
    double compute_s = 0, memory_s = 0, service_s = 0, wait_s = 0;
    for (int r = 0; r < run->ranks; r++) {
        const struct report_rank *rank = &run->rank[r];
        levels = MAX(levels, MIN(rank->caches, PROFILE_LEVELS));
        compute_s += rank->compute_s;
        memory_s += rank->memory_s;
        service_s += rank->service_s;
        wait_s += rank->wait_s;
    }
    g_string_append_printf(out, "sidewinder-profile 1\nrun\t%s", run->version);
    word(out, run->machine);
    word(out, program);
    g_string_append_printf(out, "\t%d", run->ranks);
    seconds(out, run->time_s);
    g_string_append_printf(out, "\t%d\ntotal", levels);
    seconds(out, compute_s);
    seconds(out, memory_s);
    seconds(out, service_s);
    seconds(out, wait_s);
    g_string_append_c(out, '\n');
}

static void lines(GString *out, const struct report_run *run)
{
    g_autoptr(GArray) rows = report_lines(run);
    for (guint i = 0; i < rows->len; i++) {
        const struct report_line *row = &g_array_index(rows, struct report_line, i);
        g_string_append(out, "line");
        word(out, row->function);
        word(out, row->file);
        g_string_append_printf(out, "\t%d", row->line);
        word(out, row->path);
        seconds(out, row->compute_s);
        seconds(out, row->load_s);
        seconds(out, row->store_s);
        seconds(out, row->service_s);
        seconds(out, row->wait_s);
        whole(out, row->executions);
        whole(out, row->loads);
        whole(out, row->stores);
        whole(out, row->stale);
        whole(out, row->calls);
        for (int level = 0; level < PROFILE_LEVELS; level++) whole(out, row->missed[level]);
        g_string_append_c(out, '\n');
    }
}

static void calls(GString *out, const struct report_run *run)
{
    g_autoptr(GArray) rows = report_calls(run);
    for (guint i = 0; i < rows->len; i++) {
        const struct report_call *row = &g_array_index(rows, struct report_call, i);
        g_string_append(out, "call");
        word(out, row->call);
        word(out, row->at);
        whole(out, row->count);
        seconds(out, row->time_s);
        seconds(out, row->wait_s);
        seconds(out, row->memory_s);
        seconds(out, row->longest_s);
        g_string_append_printf(out, "\t%d\n", row->longest_rank);
    }
}

static void causes(GString *out, const struct report_run *run)
{
    g_autoptr(GArray) rows = report_causes(run);
    for (guint i = 0; i < rows->len; i++) {
        const struct report_cause *row = &g_array_index(rows, struct report_cause, i);
        g_string_append(out, "cause");
        word(out, profile_cause_name(row->cause));
        word(out, row->at);
        word(out, row->other_at);
        whole(out, row->count);
        seconds(out, row->wait_s);
        g_string_append_printf(out, "\t%d\t%d\t%d", row->worst_rank, row->ranks, row->behind_rank);
        word(out, row->behind_at);
        g_string_append_c(out, '\n');
    }
}

static void contended(GString *out, const struct report_run *run)
{
    g_autoptr(GArray) rows = report_contended(run);
    for (guint i = 0; i < rows->len; i++) {
        const struct report_contended *row = &g_array_index(rows, struct report_contended, i);
        g_string_append(out, "memory");
        word(out, row->memory);
        word(out, row->who);
        whole(out, row->moves);
        whole(out, row->bytes);
        g_string_append_printf(out, "\t%d\t%s", row->ranks, row->false_sharing ? "false" : "true");
        seconds(out, row->cost_s);
        g_string_append_c(out, '\n');
    }
}

static void objects(GString *out, const struct report_run *run)
{
    g_autoptr(GArray) rows = report_objects(run);
    for (guint i = 0; i < rows->len; i++) {
        const struct report_object *row = &g_array_index(rows, struct report_object, i);
        g_string_append(out, "variable");
        word(out, row->memory);
        word(out, row->name);
        seconds(out, row->load_s);
        seconds(out, row->store_s);
        whole(out, row->loads);
        whole(out, row->stores);
        whole(out, row->stale);
        whole(out, row->moves);
        for (int level = 0; level < PROFILE_LEVELS; level++) whole(out, row->missed[level]);
        whole(out, row->hits);
        whole(out, row->operations);
        g_string_append_c(out, '\n');
    }
}

static void locks(GString *out, const struct report_run *run)
{
    g_autoptr(GArray) rows = report_locks(run);
    for (guint i = 0; i < rows->len; i++) {
        const struct report_lock *row = &g_array_index(rows, struct report_lock, i);
        g_string_append(out, "lock");
        word(out, row->name);
        whole(out, row->count);
        g_string_append_printf(out, "\t%d", row->ranks);
        whole(out, row->queued);
        whole(out, row->longest_queue);
        whole(out, row->handovers);
        seconds(out, row->handover_s);
        seconds(out, row->longest_s);
        g_string_append_printf(out, "\t%d", row->longest_rank);
        word(out, row->longest_at ? row->longest_at : "?");
        g_string_append_c(out, '\n');
        for (guint k = 0; k < row->locker->len; k++) {
            const struct report_locker *at = &g_array_index(row->locker, struct report_locker, k);
            g_string_append(out, "locker");
            word(out, row->name);
            word(out, at->at);
            word(out, at->exclusive ? "exclusive" : "shared");
            whole(out, at->count);
            seconds(out, at->wait_s);
            seconds(out, at->held_s);
            seconds(out, at->longest_s);
            g_string_append_printf(out, "\t%d\n", at->longest_rank);
        }
    }
}

static void chains(GString *out, const struct report_run *run)
{
    g_autoptr(GArray) rows = report_chains(run);
    static const char *const kind[] = {"function", "call", "inlined"};
    for (guint i = 0; i < rows->len; i++) {
        const struct report_chain *row = &g_array_index(rows, struct report_chain, i);
        g_string_append_printf(out, "chain\t%d\t%s", row->parent, kind[row->kind]);
        word(out, row->function);
        word(out, row->file);
        word(out, row->path);
        g_string_append_printf(out, "\t%d\t%d", row->line, row->at);
        whole(out, row->count);
        whole(out, row->again);
        seconds(out, row->compute_s);
        seconds(out, row->memory_s);
        seconds(out, row->service_s);
        seconds(out, row->wait_s);
        for (int level = 0; level < PROFILE_LEVELS; level++) whole(out, row->missed[level]);
        g_string_append_c(out, '\n');
    }
}

bool report_profile(const struct report_run *run, const char *path, GError **error)
{
    g_autoptr(GString) out = g_string_new(NULL);
    head(out, run);
    lines(out, run);
    calls(out, run);
    causes(out, run);
    chains(out, run);
    locks(out, run);
    contended(out, run);
    objects(out, run);
    return report_put_file(path, out->str, out->len, error);
}
