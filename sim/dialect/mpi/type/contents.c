/* What a datatype was made of: its constructor and arguments (MPI-2 8.6). */
#include "dialect/mpi/type/compose.h"

#include <string.h>

struct dialect_made *dialect_made_new(int combiner, int integers, int addresses, int types)
{
    struct dialect_made *made = g_new0(struct dialect_made, 1);
    *made = (struct dialect_made){combiner,
                                  integers,
                                  addresses,
                                  types,
                                  g_new0(int, (gsize)integers + 1),
                                  g_new0(MPI_Aint, (gsize)addresses + 1),
                                  g_new0(MPI_Datatype, (gsize)types + 1)};
    return made;
}

int *dialect_made_integers(struct dialect_made *made) { return made->integer; }
MPI_Aint *dialect_made_addresses(struct dialect_made *made) { return made->address; }
MPI_Datatype *dialect_made_types(struct dialect_made *made) { return made->type; }

int MPI_Type_get_envelope(MPI_Datatype datatype, int *num_integers, int *num_addresses,
                          int *num_datatypes, int *combiner)
{
    struct dialect_type *type = dialect_type_find(datatype);
    if (!type)
        return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_TYPE,
                             "invalid datatype handle");
    *num_integers = type->made ? type->made->integers : 0;
    *num_addresses = type->made ? type->made->addresses : 0;
    *num_datatypes = type->made ? type->made->types : 0;
    *combiner = type->made ? type->made->combiner : MPI_COMBINER_NAMED;
    return MPI_SUCCESS;
}

int MPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses,
                          int max_datatypes, int *array_of_integers, MPI_Aint *array_of_addresses,
                          MPI_Datatype *array_of_datatypes)
{
    struct dialect_type *type = dialect_type_find(datatype);
    if (!type || !type->made)
        return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_TYPE,
                             "not a derived datatype");
    struct dialect_made *made = type->made;
    if (max_integers < made->integers || max_addresses < made->addresses ||
        max_datatypes < made->types)
        return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_COUNT,
                             "the arrays are too short");
    memcpy(array_of_integers, made->integer, (size_t)made->integers * sizeof(int));
    memcpy(array_of_addresses, made->address, (size_t)made->addresses * sizeof(MPI_Aint));
    for (int i = 0; i < made->types; i++)
        array_of_datatypes[i] = dialect_type_ref(dialect_type_find(made->type[i]))->handle;
    return MPI_SUCCESS;
}
