/* Rows by place: a row is made with the first that happens there. */
#include "profile/profile.h"

#include <string.h>

/* A list of rows with a table from what makes two of them the same to the row. */
struct rows {
    GPtrArray *list;
    GHashTable *by_key;
};

static void *row_of(const struct rows *rows, const void *key)
{
    return rows->by_key ? g_hash_table_lookup(rows->by_key, key) : NULL;
}

/* The row is its own key. */
static void *add_row(struct rows *rows, GHashFunc hash, GEqualFunc equal, const void *row,
                     size_t bytes)
{
    if (!rows->list) {
        rows->list = g_ptr_array_new_with_free_func(g_free);
        rows->by_key = g_hash_table_new(hash, equal);
    }
    void *kept = g_memdup2(row, bytes);
    g_ptr_array_add(rows->list, kept);
    g_hash_table_add(rows->by_key, kept);
    return kept;
}

static void clear(struct rows *rows)
{
    if (!rows->list) return;
    g_hash_table_unref(rows->by_key);
    g_ptr_array_unref(rows->list);
    *rows = (struct rows){NULL, NULL};
}

static size_t count(const struct rows *rows) { return rows->list ? rows->list->len : 0; }

static guint mixed(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ b * UINT64_C(0xc2b2ae3d27d4eb4f)) * UINT64_C(0x9e3779b97f4a7c15);
    return (guint)(h >> 32);
}

/* ---- stalls ---------------------------------------------------------------------------------- */

struct profile_stall *profile_near[PROFILE_NEAR];
static struct rows stalls;

static guint stall_hash(gconstpointer row)
{
    return mixed(((const struct profile_stall *)row)->site, 0);
}

static gboolean stall_equal(gconstpointer a, gconstpointer b)
{
    return ((const struct profile_stall *)a)->site == ((const struct profile_stall *)b)->site;
}

/* The others of a site by their objects, where they are many. */
static GHashTable *further;

static guint further_hash(gconstpointer data)
{
    const struct profile_stall *row = data;
    return mixed(row->site, (uintptr_t)row->object);
}

static gboolean further_equal(gconstpointer a, gconstpointer b)
{
    return stall_equal(a, b) &&
           ((const struct profile_stall *)a)->object == ((const struct profile_stall *)b)->object;
}

/* The site's first row, which the table finds; the others hang behind it, the youngest first. */
static struct profile_stall *first_row(op_site site, const struct profile_object *object)
{
    const struct profile_stall fresh = {.site = site, .object = object};
    struct profile_stall *first = row_of(&stalls, &fresh);
    if (first) return first;
    first = add_row(&stalls, stall_hash, stall_equal, &fresh, sizeof fresh);
    return first->first = first->recent = first;
}

static struct profile_stall *further_row(struct profile_stall *first,
                                         const struct profile_object *object)
{
    const struct profile_stall fresh = {
        .site = first->site, .object = object, .next = first->next, .first = first};
    struct profile_stall *row = g_memdup2(&fresh, sizeof fresh);
    g_ptr_array_add(stalls.list, row);
    if (!further) further = g_hash_table_new(further_hash, further_equal);
    g_hash_table_add(further, row);
    return first->next = row;
}

struct profile_stall *profile_far_row(op_site site)
{
    return profile_near[site % PROFILE_NEAR] = first_row(site, NULL)->recent;
}

enum { FEW = 8 };

struct profile_stall *profile_row_of(op_site site, const struct profile_object *object)
{
    struct profile_stall *row = profile_near_row(site);
    if (row && row->object == object) return row;
    struct profile_stall *first = row ? row->first : first_row(site, object);
    int looks = 0;
    for (row = first; row && row->object != object && looks < FEW; looks++) row = row->next;
    if (row && row->object != object)
        row = g_hash_table_lookup(further, &(struct profile_stall){.site = site, .object = object});
    if (!row) row = further_row(first, object);
    return profile_near[site % PROFILE_NEAR] = first->recent = row;
}

size_t profile_stalls(void) { return count(&stalls); }

const struct profile_stall *profile_stall_at(size_t i) { return stalls.list->pdata[i]; }

/* ---- calls ----------------------------------------------------------------------------------- */

static struct rows calls;

static guint call_hash(gconstpointer data)
{
    const struct profile_call *row = data;
    return mixed(row->site, g_str_hash(row->call));
}

static gboolean call_equal(gconstpointer a, gconstpointer b)
{
    const struct profile_call *x = a, *y = b;
    return x->site == y->site && g_str_equal(x->call, y->call);
}

static struct profile_call *call_row(op_site site, const char *call)
{
    const struct profile_call fresh = {.site = site, .call = call};
    struct profile_call *row = row_of(&calls, &fresh);
    return row ? row : add_row(&calls, call_hash, call_equal, &fresh, sizeof fresh);
}

/* What a rank's operations did last, by rank and site; another may have taken its place. */
enum { LASTS = 256 }; /* a power of two */
static struct last {
    op_site site;
    int rank, target;
    uintptr_t addr, end, step;
    uint64_t others; /* calls of the rank without an operation, by then */
} lasts[LASTS];
/* By rank: its calls without an operation; the one in progress has had one. What it asked for last,
 * and the calls since, as long as they do nothing else. */
