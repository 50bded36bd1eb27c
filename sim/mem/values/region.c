/* region: which piece of memory, which segment, an address belongs to. Regions are sorted and
 * disjoint. */
#include "mem/values/values.h"
#include "mem/zeroed/zeroed.h"

size_t mem_region_place(const struct mem_values *v, uintptr_t addr)
{
    size_t low = 0, high = v->regions;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (v->region[middle].end <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct mem_region *mem_region_find(struct mem_values *v, uintptr_t from, uintptr_t to)
{
    struct mem_region *r = v->region;
    if (!v->regions) return NULL;
    if (r[v->hint].base <= from && from < r[v->hint].end) return &r[v->hint];
    size_t place = mem_region_place(v, from);
    if (place == v->regions || r[place].base >= to) return NULL;
    v->hint = place;
    return &r[place];
}

/* The first registration of the region that has the byte. */
static struct mem_registration *first_at(const struct mem_values *v, uintptr_t addr)
{
    const size_t place = mem_region_place(v, addr);
    return place < v->regions && v->region[place].base <= addr ? v->region[place].first : NULL;
}

struct mem_registration *mem_registration_at(const struct mem_values *v, uintptr_t addr)
{
    for (struct mem_registration *reg = first_at(v, addr); reg; reg = reg->next)
        if (reg->base <= addr && addr < reg->end) return reg;
    return NULL;
}

struct mem_registration *mem_registration_protects(const struct mem_values *v, uintptr_t addr,
                                                   uintptr_t beside)
{
    for (struct mem_registration *reg = first_at(v, addr); reg; reg = reg->next)
        if (reg->protected && reg->base <= addr && addr < reg->end &&
            (beside < reg->base || reg->end <= beside))
            return reg;
    return NULL;
}

struct mem_registration *mem_registration_of(const struct mem_values *v, int id)
{
    return g_hash_table_lookup(v->registration, GINT_TO_POINTER(id));
}

void mem_region_clear(struct mem_region *r)
{
    uint64_t words = ((r->end + 7) >> 3) - (r->base >> 3);
    mem_zeroed_free(r->image, r->end - r->base);
    if (r->provenance) mem_zeroed_free(r->provenance, words * sizeof *r->provenance);
    if (r->dirty) mem_zeroed_free(r->dirty, words);
    if (r->behind) mem_zeroed_free(r->behind, words);
}
