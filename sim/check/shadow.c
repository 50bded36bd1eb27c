/* What is remembered of the ranks' memory: for each page, which line of code touched which bytes,
 * and when. One record a line of code, kind and rank: the latest touch of a byte stands for the
 * earlier ones, which are ordered before whatever it is ordered before. A record has one bit a byte
 * of its page, so strided accesses cost what contiguous ones do. */
#include "check/parts.h"

#include <string.h>

enum { DIRECT = 4096, RECORDS_MAX = 96 };

static GHashTable *pages; /* number -> struct check_page */
static GHashTable *actors;
/* looked up lately; a page of NULL: nothing is known of that number */
static struct {
    uintptr_t number;
    struct check_page *page;
} direct[DIRECT];
static uint64_t coarse, folded;

/* ---- actors ---------------------------------------------------------------------------------- */

static guint actor_hash(const void *data)
{
    const struct check_actor *a = data;
    uint64_t h = a->site * 31 + a->kind;
    h = (h ^ (uint64_t)a->rank << 40) * UINT64_C(0x9e3779b97f4a7c15);
    return (guint)(h >> 32) ^ GPOINTER_TO_UINT(a->win) ^ GPOINTER_TO_UINT(a->op);
}

static gboolean actor_equal(const void *x, const void *y)
{
    const struct check_actor *a = x, *b = y;
    return a->rank == b->rank && a->kind == b->kind && a->site == b->site && a->win == b->win &&
           a->call == b->call && a->op == b->op && a->type == b->type && a->no_op == b->no_op &&
           a->swap == b->swap;
}

static bool writes(const struct check_actor *actor)
{
    switch (actor->kind) {
    case CHECK_LOAD:
    case CHECK_ATOMIC_LOAD:
    case CHECK_CALL_LOAD:
    case CHECK_GET:
    case CHECK_BUFFER_READ: return false;
    case CHECK_FETCH: return !actor->no_op;
    default: return true;
    }
}

const struct check_actor *check_actor(const struct check_actor *like)
{
    struct check_actor *actor = g_hash_table_lookup(actors, like);
    if (actor) return actor;
    actor = g_memdup2(like, sizeof *like);
    actor->writes = writes(like);
    g_hash_table_add(actors, actor);
    return actor;
}

/* ---- pages ----------------------------------------------------------------------------------- */

static void record_free(void *data)
{
    struct check_record *record = data;
    check_flight_unref(record->use.flight);
    check_holds_unref(record->use.holds);
    g_free(record);
}

static void page_free(void *data)
{
    struct check_page *page = data;
    g_ptr_array_unref(page->records);
    g_ptr_array_unref(page->parts);
    g_free(page);
}

void check_shadow_open(void)
{
    pages = g_hash_table_new_full(NULL, NULL, NULL, page_free);
    actors = g_hash_table_new_full(actor_hash, actor_equal, g_free, NULL);
    for (int i = 0; i < DIRECT; i++) direct[i].number = UINTPTR_MAX;
    coarse = folded = 0;
}

void check_shadow_close(void)
{
    g_clear_pointer(&pages, g_hash_table_unref);
    g_clear_pointer(&actors, g_hash_table_unref);
}

struct check_page *check_page_find(uintptr_t addr)
{
    uintptr_t number = addr >> CHECK_PAGE_BITS;
    if (direct[number % DIRECT].number != number) {
        direct[number % DIRECT].number = number;
        direct[number % DIRECT].page = g_hash_table_lookup(pages, GSIZE_TO_POINTER(number));
    }
    return direct[number % DIRECT].page;
}

struct check_page *check_page_make(uintptr_t addr)
{
    struct check_page *page = check_page_find(addr);
    if (page) return page;
    page = g_new0(struct check_page, 1);
    page->number = addr >> CHECK_PAGE_BITS;
    page->records = g_ptr_array_new_with_free_func(record_free);
    page->parts = g_ptr_array_new();
    g_hash_table_insert(pages, GSIZE_TO_POINTER(page->number), page);
    direct[page->number % DIRECT].number = page->number;
    direct[page->number % DIRECT].page = page;
    return page;
}

void check_page_forget(struct check_page *page)
{
    g_ptr_array_set_size(page->records, 0);
    memset(page->recent, 0, sizeof page->recent);
    memset(page->foreign, 0, sizeof page->foreign);
    page->own = 0;
    page->many = false;
}

