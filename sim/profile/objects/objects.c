/* Rows by object, and which of them a site's last load missed in. */
#include "profile/objects/objects.h"

bool profile_objects_on, profile_hits_on;

static GPtrArray *list;
static GHashTable *by_key; /* the rows again */
static GHashTable *left;   /* struct last, its own key */

struct last {
    op_site site;
    int rank;
    struct profile_object *row;
};

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

static guint last_hash(gconstpointer data)
{
    const struct last *last = data;
    return mixed(last->site, (uint64_t)last->rank);
}

static gboolean last_equal(gconstpointer a, gconstpointer b)
{
    const struct last *x = a, *y = b;
    return x->site == y->site && x->rank == y->rank;
}

struct profile_object *profile_object(enum profile_memory memory, uint64_t key)
{
    struct profile_object fresh = {.memory = memory, .key = key};
    if (!list) {
        list = g_ptr_array_new_with_free_func(g_free);
        by_key = g_hash_table_new(object_hash, object_equal);
        left = g_hash_table_new_full(last_hash, last_equal, g_free, NULL);
    }
    struct profile_object *row = g_hash_table_lookup(by_key, &fresh);
    if (row) return row;
    row = g_memdup2(&fresh, sizeof fresh);
    g_ptr_array_add(list, row);
    g_hash_table_add(by_key, row);
    return row;
}

void profile_object_left(int rank, op_site site, struct profile_object *row)
{
    struct last key = {.site = site, .rank = rank, .row = row};
    struct last *known = g_hash_table_lookup(left, &key);
    if (known)
        known->row = row;
    else
        g_hash_table_add(left, g_memdup2(&key, sizeof key));
}

struct profile_object *profile_object_missed(int rank, op_site site)
{
    const struct last key = {.site = site, .rank = rank};
    const struct last *known = left ? g_hash_table_lookup(left, &key) : NULL;
    return known ? known->row : profile_object(PROFILE_REST, 0);
}

int64_t profile_seen_ticks(const struct profile_stall *row, int i)
{
    const int64_t since = profile_stall_ticks(row) - row->looked_ticks;
    return row->seen[i].ticks + (i == row->looked && row->seen[i].object ? since : 0);
}

void profile_object_seen(struct profile_stall *row, const struct profile_object *object)
{
    struct profile_seen *const seen = row->seen;
    int at = 0, least = 0;
    seen[row->looked].ticks = profile_seen_ticks(row, row->looked);
    row->looked_ticks = profile_stall_ticks(row);
    row->look_at = row->missed[0] + row->missed[0] / 8 + 1;
    while (at < PROFILE_SEEN && seen[at].object && seen[at].object != object) {
        if (seen[at].ticks < seen[least].ticks) least = at;
        at++;
    }
    row->looked = at < PROFILE_SEEN ? at : least;
    if (seen[row->looked].object == object) return;
    seen[row->looked] = (struct profile_seen){.object = object};
}

size_t profile_objects(void) { return list ? list->len : 0; }

const struct profile_object *profile_object_at(size_t i) { return list->pdata[i]; }

void profile_objects_clear(void)
{
    profile_objects_on = profile_hits_on = false;
    g_clear_pointer(&left, g_hash_table_unref);
    g_clear_pointer(&by_key, g_hash_table_unref);
    g_clear_pointer(&list, g_ptr_array_unref);
}
