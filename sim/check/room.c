/* What records and values of a page may take of the host's memory, and what they do take. */
#include "check/room.h"

enum {
    TIMES = 15,  /* what windows have of the page; recent, foreign and local take less than one */
    VALUES = 12, /* of those */
    LEAST = CHECK_PAGE / 2 /* windows may be a few bytes, which many ranks come to */
};

/* Records lie side by side: they are many, and the host's heap takes 8 bytes more for each. */
union room {
    struct check_record record;
    union room *next; /* of those that are free */
};
static union room *unused; /* NULL: none */
static GPtrArray *slabs;

struct check_record *check_room_take(void)
{
    enum { SLAB = 128 };
    if (!unused) {
        union room *slab = g_new(union room, SLAB);
        g_ptr_array_add(slabs, slab);
        for (int i = 0; i < SLAB; i++) slab[i].next = i + 1 < SLAB ? &slab[i + 1] : NULL;
        unused = slab;
    }
    union room *room = unused;
    unused = room->next;
    return &room->record;
}

void check_room_return(struct check_record *record)
{
    union room *room = (union room *)record;
    room->next = unused;
    unused = room;
}

size_t check_room_of(const struct check_record *record)
{
    return sizeof *record + sizeof(void *) + check_bits_heap(&record->bits);
}

/* What keeps a flight, and the lock under which it was, from being forgotten: each may be shared by
 * many records, or have one. Of those not counted yet; counted: by others; NULL: by anybody. */
static size_t beside(const struct check_use *use, GHashTable *counted)
{
    enum { HEAP = 16 }; /* what the host's heap takes beside a block */
    struct check_flight *flight = use->flight;
    struct check_epoch *lock = use->holds ? use->holds->hold[use->holds->n - 1] : NULL;
    const bool new_flight =
                   flight && (counted ? g_hash_table_add(counted, flight) : !flight->counted),
               new_lock = lock && (counted ? g_hash_table_add(counted, lock) : !lock->counted);
    if (flight) flight->counted = true;
    if (lock) lock->counted = true;
    return (new_flight ? sizeof *flight + HEAP : 0) +
           (new_lock ? sizeof *lock + sizeof *use->holds + sizeof lock + 2 * HEAP : 0);
}

size_t check_room_beside(const struct check_use *use) { return beside(use, NULL); }

void check_room_count(struct check_page *page)
{
    GHashTable *counted = g_hash_table_new(NULL, NULL);
    page->beside = 0;
    for (guint i = 0; i < page->records->len; i++)
        page->beside += beside(&((struct check_record *)page->records->pdata[i])->use, counted);
    g_hash_table_unref(counted);
}

static size_t windows_have(const struct check_page *page)
{
    const uintptr_t from = page->number << CHECK_PAGE_BITS, to = from + CHECK_PAGE;
    size_t bytes = 0;
    for (guint i = 0; i < page->parts->len && bytes < CHECK_PAGE; i++) {
        const struct check_part *part = page->parts->pdata[i];
        bytes += MIN(part->base + part->bytes, to) - MAX(part->base, from);
    }
    if (page->parts->len == 0) return CHECK_PAGE; /* of operations' buffers */
    return CLAMP(bytes, (size_t)LEAST, (size_t)CHECK_PAGE);
}

size_t check_room_values(const struct check_page *page) { return VALUES * windows_have(page); }

bool check_room_for(const struct check_page *page, size_t more)
{
    const size_t bytes = page->bytes + page->beside + page->values + more;
    return bytes <= TIMES * LEAST || bytes <= TIMES * windows_have(page);
}

void check_rooms_open(void) { slabs = g_ptr_array_new_with_free_func(g_free); }

void check_rooms_close(void)
{
    g_clear_pointer(&slabs, g_ptr_array_unref);
    unused = NULL;
}
