/* dialect/mpi/topology: who is whose neighbour. Grids, and graphs and distributed graphs,
 * which SMPI lacks, are kept here, as attributes that copies of a communicator share. */
#ifndef DIALECT_MPI_TOPOLOGY_H
#define DIALECT_MPI_TOPOLOGY_H

#include "dialect/mpi/message/message.h"

struct dialect_edges {
    int count;
    int *rank, *weight; /* weight: NULL: none */
};

struct dialect_graph {
    int refs;                     /* communicators */
    int nodes, *index, *edges;    /* of MPI_Graph_create; NULL: of a distributed graph */
    struct dialect_edges in, out; /* this rank's, of a distributed graph */
    bool weighted;
};
/* NULL: no graph */
struct dialect_graph *dialect_graph_of(MPI_Comm comm);
/* Makes the communicator of the first `members` ranks of `old`; the graph is its from now on.
 * Returns SMPI's code. */
int dialect_graph_made(struct world_rank *rank, MPI_Comm old, int members,
                       struct dialect_graph *graph, MPI_Comm *made);

/* A rank's place in a Cartesian grid. False: the communicator has none. */
struct dialect_grid {
    int dimensions, *dims, *periods, *place;
};
bool dialect_grid_init(struct dialect_grid *grid, MPI_Comm comm);
void dialect_grid_clear(struct dialect_grid *grid);
/* MPI_Cart_create has made it; MPI_COMM_NULL: this rank is not in it. */
void dialect_grid_keep(MPI_Comm made, int dimensions, const int *dims, const int *periods);
/* Of another rank. */
void dialect_grid_place(const struct dialect_grid *grid, int rank, int *place);
/* The rank so many places further; MPI_PROC_NULL: none. */
int dialect_grid_beside(const struct dialect_grid *grid, int dimension, int by);

/* The neighbours of a rank in any topology, in the order of its buffers. */
struct dialect_neighbours {
    int sources, destinations;
    int *source, *destination;
    /* "the block sent in the negative direction is received as the one of the positive direction"
     * (MPI-4.1 8.6) */
    bool directions;
};
/* False: the communicator has no topology. */
bool dialect_neighbours_init(struct dialect_neighbours *n, MPI_Comm comm);
void dialect_neighbours_clear(struct dialect_neighbours *n);

#endif
