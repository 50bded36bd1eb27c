/* Rows in the order in which they first came. */
#include "profile/path/path.h"

#include <string.h>

static GArray *list;       /* struct profile_link */
static GHashTable *by_key; /* key of a row -> its index */
static double start_s = -1;
static GArray *part_list; /* struct profile_part */

/* What makes two links one row. */
static guint hash(gconstpointer data)
{
    const struct profile_link *link = data;
    uint64_t h = (link->from ^ link->to * UINT64_C(0xc2b2ae3d27d4eb4f)) + (uint64_t)link->cause;
    return (guint)(h * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static gboolean equal(gconstpointer a, gconstpointer b)
{
    const struct profile_link *x = a, *y = b;
    return x->cause == y->cause && x->from == y->from && x->to == y->to;
}

static struct profile_link *row_of(const struct profile_link *link)
{
    if (!list) {
        list = g_array_new(FALSE, FALSE, sizeof *link);
        by_key = g_hash_table_new_full(hash, equal, g_free, NULL);
    }
    guint at = GPOINTER_TO_UINT(g_hash_table_lookup(by_key, link));
    if (!at) {
        const struct profile_link fresh = {
            .cause = link->cause, .from = link->from, .to = link->to, .rank = link->rank};
        g_array_append_val(list, fresh);
        at = list->len;
        g_hash_table_insert(by_key, g_memdup2(&fresh, sizeof fresh), GUINT_TO_POINTER(at));
    }
    return &g_array_index(list, struct profile_link, at - 1);
}

void profile_link(const struct profile_link *link)
{
    struct profile_link *row = row_of(link);
    row->others = row->others || row->rank != link->rank;
    row->count += link->count;
    row->time_s += link->time_s;
    row->compute_s += link->compute_s;
    row->memory_s += link->memory_s;
    row->service_s += link->service_s;
}

size_t profile_links(void) { return list ? list->len : 0; }

const struct profile_link *profile_link_at(size_t i)
{
    return &g_array_index(list, struct profile_link, i);
}

void profile_part(const char *key, double time_s)
{
    if (!part_list) part_list = g_array_new(FALSE, FALSE, sizeof(struct profile_part));
    for (guint i = 0; i < part_list->len; i++) {
        struct profile_part *part = &g_array_index(part_list, struct profile_part, i);
        if (strcmp(part->key, key) != 0) continue;
        part->time_s += time_s;
        return;
    }
    const struct profile_part fresh = {key, time_s};
    g_array_append_val(part_list, fresh);
}

size_t profile_parts(void) { return part_list ? part_list->len : 0; }

const struct profile_part *profile_part_at(size_t i)
{
    return &g_array_index(part_list, struct profile_part, i);
}

void profile_path_begins(double time_s) { start_s = time_s; }

double profile_path_start(void) { return start_s; }

void profile_path_clear(void)
{
    if (list) g_array_free(list, TRUE);
    if (by_key) g_hash_table_unref(by_key);
    if (part_list) g_array_free(part_list, TRUE);
    part_list = NULL;
    list = NULL;
    by_key = NULL;
    start_s = -1;
}
