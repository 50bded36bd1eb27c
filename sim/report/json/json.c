/* The report for programs: its keys are a stable interface. Times in seconds, as doubles that
 * read back exactly (json-glib writes 17 significant digits without the locale). */
#include "report/json/json.h"
#include "report/json/values.h"
#include "findings/findings.h"
#include "report/print/print.h"
#include "report/source/source.h"
#include "trace/trace.h"

#include <inttypes.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static void boolean(JsonBuilder *b, const char *key, bool value)
{
    json_builder_set_member_name(b, key);
    json_builder_add_boolean_value(b, value);
}

static void hex(JsonBuilder *b, const char *key, const uint8_t *byte, uint32_t bytes)
{
    char text[2 * FINDINGS_STALE_BYTES + 1] = "";
    for (uint32_t i = 0; i < MIN(bytes, (uint32_t)FINDINGS_STALE_BYTES); i++)
        g_snprintf(text + 2 * i, 3, "%02x", byte[i]);
    report_json_word(b, key, text);
}

static void words(JsonBuilder *b, const char *key, const char *const *list)
{
    report_json_begin(b, key);
    for (; list && *list; list++) json_builder_add_string_value(b, *list);
    json_builder_end_array(b);
}

static void segment(JsonBuilder *b, int id)
{
    const struct op_segment *s = id >= 0 ? op_segment(id) : NULL;
    report_json_word(b, "segment", s ? s->name : NULL);
    report_json_integer(b, "segment_rank", s ? s->rank : -1);
}

static void writer(JsonBuilder *b, const struct report_run *run, const char *key, uint32_t id)
{
    struct op_writer w = op_writer(id);
    json_builder_set_member_name(b, key);
    json_builder_begin_object(b);
    bool known = op_writer_known(&w);
    report_json_integer(b, "rank", known ? w.rank : -1);
    report_json_word(b, "call", known ? w.call : NULL);
    report_json_at(b, "at", run, known ? w.site : 0);
}

