/* several: a call on several requests, of which SMPI sees some. Private to this folder. */
#ifndef DIALECT_MPI_SEVERAL_H
#define DIALECT_MPI_SEVERAL_H

#include "dialect/mpi/message/pending.h"

/* What it needs: the handles, which the call overwrites, and statuses even when the program wants
 * none. */
struct dialect_several {
    struct world_rank *rank;
    int count;
    MPI_Request *outer;   /* the program's, where persistent collectives are; NULL: none is */
    MPI_Request *request; /* NULL: nothing is pending */
    MPI_Status *status;   /* the program's, or ours */
    MPI_Status *ours;
    int unfinished; /* generalised requests that are not complete */
    int finished;   /* generalised requests that are complete */
    int others;     /* active requests that are SMPI's own */
    int error;      /* of a servicer that the program completes here */
    /* while it dozes: when the first operation is complete, as far as anybody knew */
    double until_s;
};

/* Requests of which one may be complete before another. */
enum dialect_active { ACTIVE_NONE, ACTIVE_ONE, ACTIVE_SEVERAL };

/* Hides those that SMPI may not see, until they are cleared. */
void dialect_several_init(struct dialect_several *s, struct world_rank *r, int count,
                          MPI_Request *requests, MPI_Status *statuses, bool wait);
void dialect_several_clear(struct dialect_several *s, MPI_Request *requests);
/* The program learns that request i is complete. */
void dialect_several_complete(struct dialect_several *s, int i, MPI_Status *status);
/* A finished generalised request; -1: none. */
int dialect_several_finished(const struct dialect_several *s);
/* ACTIVE_NONE, too, where none is in our table. */
enum dialect_active dialect_several_active(const struct dialect_several *s);
/* Until none of its operations and servicers is left. */
void dialect_several_wait_all(struct dialect_several *s);
/* Waits a little, for whichever comes first. Begun at begin_s. */
void dialect_several_doze(struct dialect_several *s, double begin_s);
/* A no leaves handles and statuses as they were (MPI-3.1 3.7.5). */
int dialect_several_test_all(struct dialect_several *s, MPI_Request *requests, int *flag);

#endif
