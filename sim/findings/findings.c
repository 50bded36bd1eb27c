/* What the run noticed: stale loads, lost bytes, violations. Folded, so that a million of a kind
 * make one record. */
#include "findings/findings.h"
#include "trace/trace.h"

#include <string.h>

/* A list of records with a table from what makes two of them the same to the record. */
struct folded {
    GPtrArray *list;
    GHashTable *by_key;
};
static struct folded stale, notes;

struct key {
    uint64_t part[4];
};

static guint key_hash(gconstpointer data)
{
    const struct key *key = data;
    uint64_t h = 0;
    for (size_t i = 0; i < G_N_ELEMENTS(key->part); i++)
        h = (h ^ key->part[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (guint)(h >> 32);
}

static gboolean key_equal(gconstpointer a, gconstpointer b)
{
    return memcmp(a, b, sizeof(struct key)) == 0;
}

/* The record of that key; NULL: there was none, and `fresh` (bytes long) was copied in as the
 * first. */
static void *fold(struct folded *folded, const struct key *key, const void *fresh, size_t bytes)
{
    if (!folded->list) {
        folded->list = g_ptr_array_new_with_free_func(g_free);
        folded->by_key = g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
    }
    void *record = g_hash_table_lookup(folded->by_key, key);
    if (record) return record;
    record = g_memdup2(fresh, bytes);
    g_ptr_array_add(folded->list, record);
    g_hash_table_insert(folded->by_key, g_memdup2(key, sizeof *key), record);
    return NULL;
}

static void folded_clear(struct folded *folded)
{
    if (!folded->list) return;
    g_hash_table_unref(folded->by_key);
    g_ptr_array_unref(folded->list);
    *folded = (struct folded){NULL, NULL};
}

/* ---- stale loads ----------------------------------------------------------------------------- */

/* By rank: the stale load whose event was written last. */
struct last_stale {
    bool known;
    op_site site;
    uint32_t writer;
    double write_time_s;
};
static GArray *last_stale;

static void append_hex(GString *out, const uint8_t *byte, uint32_t bytes)
{
    for (uint32_t i = 0; i < MIN(bytes, (uint32_t)FINDINGS_STALE_BYTES); i++)
        g_string_append_printf(out, "%02x", byte[i]);
    if (bytes > FINDINGS_STALE_BYTES) g_string_append(out, "...");
}

/* A load that keeps missing the same write is one event. */
static bool repeated(const struct findings_stale *fresh)
{
    guint rank = (guint)fresh->rank;
    if (!last_stale) last_stale = g_array_new(FALSE, TRUE, sizeof(struct last_stale));
    if (last_stale->len <= rank) g_array_set_size(last_stale, rank + 1);
    struct last_stale *last = &g_array_index(last_stale, struct last_stale, rank);
    if (last->known && last->site == fresh->load_site && last->writer == fresh->writer &&
        last->write_time_s == fresh->write_time_s)
        return true;
    *last = (struct last_stale){true, fresh->load_site, fresh->writer, fresh->write_time_s};
    return false;
}

/* The bytes as `run --watch` names them; NULL: of no segment. Free with g_free. */
static char *watched(const struct op_segment *segment, uint64_t offset, uint64_t bytes)
{
    if (!segment) return NULL;
    return g_strdup_printf("%s:%d:%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, segment->name,
                           segment->rank, (guint64)offset, (guint64)bytes);
}

/* The word that holds the byte, as far as it belongs to the segment. */
static char *watched_word(const struct op_segment *segment, uint64_t offset)
{
    enum { WORD = 8 };
    if (!segment || offset >= segment->bytes) return NULL;
    uint64_t within = (segment->base + offset) % WORD, low = offset - MIN(within, offset);
    return watched(segment, low, MIN(offset - within + WORD, segment->bytes) - low);
}

static void stale_event(const struct findings_stale *fresh)
{
    if (repeated(fresh)) return;
    const struct op_segment *segment = op_segment(fresh->segment);
    struct op_writer writer = op_writer(fresh->writer);
    g_autoptr(GString) what = g_string_new(NULL);
    g_string_append_printf(what, "%u bytes at offset %" G_GUINT64_FORMAT " of %s of rank %d: saw ",
                           fresh->bytes, (guint64)fresh->offset, segment ? segment->name : "?",
                           segment ? segment->rank : -1);
    append_hex(what, fresh->seen, fresh->bytes);
    g_string_append(what, ", memory held ");
    append_hex(what, fresh->memory, fresh->bytes);
    g_autofree char *memory = watched(segment, fresh->offset, MIN(fresh->bytes, 16));
    trace_event(&(struct trace_event){.kind = TRACE_EVENT_STALE,
                                      .rank = fresh->rank,
                                      .time_s = fresh->time_s,
                                      .site = fresh->load_site,
                                      .other_rank = writer.rank,
                                      .other_call = writer.call,
                                      .other_site = writer.site,
                                      .memory = memory,
                                      .text = what->str});
}

void findings_stale_note(const struct findings_stale *fresh)
{
    struct findings_stale first = *fresh;
    first.count = 1;
    if (trace_on) stale_event(fresh);
    struct op_writer writer = op_writer(fresh->writer);
    struct key key = {{fresh->load_site, writer.site, (uint64_t)(uintptr_t)writer.call, 0}};
    struct findings_stale *record = fold(&stale, &key, &first, sizeof first);
    if (record) record->count++;
}

size_t findings_stale_count(void) { return stale.list ? stale.list->len : 0; }

const struct findings_stale *findings_stale_get(size_t i) { return stale.list->pdata[i]; }

/* ---- lost bytes ------------------------------------------------------------------------------ */

/* NULL: it is no event. */
static char *note_words(const struct findings_note *note, const struct op_segment *segment)
{
    const char *name = segment ? segment->name : "memory";
    if (note->kind == FINDINGS_NOTE_LOST_UPDATE)
        return g_strdup_printf(
            "%s of part of a word put back old bytes at offset %" G_GUINT64_FORMAT " of %s",
            note->call ? note->call : "a store", (guint64)note->offset, name);
    if (note->kind == FINDINGS_NOTE_EDGE)
        return g_strdup_printf("the line at offset %" G_GUINT64_FORMAT " of %s came back into the "
                               "cache while it was lent: other variables in it were used",
                               (guint64)note->offset, name);
    return NULL;
}

static void note_event(const struct findings_note *note)
{
    struct op_writer writer = op_writer(note->writer);
    const struct op_segment *segment = op_segment(note->segment);
    g_autofree char *text = note_words(note, segment),
                    *memory = watched_word(segment, note->offset);
    if (!text) return;
    trace_event(&(struct trace_event){.kind = note->kind == FINDINGS_NOTE_EDGE ? TRACE_EVENT_SHARING
                                                                               : TRACE_EVENT_LOST,
                                      .rank = note->rank,
                                      .time_s = note->time_s,
                                      .site = note->site,
                                      .other_rank = writer.rank,
                                      .other_call = writer.call,
                                      .other_site = writer.site,
                                      .memory = memory,
                                      .text = text});
}

void findings_note(const struct findings_note *fresh)
{
    struct findings_note first = *fresh;
    first.count = 1;
    struct key key = {{fresh->kind, (uint64_t)fresh->rank, fresh->site, fresh->writer}};
    struct findings_note *record = fold(&notes, &key, &first, sizeof first);
    if (record)
        record->count++, record->bytes += fresh->bytes;
    else if (trace_on)
        note_event(fresh);
}

size_t findings_note_count(void) { return notes.list ? notes.list->len : 0; }

const struct findings_note *findings_note_get(size_t i) { return notes.list->pdata[i]; }

/* ---- violations ------------------------------------------------------------------------------ */

static GPtrArray *violations;
static GHashTable *violation_by_key;

static void violation_free(gpointer data)
{
    struct findings_violation *violation = data;
    g_free(violation->message);
    g_free(violation->effect);
    g_free(violation->pair);
    g_free(violation);
}

static void violation_event(const struct findings_violation *fresh)
{
    const struct op_segment *segment = fresh->addr ? op_segment_at(fresh->rank, fresh->addr) : NULL;
    g_autofree char *text = g_strdup_printf("%s: %s", fresh->rule, fresh->message),
                    *memory = segment ? watched_word(segment, fresh->addr - segment->base) : NULL;
    trace_event(&(struct trace_event){.kind = TRACE_EVENT_VIOLATION,
                                      .rank = fresh->rank,
                                      .time_s = fresh->time_s,
                                      .site = fresh->site,
                                      .other_rank = fresh->other_rank,
                                      .other_call = fresh->other_call,
                                      .other_site = fresh->other_site,
                                      .memory = memory,
                                      .text = text});
}

static struct findings_violation *violation_new(const struct findings_violation *fresh)
{
    struct findings_violation *violation = g_memdup2(fresh, sizeof *fresh);
    violation->message = g_strdup(fresh->message);
    violation->effect = g_strdup(fresh->effect);
    violation->pair = g_strdup(fresh->pair);
    violation->count = 0;
    g_ptr_array_add(violations, violation);
    return violation;
}

/* Two ranks that do the same at the same lines make one record, and an event each. */
void findings_violation_note(const struct findings_violation *fresh)
{
    if (!violations) {
        violations = g_ptr_array_new_with_free_func(violation_free);
        violation_by_key = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    }
    g_autofree char *key = g_strdup_printf("%s|%s|%" G_GUINT64_FORMAT "|%" G_GUINT64_FORMAT,
                                           fresh->rule, fresh->message, (guint64)fresh->site,
                                           (guint64)fresh->other_site),
                    *ranks = g_strdup_printf("%s|%d|%d", key, fresh->rank, fresh->other_rank);
    struct findings_violation *violation = g_hash_table_lookup(violation_by_key, key);
    if (!violation) {
        violation = violation_new(fresh);
        g_hash_table_insert(violation_by_key, g_steal_pointer(&key), violation);
    }
    violation->count += MAX(fresh->count, 1);
    if (trace_on && !g_hash_table_contains(violation_by_key, ranks)) {
        violation_event(fresh);
        g_hash_table_insert(violation_by_key, g_steal_pointer(&ranks), violation);
    }
}

size_t findings_violation_count(void) { return violations ? violations->len : 0; }

const struct findings_violation *findings_violation_get(size_t i) { return violations->pdata[i]; }

void findings_clear(void)
{
    folded_clear(&stale);
    folded_clear(&notes);
    if (violations) {
        g_hash_table_unref(violation_by_key);
        g_ptr_array_unref(violations);
    }
    violations = NULL;
    if (last_stale) g_array_unref(last_stale);
    last_stale = NULL;
}
