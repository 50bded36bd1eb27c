/* Rows by lock, each with the places that asked for it. */
#include "profile/locks/locks.h"

static GPtrArray *list;
static GHashTable *by_key; /* the rows again */

static guint lock_hash(gconstpointer data)
{
    const struct profile_lock *row = data;
    return (guint)row->window * 0x9e3779b9U ^ (guint)row->rank * 0x85ebca6bU;
}

static gboolean lock_equal(gconstpointer a, gconstpointer b)
{
    const struct profile_lock *x = a, *y = b;
    return x->window == y->window && x->rank == y->rank;
}

static void lock_free(void *data)
{
    struct profile_lock *row = data;
    g_array_unref(row->locker);
    g_byte_array_unref(row->asked);
    g_free(row);
}

struct profile_lock *profile_lock(int window, int rank, const char *name)
{
    const struct profile_lock key = {.window = window, .rank = rank};
    if (!list) {
        list = g_ptr_array_new_with_free_func(lock_free);
        by_key = g_hash_table_new(lock_hash, lock_equal);
    }
    struct profile_lock *row = g_hash_table_lookup(by_key, &key);
    if (!row) {
        row = g_new0(struct profile_lock, 1);
        *row = key;
        row->locker = g_array_new(FALSE, FALSE, sizeof(struct profile_locker));
        row->asked = g_byte_array_new();
        g_ptr_array_add(list, row);
        g_hash_table_add(by_key, row);
    }
    row->name = g_intern_string(name);
    return row;
}

static struct profile_locker *locker_of(GArray *lockers, const struct profile_lock_who *who)
{
    for (guint i = 0; i < lockers->len; i++) {
        struct profile_locker *l = &g_array_index(lockers, struct profile_locker, i);
        if (l->site == who->site && l->exclusive == who->exclusive) return l;
    }
    const struct profile_locker fresh = {
        .site = who->site, .exclusive = who->exclusive, .longest_rank = -1};
    g_array_append_val(lockers, fresh);
    return &g_array_index(lockers, struct profile_locker, lockers->len - 1);
}

void profile_lock_queue(struct profile_lock *lock, uint32_t queued)
{
    lock->queued++;
    lock->longest_queue = MAX(lock->longest_queue, queued);
}

void profile_lock_got(struct profile_lock *lock, const struct profile_lock_who *who, double wait_s,
                      double handover_s)
{
    struct profile_locker *locker = locker_of(lock->locker, who);
    const guint byte = (guint)who->rank / 8;
    static const uint8_t none = 0;
    while (lock->asked->len <= byte) g_byte_array_append(lock->asked, &none, 1);
    lock->asked->data[byte] |= (uint8_t)(1U << who->rank % 8);
    locker->count++;
    locker->wait_s += wait_s;
    if (handover_s < 0) return;
    lock->handovers++;
    lock->handover_s += handover_s;
}

void profile_lock_held(struct profile_lock *lock, const struct profile_lock_who *who, double held_s)
{
    struct profile_locker *locker = locker_of(lock->locker, who);
    locker->held_s += held_s;
    if (locker->longest_rank >= 0 && held_s <= locker->longest_s) return;
    locker->longest_s = held_s;
    locker->longest_rank = who->rank;
}

size_t profile_locks(void) { return list ? list->len : 0; }

const struct profile_lock *profile_lock_at(size_t i) { return list->pdata[i]; }

int profile_lock_ranks(const struct profile_lock *lock)
{
    int ranks = 0;
    for (guint i = 0; i < lock->asked->len; i++) ranks += __builtin_popcount(lock->asked->data[i]);
    return ranks;
}

void profile_locks_clear(void)
{
    if (!list) return;
    g_hash_table_unref(by_key);
    g_ptr_array_unref(list);
    list = NULL;
    by_key = NULL;
}