void check_record_drop(struct check_page *page, guint i)
{
    for (size_t k = 0; k < G_N_ELEMENTS(page->recent); k++)
        if (page->recent[k] == page->records->pdata[i]) page->recent[k] = NULL;
    g_ptr_array_remove_index_fast(page->records, i);
}

/* Everybody is behind it, and nothing has to be made visible any more. */
static bool settled(const struct check_page *page, const struct check_record *record)
{
    const struct check_use *use = &record->use;
    const struct check_when when = check_when(use);
    if (when.clock > check_clock_known(when.rank)) return false;
    if (page->parts->len == 0 || !check_writes(use->actor)) return true;
    for (guint i = 0; i < page->parts->len; i++) {
        const struct check_part *part = page->parts->pdata[i];
        const struct check_member *m = &part->win->member[part->win_rank];
        if (check_remote(use->actor->kind)) {
            if (!m->view || m->view->of[use->actor->rank] < check_done(use)) return false;
        } else if (part->win->shared || m->rank != use->actor->rank || m->published->len == 0 ||
                   g_array_index(m->published, uint32_t, m->published->len - 1) < check_done(use))
            return false;
    }
    return true;
}

/* Forgets records that order everything behind them. */
static void trim(struct check_page *page)
{
    for (guint i = page->records->len; i-- > 0;)
        if (settled(page, page->records->pdata[i])) check_record_drop(page, i);
}

/* Two lots of what one line of code did, under the same locks: whoever is not behind the end of the
 * earlier one is not behind the later one's either. */
static bool may_fold(const struct check_use *a, const struct check_use *b)
{
    if (a->actor != b->actor || a->holds != b->holds || a->actor->replace) return false;
    const struct check_when x = check_when(a), y = check_when(b);
    return x.clock != UINT32_MAX && y.clock != UINT32_MAX && x.rank == y.rank;
}

/* Each line's complete accesses are made one, at the end of the first: what conflicts with that
 * conflicts with the bytes' own end. */
static void fold(struct check_page *page)
{
    const guint before = page->records->len;
    for (guint i = before; i-- > 1;) {
        struct check_record *later = page->records->pdata[i];
        for (guint k = 0; k < i; k++) {
            struct check_record *record = page->records->pdata[k];
            if (!may_fold(&record->use, &later->use)) continue;
            if (check_when(&later->use).clock < check_when(&record->use).clock) {
                const struct check_use use = record->use;
                record->use = later->use;
                later->use = use;
            }
            for (int w = 0; w < CHECK_WORDS; w++) record->touched[w] |= later->touched[w];
            check_record_drop(page, i);
            break;
        }
    }
    if (page->records->len == before || page->folded) return;
    page->folded = true;
    folded += CHECK_PAGE;
}

/* It cannot be judged until all ranks have met, and what is forgotten is over. */
static void give_up(struct check_page *page)
{
    check_page_forget(page);
    page->coarse = true;
    page->coarse_at = check_clock_meetings();
    if (!page->given_up) coarse += CHECK_PAGE;
    page->given_up = true;
}

bool check_page_judged(struct check_page *page)
{
    if (page->coarse && check_clock_meetings() > page->coarse_at) page->coarse = false;
    return !page->coarse;
}

uint64_t check_coarse_bytes(void) { return coarse; }
uint64_t check_folded_bytes(void) { return folded; }

/* ---- records --------------------------------------------------------------------------------- */

static inline uint64_t mask(uint32_t word, uint32_t from, uint32_t to)
{
    uint64_t bits = ~UINT64_C(0);
    if (from > word * 64) bits &= ~UINT64_C(0) << (from - word * 64);
    if (to < word * 64 + 64) bits &= ~UINT64_C(0) >> (word * 64 + 64 - to);
    return bits;
}

bool check_record_has(const struct check_record *record, uint32_t from, uint32_t bytes)
{
    for (uint32_t w = from / 64, to = from + bytes; w * 64 < to; w++) {
        uint64_t bits = mask(w, from, to);
        if ((record->touched[w] & bits) != bits) return false;
    }
    return true;
}

uint32_t check_record_overlap(const struct check_record *record, uint32_t from, uint32_t bytes,
                              uint32_t *first)
{
    uint32_t n = 0;
    for (uint32_t w = from / 64, to = from + bytes; w * 64 < to; w++) {
        uint64_t both = record->touched[w] & mask(w, from, to);
        if (both && n == 0) *first = w * 64 + (uint32_t)__builtin_ctzll(both);
        if (both) n += (uint32_t)__builtin_popcountll(both);
    }
    return n;
}

