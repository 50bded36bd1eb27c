/* The report for programs: its keys are a stable interface. Times in seconds, as doubles that
 * read back exactly (json-glib writes 17 significant digits without the locale). */
#include "report/json/json.h"
#include "findings/findings.h"
#include "report/places/places.h"
#include "report/print/print.h"
#include "report/source/source.h"
#include "trace/trace.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static void word(JsonBuilder *b, const char *key, const char *value)
{
    json_builder_set_member_name(b, key);
    if (value && g_utf8_validate(value, -1, NULL))
        json_builder_add_string_value(b, value);
    else if (value) {
        g_autofree char *valid = g_utf8_make_valid(value, -1);
        json_builder_add_string_value(b, valid);
    } else
        json_builder_add_null_value(b);
}

static void count(JsonBuilder *b, const char *key, uint64_t value)
{
    json_builder_set_member_name(b, key);
    json_builder_add_int_value(b, (gint64)MIN(value, (uint64_t)G_MAXINT64));
}

static void integer(JsonBuilder *b, const char *key, int value)
{
    json_builder_set_member_name(b, key);
    json_builder_add_int_value(b, value);
}

static void number(JsonBuilder *b, const char *key, double value)
{
    json_builder_set_member_name(b, key);
    if (isfinite(value))
        json_builder_add_double_value(b, value);
    else
        json_builder_add_null_value(b);
}

static void hex(JsonBuilder *b, const char *key, const uint8_t *byte, uint32_t bytes)
{
    char text[2 * FINDINGS_STALE_BYTES + 1] = "";
    for (uint32_t i = 0; i < MIN(bytes, (uint32_t)FINDINGS_STALE_BYTES); i++)
        g_snprintf(text + 2 * i, 3, "%02x", byte[i]);
    word(b, key, text);
}

static void at(JsonBuilder *b, const char *key, const struct report_run *run, op_site site)
{
    word(b, key, report_site(run->program, site));
}

static void begin(JsonBuilder *b, const char *key)
{
    json_builder_set_member_name(b, key);
    json_builder_begin_array(b);
}

static void words(JsonBuilder *b, const char *key, const char *const *list)
{
    begin(b, key);
    for (; list && *list; list++) json_builder_add_string_value(b, *list);
    json_builder_end_array(b);
}

static void segment(JsonBuilder *b, int id)
{
    const struct op_segment *s = id >= 0 ? op_segment(id) : NULL;
    word(b, "segment", s ? s->name : NULL);
    integer(b, "segment_rank", s ? s->rank : -1);
}

static void writer(JsonBuilder *b, const struct report_run *run, const char *key, uint32_t id)
{
    struct op_writer w = op_writer(id);
    json_builder_set_member_name(b, key);
    json_builder_begin_object(b);
    bool known = op_writer_known(&w);
    integer(b, "rank", known ? w.rank : -1);
    word(b, "call", known ? w.call : NULL);
    at(b, "at", run, known ? w.site : 0);
}

