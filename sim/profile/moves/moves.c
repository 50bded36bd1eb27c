/* Rows by line of a node, each with the places that moved it. */
#include "profile/moves/moves.h"

enum { MOST = 16384, PARTS = 64 };

static GPtrArray *list;
static GHashTable *by_line; /* the rows again */

static guint line_hash(gconstpointer data)
{
    const struct profile_moved *row = data;
    return (guint)((row->line ^ (uint64_t)(uintptr_t)row->node >> 4) *
                       UINT64_C(0x9e3779b97f4a7c15) >>
                   32);
}

static gboolean line_equal(gconstpointer a, gconstpointer b)
{
    const struct profile_moved *x = a, *y = b;
    return x->line == y->line && x->node == y->node;
}

static void row_free(void *data)
{
    struct profile_moved *row = data;
    g_array_unref(row->mover);
    g_free(row);
}

struct profile_moved *profile_moved_row(const void *node, uint64_t line)
{
    const struct profile_moved key = {.node = node, .line = line};
    return list ? g_hash_table_lookup(by_line, &key) : NULL;
}

struct profile_moved *profile_moved_new(const struct profile_moved *row)
{
    if (!list) {
        list = g_ptr_array_new_with_free_func(row_free);
        by_line = g_hash_table_new(line_hash, line_equal);
    }
    if (list->len == MOST) return NULL;
    struct profile_moved *kept = g_memdup2(row, sizeof *row);
    kept->mover = g_array_new(FALSE, FALSE, sizeof(struct profile_mover));
    g_ptr_array_add(list, kept);
    g_hash_table_add(by_line, kept);
    return kept;
}

static struct profile_mover *mover_of(GArray *movers, const struct profile_mover *who)
{
    for (guint i = 0; i < movers->len; i++) {
        struct profile_mover *m = &g_array_index(movers, struct profile_mover, i);
        if (m->rank == who->rank && m->site == who->site && m->store == who->store) return m;
    }
    struct profile_mover fresh = {.rank = who->rank, .site = who->site, .store = who->store};
    g_array_append_val(movers, fresh);
    return &g_array_index(movers, struct profile_mover, movers->len - 1);
}

void profile_move(struct profile_moved *row, const struct profile_mover *mover, uint64_t from,
                  uint64_t bytes, int64_t ticks)
{
    struct profile_mover *m = mover_of(row->mover, mover);
    uint64_t first = from * PARTS / row->bytes, last = (from + bytes - 1) * PARTS / row->bytes;
    for (uint64_t part = first; part <= last && part < PARTS; part++)
        m->parts |= UINT64_C(1) << part;
    m->moves++;
    m->ticks += ticks;
    row->moves++;
    row->ticks += ticks;
}

void profile_move_waited(struct profile_moved *row, const struct profile_mover *mover,
                         int64_t ticks)
{
    mover_of(row->mover, mover)->ticks += ticks;
    row->ticks += ticks;
}

size_t profile_moves(void) { return list ? list->len : 0; }

const struct profile_moved *profile_moved_at(size_t i) { return list->pdata[i]; }

void profile_moves_clear(void)
{
    if (!list) return;
    g_hash_table_unref(by_line);
    g_ptr_array_unref(list);
    list = NULL;
    by_line = NULL;
}
