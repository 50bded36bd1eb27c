/* marks: of each 16 bytes of a small block, and of each page of a large one, which object they are
 * of. Memory of marks that nobody has set is not there. Blocks of some size are parts, whose bounds
 * are known; a mark of another has the number of its object.
 *
 * A place that allocates is asked for once; where that is a function of C++'s library, the
 * program's call that led there is found again by the return address on the stack.
 */
#include "world/block/block.h"

#include "world/place/place.h"
#include "world/rank/state.h"

#include <string.h>
#include <sys/mman.h>

enum { SMALL = 4, PAGE = 12 }; /* bits of an address within one mark */
enum { PARTS = 1 << 15 };      /* marks from there on are parts */
enum { PART_BYTES = 512 };     /* of so many bytes */
enum { PLACES = 256 };         /* a power of two */

struct part {
    uintptr_t from;
    uint64_t bytes;
    struct profile_object *object;
};
static struct {
    uintptr_t base;
    uint32_t shift;
    uint64_t heaps;
    uint16_t *small;
    uint32_t *page;
} marks;
static GArray *parts, *large; /* struct part, of small blocks and of pages; the first is none */
static GPtrArray *objects;    /* by number; the first is none */
static GHashTable *numbers;   /* of a site */

/* The number of a place that has allocated before. One of a library's: as long as that is on the
 * stack where it was. */
static struct place {
    uintptr_t pc;
    const uintptr_t *at; /* NULL: the program's own */
    uintptr_t is;
    uint32_t number;
} places[PLACES];

static void *zeros(uint64_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void world_heaps(uintptr_t base, uint32_t shift, uint64_t heaps)
{
    marks.small = zeros(heaps << (shift - 1 - SMALL) << 1);
    marks.page = zeros(heaps << (shift - 1 - PAGE) << 2);
    if (!marks.small || !marks.page) return;
    marks.base = base;
    marks.shift = shift;
    marks.heaps = heaps;
}

/* Which heap's half has a byte, and where in all of such halves; false: none. */
static inline bool find(uintptr_t addr, bool *upper, uint64_t *at)
{
    const uint64_t offset = addr - marks.base, heap = offset >> marks.shift,
                   half = UINT64_C(1) << (marks.shift - 1);
    *upper = offset & half;
    *at = heap * half + (offset & (half - 1));
    return heap < marks.heaps;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The object's number; 0: there are too many. */
static uint32_t number_of(op_site site)
{
    if (!site) return 0;
    if (!objects) {
        objects = g_ptr_array_new();
        numbers = g_hash_table_new(NULL, NULL);
        g_ptr_array_add(objects, NULL);
        parts = g_array_new(FALSE, TRUE, sizeof(struct part));
        large = g_array_new(FALSE, TRUE, sizeof(struct part));
        g_array_set_size(parts, 1);
        g_array_set_size(large, 1);
    }
    const gpointer key = GSIZE_TO_POINTER(site);
    uint32_t number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, key));
    if (number || objects->len >= PARTS) return number;
    number = objects->len;
    g_ptr_array_add(objects, profile_object(PROFILE_HEAP, site));
    g_hash_table_insert(numbers, key, GUINT_TO_POINTER(number));
    return number;
}

/* Where the stack has the address of the call of that site. NULL: nowhere near. */
static const uintptr_t *on_stack(const struct mem_cpu *cpu, const uintptr_t *from, op_site site)
{
    enum { FAR = 1 << 14 };
    const uintptr_t *end = from + FAR;
    if (end > (const uintptr_t *)cpu->foreign.stack) end = (const uintptr_t *)cpu->foreign.stack;
    for (; from < end; from++)
        if (*from == cpu->code_base + site) return from;
    return NULL;
}

static uint32_t number_here(const struct world_rank_state *state, uintptr_t pc)
{
    if (state->call) return number_of(world_site_of(state, state->pc));
    const uintptr_t *frame = __builtin_frame_address(0);
    struct place *own = &places[(pc ^ pc >> 8) % PLACES],
                 *via = &places[(pc ^ (uintptr_t)frame >> 4) % PLACES];
    if (own->pc == pc && !own->at) return own->number;
    if (via->pc == pc && via->at && *via->at == via->is) return via->number;
    const op_site site = world_site_of(state, pc), users = world_users_site(site);
    const uint32_t number = number_of(users);
    const struct mem_cpu *cpu = state->rank.proc->cpu;
    const uintptr_t *at = users == site ? NULL : on_stack(cpu, frame, users);
    if (users == site)
        *own = (struct place){.pc = pc, .number = number};
    else if (at)
        *via = (struct place){.pc = pc, .at = at, .is = *at, .number = number};
    return number;
}

