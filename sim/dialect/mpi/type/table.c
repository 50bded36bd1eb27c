/* The table of datatypes: predefined ones and those that live, by SMPI's handles. */
#include "dialect/mpi/type/compose.h"

#include <stdalign.h>
#include <wchar.h>

/* MPI_Datatype -> struct dialect_type; all ranks. Theirs is one thread, which alone changes it. A
 * thread of the program may look into it, before its call is refused, so that changes are locked.
 */
static GHashTable *known;
static GMutex changing;

static void add_basic(GHashTable *to, MPI_Datatype handle, uint64_t bytes, uint64_t alignment)
{
    struct dialect_type *type = g_new0(struct dialect_type, 1);
    struct op_piece *piece = g_new(struct op_piece, 1);
    *piece = (struct op_piece){0, bytes};
    type->handle = handle;
    type->one = (struct op_layout){piece, bytes ? 1 : 0, bytes, 0, (int64_t)bytes};
    type->extent = (int64_t)bytes;
    type->alignment = alignment;
    type->basic = bytes ? handle : MPI_DATATYPE_NULL;
    type->committed = true;
    type->refs = 1;
    g_hash_table_insert(to, handle, type);
}

static GHashTable *all_basic(void)
{
    GHashTable *to = g_hash_table_new(NULL, NULL);
#define BASIC(handle, ctype, kind) add_basic(to, handle, sizeof(ctype), alignof(ctype));
#define PAIR(handle, value_type, index_type)                                                       \
    {                                                                                              \
        struct pair {                                                                              \
            value_type value;                                                                      \
            index_type index;                                                                      \
        };                                                                                         \
        add_basic(to, handle, sizeof(struct pair), alignof(struct pair));                          \
    }
#include "dialect/mpi/type/basic.def"
#undef BASIC
#undef PAIR
    add_basic(to, MPI_LB, 0, 1);
    add_basic(to, MPI_UB, 0, 1);
    return to;
}

static GHashTable *table(void)
{
    if (g_once_init_enter(&known)) g_once_init_leave(&known, all_basic());
    return known;
}

struct dialect_type *dialect_type_find(MPI_Datatype handle)
{
    if (!world_unseen_here()) return g_hash_table_lookup(table(), handle);
    g_mutex_lock(&changing);
    struct dialect_type *type = g_hash_table_lookup(table(), handle);
    g_mutex_unlock(&changing);
    return type;
}

struct dialect_type *dialect_type_ref(struct dialect_type *type)
{
    if (type->made) type->refs++;
    return type;
}

static void made_free(struct dialect_made *made)
{
    for (int i = 0; i < made->types; i++) {
        struct dialect_type *type = dialect_type_find(made->type[i]);
        if (type) dialect_type_unref(type);
    }
    g_free(made->integer);
    g_free(made->address);
    g_free(made->type);
    g_free(made);
}

void dialect_type_unref(struct dialect_type *type)
{
    if (!type->made || --type->refs > 0) return;
    DIALECT_AWAY;
    g_mutex_lock(&changing);
    g_hash_table_remove(known, type->handle);
    g_mutex_unlock(&changing);
    PMPI_Type_free(&type->handle);
    made_free(type->made);
    g_free((struct op_piece *)type->one.piece);
    g_free(type->run);
    g_free(type);
}

void dialect_type_add(struct dialect_type *type)
{
    g_mutex_lock(&changing);
    g_hash_table_insert(table(), type->handle, type);
    g_mutex_unlock(&changing);
}
