/* Where the time went, by line: stalls, calls, why they waited, the critical path. */
#include "report/json/values.h"
#include "report/places/places.h"

static void stalls_by_line(JsonBuilder *b, const struct report_run *run)
{
    g_autoptr(GArray) stalls = report_stalls(run);
    report_json_begin(b, "stalls");
    for (guint i = 0; i < stalls->len; i++) {
        const struct report_stall *row = &g_array_index(stalls, struct report_stall, i);
        json_builder_begin_object(b);
        report_json_word(b, "at", row->at);
        report_json_count(b, "loads", row->loads);
        report_json_count(b, "stores", row->stores);
        report_json_number(b, "load_s", row->load_s);
        report_json_number(b, "store_s", row->store_s);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void calls_by_line(JsonBuilder *b, const struct report_run *run)
{
    g_autoptr(GArray) calls = report_calls(run);
    report_json_begin(b, "calls");
    for (guint i = 0; i < calls->len; i++) {
        const struct report_call *row = &g_array_index(calls, struct report_call, i);
        json_builder_begin_object(b);
        report_json_word(b, "at", row->at);
        report_json_word(b, "call", row->call);
        report_json_count(b, "count", row->count);
        report_json_number(b, "time_s", row->time_s);
        report_json_number(b, "wait_s", row->wait_s);
        report_json_number(b, "memory_s", row->memory_s);
        report_json_number(b, "longest_wait_s", row->longest_s);
        report_json_integer(b, "longest_rank", row->longest_rank);
        report_json_count(b, "vain", row->vain);
        report_json_number(b, "vain_s", row->vain_s);
        report_json_count(b, "operations", row->operations);
        report_json_count(b, "bytes", row->bytes);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void causes(JsonBuilder *b, const struct report_run *run)
{
    g_autoptr(GArray) rows = report_causes(run);
    report_json_begin(b, "causes");
    for (guint i = 0; i < rows->len; i++) {
        const struct report_cause *row = &g_array_index(rows, struct report_cause, i);
        json_builder_begin_object(b);
        report_json_word(b, "cause", profile_cause_name(row->cause));
        report_json_word(b, "at", row->at);
        report_json_word(b, "other_at", row->other_at);
        report_json_count(b, "count", row->count);
        report_json_number(b, "wait_s", row->wait_s);
        report_json_integer(b, "worst_rank", row->worst_rank);
        report_json_integer(b, "ranks", row->ranks);
        report_json_integer(b, "behind_rank", row->behind_rank);
        report_json_word(b, "behind_at", row->behind_at);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void lockers(JsonBuilder *b, const struct report_lock *lock)
{
    report_json_begin(b, "lines");
    for (guint i = 0; i < lock->locker->len; i++) {
        const struct report_locker *row = &g_array_index(lock->locker, struct report_locker, i);
        json_builder_begin_object(b);
        report_json_word(b, "at", row->at);
        report_json_word(b, "kind", row->exclusive ? "exclusive" : "shared");
        report_json_count(b, "count", row->count);
        report_json_number(b, "wait_s", row->wait_s);
        report_json_number(b, "held_s", row->held_s);
        report_json_number(b, "longest_held_s", row->longest_s);
        report_json_integer(b, "longest_rank", row->longest_rank);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void locks(JsonBuilder *b, const struct report_run *run)
{
    g_autoptr(GArray) rows = report_locks(run);
    report_json_begin(b, "locks");
    for (guint i = 0; i < rows->len; i++) {
        const struct report_lock *row = &g_array_index(rows, struct report_lock, i);
        json_builder_begin_object(b);
        report_json_word(b, "memory", row->name);
        report_json_integer(b, "rank", row->rank);
        report_json_integer(b, "ranks", row->ranks);
        report_json_count(b, "count", row->count);
        report_json_count(b, "queued", row->queued);
        report_json_count(b, "longest_queue", row->longest_queue);
        report_json_count(b, "handovers", row->handovers);
        report_json_number(b, "handover_s", row->handover_s);
        report_json_number(b, "wait_s", row->wait_s);
        report_json_number(b, "held_s", row->held_s);
        report_json_number(b, "longest_held_s", row->longest_s);
        report_json_integer(b, "longest_rank", row->longest_rank);
        report_json_word(b, "longest_at", row->longest_at);
        lockers(b, row);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void path_parts(JsonBuilder *b)
{
    report_json_begin(b, "path_parts");
    for (size_t i = 0; i < profile_parts(); i++) {
        json_builder_begin_object(b);
        report_json_word(b, "key", profile_part_at(i)->key);
        report_json_number(b, "time_s", profile_part_at(i)->time_s);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

/* The critical path; none, if it was not asked for. */
static void path(JsonBuilder *b, const struct report_run *run)
{
    g_autoptr(GArray) ways = report_path(run);
    if (ways->len == 0) return;
    report_json_number(b, "path_from_s", profile_path_start());
    path_parts(b);
    report_json_begin(b, "path");
    for (guint i = 0; i < ways->len; i++) {
        const struct report_way *way = &g_array_index(ways, struct report_way, i);
        json_builder_begin_object(b);
        report_json_word(
            b, "what", way->cause < 0 ? "run" : profile_cause_name((enum profile_cause)way->cause));
        report_json_word(b, "from", way->from);
        report_json_word(b, "to", way->to);
        report_json_integer(b, "rank", way->rank);
        json_builder_set_member_name(b, "others");
        json_builder_add_boolean_value(b, way->others);
        report_json_count(b, "count", way->count);
        report_json_number(b, "time_s", way->time_s);
        report_json_number(b, "compute_s", way->compute_s);
        report_json_number(b, "memory_s", way->memory_s);
        report_json_number(b, "service_s", way->service_s);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void costs_by_line(JsonBuilder *b, const struct report_run *run)
{
    g_autoptr(GArray) lines = report_lines(run);
    report_json_begin(b, "lines");
    for (guint i = 0; i < lines->len; i++) {
        const struct report_line *row = &g_array_index(lines, struct report_line, i);
        json_builder_begin_object(b);
        report_json_word(b, "function", row->function);
        report_json_word(b, "file", row->file);
        report_json_count(b, "line", (uint64_t)row->line);
        report_json_count(b, "executions", row->executions);
        report_json_count(b, "loads", row->loads);
        report_json_count(b, "stores", row->stores);
        report_json_number(b, "compute_s", row->compute_s);
        report_json_number(b, "memory_s", row->load_s + row->store_s);
        report_json_number(b, "service_s", row->service_s);
        report_json_number(b, "wait_s", row->wait_s);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void variables(JsonBuilder *b, const struct report_run *run)
{
    g_autoptr(GArray) rows = report_objects(run);
    report_json_begin(b, "variables");
    for (guint i = 0; i < rows->len; i++) {
        const struct report_object *row = &g_array_index(rows, struct report_object, i);
        json_builder_begin_object(b);
        report_json_word(b, "memory", row->memory);
        report_json_word(b, "name", row->name);
        report_json_number(b, "load_s", row->load_s);
        report_json_number(b, "store_s", row->store_s);
        report_json_count(b, "loads", row->loads);
        report_json_count(b, "stores", row->stores);
        report_json_begin(b, "missed");
        for (int level = 0; level < PROFILE_LEVELS; level++)
            json_builder_add_int_value(b, (gint64)row->missed[level]);
        json_builder_end_array(b);
        report_json_count(b, "moves", row->moves);
        report_json_count(b, "stale", row->stale);
        report_json_count(b, "operations", row->operations);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

void report_json_where(JsonBuilder *b, const struct report_run *run)
{
    costs_by_line(b, run);
    stalls_by_line(b, run);
    variables(b, run);
    calls_by_line(b, run);
    causes(b, run);
    locks(b, run);
    path(b, run);
}