static uint32_t new_part(GArray *of, uintptr_t from, uint64_t bytes, struct profile_object *object)
{
    const struct part part = {from, bytes, object};
    g_array_append_val(of, part);
    return of->len - 1;
}

/* Each as world_block_made. Pages come in other pieces each time. */
static bool large_made(uint32_t *mark, uintptr_t from, uint64_t bytes,
                       struct profile_object *object)
{
    const uint32_t before = *mark;
    struct part *known = &g_array_index(large, struct part, before);
    uint32_t number = before;
    if (before && known->from == from)
        *known = (struct part){from, bytes, object};
    else
        number = new_part(large, from, bytes, object);
    for (uint64_t i = 0; i < bytes >> PAGE; i++) mark[i] = number;
    return before != 0;
}

static bool small_made(uint16_t *mark, uintptr_t from, uint64_t bytes, uint32_t number)
{
    const uint32_t before = *mark;
    struct profile_object *object = objects->pdata[number];
    if (before >= PARTS) {
        struct part *known = &g_array_index(parts, struct part, before - PARTS);
        const bool changes = known->object != object;
        known->object = object;
        return changes;
    }
    if (before && before == number) return false;
    if (bytes >= PART_BYTES && parts->len < PARTS)
        number = PARTS + new_part(parts, from, bytes, object);
    for (uint64_t i = 0; i < bytes >> SMALL; i++) mark[i] = (uint16_t)number;
    return before != 0;
}

bool world_block_made(uintptr_t from, uint64_t bytes, uintptr_t pc)
{
    const struct world_rank_state *state = world_state_here();
    bool upper;
    uint64_t at;
    if (!state || !find(from, &upper, &at)) return false;
    const uint32_t number = number_here(state, pc);
    if (!objects) return false;
    const bool changes =
        upper ? large_made(&marks.page[at >> PAGE], from, bytes, objects->pdata[number])
              : small_made(&marks.small[at >> SMALL], from, bytes, number);
    if (changes) mem_forget_rows(state->rank.proc->cpu, from, bytes);
    return changes;
}

/* So many marks from this one on are the same, of `most`; four at a time. */
static uint32_t alike(const uint16_t *mark, uint32_t most)
{
    const uint64_t four = *mark * UINT64_C(0x0001000100010001);
    uint32_t n = 1;
    for (uint64_t next; n + 4 <= most; n += 4) {
        memcpy(&next, mark + n, sizeof next);
        if (next != four) break;
    }
    while (n < most && mark[n] == *mark) n++;
    return n;
}

struct world_block_part world_block_part(uintptr_t addr, bool further)
{
    enum { FURTHER = 4096 };
    bool upper;
    uint64_t at;
    if (!find(addr, &upper, &at) || !objects) return (struct world_block_part){NULL, 0, 0};
    const uint32_t mark = upper ? marks.page[at >> PAGE] : marks.small[at >> SMALL];
    if (upper || mark >= PARTS) {
        const struct part *part = upper ? &g_array_index(large, struct part, mark)
                                        : &g_array_index(parts, struct part, mark - PARTS);
        const bool has =
            addr - part->from < part->bytes; /* pages that are no block's now may say so */
        return (struct world_block_part){has ? part->object : NULL, part->from, part->bytes};
    }
    const uint32_t n = further ? alike(&marks.small[at >> SMALL], FURTHER >> SMALL) : 1;
    return (struct world_block_part){objects->pdata[mark], addr >> SMALL << SMALL,
                                     (uint64_t)n << SMALL};
}

void world_marks_clear(void)
{
    memset(places, 0, sizeof places);
    g_clear_pointer(&objects, g_ptr_array_unref);
    g_clear_pointer(&parts, g_array_unref);
    g_clear_pointer(&large, g_array_unref);
    g_clear_pointer(&numbers, g_hash_table_unref);
    if (!marks.heaps) return;
    madvise(marks.small, marks.heaps << (marks.shift - 1 - SMALL) << 1, MADV_DONTNEED);
    madvise(marks.page, marks.heaps << (marks.shift - 1 - PAGE) << 2, MADV_DONTNEED);
}
