/* Parts: what one rank brings to a registration, and the rank's state. */
#include "dialect/register/inside.h"
#include "world/place/place.h"

static bool counted(const struct dialect_object *object)
{
    return object->known && (object->kind == DIALECT_TYPE || !object->predefined);
}

static void ref(const struct dialect_object *object)
{
    if (!counted(object)) return;
    if (object->kind == DIALECT_TYPE)
        dialect_type_ref(object->known);
    else
        ((struct dialect_reduce_op *)object->known)->refs++;
}

static void unref(const struct dialect_object *object)
{
    if (!counted(object)) return;
    if (object->kind == DIALECT_TYPE)
        dialect_type_unref(object->known);
    else
        dialect_reduce_op_unref(object->known);
}

struct dialect_part *dialect_part_new(struct world_rank *r, MPI_Comm comm,
                                      struct dialect_object object)
{
    struct dialect_part *part = g_rc_box_new0(struct dialect_part);
    part->object = object;
    ref(&object); /* others look at it, even when this rank has freed it already */
    part->rank = r->rank;
    part->by = (struct dialect_beside){r->rank, object.call, world_site(r)};
    part->comm = comm;
    return part;
}

static void part_clear(void *data)
{
    struct dialect_part *part = data;
    unref(&part->object);
    if (part->others) g_hash_table_unref(part->others);
}

void dialect_part_unref(struct dialect_part *part) { g_rc_box_release_full(part, part_clear); }

struct dialect_register_state *dialect_register_of(struct world_rank *r)
{
    struct dialect_register_state *state = dialect_own(r, "register");
    if (state) return state;
    state = g_new0(struct dialect_register_state, 1);
    state->registered = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
    return dialect_own_keep(r, "register", state);
}
