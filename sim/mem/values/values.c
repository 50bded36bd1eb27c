/* values: begins and ends; what waits reaches memory. */
#include "mem/values/values.h"

void mem_values_init(struct mem_values *v, int processors)
{
    v->processors = processors;
    v->own = g_new0(struct mem_own *, processors);
    v->registration = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
}

void mem_own_init(struct mem_values *v, int i, struct mem_own *own, const int *rank,
                  uint32_t entries)
{
    v->own[i] = own;
    own->values = v;
    own->rank = rank;
    own->entries = entries;
    if (!entries) return;
    uint8_t *data = g_malloc0((size_t)entries << v->line_shift);
    own->buffered = g_new0(struct mem_buffered, entries);
    for (uint32_t k = 0; k < entries; k++)
        own->buffered[k].data = data + ((size_t)k << v->line_shift);
}

static void own_clear(struct mem_own *own)
{
    if (own->buffered) g_free(own->buffered[0].data);
    g_free(own->buffered);
    g_free(own->posted.write);
    g_free(own->posted.data);
}

void mem_values_clear(struct mem_values *v)
{
    for (int i = 0; i < v->processors; i++) own_clear(v->own[i]);
    for (size_t i = 0; i < v->regions; i++) mem_region_clear(&v->region[i]);
    g_hash_table_destroy(v->registration);
    g_free(v->room);
    g_free(v->own);
}

struct mem_own *mem_own_of(const struct mem_values *v, int rank)
{
    for (int i = 0; i < v->processors; i++)
        if (*v->own[i]->rank == rank) return v->own[i];
    return v->own[0];
}

void mem_values_until(struct mem_values *v, int64_t now)
{
    for (int i = 0; v->posted && i < v->processors; i++) {
        /* whoever runs now, the stores of the others have happened */
        mem_deferred_commit(v->own[i]);
        mem_posted_apply(v->own[i], now);
    }
}
