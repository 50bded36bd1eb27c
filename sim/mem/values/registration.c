/* registration: segments come and go; the regions follow. The image lives and dies with the region;
 * where a union changes, image and provenance move along. */
#include "mem/values/values.h"
#include "mem/zeroed/zeroed.h"

static uint64_t words_of(uintptr_t base, uintptr_t end) { return ((end + 7) >> 3) - (base >> 3); }

/* What the view holds: pages of zeros, which nobody has touched, are so from the beginning. */
static uint8_t *image_new(uintptr_t base, uintptr_t end)
{
    enum { PIECE = 4096 };
    static const uint8_t zeros[PIECE];
    uint8_t *image = mem_zeroed(end - base);
    struct mem_touched touched = mem_touched_in(base, end - base);
    for (uintptr_t n, at, to; mem_touched_next(&touched, &at, &to);)
        for (; at < to; at += n) {
            n = MIN(to - at, PIECE);
            if (memcmp((const void *)at, zeros, n) != 0)
                memcpy(image + (at - base), (const void *)at, n);
        }
    return image;
}

static struct mem_region region_new(const struct mem_values *v, int rank, uintptr_t base,
                                    uintptr_t end)
{
    struct mem_region r = {.base = base, .end = end, .rank = rank};
    uint64_t words = words_of(base, end);
    r.image = image_new(base, end);
    if (!v->coherent) {
        r.provenance = mem_zeroed(words * sizeof *r.provenance);
        if (v->writes_back) r.dirty = mem_zeroed(words);
    }
    return r;
}

/* Bits of [base, end), which both regions cover. A word at the border of two old regions gets bits
 * from each. */
static void inherit_bits(uint8_t *to, uintptr_t to_base, const uint8_t *from, uintptr_t from_base,
                         uintptr_t base, uintptr_t end)
{
    for (uintptr_t w = base >> 3, last = (end - 1) >> 3; w <= last; w++) {
        unsigned bits = 0xff;
        if (w == base >> 3) bits &= 0xffu << (base & 7);
        if (w == last) bits &= 0xffu >> (7 - ((end - 1) & 7));
        to[w - (to_base >> 3)] |= (uint8_t)(from[w - (from_base >> 3)] & bits);
    }
}

/* What both cover moves from the old region to the new one. */
static void inherit(struct mem_region *to, const struct mem_region *from)
{
    uintptr_t base = MAX(to->base, from->base), end = MIN(to->end, from->end);
    if (from->stored) to->stored = from->stored;
    if (base >= end) return;
    memcpy(to->image + (base - to->base), from->image + (base - from->base), end - base);
    uint64_t words = words_of(base, end), t = (base >> 3) - (to->base >> 3),
             f = (base >> 3) - (from->base >> 3);
    if (to->provenance)
        memcpy(to->provenance + t, from->provenance + f, words * sizeof *to->provenance);
    if (to->dirty) inherit_bits(to->dirty, to->base, from->dirty, from->base, base, end);
    if (from->behind) {
        if (!to->behind) to->behind = mem_zeroed(words_of(to->base, to->end));
        inherit_bits(to->behind, to->base, from->behind, from->base, base, end);
    }
}

/* Room for so many more, half of it before the regions. */
static void make_room(struct mem_values *v, size_t more)
{
    const size_t rooms = 2 * (v->regions + more) + 2, before = (rooms - v->regions) / 2;
    struct mem_region *room = g_new(struct mem_region, rooms);
    if (v->regions) memcpy(room + before, v->region, v->regions * sizeof *room);
    g_free(v->room);
    v->room = room;
    v->rooms = rooms;
    v->region = room + before;
}

/* Of what stands before and behind the place, the shorter part moves. */
static void splice(struct mem_values *v, size_t at, size_t removed, const struct mem_region *added,
                   size_t n)
{
    const size_t tail = v->regions - at - removed;
    size_t before = (size_t)(v->region - v->room), behind = v->rooms - before - v->regions;
    if (n > removed && (at < tail ? before : behind) < n - removed) make_room(v, n - removed);
    struct mem_region *region = v->region;
    if (at < tail) {
        v->region = region + removed - n;
        memmove(v->region, region, at * sizeof *region);
    } else if (tail)
        memmove(region + at + n, region + at + removed, tail * sizeof *region);
    if (n) memcpy(v->region + at, added, n * sizeof *region);
    v->regions = at + n + tail;
    v->hint = 0;
}

/* Into the region's list, by the order in which they were added. */
static void enter(struct mem_region *r, struct mem_registration *reg)
{
    struct mem_registration **link = &r->first;
    while (*link && (*link)->number < reg->number) link = &(*link)->next;
    reg->next = *link;
    *link = reg;
}

static void enter_all(struct mem_region *r, struct mem_registration *list)
{
    for (struct mem_registration *next; list; list = next) {
        next = list->next;
        enter(r, list);
    }
}

