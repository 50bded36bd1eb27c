/* What the programs about registering share: a window of longs, a datatype, an operation whose
 * function shows where it runs. */
#ifndef REGISTER_SCENE_H
#define REGISTER_SCENE_H

#include "check.h"
#include "type_register.h"

#define WORLD MPI_COMM_WORLD
enum { CELLS = 64 };

static int me, ranks;
static long *cell;
static MPI_Win win;
static MPI_Group everybody;

static inline int class_of(int code)
{
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
    return class;
}

static inline void fill(void)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, me, 0, win);
    memset(cell, 0, CELLS * sizeof *cell);
    MPI_Win_unlock(me, win);
    MPI_Barrier(WORLD);
}

static inline MPI_Datatype strided(int blocks)
{
    MPI_Datatype type;
    MPI_Type_vector(blocks, 1, 2, MPI_LONG, &type);
    MPI_Type_commit(&type);
    return type;
}

/* Globals are each rank's own. */
static int calls, elements;
static long weight; /* differs from rank to rank: whose function runs can be seen */
static MPI_Datatype seen;

static inline void weighted(void *in, void *inout, int *len, MPI_Datatype *type)
{
    long *a = in, *b = inout;
    calls++, elements += *len, seen = *type;
    for (int i = 0; i < *len; i++) b[i] += a[i] * weight;
}

static inline void scene_begin(int *argc, char ***argv)
{
    check_begin(argc, argv, 3);
    me = check_rank, ranks = check_ranks, weight = 100 + me;
    MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_group(WORLD, &everybody);
    MPI_Win_allocate(CELLS * sizeof *cell, sizeof *cell, MPI_INFO_NULL, WORLD, &cell, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
}

static inline int scene_end(void)
{
    MPI_Win_free(&win);
    MPI_Group_free(&everybody);
    return check_end();
}

#endif
