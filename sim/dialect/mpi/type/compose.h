/* How a datatype is made: blocks of known types at byte displacements, and the arguments of its
 * constructor. */
#ifndef DIALECT_MPI_COMPOSE_H
#define DIALECT_MPI_COMPOSE_H

#include "dialect/mpi/type/type.h"

/* ---- the constructor's arguments (contents.c) ------------------------------------------------ */

/* For MPI_Type_get_contents. */
struct dialect_made {
    int combiner, integers, addresses, types;
    int *integer;
    MPI_Aint *address;
    MPI_Datatype *type;
};
struct dialect_made *dialect_made_new(int combiner, int integers, int addresses, int types);
int *dialect_made_integers(struct dialect_made *made);
MPI_Aint *dialect_made_addresses(struct dialect_made *made);
/* fill with known handles; dialect_shape_end takes a reference of each */
MPI_Datatype *dialect_made_types(struct dialect_made *made);

/* ---- type maps (map.c) ----------------------------------------------------------------------- */

struct dialect_run dialect_run_of(const struct dialect_type *type, uint32_t i);
uint32_t dialect_runs_of(const struct dialect_type *type);
void dialect_runs_append(GArray *runs, MPI_Datatype basic, int64_t offset, uint64_t count);
/* Bytes of a description, by the encoding of type_register.h; its parts' are known. */
uint64_t dialect_type_encoded(const struct dialect_made *made);

/* ---- pieces (layout.c) ----------------------------------------------------------------------- */

/* Is one element one piece that fills its extent? */
bool dialect_type_dense(const struct dialect_type *type);
/* Appends `count` elements at a byte displacement to pieces (struct op_piece); neighbours join. */
void dialect_pieces_append(GArray *pieces, const struct dialect_type *type, int64_t count,
                           int64_t displacement);
/* Bytes and bounds of a layout, from its pieces. */
void dialect_layout_measure(struct op_layout *layout);

/* ---- the table of datatypes (table.c) -------------------------------------------------------- */

/* From now on dialect_type_find finds it by its handle. */
void dialect_type_add(struct dialect_type *type);

/* ---- shapes (shape.c) ------------------------------------------------------------------------ */

/* A datatype being composed. */
struct dialect_shape {
    GArray *pieces, *runs; /* runs: NULL as long as one predefined type is inside */
    struct dialect_type type;
    bool any_lb, any_ub;
    MPI_Datatype copy; /* SMPI's, where it is made already; MPI_DATATYPE_NULL: it is to be made */
};
void dialect_shape_init(struct dialect_shape *shape);
void dialect_shape_add(struct dialect_shape *shape, const struct dialect_type *type, int64_t count,
                       int64_t displacement);
/* Makes the datatype, and SMPI's for it; the shape is used up. */
struct dialect_type *dialect_shape_end(struct dialect_shape *shape, struct dialect_made *made);

#endif