enum { ASKING = 4 };
static GArray *others;
struct other {
    uint64_t calls;
    bool operates;
    op_site asks; /* 0: nothing */
    int target;
    uintptr_t addr;
    uint64_t bytes;
    uint32_t parts;
    struct {
        struct profile_call *row;
        double time_s;
    } part[ASKING];
};

static struct other *other_of(int rank)
{
    if (!others) others = g_array_new(FALSE, TRUE, sizeof(struct other));
    if (others->len <= (guint)rank) g_array_set_size(others, (guint)rank + 1);
    return &g_array_index(others, struct other, rank);
}

/* Whatever the rank did since it asked was in vain: it asks again. */
static void asks_again(struct profile_call *row, const struct other *other)
{
    row->asked++;
    for (uint32_t i = 0; i < other->parts; i++) {
        row->asked_s += other->part[i].time_s;
        other->part[i].row->asking_s += other->part[i].time_s;
    }
}

static void note_asking(struct profile_call *row, struct other *other, int target, uintptr_t addr,
                        uint64_t bytes, bool asks)
{
    if (asks && other->asks == row->site && other->target == target && other->addr == addr &&
        other->bytes == bytes)
        asks_again(row, other);
    other->asks = asks ? row->site : 0;
    other->target = target;
    other->addr = addr;
    other->bytes = bytes;
    other->parts = 0;
}

/* Calls that complete operations or read the clock: MPI_Win_..., MPI_Wait..., MPI_Wtime, MPI_Test.
 */
static bool does_nothing_else(const char *call)
{
    return strncmp(call, "MPI_W", 5) == 0 || strncmp(call, "MPI_Test", 8) == 0;
}

static void note_part(struct profile_call *row, struct other *other, double time_s)
{
    if (!other->operates && !does_nothing_else(row->call)) other->asks = 0;
    if (!other->asks) return;
    const uint32_t i = MIN(other->parts, ASKING - 1);
    other->part[i].row = row;
    other->part[i].time_s = time_s;
    other->parts = i + 1;
}

void profile_called(op_site site, const char *call, int rank, int target, uintptr_t addr,
                    uint64_t bytes, bool asks)
{
    struct profile_call *row = call_row(site, call);
    struct other *other = other_of(rank);
    struct last *last = &lasts[(site ^ (uint64_t)rank * 5) % LASTS];
    const bool again = last->site == site && last->rank == rank && last->target == target &&
                       last->others == other->calls;
    const uintptr_t step = addr - last->addr;
    other->operates = true;
    note_asking(row, other, target, addr, bytes, asks);
    row->operations++;
    row->bytes += bytes;
    if (again && step && (addr == last->end || step == last->step)) row->further++;
    *last = (struct last){site, rank, target, addr, addr + bytes, step, other->calls};
}

void profile_call(op_site site, const char *call, int rank, const struct profile_times *times)
{
    struct profile_call *row = call_row(site, call);
    struct other *other = other_of(rank);
    if (!other->operates) other->calls++;
    note_part(row, other, times->time_s);
    other->operates = false;
    row->count++;
    row->vain += times->vain;
    if (times->vain) row->vain_s += times->time_s;
    row->sum.time_s += times->time_s;
    row->sum.wait_s += times->wait_s;
    row->sum.memory_s += times->memory_s;
    row->sum.compute_s += times->compute_s;
    row->sum.service_s += times->service_s;
    if (times->wait_s <= row->longest_s) return;
    row->longest_s = times->wait_s;
    row->longest_rank = rank;
}

size_t profile_calls(void) { return count(&calls); }

const struct profile_call *profile_call_at(size_t i) { return calls.list->pdata[i]; }

/* ---- causes ---------------------------------------------------------------------------------- */

static struct rows blames;

static guint blame_hash(gconstpointer data)
{
    const struct profile_blame *row = data;
    return mixed(row->site ^ (uint64_t)row->cause << 48,
                 row->other_site ^ (uint64_t)row->other_rank << 40 ^
                     (row->behind_site + (uint64_t)row->behind_rank) << 20);
}

static gboolean blame_equal(gconstpointer a, gconstpointer b)
{
    const struct profile_blame *x = a, *y = b;
    return x->cause == y->cause && x->site == y->site && x->other_site == y->other_site &&
           x->other_rank == y->other_rank && x->behind_site == y->behind_site &&
           x->behind_rank == y->behind_rank;
}

const char *profile_cause_name(enum profile_cause cause)
{
    static const char *const name[PROFILE_CAUSES] = {
        "lock",      "barrier", "service",    "partner", "network", "interface",
        "servicing", "atomic",  "collective", "date",    "unknown"};
    return name[cause];
}

void profile_blame(const struct profile_blame *blame)
{
    struct profile_blame *row = row_of(&blames, blame);
    if (!row) {
        add_row(&blames, blame_hash, blame_equal, blame, sizeof *blame);
        return;
    }
    row->count += blame->count;
    row->wait_s += blame->wait_s;
    for (int i = 0; i < PROFILE_DOINGS; i++) row->did_s[i] += blame->did_s[i];
}

size_t profile_blames(void) { return count(&blames); }

const struct profile_blame *profile_blame_at(size_t i) { return blames.list->pdata[i]; }

void profile_clear(void)
{
    memset(profile_near, 0, sizeof profile_near);
    clear(&stalls);
    g_clear_pointer(&further, g_hash_table_unref);
    clear(&calls);
    memset(lasts, 0, sizeof lasts);
    g_clear_pointer(&others, g_array_unref);
    clear(&blames);
}
