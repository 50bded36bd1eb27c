/* Most accesses are like one that was recorded: of the same line of code to the same bytes, since
 * the rank last could come to know of others. Of those nothing needs to be recorded, nor of memory
 * that is nobody's window or buffer. */
#include "check/again.h"
#include "check/copy.h"
#include "check/look.h"
#include "check/touch.h"

#include <string.h>

/* What instructions touched lately, by their place and the page. */
enum { LATELY = 4096 };
static struct lately {
    uintptr_t pc;
    const struct check_page *page;
    const struct check_record *record;
    int rank;
    uint32_t changes; /* of the page, then */
} lately[LATELY];

/* And which of 64 bytes they touched, each like one before, while nothing changed for the rank. */
static struct told {
    uintptr_t pc, where; /* address by 64 */
    uint64_t bytes;
    int rank;
    uint32_t changes; /* the rank's, then */
} told[LATELY];

void check_agains_open(void) { memset(lately, 0, sizeof lately), memset(told, 0, sizeof told); }

/* Is there a value near these bytes of the page that carries order? */
static bool carries(const struct check_page *page, uint32_t from, uint32_t bytes)
{
    return page->cells && page->cells & check_mask(0, from / 64, (from + bytes - 1) / 64 + 1);
}

/* The line of code has touched the page since the rank last could come to know of others, no value
 * can carry anything, and the access is judged already: the bytes are the same, or nothing that was
 * recorded can conflict with it. */
static bool repeated(struct check_page *page, struct check_record *known, int rank, uintptr_t addr,
                     uint64_t bytes)
{
    uint32_t from = addr & (CHECK_PAGE - 1);
    if (!known || from + bytes > CHECK_PAGE || carries(page, from, (uint32_t)bytes) ||
        known->use.clock != check_clock_own(rank) || known->use.holds != check_rank(rank)->holds)
        return false;
    if (check_bits_have(&known->bits, from, (uint32_t)bytes)) return true;
    if (page->coarse || !check_page_clear(page, rank, from, (uint32_t)bytes)) return false;
    return check_record_more(page, known, from, (uint32_t)bytes);
}

/* Of memory that is no window's: nothing that has these bytes is under way, and nothing that is
 * over waits to be forgotten. */
static bool untouched(const struct check_page *page, uintptr_t addr, uint64_t bytes)
{
    enum { FEW = 8 };
    const uint32_t from = addr & (CHECK_PAGE - 1);
    if (page->parts->len > 0 || page->records->len > FEW || from + bytes > CHECK_PAGE) return false;
    for (guint i = 0; i < page->records->len; i++) {
        const struct check_record *record = page->records->pdata[i];
        const struct check_flight *flight = record->use.flight;
        if (!flight || flight->done || !check_bits_apart(&record->bits, from, (uint32_t)bytes))
            return false;
    }
    return true;
}

enum check_again check_recorded(struct check_page *page, struct check_record *known, int rank,
                                uintptr_t addr, uint64_t bytes)
{
    if (repeated(page, known, rank, addr, bytes)) {
        check_counted.accesses++;
        return CHECK_SEEN;
    }
    if (!untouched(page, addr, bytes)) return CHECK_TELL;
    return page->records->len > 0 ? CHECK_SEEN : CHECK_FREE;
}

static inline uint64_t place(uintptr_t pc, uintptr_t where)
{
    return (pc ^ where << 3) * UINT64_C(0x9e3779b97f4a7c15) >> 52;
}
static inline uint64_t mask_of(uintptr_t addr, uint64_t bytes)
{
    return ~UINT64_C(0) >> (64 - bytes) << addr % 64;
}

/* Is the record the line's still, of now, and has the bytes, and no value there carries order? */
static inline bool same(const struct lately *l, int rank, uintptr_t addr, uint64_t mask)
{
    const uint32_t word = (addr & (CHECK_PAGE - 1)) / 64;
    return l->rank == rank && l->changes == l->page->changes &&
           l->record->use.clock == check_clock_own(rank) &&
           l->record->use.holds == check_rank(rank)->holds && !(l->page->cells >> word & 1) &&
           (check_bits_word(&l->record->bits, word) & mask) == mask;
}

static __attribute__((noinline)) enum check_again further(int rank, uintptr_t addr, uint64_t bytes,
                                                          bool store, uintptr_t pc)
{
    struct check_page *page = check_page_find(addr);
    if (check_looking(rank) || (addr & 63) + bytes > 64) return CHECK_TELL;
    if (!page) return CHECK_FREE;
    const struct lately *l = &lately[place(pc, page->number)];
    const uint64_t mask = mask_of(addr, bytes);
    if (l->pc != pc || l->page != page || !same(l, rank, addr, mask)) return CHECK_TELL;
    if (store) check_copy_known(rank, addr, bytes);
    struct told *k = &told[place(pc, addr / 64)];
    const uint32_t changes = check_clocks.changes[rank];
    if (k->pc != pc || k->where != addr / 64 || k->rank != rank || k->changes != changes)
        *k = (struct told){pc, addr / 64, 0, rank, changes};
    k->bytes |= mask;
    check_counted.accesses++;
    return CHECK_SEEN;
}

enum check_again check_again(int rank, uintptr_t addr, uint64_t bytes, bool store, uintptr_t pc)
{
    const struct told *k = &told[place(pc, addr / 64)];
    const uint64_t mask = mask_of(addr, bytes);
    if (G_UNLIKELY(k->pc != pc || k->where != addr / 64 || k->rank != rank || mask & ~k->bytes ||
                   k->changes != check_clocks.changes[rank] || addr % 64 + bytes > 64))
        return further(rank, addr, bytes, store, pc);
    check_counted.accesses++;
    return CHECK_SEEN;
}

void check_again_at(int rank, uintptr_t addr, enum check_kind kind, op_site site, uintptr_t pc)
{
    struct check_page *page = check_page_find(addr);
    const struct check_record *record = page ? check_recent(page, rank, kind, site) : NULL;
    if (!record || kind > CHECK_STORE) return;
    lately[place(pc, page->number)] = (struct lately){pc, page, record, rank, page->changes};
}
