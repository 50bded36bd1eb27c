/* Actors: lines of code of a rank, each doing one thing. Accesses refer to them by address, so that
 * two are alike where those are the same. */
#include "check/parts.h"
#include "check/watched.h"

#include <string.h>

static GHashTable *actors;
enum { USUAL = 512 };
static const struct check_actor *usual[USUAL]; /* by hash: looked up lately; NULL: none */

static guint actor_hash(const void *data)
{
    const struct check_actor *a = data;
    uint64_t h = (a->site * 31 + a->kind) * 1021 + (uint64_t)a->rank;
    h *= UINT64_C(0x9e3779b97f4a7c15);
    return (guint)(h >> 32) ^ GPOINTER_TO_UINT(a->win) ^ GPOINTER_TO_UINT(a->op);
}

static gboolean actor_equal(const void *x, const void *y)
{
    const struct check_actor *a = x, *b = y;
    return a->rank == b->rank && a->kind == b->kind && a->site == b->site && a->win == b->win &&
           a->call == b->call && a->op == b->op && a->type == b->type && a->no_op == b->no_op &&
           a->swap == b->swap;
}

/* Some fetch and change nothing. */
static bool writes(const struct check_actor *actor)
{
    return actor->kind == CHECK_FETCH ? !actor->no_op : check_kind_writes(actor->kind);
}

const struct check_actor *check_actor(const struct check_actor *like)
{
    const struct check_actor **lately = &usual[actor_hash(like) % G_N_ELEMENTS(usual)];
    if (*lately && actor_equal(*lately, like)) return *lately;
    struct check_actor *actor = g_hash_table_lookup(actors, like);
    if (!actor) {
        actor = g_memdup2(like, sizeof *like);
        actor->writes = writes(like);
        g_hash_table_add(actors, actor);
    }
    return *lately = actor;
}

void check_actors_open(void)
{
    actors = g_hash_table_new_full(actor_hash, actor_equal, g_free, NULL);
}

void check_actors_close(void)
{
    g_clear_pointer(&actors, g_hash_table_unref);
    memset(usual, 0, sizeof usual);
}