bool mem_registration_add(struct mem_values *v, int id, int rank, uintptr_t addr, uint64_t bytes)
{
    struct mem_registration *reg = g_new(struct mem_registration, 1);
    *reg = (struct mem_registration){
        .id = id, .rank = rank, .base = addr, .end = addr + bytes, .number = v->registered++};
    g_hash_table_insert(v->registration, GINT_TO_POINTER(id), reg);
    if (!bytes) return false;
    const size_t i = mem_region_place(v, reg->base);
    size_t j = i;
    uintptr_t base = reg->base, end = reg->end;
    while (j < v->regions && v->region[j].base < reg->end) {
        base = MIN(base, v->region[j].base);
        end = MAX(end, v->region[j].end);
        j++;
    }
    if (j == i + 1 && v->region[i].base == base && v->region[i].end == end) {
        enter(&v->region[i], reg);
        return false;
    }
    struct mem_region region = region_new(v, rank, base, end);
    enter(&region, reg);
    for (size_t k = i; k < j; k++) {
        inherit(&region, &v->region[k]);
        enter_all(&region, v->region[k].first);
        mem_region_clear(&v->region[k]);
    }
    splice(v, i, j - i, &region, 1);
    return true;
}

/* What the touched bytes of a range hold becomes what memory does. */
static void fill_touched(struct mem_values *v, int rank, uintptr_t at, struct mem_touched touched)
{
    enum { PIECE = 4096 };
    uintptr_t offset = at - touched.at;
    for (uintptr_t n, from, to; mem_touched_next(&touched, &from, &to);)
        for (; from < to; from += n) {
            n = MIN(to - from, PIECE);
            mem_view_fill(mem_own_of(v, rank), from + offset, n);
        }
}

/* Bytes [from, to) will be in no segment any more: memory and the program's own bytes become one
 * again. */
static void unite(struct mem_values *v, int rank, uintptr_t from, uintptr_t to)
{
    if (v->coherent) return; /* the view has everything */
    const struct mem_region *r = from < to ? mem_region_find(v, from, to) : NULL;
    if (!r) return;
    fill_touched(v, rank, from, mem_touched_in((uintptr_t)r->image + (from - r->base), to - from));
    fill_touched(v, rank, from, mem_touched_in(from, to - from));
}

static int by_base(const void *a, const void *b)
{
    const struct mem_registration *const *x = a, *const *y = b;
    return ((*x)->base > (*y)->base) - ((*x)->base < (*y)->base);
}

/* What the region is made of, sorted by address. Free it. */
static GPtrArray *by_address(const struct mem_region *r)
{
    GPtrArray *all = g_ptr_array_new();
    for (struct mem_registration *reg = r->first; reg; reg = reg->next) g_ptr_array_add(all, reg);
    g_ptr_array_sort(all, by_base);
    return all;
}

static struct mem_registration take_out(struct mem_values *v, int id)
{
    struct mem_registration *reg = mem_registration_of(v, id), gone = {.id = -1};
    if (!reg) return gone;
    gone = *reg;
    struct mem_region *r = gone.base < gone.end ? mem_region_find(v, gone.base, gone.end) : NULL;
    if (r) {
        struct mem_registration **link = &r->first;
        while (*link != reg) link = &(*link)->next;
        *link = reg->next;
    }
    g_hash_table_remove(v->registration, GINT_TO_POINTER(id));
    return gone;
}

/* Then the region stays as it is. */
static bool another_covers(const struct mem_region *r, const struct mem_registration *gone)
{
    for (const struct mem_registration *reg = r->first; reg; reg = reg->next)
        if (reg->base <= gone->base && gone->end <= reg->end) return true;
    return false;
}

struct mem_registration mem_registration_remove(struct mem_values *v, int id)
{
    struct mem_registration *known = mem_registration_of(v, id);
    if (known && known->base < known->end) mem_values_until(v, INT64_MAX - MEM_TICK_SLACK);
    struct mem_registration gone = take_out(v, id);
    if (gone.id != id || gone.base == gone.end) return (struct mem_registration){.id = -1};
    struct mem_region *r = mem_region_find(v, gone.base, gone.end);
    if (another_covers(r, &gone)) return gone;
    struct mem_region old = *r;
    g_autoptr(GPtrArray) left = by_address(&old);
    g_autoptr(GArray) built = g_array_new(FALSE, FALSE, sizeof(struct mem_region));
    uintptr_t at = old.base; /* before it, all are united */
    for (guint i = 0; i < left->len;) {
        struct mem_registration *reg = left->pdata[i];
        const guint first = i;
        uintptr_t base = reg->base, end = base;
        for (; i < left->len && (reg = left->pdata[i], end == base || reg->base < end); i++)
            end = MAX(end, reg->end);
        unite(v, gone.rank, at, base);
        struct mem_region region = region_new(v, old.rank, base, end);
        inherit(&region, &old);
        for (guint k = first; k < i; k++) enter(&region, left->pdata[k]);
        g_array_append_val(built, region);
        at = end;
    }
    unite(v, gone.rank, at, old.end);
    splice(v, (size_t)(r - v->region), 1, (struct mem_region *)(void *)built->data, built->len);
    mem_region_clear(&old);
    return gone;
}

double mem_registration_restore(const struct mem_values *v, int id)
{
    struct mem_registration *reg = mem_registration_of(v, id);
    bool some = reg->restored;
    reg->restored = false;
    return some ? v->restore_s : 0;
}
