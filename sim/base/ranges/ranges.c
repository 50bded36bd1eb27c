#include "base/ranges/ranges.h"

/* A range of up to 2^SHIFT(size) bytes lies in the place of that many bytes where it begins, so it
 * meets that one and the next. */
enum { SIZES = 8 };
static unsigned shift_of(int size) { return 8 + 7 * (unsigned)size; }

struct place {
    uint64_t owner, number;
    int size;
};
struct base_ranges {
    GHashTable *newest; /* struct place -> struct base_range */
    struct {
        struct base_range *newest;
        uint64_t count;
    } size[SIZES];
};

static guint place_hash(const void *key)
{
    const struct place *p = key;
    const uint64_t mixed =
        (p->number * SIZES + (uint64_t)p->size + (p->owner << 40)) * UINT64_C(0x9e3779b97f4a7c15);
    return (guint)(mixed >> 32);
}

static gboolean place_equal(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    return x->number == y->number && x->owner == y->owner && x->size == y->size;
}

struct base_ranges *base_ranges_new(void)
{
    struct base_ranges *all = g_new0(struct base_ranges, 1);
    all->newest = g_hash_table_new_full(place_hash, place_equal, g_free, NULL);
    return all;
}

void base_ranges_free(struct base_ranges *all)
{
    if (!all) return;
    g_hash_table_destroy(all->newest);
    g_free(all);
}

struct base_range *base_ranges_one(const struct base_ranges *all)
{
    for (int size = 0; all && size < SIZES; size++)
        if (all->size[size].newest) return all->size[size].newest;
    return NULL;
}

static struct place place_of(const struct base_range *range)
{
    struct place place = {.owner = range->owner};
    while (place.size < SIZES - 1 && (range->end - range->base) >> shift_of(place.size) != 0)
        place.size++;
    place.number = range->base >> shift_of(place.size);
    return place;
}

void base_ranges_add(struct base_ranges *all, struct base_range *range)
{
    const struct place place = place_of(range);
    range->newer = NULL;
    range->older = g_hash_table_lookup(all->newest, &place);
    if (range->older) range->older->newer = range;
    g_hash_table_insert(all->newest, g_memdup2(&place, sizeof place), range);
    range->above = NULL;
    range->below = all->size[place.size].newest;
    if (range->below) range->below->above = range;
    all->size[place.size].newest = range;
    all->size[place.size].count++;
}

void base_ranges_remove(struct base_ranges *all, struct base_range *range)
{
    const struct place place = place_of(range);
    all->size[place.size].count--;
    *(range->above ? &range->above->below : &all->size[place.size].newest) = range->below;
    if (range->below) range->below->above = range->above;
    if (range->older) range->older->newer = range->newer;
    if (range->newer)
        range->newer->older = range->older;
    else if (range->older)
        g_hash_table_insert(all->newest, g_memdup2(&place, sizeof place), range->older);
    else
        g_hash_table_remove(all->newest, &place);
}

/* From the newest to the older ones of its place. */
static void each_of_place(struct base_range *newest, uintptr_t from, uintptr_t to,
                          base_ranges_fn *meets, void *data)
{
    struct base_range *older;
    bool enough = false;
    for (struct base_range *at = newest; at && !enough; at = older) {
        older = at->older;
        enough = at->base < to && from < at->end && meets(at, data);
    }
}

static void each_of_size(struct base_range *newest, uint64_t owner, uintptr_t from, uintptr_t to,
                         base_ranges_fn *meets, void *data)
{
    struct base_range *below;
    for (struct base_range *at = newest; at; at = below) {
        below = at->below;
        if (at->owner == owner && at->base < to && from < at->end) meets(at, data);
    }
}

void base_ranges_each(const struct base_ranges *all, uint64_t owner, uintptr_t from, uintptr_t to,
                      base_ranges_fn *meets, void *data)
{
    for (int size = 0; size < SIZES && from < to; size++) {
        if (all->size[size].count == 0) continue;
        const uint64_t first = from >> shift_of(size), last = (to - 1) >> shift_of(size);
        struct place place = {owner, first ? first - 1 : 0, size};
        if (last - place.number >= all->size[size].count) {
            each_of_size(all->size[size].newest, owner, from, to, meets, data);
            continue;
        }
        for (; place.number <= last; place.number++)
            each_of_place(g_hash_table_lookup(all->newest, &place), from, to, meets, data);
    }
}
