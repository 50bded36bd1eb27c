/* Records whose functions are read one at a time: all of them once, so that what is wrong is said
 * before the program runs, and each again when it is priced. What the blocks of all together are
 * made of is never in memory. */
#include "cpu/read.h"

struct record {
    struct cpu_reader reader;
    const unsigned char *section;
    uint32_t functions; /* to be read the first time */
    GArray *function;   /* struct begin */
};
struct begin {
    const unsigned char *at;
    uint32_t first; /* block */
};

struct cpu_records {
    char *path;
    GPtrArray *section;            /* GBytes */
    GPtrArray *record;             /* struct record */
    GHashTable *own;               /* names of functions */
    guint sections;                /* whose records have been begun */
    const unsigned char *at, *end; /* of the last one of these, what has not */
};

static void record_free(void *data)
{
    struct record *r = data;
    cpu_object_free(r->reader.object);
    g_array_unref(r->function);
    g_free(r);
}

struct cpu_records *cpu_records_of(GPtrArray *sections, const char *where)
{
    struct cpu_records *r = g_new0(struct cpu_records, 1);
    r->path = g_strdup(where);
    r->section = sections;
    r->record = g_ptr_array_new_with_free_func(record_free);
    r->own = g_hash_table_new(g_str_hash, g_str_equal);
    return r;
}

struct cpu_records *cpu_records_open(const char *path, GError **error)
{
    GPtrArray *sections = cpu_sections(path, error);
    return sections ? cpu_records_of(sections, path) : NULL;
}

void cpu_records_free(struct cpu_records *r)
{
    if (!r) return;
    g_ptr_array_unref(r->section);
    g_ptr_array_unref(r->record);
    g_hash_table_unref(r->own);
    g_free(r->path);
    g_free(r);
}

/* The function at the reader, alone in its object. */
static void read_alone(struct cpu_reader *r)
{
    struct cpu_object *object = r->object;
    GArray *const parts[] = {object->function, object->block, object->op, object->operand,
                             object->successor};
    for (size_t i = 0; i < G_N_ELEMENTS(parts); i++) g_array_set_size(parts[i], 0);
    object->blocks = 0;
    cpu_read_function(r);
    object->blocks = object->block->len;
}

static void refuse(const struct cpu_reader *r, const struct cpu_records *records, GError **error)
{
    size_t length;
    const unsigned char *bytes =
        g_bytes_get_data(records->section->pdata[records->sections - 1], &length);
    cpu_read_refuse(r, records->path, (size_t)(r->bytes - bytes), error);
}

/* The next record; NULL: there is none, or *error. */
static struct record *begin(struct cpu_records *records, GError **error)
{
    while (records->at == records->end) {
        size_t length;
        if (records->sections == records->section->len) return NULL;
        records->at = g_bytes_get_data(records->section->pdata[records->sections++], &length);
        records->end = records->at + length;
    }
    struct cpu_reader reader = cpu_reader_at(records->at, (size_t)(records->end - records->at));
    records->at = reader.end;
    if (reader.wrong) refuse(&reader, records, error);
    if (!reader.object) return reader.wrong ? NULL : begin(records, error);
    struct record *r = g_new0(struct record, 1);
    r->functions = cpu_read_head(&reader);
    r->function = g_array_new(FALSE, FALSE, sizeof(struct begin));
    r->reader = reader;
    g_ptr_array_add(records->record, r);
    return r;
}

const struct cpu_object *cpu_records_next(struct cpu_records *records,
                                          struct cpu_records_place *place, GError **error)
{
    struct record *r =
        records->record->len ? records->record->pdata[records->record->len - 1] : NULL;
    while (!r || (r->functions == 0 && !r->reader.wrong)) {
        if (r) cpu_read_end(&r->reader);
        if (r && r->reader.wrong) break;
        if (!(r = begin(records, error))) {
            if (records->record->len == 0 && error && !*error) cpu_read_none(records->path, error);
            return NULL;
        }
    }
    if (!r->reader.wrong) {
        const struct begin at = {r->reader.at, r->reader.next};
        r->functions--;
        *place = (struct cpu_records_place){records->record->len - 1, r->function->len};
        g_array_append_val(r->function, at);
        read_alone(&r->reader);
    }
    if (r->reader.wrong) {
        refuse(&r->reader, records, error);
        return NULL;
    }
    const struct cpu_object *object = r->reader.object;
    g_hash_table_add(records->own,
                     (char *)g_array_index(object->function, struct cpu_function, 0).name);
    return object;
}

bool cpu_records_describe(const struct cpu_records *records, const char *name)
{
    return g_hash_table_contains(records->own, name);
}

const struct cpu_object *cpu_records_again(const struct cpu_records *records,
                                           struct cpu_records_place place)
{
    struct record *r = records->record->pdata[place.record];
    const struct begin *begin = &g_array_index(r->function, struct begin, place.function);
    r->reader.at = begin->at;
    r->reader.next = begin->first;
    read_alone(&r->reader);
    cpu_find_callees(r->reader.object, records->own);
    return r->reader.object;
}