static bool empty(const struct check_record *record)
{
    uint64_t any = 0;
    for (int w = 0; w < CHECK_WORDS; w++) any |= record->touched[w];
    return any == 0;
}

/* Returns whether there was any of it. */
static bool take(struct check_record *record, uint32_t from, uint32_t bytes)
{
    uint64_t any = 0;
    for (uint32_t w = from / 64, to = from + bytes; w * 64 < to; w++) {
        uint64_t both = record->touched[w] & mask(w, from, to);
        record->touched[w] &= ~both;
        any |= both;
    }
    return any != 0;
}

void check_record_take(struct check_page *page, guint i, uint32_t from, uint32_t bytes)
{
    struct check_record *record = page->records->pdata[i];
    if (take(record, from, bytes) && empty(record)) check_record_drop(page, i);
}

static void set(uint64_t *words, uint32_t from, uint32_t bytes)
{
    for (uint32_t w = from / 64, to = from + bytes; w * 64 < to; w++) words[w] |= mask(w, from, to);
}

void check_record_more(struct check_record *record, uint32_t from, uint32_t bytes)
{
    set(record->touched, from, bytes);
}

bool check_page_clear(const struct check_page *page, int rank, uint32_t from, uint32_t bytes)
{
    uint64_t any = 0;
    for (uint32_t w = from / 64, to = from + bytes; w * 64 < to; w++)
        any |= page->foreign[w] & mask(w, from, to);
    return any == 0 && !page->many && page->own == rank + 1;
}

static bool alike(const struct check_holds *a, const struct check_holds *b)
{
    if (!a || !b) return !a;
    if (a->n != b->n) return false;
    for (int i = 0; i < a->n; i++)
        if (a->hold[i]->win != b->hold[i]->win || a->hold[i]->target != b->hold[i]->target ||
            a->hold[i]->exclusive != b->hold[i]->exclusive ||
            a->hold[i]->nocheck != b->hold[i]->nocheck)
            return false;
    return true;
}

static bool stands_for(const struct check_use *later, const struct check_use *earlier)
{
    return later->actor == earlier->actor && alike(later->holds, earlier->holds) &&
           check_when(earlier).clock != UINT32_MAX;
}

/* The line of code begins anew, at another time: of its earlier records, the last one stands for
 * the others wherever it touched too. */
static void tidy(struct check_page *page, const struct check_use *use)
{
    const struct check_record *last = NULL;
    for (guint i = 0; i < page->records->len; i++) {
        const struct check_record *record = page->records->pdata[i];
        if (stands_for(use, &record->use) && (!last || record->use.clock > last->use.clock))
            last = record;
    }
    for (guint i = page->records->len; last && i-- > 0;) {
        struct check_record *record = page->records->pdata[i];
        if (record == last || !stands_for(&last->use, &record->use)) continue;
        for (int w = 0; w < CHECK_WORDS; w++) record->touched[w] &= ~last->touched[w];
        if (empty(record)) check_record_drop(page, i);
    }
}

static struct check_record *record_new(struct check_page *page, const struct check_use *use)
{
    if (page->records->len >= RECORDS_MAX) trim(page);
    if (page->records->len >= RECORDS_MAX) fold(page);
    if (page->records->len >= RECORDS_MAX) {
        give_up(page);
        return NULL;
    }
    struct check_record *record = g_new0(struct check_record, 1);
    record->use = *use;
    check_flight_ref(use->flight);
    check_holds_ref(use->holds);
    g_ptr_array_add(page->records, record);
    return record;
}

struct check_record *check_record_add(struct check_page *page, const struct check_use *use,
                                      uint32_t from, uint32_t bytes)
{
    struct check_record *own = NULL;
    for (guint i = page->records->len; i-- > 0;) {
        struct check_record *record = page->records->pdata[i];
        if (record->use.actor != use->actor) continue;
        /* who has seen the one of two that replace need not have seen the other */
        bool at_once = !use->actor->replace || record->use.begun == use->begun;
        if (record->use.clock == use->clock && record->use.flight == use->flight &&
            record->use.holds == use->holds && at_once)
            own = record;
        else if (use->flight && stands_for(use, &record->use))
            check_record_take(page, i, from, bytes);
    }
    if (!own && !use->flight) tidy(page, use);
    if (!own) own = record_new(page, use);
    if (!own) return NULL;
    check_record_more(own, from, bytes);
    if (use->flight)
        set(page->foreign, from, bytes);
    else if (page->own != use->actor->rank + 1) {
        page->many = page->own > 0;
        page->own = use->actor->rank + 1;
    }
    return own;
}
