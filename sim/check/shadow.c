/* What is remembered of the ranks' memory: for each page, which line of code touched which bytes,
 * and when. One record a line of code, kind and rank: the latest touch of a byte stands for the
 * earlier ones, which are ordered before whatever it is ordered before. */
#include "check/room.h"

enum {
    USUAL_BYTES = 2 * CHECK_PAGE /* from here on what everybody is behind is forgotten at once */
};

static GHashTable *pages; /* number -> struct check_page */
struct check_direct check_direct[CHECK_DIRECT];
static uint64_t coarse, folded;

/* ---- pages ----------------------------------------------------------------------------------- */

static void record_free(void *data)
{
    struct check_record *record = data;
    check_flight_unref(record->use.flight);
    check_holds_unref(record->use.holds);
    check_bits_clear(&record->bits);
    check_room_return(record);
}

static void page_free(void *data)
{
    struct check_page *page = data;
    g_ptr_array_unref(page->records);
    g_ptr_array_unref(page->parts);
    g_free(page->recent);
    check_clock_unref(page->lately);
    check_clock_unref(page->common);
    check_bits_clear(&page->foreign);
    check_bits_clear(&page->local);
    g_free(page);
}

void check_shadow_open(void)
{
    pages = g_hash_table_new_full(NULL, NULL, NULL, page_free);
    for (int i = 0; i < CHECK_DIRECT; i++) check_direct[i].number = UINTPTR_MAX;
    coarse = folded = 0;
    check_rooms_open();
}

void check_shadow_close(void)
{
    g_clear_pointer(&pages, g_hash_table_unref);
    check_rooms_close();
}

struct check_page *check_page_look_up(uintptr_t number)
{
    struct check_page *page = g_hash_table_lookup(pages, GSIZE_TO_POINTER(number));
    *check_direct_of(number) = (struct check_direct){number, page};
    return page;
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
    *check_direct_of(page->number) = (struct check_direct){page->number, page};
    return page;
}

void check_page_changed(struct check_page *page)
{
    page->changes++;
    if (page->many)
        check_all_changed();
    else if (page->own > 0)
        check_changed(page->own - 1);
}

void check_page_forget(struct check_page *page)
{
    g_ptr_array_set_size(page->records, 0);
    check_page_changed(page);
    page->bytes = page->beside = 0;
    g_clear_pointer(&page->recent, g_free);
    check_bits_clear(&page->foreign);
    check_bits_clear(&page->local);
    page->own = 0;
    page->many = false;
}

void check_record_drop(struct check_page *page, guint i)
{
    for (int k = 0; page->recent && k < CHECK_RECENT; k++)
        if (page->recent[k] == page->records->pdata[i]) page->recent[k] = NULL;
    check_page_changed(page);
    page->bytes -= check_room_of(page->records->pdata[i]);
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
            if (!check_sees(m, use->actor->rank, check_done(use))) return false;
        } else if (part->win->shared || m->rank != use->actor->rank ||
                   check_published(m, check_done(use)) == UINT32_MAX)
            return false;
    }
    return true;
}

static void owned(struct check_page *page, int rank)
{
    if (page->own == rank + 1) return;
    page->many = page->own > 0;
    page->own = rank + 1;
}

/* What the records left have touched, and whose they are. */
static void summarize(struct check_page *page)
{
    check_bits_clear(&page->foreign);
    check_bits_clear(&page->local);
    page->own = 0;
    page->many = false;
    for (guint i = 0; i < page->records->len; i++) {
        const struct check_record *record = page->records->pdata[i];
        check_bits_join(record->use.flight ? &page->foreign : &page->local, &record->bits);
        if (!record->use.flight) owned(page, record->use.actor->rank);
    }
}

/* Of what is written under a lock it matters whether it was read before. */
static void forget_read(const struct check_use *use)
{
    const bool reads = !use->actor->writes || use->actor->kind == CHECK_FETCH;
    for (int i = 0; reads && use->holds && i < use->holds->n; i++)
        use->holds->hold[i]->forgot = true;
}

/* Forgets records that order everything behind them. */
static void trim(struct check_page *page)
{
    const guint before = page->records->len;
    for (guint i = before; i-- > 0;) {
        const struct check_record *record = page->records->pdata[i];
        if (!settled(page, record)) continue;
        forget_read(&record->use);
        check_record_drop(page, i);
    }
    if (page->records->len < before) summarize(page);
    page->trimmed = page->records->len;
    page->met = check_clock_meetings();
}

