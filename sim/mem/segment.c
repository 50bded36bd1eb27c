/* segment: the pieces of memory that have an image beside the view.
 *
 * Registrations may overlap; a region is a maximal union of those that do, so one piece of memory
 * has one image. Regions are sorted and disjoint. The image lives and dies with the region; where a
 * union changes, image and provenance move along. The T3D's caches see lines, segments are bytes:
 * whatever is moved is clipped to the region.
 */
#include "core.h"

static uint64_t words_of(uintptr_t base, uintptr_t end) { return ((end + 7) >> 3) - (base >> 3); }

struct mem_region *mem_region_find(struct mem_node *node, uintptr_t from, uintptr_t to)
{
    struct mem_region *r = node->region;
    if (!node->regions) return NULL;
    if (r[node->hint].base <= from && from < r[node->hint].end) return &r[node->hint];
    size_t low = 0, high = node->regions; /* the first that ends after `from` */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (r[middle].end <= from)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == node->regions || r[low].base >= to) return NULL;
    node->hint = low;
    return &r[low];
}

struct mem_registration *mem_registration_at(const struct mem_node *node, uintptr_t addr, bool lent)
{
    for (guint i = 0; i < node->registration->len; i++) {
        struct mem_registration *reg =
            &g_array_index(node->registration, struct mem_registration, i);
        if (reg->base <= addr && addr < reg->end && (reg->lent || !lent)) return reg;
    }
    return NULL;
}

static struct mem_registration *registration(const struct mem_node *node, int id)
{
    for (guint i = 0; i < node->registration->len; i++) {
        struct mem_registration *reg =
            &g_array_index(node->registration, struct mem_registration, i);
        if (reg->id == id) return reg;
    }
    return NULL;
}

void mem_segment_lend(struct mem_node *node, int id)
{
    registration(node, id)->lent = true;
    node->lent++;
}

double mem_segment_mend(const struct mem_node *node, int id)
{
    return registration(node, id)->mended ? mem_seconds(node, 2 * node->retire) : 0;
}

/* ---- building regions ------------------------------------------------------------------------ */

static struct mem_region region_new(const struct mem_node *node, int rank, uintptr_t base,
                                    uintptr_t end)
{
    struct mem_region r = {.base = base, .end = end, .rank = rank};
    uint64_t words = words_of(base, end);
    r.image = g_malloc(end - base);
    memcpy(r.image, (const void *)base, end - base);
    if (!node->coherent) {
        r.provenance = g_new0(uint64_t, words);
        if (node->writes_back) r.dirty = g_malloc0(words);
    }
    return r;
}

static void region_clear(struct mem_region *r)
{
    g_free(r->image);
    g_free(r->provenance);
    g_free(r->dirty);
}

/* What both cover moves from the old region to the new one. */
static void inherit(struct mem_region *to, const struct mem_region *from)
{
    uintptr_t base = MAX(to->base, from->base), end = MIN(to->end, from->end);
    if (base >= end) return;
    memcpy(to->image + (base - to->base), from->image + (base - from->base), end - base);
    uint64_t words = words_of(base, end), t = (base >> 3) - (to->base >> 3),
             f = (base >> 3) - (from->base >> 3);
    if (to->provenance)
        memcpy(to->provenance + t, from->provenance + f, words * sizeof *to->provenance);
    if (to->dirty) memcpy(to->dirty + t, from->dirty + f, words);
}

static void splice(struct mem_node *node, size_t at, size_t removed, const struct mem_region *added,
                   size_t n)
{
    size_t tail = node->regions - at - removed;
    struct mem_region *region = g_new(struct mem_region, node->regions - removed + n + 1);
    if (at) memcpy(region, node->region, at * sizeof *region);
    if (n) memcpy(region + at, added, n * sizeof *region);
    if (tail) memcpy(region + at + n, node->region + at + removed, tail * sizeof *region);
    g_free(node->region);
    node->region = region;
    node->regions = at + n + tail;
    node->hint = 0;
}

static struct mem_core *owner_of(struct mem_node *node, int rank)
{
    for (int i = 0; i < node->cpus; i++)
        if (node->cpu[i].rank == rank) return &node->core[i];
    return &node->core[0];
}