static void ranks(JsonBuilder *b, const struct report_run *run)
{
    report_json_begin(b, "rank");
    for (int r = 0; r < run->ranks; r++) {
        const struct report_rank *rank = &run->rank[r];
        json_builder_begin_object(b);
        report_json_integer(b, "rank", r);
        report_json_number(b, "time_s", rank->time_s);
        report_json_number(b, "compute_s", rank->compute_s);
        report_json_number(b, "memory_s", rank->memory_s);
        report_json_number(b, "service_s", rank->service_s);
        report_json_number(b, "wait_s", rank->wait_s);
        report_json_begin(b, "cache");
        for (int i = 0; i < rank->caches; i++) {
            const struct report_cache *cache = &rank->cache[i];
            json_builder_begin_object(b);
            report_json_integer(b, "level", cache->level);
            report_json_count(b, "loads", cache->loads);
            report_json_count(b, "stores", cache->stores);
            report_json_count(b, "load_misses", cache->load_misses);
            report_json_count(b, "store_misses", cache->store_misses);
            report_json_count(b, "write_backs", cache->write_backs);
            report_json_count(b, "invalidations", cache->invalidations);
            report_json_count(b, "flushed_lines", cache->flushed_lines);
            json_builder_end_object(b);
        }
        json_builder_end_array(b);
        report_json_count(b, "stale_loads", rank->stale_loads);
        report_json_count(b, "mispredicted_branches", rank->mispredicted);
        report_json_count(b, "page_faults", rank->page_faults);
        json_builder_set_member_name(b, "finished");
        json_builder_add_boolean_value(b, rank->finished);
        if (!rank->finished) {
            report_json_word(b, "call", rank->call);
            report_json_at(b, "at", run, rank->site);
        }
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void operations(JsonBuilder *b)
{
    report_json_begin(b, "operations");
    for (int k = 0; k < OP_KINDS; k++) {
        const struct trace_total *total = trace_total((enum op_kind)k);
        if (total->count == 0) continue;
        json_builder_begin_object(b);
        report_json_word(b, "kind", op_kind_name((enum op_kind)k));
        report_json_count(b, "count", total->count);
        report_json_count(b, "bytes", total->bytes);
        report_json_count(b, "description_bytes", total->description);
        report_json_number(b, "mean_latency_s", total->latency_sum_s / (double)total->count);
        report_json_number(b, "median_latency_s", trace_latency((enum op_kind)k, 0.5));
        report_json_number(b, "p95_latency_s", trace_latency((enum op_kind)k, 0.95));
        report_json_number(b, "p99_latency_s", trace_latency((enum op_kind)k, 0.99));
        report_json_number(b, "max_latency_s", total->latency_max_s);
        report_json_number(b, "mean_service_delay_s",
                           total->service_delay_sum_s / (double)total->count);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void stale_loads(JsonBuilder *b, const struct report_run *run)
{
    report_json_begin(b, "stale");
    for (size_t i = 0; i < findings_stale_count(); i++) {
        const struct findings_stale *stale = findings_stale_get(i);
        json_builder_begin_object(b);
        report_json_integer(b, "rank", stale->rank);
        report_json_number(b, "time_s", stale->time_s);
        segment(b, stale->segment);
        report_json_count(b, "offset", stale->offset);
        report_json_count(b, "bytes", stale->bytes);
        hex(b, "seen", stale->seen, stale->bytes);
        hex(b, "memory", stale->memory, stale->bytes);
        report_json_at(b, "load_at", run, stale->load_site);
        writer(b, run, "writer", stale->writer);
        report_json_number(b, "time_s", stale->write_time_s);
        json_builder_end_object(b);
        report_json_count(b, "count", stale->count);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void violations(JsonBuilder *b, const struct report_run *run)
{
    report_json_begin(b, "violations");
    for (size_t i = 0; i < findings_violation_count(); i++) {
        const struct findings_violation *v = findings_violation_get(i);
        json_builder_begin_object(b);
        report_json_word(b, "rule", v->rule);
        report_json_word(b, "message", v->message);
        report_json_integer(b, "rank", v->rank);
        report_json_number(b, "time_s", v->time_s);
        report_json_at(b, "at", run, v->site);
        report_json_word(b, "class", v->class ? v->class : "error");
        report_json_word(b, "call", v->call);
        report_json_count(b, "count", v->count);
        if (v->effect) report_json_word(b, "effect", v->effect);
        if (v->pair) report_json_word(b, "pair", v->pair);
        json_builder_set_member_name(b, "other");
        if (v->other_rank >= 0) {
            json_builder_begin_object(b);
            report_json_integer(b, "rank", v->other_rank);
            report_json_word(b, "call", v->other_call);
            report_json_at(b, "at", run, v->other_site);
            json_builder_end_object(b);
        } else
            json_builder_add_null_value(b);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

/* As read: of the first side, then of the second. */
static void pairs(JsonBuilder *b, const struct report_check *check)
{
    if (check->pairs == 0) return;
    report_json_begin(b, "pairs");
    for (int i = 0; i < check->pairs; i++) {
        const struct report_pair *pair = &check->pair[i];
        json_builder_begin_object(b);
        report_json_word(b, "pair", pair->text);
        boolean(b, "met", pair->met);
        if (pair->forced) boolean(b, "ordered", pair->ordered);
        boolean(b, "lost", pair->lost);
        report_json_word(b, "first_read", pair->read[0]);
        report_json_word(b, "then_read", pair->read[1]);
        report_json_word(b, "memory", pair->memory);
        report_json_word(b, "load", pair->load);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void checked(JsonBuilder *b, const struct report_check *check)
{
    if (!check->on) return;
    json_builder_set_member_name(b, "check");
    json_builder_begin_object(b);
    report_json_word(b, "rules", check->rules);
    report_json_count(b, "errors", check->errors);
    report_json_count(b, "separate", check->separate);
    report_json_count(b, "notes", check->notes);
    report_json_count(b, "accesses", check->accesses);
    report_json_count(b, "epochs", check->epochs);
    report_json_count(b, "not_judged_bytes", check->coarse_bytes);
    report_json_count(b, "judged_in_part_bytes", check->folded_bytes);
    pairs(b, check);
    json_builder_end_object(b);
}

static void notes(JsonBuilder *b, const struct report_run *run)
{
    report_json_begin(b, "notes");
    for (size_t i = 0; i < findings_note_count(); i++) {
        const struct findings_note *note = findings_note_get(i);
        json_builder_begin_object(b);
        static const char *const kind[FINDINGS_NOTE_KINDS] = {
            "lost_update", "restored",     "victim",      "false_sharing",
            "unpublished", "unseen_store", "unseen_load", "thread"};
        report_json_word(b, "kind", kind[note->kind]);
        report_json_integer(b, "rank", note->rank);
        report_json_number(b, "time_s", note->time_s);
        segment(b, note->segment);
        report_json_count(b, "offset", note->offset);
        report_json_word(b, "call", note->call);
        report_json_at(b, "at", run, note->site);
        writer(b, run, "writer", note->writer);
        json_builder_end_object(b);
        report_json_count(b, "bytes", note->bytes);
        report_json_count(b, "count", note->count);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static void traffic(JsonBuilder *b, const struct report_run *run)
{
    report_json_begin(b, "buses");
    for (int i = 0; i < run->buses; i++) {
        json_builder_begin_object(b);
        report_json_integer(b, "node", run->bus[i].node);
        report_json_count(b, "transactions", run->bus[i].transactions);
        report_json_count(b, "bytes", run->bus[i].bytes);
        report_json_number(b, "busy_s", run->bus[i].busy_s);
        report_json_number(b, "queued_s", run->bus[i].queued_s);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    report_json_begin(b, "links");
    for (int i = 0; i < run->links; i++) {
        json_builder_begin_object(b);
        report_json_word(b, "name", run->link[i].name);
        report_json_count(b, "messages", run->link[i].messages);
        report_json_count(b, "bytes", run->link[i].bytes);
        report_json_number(b, "busy_s", run->link[i].busy_s);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
    report_json_begin(b, "resources");
    for (int i = 0; i < run->resources; i++) {
        json_builder_begin_object(b);
        report_json_word(b, "name", run->resource[i].name);
        report_json_count(b, "messages", run->resource[i].messages);
        report_json_count(b, "bytes", run->resource[i].bytes);
        report_json_number(b, "busy_s", run->resource[i].busy_s);
        json_builder_end_object(b);
    }
    json_builder_end_array(b);
}

static JsonNode *document(const struct report_run *run)
{
    g_autofree char *program = run->program ? g_path_get_basename(run->program) : NULL;
    g_autoptr(JsonBuilder) b = json_builder_new();
    json_builder_begin_object(b);
    report_json_word(b, "sidewinder", run->version);
    report_json_word(b, "machine", run->machine);
    words(b, "set", run->set);
    report_json_word(b, "program", program);
    report_json_integer(b, "ranks", run->ranks);
    report_json_number(b, "time_s", run->time_s);
    g_autofree char *order = g_strdup_printf("%016" PRIx64, run->order);
    report_json_word(b, "order", order);
    report_json_word(b, "end", report_end_name(run->end));
    report_json_integer(b, "exit_code", run->exit_code);
    ranks(b, run);
    operations(b);
    stale_loads(b, run);
    violations(b, run);
    checked(b, &run->check);
    notes(b, run);
    traffic(b, run);
    report_json_where(b, run);
    words(b, "uninstrumented", (const char *const *)run->uninstrumented);
    words(b, "shared_libraries", (const char *const *)run->shared);
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
