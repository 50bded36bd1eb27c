/* The parts of a reduction, until they are folded into its result. */
#ifndef DIALECT_MPI_FOLD_H
#define DIALECT_MPI_FOLD_H

#include "dialect/mpi/reduce/reduce.h"

struct dialect_fold {
    struct dialect_reduce_op *op; /* NULL: a predefined one */
    move_combine combine;         /* that is this, with that argument */
    const void *arg;
    struct dialect_type *type;
    int64_t count;
    int parts; /* of which the result is made */
    int bytes; /* of one */
    int skip;  /* of a result's, before those of `count` elements */
    void *to;
    char *sent, *part;
};

void dialect_fold_store(const struct dialect_fold *fold);
void dialect_fold_free(struct dialect_fold *fold);

#endif