/* Two lots of what one line of code did, under the same locks: whoever is not behind the end of the
 * earlier one is not behind the later one's either. */
static bool may_fold(const struct check_use *a, const struct check_use *b)
{
    if (a->actor != b->actor || a->holds != b->holds || a->actor->replace) return false;
    const struct check_when x = check_when(a), y = check_when(b);
    return x.clock != UINT32_MAX && y.clock != UINT32_MAX && x.rank == y.rank;
}

void check_page_folded(struct check_page *page)
{
    if (!page->folded) folded += CHECK_PAGE;
    page->folded = true;
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
            page->bytes -= check_room_of(record);
            check_bits_join(&record->bits, &later->bits);
            page->bytes += check_room_of(record);
            check_record_drop(page, i);
            break;
        }
    }
    if (page->records->len < before) check_page_folded(page);
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

void check_record_take(struct check_page *page, guint i, uint32_t from, uint32_t bytes)
{
    struct check_record *record = page->records->pdata[i];
    if (check_bits_cut(&record->bits, from, bytes)) check_record_drop(page, i);
}

bool check_record_more(struct check_page *page, struct check_record *record, uint32_t from,
                       uint32_t bytes)
{
    const size_t growth = check_bits_growth(&record->bits, from, bytes);
    if (growth > 0 && !check_room_for(page, growth)) return false;
    page->bytes += growth;
    check_bits_set(&record->bits, from, bytes);
    check_bits_set(&page->local, from, bytes);
    return true;
}

bool check_page_clear(const struct check_page *page, int rank, uint32_t from, uint32_t bytes)
{
    return !page->many && page->own == rank + 1 && check_bits_none(&page->foreign, from, bytes);
}

bool check_page_blank(const struct check_page *page, uint32_t from, uint32_t bytes)
{
    return check_bits_none(&page->foreign, from, bytes) &&
           check_bits_none(&page->local, from, bytes);
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
        check_page_changed(page);
        if (check_bits_without(&record->bits, &last->bits)) check_record_drop(page, i);
    }
}

/* Makes room for so many bytes more. False: there is none, and nothing is known any more. */
static bool make_room(struct check_page *page, size_t more)
{
    trim(page);
    if (!check_room_for(page, more)) check_room_count(page);
    if (!check_room_for(page, more)) {
        fold(page);
        check_room_count(page);
    }
    if (check_room_for(page, more)) return true;
    give_up(page);
    return false;
}

static struct check_record *record_new(struct check_page *page, const struct check_use *use)
{
    struct check_record *record = check_room_take();
    *record = (struct check_record){.use = *use};
    check_flight_ref(use->flight);
    check_holds_ref(use->holds);
    g_ptr_array_add(page->records, record);
    page->bytes += check_room_of(record);
    page->beside += check_room_beside(use);
    return record;
}

static struct check_record *find(struct check_page *page, const struct check_use *use,
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
        else if (use->flight && !check_bits_apart(&record->bits, from, bytes) &&
                 stands_for(use, &record->use))
            check_record_take(page, i, from, bytes);
    }
    return own;
}

struct check_record *check_record_add(struct check_page *page, const struct check_use *use,
                                      uint32_t from, uint32_t bytes)
{
    static const struct check_record none;
    struct check_record *own = find(page, use, from, bytes);
    if (!own && !use->flight) {
        if (page->met != check_clock_meetings()) trim(page);
        tidy(page, use);
    }
    const size_t more = own ? check_bits_growth(&own->bits, from, bytes)
                            : check_room_of(&none) + check_bits_growth(&none.bits, from, bytes);
    if (!own && page->bytes + more > USUAL_BYTES && page->records->len >= 2 * page->trimmed)
        trim(page);
    if (more > 0 && !check_room_for(page, more)) {
        if (!make_room(page, more)) return NULL;
        own = find(page, use, from, bytes); /* perhaps it was folded */
    }
    if (!own) own = record_new(page, use);
    page->bytes += check_bits_growth(&own->bits, from, bytes);
    check_bits_set(&own->bits, from, bytes);
    check_bits_set(use->flight ? &page->foreign : &page->local, from, bytes);
    if (!use->flight) owned(page, use->actor->rank);
    return own;
}
