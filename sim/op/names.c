/* Writers and segments: who and what the run's record speaks of, by number. */
#include "base/base.h"
#include "base/ranges/ranges.h"
#include "op/op.h"

enum { WRITERS_MAX = 1 << 20 };

static GArray *writers;     /* struct op_writer; number 0 is nobody */
static GHashTable *numbers; /* struct op_writer in heap -> number */
static GPtrArray *segments; /* struct placed */
static struct base_ranges *places;

/* The owner's number is its rank. */
struct placed {
    struct base_range range;
    struct op_segment segment;
};

static guint writer_hash(gconstpointer key)
{
    const struct op_writer *w = key;
    return (guint)w->rank * 2654435761u ^ g_str_hash(w->call) ^ (guint)w->site ^
           (guint)(w->site >> 32);
}

static gboolean writer_equal(gconstpointer a, gconstpointer b)
{
    const struct op_writer *x = a, *y = b;
    return x->rank == y->rank && x->site == y->site && g_str_equal(x->call, y->call);
}

uint32_t op_writer_id(int rank, const char *call, op_site site)
{
    struct op_writer key = {rank, call, site};
    if (!writers) {
        const struct op_writer nobody = {-1, "", 0};
        writers = g_array_new(FALSE, FALSE, sizeof(struct op_writer));
        g_array_append_val(writers, nobody);
        numbers = g_hash_table_new_full(writer_hash, writer_equal, g_free, NULL);
    }
    uint32_t id = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, &key));
    if (id || writers->len == WRITERS_MAX) return id;
    id = writers->len;
    key.call = g_intern_string(call); /* equal calls are equal pointers from here on */
    g_array_append_val(writers, key);
    g_hash_table_insert(numbers, g_memdup2(&key, sizeof key), GUINT_TO_POINTER(id));
    return id;
}

struct op_writer op_writer(uint32_t id)
{
    if (!writers || id >= writers->len) return (struct op_writer){-1, "", 0};
    return g_array_index(writers, struct op_writer, id);
}

int op_segment_add(int rank, uintptr_t base, uint64_t bytes, const char *refresh)
{
    if (!segments) {
        segments = g_ptr_array_new_with_free_func(g_free);
        places = base_ranges_new();
    }
    struct placed *placed = g_new0(struct placed, 1);
    struct op_segment *segment = &placed->segment;
    *segment = (struct op_segment){
        .id = (int)segments->len, .rank = rank, .base = base, .bytes = bytes, .refresh = refresh};
    g_snprintf(segment->name, sizeof segment->name, "segment %d", segment->id);
    placed->range = (struct base_range){.base = base, .end = base + bytes, .owner = (uint64_t)rank};
    g_ptr_array_add(segments, placed);
    base_ranges_add(places, &placed->range);
    return segment->id;
}

void op_segment_name(int id, const char *name)
{
    struct op_segment *segment = &((struct placed *)segments->pdata[id])->segment;
    g_strlcpy(segment->name, name, sizeof segment->name);
}

int op_segments(void) { return segments ? (int)segments->len : 0; }

const struct op_segment *op_segment(int id)
{
    if (!segments || id < 0 || (guint)id >= segments->len) return NULL;
    return &((const struct placed *)segments->pdata[id])->segment;
}

/* In one place the newest comes first. */
static bool newer(struct base_range *range, void *data)
{
    const struct op_segment **last = data, *segment = &((struct placed *)range)->segment;
    if (!*last || segment->id > (*last)->id) *last = segment;
    return true;
}

const struct op_segment *op_segment_at(int rank, uintptr_t addr)
{
    const struct op_segment *last = NULL;
    if (places) base_ranges_each(places, (uint64_t)rank, addr, addr + 1, newer, &last);
    return last;
}

void op_clear(void)
{
    if (writers) g_array_unref(writers);
    if (numbers) g_hash_table_unref(numbers);
    if (segments) g_ptr_array_unref(segments);
    base_ranges_free(places);
    places = NULL;
    writers = NULL;
    numbers = NULL;
    segments = NULL;
}