/* Private lines that become a segment's, or the other way, must not be answered by the filters. */
static void pages_changed(struct mem_node *node)
{
    for (int i = 0; i < node->cpus; i++) {
        mem_carry(&node->core[i]);
        mem_settle(&node->core[i]);
        mem_filters_clear(&node->cpu[i]);
        node->core[i].newest = &node->core[i].none;
    }
}

void mem_segment_add(struct mem_node *node, int id, uintptr_t addr, uint64_t bytes)
{
    const struct op_segment *segment = op_segment(id);
    struct mem_registration reg = {
        .id = id, .rank = segment ? segment->rank : -1, .base = addr, .end = addr + bytes};
    g_array_append_val(node->registration, reg);
    if (!bytes) return;
    pages_changed(node);
    size_t i = 0;
    while (i < node->regions && node->region[i].end <= reg.base) i++;
    size_t j = i;
    uintptr_t base = reg.base, end = reg.end;
    while (j < node->regions && node->region[j].base < reg.end) {
        base = MIN(base, node->region[j].base);
        end = MAX(end, node->region[j].end);
        j++;
    }
    /* nothing new */
    if (j == i + 1 && node->region[i].base == base && node->region[i].end == end) return;
    struct mem_region region = region_new(node, reg.rank, base, end);
    for (size_t k = i; k < j; k++) {
        inherit(&region, &node->region[k]);
        region_clear(&node->region[k]);
    }
    splice(node, i, j - i, &region, 1);
    struct mem_core *owner = owner_of(node, reg.rank);
    for (uintptr_t page = reg.base & ~(uintptr_t)(MEM_PAGE_BYTES - 1); page < reg.end;
         page += MEM_PAGE_BYTES)
        mem_page_mark(node, page, owner);
}

/* Bytes [from, to) will be in no segment any more: memory and the program's own bytes become one
 * again. */
static void settle_bytes(struct mem_node *node, int rank, uintptr_t from, uintptr_t to)
{
    if (node->coherent) return; /* the view has everything */
    for (uint64_t n; from < to; from += n) {
        n = MIN(to - from, MEM_PAGE_BYTES);
        mem_view_fill(owner_of(node, rank), from, n);
    }
}

static int by_base(const void *a, const void *b)
{
    const struct mem_registration *x = a, *y = b;
    return (x->base > y->base) - (x->base < y->base);
}

void mem_segment_remove(struct mem_node *node, int id)
{
    struct mem_registration gone = {.id = -1};
    for (guint i = 0; i < node->registration->len; i++) {
        if (g_array_index(node->registration, struct mem_registration, i).id != id) continue;
        gone = g_array_index(node->registration, struct mem_registration, i);
        g_array_remove_index(node->registration, i);
        break;
    }
    if (gone.lent) node->lent--;
    if (gone.id != id || gone.base == gone.end) return;
    pages_changed(node);
    mem_out_apply(node, INT64_MAX - MEM_TICK_SLACK);
    struct mem_region *r = mem_region_find(node, gone.base, gone.end);
    struct mem_region old = *r;
    g_autoptr(GArray) left = g_array_new(FALSE, FALSE, sizeof(struct mem_registration));
    for (guint i = 0; i < node->registration->len; i++) {
        const struct mem_registration *reg =
            &g_array_index(node->registration, struct mem_registration, i);
        if (reg->base < reg->end && reg->base < old.end && old.base < reg->end)
            g_array_append_val(left, *reg);
    }
    g_array_sort(left, by_base);
    g_autoptr(GArray) built = g_array_new(FALSE, FALSE, sizeof(struct mem_region));
    uintptr_t at = old.base; /* before it, everything is settled */
    for (guint i = 0; i < left->len;) {
        uintptr_t base = g_array_index(left, struct mem_registration, i).base, end = base;
        for (; i < left->len &&
               (end == base || g_array_index(left, struct mem_registration, i).base < end);
             i++)
            end = MAX(end, g_array_index(left, struct mem_registration, i).end);
        settle_bytes(node, gone.rank, at, base);
        struct mem_region region = region_new(node, old.rank, base, end);
        inherit(&region, &old);
        g_array_append_val(built, region);
        at = end;
    }
    settle_bytes(node, gone.rank, at, old.end);
    splice(node, (size_t)(r - node->region), 1, (struct mem_region *)(void *)built->data,
           built->len);
    region_clear(&old);
    for (uintptr_t page = gone.base & ~(uintptr_t)(MEM_PAGE_BYTES - 1); page < gone.end;
         page += MEM_PAGE_BYTES)
        if (!mem_region_find(node, page, page + MEM_PAGE_BYTES)) mem_page_unmark(node, page);
}

