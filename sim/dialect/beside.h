/* dialect/beside: the words of beside.def (beside.awk writes functions of them). A list of no
 * length, or at an address that stands for something else, is nowhere. */
#ifndef DIALECT_BESIDE_H
#define DIALECT_BESIDE_H

#include "dialect/mpi/comm/comm.h"
#include "world/beside/beside.h"

#include <string.h>

/* Of each call, in C and in Fortran; the last has no name. */
extern const struct world_beside_row dialect_beside[];

#define LOAD(at, n)  dialect_beside_touch(at, (int64_t)(n), sizeof *(at), false)
#define STORE(at, n) dialect_beside_touch(at, (int64_t)(n), sizeof *(at), true)
/* Fortran: an argument that is a number or a handle is loaded, the code is stored. */
#define NUMBER(i) world_beside((const void *)word[i], sizeof(MPI_Fint), false)
#define CODE(i)   world_beside((const void *)word[i], sizeof(MPI_Fint), true)

void dialect_beside_touch(const void *at, int64_t n, uint64_t size, bool stores);
/* Fortran's. */
MPI_Comm dialect_beside_comm(uintptr_t word);
char *dialect_beside_buffer(uintptr_t word);

#define PEERS(comm)      dialect_beside_peers(comm)
#define ROOT(comm, root) (dialect_rank_in(comm) == (root) ? PEERS(comm) : 0)
#define OTHER(buffer, n) ((buffer) == MPI_IN_PLACE ? 0 : (n))
#define DIMS(comm)       dialect_beside_dims(comm)
#define TEXT(text)       ((text) ? strlen(text) + 1 : 0)
#define KNOWN(key)       dialect_beside_known(key)
int dialect_beside_peers(MPI_Comm comm);
int dialect_beside_dims(MPI_Comm comm);
int dialect_beside_known(int key);

#endif
