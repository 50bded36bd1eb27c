/* region: which piece of memory, which segment, an address belongs to. Regions are sorted and
 * disjoint. */
#include "mem/values/values.h"
#include "mem/zeroed/zeroed.h"

struct mem_region *mem_region_find(struct mem_values *v, uintptr_t from, uintptr_t to)
{
    struct mem_region *r = v->region;
    if (!v->regions) return NULL;
    if (r[v->hint].base <= from && from < r[v->hint].end) return &r[v->hint];
    size_t low = 0, high = v->regions; /* the first that ends after `from` */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (r[middle].end <= from)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == v->regions || r[low].base >= to) return NULL;
    v->hint = low;
    return &r[low];
}

static struct mem_registration *nth(const struct mem_values *v, guint i)
{
    return &g_array_index(v->registration, struct mem_registration, i);
}

struct mem_registration *mem_registration_at(const struct mem_values *v, uintptr_t addr)
{
    for (guint i = 0; i < v->registration->len; i++)
        if (nth(v, i)->base <= addr && addr < nth(v, i)->end) return nth(v, i);
    return NULL;
}

struct mem_registration *mem_registration_protects(const struct mem_values *v, uintptr_t addr,
                                                   uintptr_t beside)
{
    for (guint i = 0; i < v->registration->len; i++) {
        struct mem_registration *reg = nth(v, i);
        if (reg->protected && reg->base <= addr && addr < reg->end &&
            (beside < reg->base || reg->end <= beside))
            return reg;
    }
    return NULL;
}

struct mem_registration *mem_registration_of(const struct mem_values *v, int id)
{
    for (guint i = 0; i < v->registration->len; i++)
        if (nth(v, i)->id == id) return nth(v, i);
    return NULL;
}

void mem_region_clear(struct mem_region *r)
{
    uint64_t words = ((r->end + 7) >> 3) - (r->base >> 3);
    mem_zeroed_free(r->image, r->end - r->base);
    if (r->provenance) mem_zeroed_free(r->provenance, words * sizeof *r->provenance);
    if (r->dirty) mem_zeroed_free(r->dirty, words);
    if (r->behind) mem_zeroed_free(r->behind, words);
}
