/* Rows by object. */
#include "profile/objects/objects.h"

#include <string.h>

bool profile_hits_on;

static GPtrArray *list;
static GHashTable *by_key; /* the rows again */

static guint mixed(uint64_t a, uint64_t b)
{
    return (guint)((a ^ b << 40) * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static guint object_hash(gconstpointer data)
{
    const struct profile_object *row = data;
    return mixed(row->key, row->memory);
}

static gboolean object_equal(gconstpointer a, gconstpointer b)
{
    const struct profile_object *x = a, *y = b;
    return x->memory == y->memory && x->key == y->key;
}

struct profile_object *profile_object(enum profile_memory memory, uint64_t key)
{
    struct profile_object fresh = {.memory = memory, .key = key};
    if (!list) {
        list = g_ptr_array_new_with_free_func(g_free);
        by_key = g_hash_table_new(object_hash, object_equal);
    }
    struct profile_object *row = g_hash_table_lookup(by_key, &fresh);
    if (row) return row;
    row = g_memdup2(&fresh, sizeof fresh);
    g_ptr_array_add(list, row);
    g_hash_table_add(by_key, row);
    return row;
}

/* The segments that ranks' operations went to last, as copies: op may forget its own. No row: none
 * is known. */
enum { RECENT = 256 }; /* a power of two */
static struct recent {
    int rank;
    uintptr_t base;
    uint64_t bytes;
    struct profile_object *row;
} recent[RECENT];
static int recent_of; /* so many segments had been added: later ones come first */

void profile_operation(int rank, uintptr_t addr)
{
    struct recent *at = &recent[((size_t)rank * 4 ^ addr >> 12) % RECENT];
    if (recent_of != op_segments()) memset(recent, 0, sizeof recent);
    recent_of = op_segments();
    if (!at->row || at->rank != rank || addr - at->base >= at->bytes) {
        const struct op_segment *s = op_segment_at(rank, addr);
        if (!s) return;
        *at = (struct recent){s->rank, s->base, s->bytes,
                              profile_object(PROFILE_WINDOW, (uint64_t)s->id)};
    }
    at->row->operations++;
}

size_t profile_objects(void) { return list ? list->len : 0; }

const struct profile_object *profile_object_at(size_t i) { return list->pdata[i]; }

void profile_objects_clear(void)
{
    profile_hits_on = false;
    memset(recent, 0, sizeof recent);
    g_clear_pointer(&by_key, g_hash_table_unref);
    g_clear_pointer(&list, g_ptr_array_unref);
}