static void ranks(JsonBuilder *b, const struct report_run *run)
{
    begin(b, "rank");
    for (int r = 0; r < run->ranks; r++) {
        const struct report_rank *rank = &run->rank[r];
        json_builder_begin_object(b);
        integer(b, "rank", r);
        number(b, "time_s", rank->time_s);
        number(b, "compute_s", rank->compute_s);
        number(b, "memory_s", rank->memory_s);
        number(b, "service_s", rank->service_s);
        number(b, "wait_s", rank->wait_s);
        begin(b, "cache");
        for (int i = 0; i < rank->caches; i++) {
            const struct report_cache *cache = &rank->cache[i];
            json_builder_begin_object(b);
            integer(b, "level", cache->level);
            count(b, "loads", cache->loads);
            count(b, "stores", cache->stores);
            count(b, "load_misses", cache->load_misses);
            count(b, "store_misses", cache->store_misses);
            count(b, "write_backs", cache->write_backs);
            count(b, "invalidations", cache->invalidations);
            count(b, "flushed_lines", cache->flushed_lines);
            json_builder_end_object(b);
        }
        json_builder_end_array(b);
        count(b, "stale_loads", rank->stale_loads);
        count(b, "mispredicted_branches", rank->mispredicted);
        json_builder_set_member_name(b, "finished");
        json_builder_add_boolean_value(b, rank->finished);
        if (!rank->finished) {
            word(b, "call", rank->call);
            at(b, "at", run, rank->site);
        }
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void operations(JsonBuilder *b)
{
    begin(b, "operations");
    for (int k = 0; k < OP_KINDS; k++) {
        const struct trace_total *total = trace_total((enum op_kind)k);
        if (total->count == 0) continue;
        json_builder_begin_object(b);
        word(b, "kind", op_kind_name((enum op_kind)k));
        count(b, "count", total->count);
        count(b, "bytes", total->bytes);
        count(b, "description_bytes", total->description);
        number(b, "mean_latency_s", total->latency_sum_s / (double)total->count);
        number(b, "median_latency_s", trace_latency((enum op_kind)k, 0.5));
        number(b, "p95_latency_s", trace_latency((enum op_kind)k, 0.95));
        number(b, "p99_latency_s", trace_latency((enum op_kind)k, 0.99));
        number(b, "max_latency_s", total->latency_max_s);
        number(b, "mean_service_delay_s", total->service_delay_sum_s / (double)total->count);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void stale_loads(JsonBuilder *b, const struct report_run *run)
{
    begin(b, "stale");
    for (size_t i = 0; i < findings_stale_count(); i++) {
        const struct findings_stale *stale = findings_stale_get(i);
        json_builder_begin_object(b);
        integer(b, "rank", stale->rank);
        number(b, "time_s", stale->time_s);
        segment(b, stale->segment);
        count(b, "offset", stale->offset);
        count(b, "bytes", stale->bytes);
        hex(b, "seen", stale->seen, stale->bytes);
        hex(b, "memory", stale->memory, stale->bytes);
        at(b, "load_at", run, stale->load_site);
        writer(b, run, "writer", stale->writer);
        number(b, "time_s", stale->write_time_s);
        json_builder_end_object(b);
        count(b, "count", stale->count);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void violations(JsonBuilder *b, const struct report_run *run)
{
    begin(b, "violations");
    for (size_t i = 0; i < findings_violation_count(); i++) {
        const struct findings_violation *v = findings_violation_get(i);
        json_builder_begin_object(b);
        word(b, "rule", v->rule);
        word(b, "message", v->message);
        integer(b, "rank", v->rank);
        number(b, "time_s", v->time_s);
        at(b, "at", run, v->site);
        word(b, "class", v->class ? v->class : "error");
        word(b, "call", v->call);
        count(b, "count", v->count);
        if (v->effect) word(b, "effect", v->effect);
        json_builder_set_member_name(b, "other");
        if (v->other_rank >= 0) {
            json_builder_begin_object(b);
            integer(b, "rank", v->other_rank);
            word(b, "call", v->other_call);
            at(b, "at", run, v->other_site);
            json_builder_end_object(b);
        } else
            json_builder_add_null_value(b);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void checked(JsonBuilder *b, const struct report_check *check)
{
    if (!check->on) return;
    json_builder_set_member_name(b, "check");
    json_builder_begin_object(b);
    word(b, "rules", check->rules);
    count(b, "errors", check->errors);
    count(b, "separate", check->separate);
    count(b, "accesses", check->accesses);
    count(b, "epochs", check->epochs);
    count(b, "not_judged_bytes", check->coarse_bytes);
    json_builder_end_object(b);
}

static void notes(JsonBuilder *b, const struct report_run *run)
{
    begin(b, "notes");
    for (size_t i = 0; i < findings_note_count(); i++) {
        const struct findings_note *note = findings_note_get(i);
        json_builder_begin_object(b);
        static const char *const kind[FINDINGS_NOTE_KINDS] = {
            "lost_update", "restored",     "victim", "false_sharing",
            "unpublished", "unseen_store", "thread"};
        word(b, "kind", kind[note->kind]);
        integer(b, "rank", note->rank);
        number(b, "time_s", note->time_s);
        segment(b, note->segment);
        count(b, "offset", note->offset);
        word(b, "call", note->call);
        at(b, "at", run, note->site);
        writer(b, run, "writer", note->writer);
        json_builder_end_object(b);
        count(b, "bytes", note->bytes);
        count(b, "count", note->count);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void traffic(JsonBuilder *b, const struct report_run *run)
{
    begin(b, "buses");
    for (int i = 0; i < run->buses; i++) {
        json_builder_begin_object(b);
        integer(b, "node", run->bus[i].node);
        count(b, "transactions", run->bus[i].transactions);
        count(b, "bytes", run->bus[i].bytes);
        number(b, "busy_s", run->bus[i].busy_s);
        number(b, "queued_s", run->bus[i].queued_s);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    begin(b, "links");
    for (int i = 0; i < run->links; i++) {
        json_builder_begin_object(b);
        word(b, "name", run->link[i].name);
        count(b, "messages", run->link[i].messages);
        count(b, "bytes", run->link[i].bytes);
        number(b, "busy_s", run->link[i].busy_s);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    begin(b, "resources");
    for (int i = 0; i < run->resources; i++) {
        json_builder_begin_object(b);
        word(b, "name", run->resource[i].name);
        count(b, "messages", run->resource[i].messages);
        count(b, "bytes", run->resource[i].bytes);
        number(b, "busy_s", run->resource[i].busy_s);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void stalls_by_line(JsonBuilder *b, const struct report_run *run)
{
    g_autoptr(GArray) stalls = report_stalls(run);
    begin(b, "stalls");
    for (guint i = 0; i < stalls->len; i++) {
        const struct report_stall *row = &g_array_index(stalls, struct report_stall, i);
        json_builder_begin_object(b);
        word(b, "at", row->at);
        count(b, "loads", row->loads);
        count(b, "stores", row->stores);
        number(b, "load_s", row->load_s);
        number(b, "store_s", row->store_s);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void calls_by_line(JsonBuilder *b, const struct report_run *run)
{
    g_autoptr(GArray) calls = report_calls(run);
    begin(b, "calls");
    for (guint i = 0; i < calls->len; i++) {
        const struct report_call *row = &g_array_index(calls, struct report_call, i);
        json_builder_begin_object(b);
        word(b, "at", row->at);
        word(b, "call", row->call);
        count(b, "count", row->count);
        number(b, "time_s", row->time_s);
        number(b, "wait_s", row->wait_s);
        number(b, "memory_s", row->memory_s);
        number(b, "longest_wait_s", row->longest_s);
        integer(b, "longest_rank", row->longest_rank);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void causes(JsonBuilder *b, const struct report_run *run)
{
    g_autoptr(GArray) rows = report_causes(run);
    begin(b, "causes");
    for (guint i = 0; i < rows->len; i++) {
        const struct report_cause *row = &g_array_index(rows, struct report_cause, i);
        json_builder_begin_object(b);
        word(b, "cause", profile_cause_name(row->cause));
        word(b, "at", row->at);
        word(b, "other_at", row->other_at);
        count(b, "count", row->count);
        number(b, "wait_s", row->wait_s);
        integer(b, "worst_rank", row->worst_rank);
        integer(b, "ranks", row->ranks);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static JsonNode *document(const struct report_run *run)
{
    g_autofree char *program = run->program ? g_path_get_basename(run->program) : NULL;
    g_autoptr(JsonBuilder) b = json_builder_new();
    json_builder_begin_object(b);
    word(b, "sidewinder", run->version);
    word(b, "machine", run->machine);
    words(b, "set", run->set);
    word(b, "program", program);
    integer(b, "ranks", run->ranks);
    number(b, "time_s", run->time_s);
    word(b, "end", report_end_name(run->end));
    integer(b, "exit_code", run->exit_code);
    ranks(b, run);
    operations(b);
    stale_loads(b, run);
    violations(b, run);
    checked(b, &run->check);
    notes(b, run);
    traffic(b, run);
    stalls_by_line(b, run);
    calls_by_line(b, run);
    causes(b, run);
    words(b, "uninstrumented", run->uninstrumented);
    json_builder_end_object(b);
    return json_builder_get_root(b);
}

/* json-glib 1.6 writes 1e-08 as 1e-08.0, which no JSON reader takes. Strings end in a quotation
 * mark, numbers at the line's end or a comma. */
static char *repaired(const char *text)
{
    g_autoptr(GRegex) exponent =
        g_regex_new("(e[-+][0-9]+)\\.0(?=,?$)", G_REGEX_MULTILINE, 0, NULL);
    g_autofree char *good = g_regex_replace(exponent, text, -1, 0, "\\1", 0, NULL);
    return g_strconcat(good, "\n", NULL);
}

bool report_json(const struct report_run *run, const char *path, GError **error)
{
    g_autoptr(JsonNode) root = document(run);
    g_autoptr(JsonGenerator) generator = json_generator_new();
    json_generator_set_root(generator, root);
    json_generator_set_pretty(generator, TRUE);
    json_generator_set_indent(generator, 1);
    g_autofree char *text = json_generator_to_data(generator, NULL);
    g_autofree char *good = repaired(text);
    return report_put_file(path, good, strlen(good), error);
}
