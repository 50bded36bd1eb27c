/* Who has registered what: each rank's registrations, by datatype or operation, and what MPI's own
 * calls ask about them. */
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/register/inside.h"

/* ---- a rank's registrations ------------------------------------------------------------------ */

/* Others may still look at it: it says that it is over. */
static void part_end(void *data)
{
    struct dialect_part *part = data;
    part->ended = true;
    if (part->others) g_hash_table_unref(part->others); /* parts of two ranks hold each other */
    part->others = NULL;
    struct dialect_meeting *over = part->over;
    part->over = NULL;
    dialect_part_unref(part);
    if (over) dialect_meeting_unref(over);
}

static GPtrArray *parts_of(struct world_rank *r, const void *known)
{
    const struct dialect_register_state *state = dialect_own(r, "register");
    return state ? g_hash_table_lookup(state->registered, known) : NULL;
}

void dialect_registered_add(struct world_rank *r, struct dialect_part *part)
{
    GPtrArray *parts = parts_of(r, part->object.known);
    if (!parts)
        g_hash_table_insert(dialect_register_of(r)->registered, part->object.known,
                            parts = g_ptr_array_new_with_free_func(part_end));
    g_ptr_array_add(parts, part);
}

bool dialect_registered_drop(struct world_rank *r, const void *known, MPI_Comm comm)
{
    GPtrArray *parts = parts_of(r, known);
    for (guint i = parts ? parts->len : 0; i-- > 0;) {
        const struct dialect_part *part = parts->pdata[i];
        if (part->comm != comm) continue;
        g_ptr_array_remove_index(parts, i);
        if (parts->len == 0) g_hash_table_remove(dialect_register_of(r)->registered, known);
        return true;
    }
    return false;
}

/* ---- beside MPI's own calls ------------------------------------------------------------------ */

static const struct dialect_part *part_at(const struct dialect_part *own, int target,
                                          const struct dialect_rank_group *ranks)
{
    if (own->others) return g_hash_table_lookup(own->others, GINT_TO_POINTER(target));
    return dialect_meeting_holds(own->over, ranks) ? dialect_meeting_part(own->over, target) : NULL;
}

static void *known_there(struct world_rank *r, const void *known, int target,
                         const struct dialect_rank_group *ranks)
{
    const GPtrArray *parts = parts_of(r, known);
    for (guint i = 0; parts && i < parts->len; i++) {
        const struct dialect_part *own = parts->pdata[i];
        const struct dialect_part *there =
            target == r->rank && own->others ? own : part_at(own, target, ranks);
        if (there && !there->ended) return there->object.known;
    }
    return NULL;
}

static const char *keeps(struct world_rank *r, const void *known, struct dialect_beside *by)
{
    const GPtrArray *parts = parts_of(r, known);
    if (!parts) return NULL;
    const struct dialect_part *part = parts->pdata[0];
    *by = part->by;
    return part->object.kind == DIALECT_TYPE
               ? "the datatype is still registered: call MPI_Type_dereg first"
               : "the operation is still registered: call MPI_Op_dereg first";
}

static void comm_free(struct world_rank *r, MPI_Comm comm)
{
    const struct dialect_register_state *state = dialect_own(r, "register");
    if (!state) return;
    g_autoptr(GList) known = g_hash_table_get_keys(state->registered);
    for (GList *k = known; k; k = k->next)
        while (dialect_registered_drop(r, k->data, comm)) continue;
}

const struct dialect_hooks dialect_register = {
    .comm_free = comm_free,
    .known_there = known_there,
    .keeps = keeps,
};
