/* dialect/mpi/reduce: what accumulates compute: predefined operations and the program's own. */
#ifndef DIALECT_MPI_REDUCE_H
#define DIALECT_MPI_REDUCE_H

#include "move/transfer/transfer.h"
#include "dialect/mpi/type/type.h"

/* False: the operation is not predefined for the type. */
bool dialect_combine(MPI_Op op, MPI_Datatype basic, move_combine *combine, const void **arg);
/* An operation of the program's. NULL: predefined, or none. */
struct dialect_reduce_op {
    MPI_Op handle;
    MPI_User_function *function;
    int rank; /* whose handle */
    bool commutes;
    bool fortran; /* its function is: it takes the datatype's number */
    int refs;     /* the handle, registrations */
};
struct dialect_reduce_op *dialect_reduce_op_find(MPI_Op op);
bool dialect_reduce_op_predefined(MPI_Op op);
void dialect_reduce_op_unref(struct dialect_reduce_op *op);
/* called.c: the function to register for it: its own, or one by which it computes on the rank's
 * processor, and the check hears what it loads and stores. over: the handle is freed. */
MPI_User_function *dialect_called_function(struct dialect_reduce_op *op);
void dialect_called_over(const struct dialect_reduce_op *op);

/* What a combine needs until the operation is complete; on the heap. */
struct dialect_argument {
    int target;
    uint32_t bytes; /* compare-and-swap: the value expected */
    uint8_t value[16];
    /* a user's operation: the target's world rank, function and datatype */
    int rank;
    MPI_User_function *function;
    bool fortran;
    struct dialect_type *element;
};
void dialect_argument_free(void *argument);
double dialect_combine_swap(const void *in, void *inout, uint64_t bytes, const void *arg);
double dialect_combine_user(const void *in, void *inout, uint64_t bytes, const void *arg);
/* Packed elements in the caller's own context: inout = in op inout. */
void dialect_reduce_packed(const struct dialect_reduce_op *op, const struct dialect_type *element,
                           const void *in, void *inout, uint64_t bytes);

#endif
