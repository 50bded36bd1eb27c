/* dialect: a program that was started without `sidewinder run`. */
#ifndef DIALECT_ALONE_H
#define DIALECT_ALONE_H

/* Starts the program again from its beginning as the only rank of a machine of one processor,
 * without a report. Called by MPI_Init where nothing is simulated; does not return. Where an mpirun
 * started several copies, each is such a rank, and says so. */
_Noreturn void dialect_alone(void);

#endif