void mem_share(struct mem_node *node, int rank, uintptr_t addr, uint64_t bytes)
{
    if (node->cpus == 1) return;
    pages_changed(node);
    struct mem_core *owner = owner_of(node, rank);
    for (uintptr_t page = addr; page < addr + bytes; page += MEM_PAGE_BYTES) {
        mem_page_mark(node, page, owner);
        if (!mem_region_find(node, page, page + MEM_PAGE_BYTES)) mem_page_unmark(node, page);
    }
}

/* ---- image and provenance -------------------------------------------------------------------- */

void mem_image_write(struct mem_node *node, uintptr_t addr, const uint8_t *data, uint64_t bytes)
{
    uintptr_t to = addr + bytes;
    for (struct mem_region *r = mem_region_find(node, addr, to); r;
         r = mem_region_next(node, r, to)) {
        uintptr_t base = MAX(addr, r->base), end = MIN(to, r->end);
        memcpy(r->image + (base - r->base), data + (base - addr), end - base);
    }
}

void mem_image_wrote(struct mem_node *node, uintptr_t addr, uint64_t bytes, uint32_t writer,
                     int64_t at)
{
    uintptr_t to = addr + bytes;
    double tenths = mem_seconds(node, at) * 1e10;
    uint64_t time = tenths < 0                   ? 0
                    : tenths >= 17592186044415.0 ? UINT64_C(0xfffffffffff)
                                                 : (uint64_t)(tenths + 0.5);
    uint64_t word = (uint64_t)(writer & 0xfffff) << 44 | time;
    for (struct mem_region *r = mem_region_find(node, addr, to); r;
         r = mem_region_next(node, r, to)) {
        if (!r->provenance) continue;
        uintptr_t base = MAX(addr, r->base), end = MIN(to, r->end);
        for (uintptr_t w = base >> 3; w <= (end - 1) >> 3; w++)
            r->provenance[w - (r->base >> 3)] = word;
    }
}

/* ---- dirty bytes of write-back caches on a node without coherence ---------------------------- */

void mem_dirty_mark(struct mem_node *node, uintptr_t addr, uint64_t bytes)
{
    uintptr_t to = addr + bytes;
    for (struct mem_region *r = mem_region_find(node, addr, to); r;
         r = mem_region_next(node, r, to)) {
        if (!r->dirty) continue;
        for (uintptr_t a = MAX(addr, r->base); a < MIN(to, r->end); a++)
            r->dirty[(a >> 3) - (r->base >> 3)] |= (uint8_t)(1u << (a & 7));
    }
}

static inline bool dirty_at(const struct mem_region *r, uintptr_t a)
{
    return r->dirty[(a >> 3) - (r->base >> 3)] >> (a & 7) & 1;
}

void mem_dirty_flush(struct mem_core *core, uintptr_t addr, uint64_t bytes)
{
    struct mem_node *node = core->node;
    uintptr_t to = addr + bytes;
    int64_t now = mem_now(core);
    for (struct mem_region *r = mem_region_find(node, addr, to); r;
         r = mem_region_next(node, r, to)) {
        if (!r->dirty) continue;
        uintptr_t a = MAX(addr, r->base), end = MIN(to, r->end);
        while (a < end) {
            if (!dirty_at(r, a)) {
                a++;
                continue;
            }
            uintptr_t from = a;
            for (; a < end && dirty_at(r, a); a++)
                r->dirty[(a >> 3) - (r->base >> 3)] &= (uint8_t)~(1u << (a & 7));
            /* Evicted by the very store that is in progress: its bytes are not in the view yet. */
            bool late =
                core->shield_bytes && from < core->shield + core->shield_bytes && core->shield < a;
            mem_out_push(core, from, a - from, late ? NULL : (const uint8_t *)from, 0, 0, now);
        }
    }
}
