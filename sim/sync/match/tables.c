/* Tables of matching, by tag, kind and a number: what a process counts for itself, the rounds of
 * PUTC and GETC, requests that keep an order. */
#include "sync/match/state.h"

struct key {
    int tag, kind, other;
};

static guint key_hash(const void *a)
{
    const struct key *k = a;
    return (guint)k->tag * 2654435761u ^ (guint)k->other * 40503u ^ (guint)k->kind;
}

static gboolean key_equal(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    return x->tag == y->tag && x->kind == y->kind && x->other == y->other;
}

static GHashTable *table(GDestroyNotify destroy)
{
    return g_hash_table_new_full(key_hash, key_equal, g_free, destroy);
}

static void *key_new(int tag, enum sync_kind kind, int other)
{
    struct key *k = g_new(struct key, 1);
    *k = (struct key){tag, kind, other};
    return k;
}

static void own_free(void *data)
{
    struct sync_own *own = data;
    for (struct sync_guard *w; (w = g_queue_pop_head(&own->guarded));) sync_guard_remove(w, 0);
    if (own->error) g_string_free(own->error, TRUE);
    g_free(own->to);
    g_free(own);
}

static void round_free(void *data)
{
    struct sync_round *round = data;
    g_free(round->total);
    g_free(round);
}
GHashTable *sync_own_table(void) { return table(own_free); }

GHashTable *sync_round_table(void) { return table(round_free); }

GHashTable *sync_plain_table(void) { return table(NULL); }

/* ---- a process and its own requests ---------------------------------------------------------- */

struct sync_own *sync_own_of(struct sync_match *match, int member, int tag, enum sync_kind kind,
                             int round, bool make)
{
    struct sync_part *part = &match->part[member];
    const struct key key = {tag, kind, round};
    struct sync_own *own = g_hash_table_lookup(part->own, &key);
    if (own || !make) return own;
    own = g_new0(struct sync_own, 1);
    *own = (struct sync_own){.match = match,
                             .member = member,
                             .tag = tag,
                             .kind = kind,
                             .round = round,
                             .set = {.origin = part->proc}};
    if (sync_collective(kind)) own->to = g_new0(int32_t, match->members);
    g_queue_init(&own->guarded);
    g_hash_table_insert(part->own, key_new(tag, kind, round), own);
    return own;
}

void sync_own_forget(struct sync_match *match, int member, int tag, enum sync_kind kind, int round)
{
    const struct key key = {tag, kind, round};
    g_hash_table_remove(match->part[member].own, &key);
}

/* ---- tags ------------------------------------------------------------------------------------ */

/* The servicers' links are their own. */
static void tag_free(void *data)
{
    struct sync_tag *tag = data;
    g_queue_clear(&tag->unmatched);
    g_free(tag);
}

GHashTable *sync_tag_table(void)
{
    return g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, tag_free);
}

struct sync_tag *sync_tag_of(struct sync_part *part, int tag)
{
    struct sync_tag *known = g_hash_table_lookup(part->tags, GINT_TO_POINTER(tag));
    if (known) return known;
    known = g_new0(struct sync_tag, 1);
    g_hash_table_insert(part->tags, GINT_TO_POINTER(tag), known);
    return known;
}

/* ---- rounds ---------------------------------------------------------------------------------- */

struct sync_round *sync_round_of(struct sync_match *match, int tag, enum sync_kind kind, int number)
{
    const struct key key = {tag, kind, number};
    struct sync_round *round = g_hash_table_lookup(match->rounds, &key);
    if (round) return round;
    round = g_new0(struct sync_round, 1);
    round->match = match;
    round->tag = tag;
    round->total = g_new0(int32_t, match->members);
    g_hash_table_insert(match->rounds, key_new(tag, kind, number), round);
    return round;
}

void sync_round_forget(struct sync_match *match, int tag, enum sync_kind kind, int number)
{
    const struct key key = {tag, kind, number};
    g_hash_table_remove(match->rounds, &key);
}

int sync_round_number(GHashTable *rounds, int tag, enum sync_kind kind)
{
    const struct key key = {tag, kind, 0};
    return GPOINTER_TO_INT(g_hash_table_lookup(rounds, &key));
}

void sync_round_next(GHashTable *rounds, int tag, enum sync_kind kind)
{
    int number = sync_round_number(rounds, tag, kind);
    g_hash_table_replace(rounds, key_new(tag, kind, 0), GINT_TO_POINTER(number + 1));
}

/* ---- requests that keep an order ------------------------------------------------------------- */

static void order_free(void *data)
{
    struct sync_order *order = data;
    g_queue_clear(&order->waiting);
    g_free(order);
}

GHashTable *sync_order_table(void) { return table(order_free); }

struct sync_order *sync_order_of(struct sync_part *part, int origin, int tag, enum sync_kind kind)
{
    const struct key key = {tag, kind, origin};
    struct sync_order *order = g_hash_table_lookup(part->orders, &key);
    if (order) return order;
    order = g_new0(struct sync_order, 1);
    g_queue_init(&order->waiting);
    g_hash_table_insert(part->orders, key_new(tag, kind, origin), order);
    return order;
}

const char *sync_kind_name(enum sync_kind kind, bool hold)
{
    static const char *const name[SYNC_KINDS][2] = {
        {"PUT", "PUTHOLD"}, {"GET", "GETHOLD"}, {"PUTC", "PUTC"}, {"GETC", "GETC"}};
    return name[kind][hold];
}
