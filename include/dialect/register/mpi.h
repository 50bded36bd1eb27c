/* <mpi.h> for `sidewinder cc --dialect register`: MPI_Type_register and the others are declared, too. */
#ifndef SIDEWINDER_REGISTER_MPI_H
#define SIDEWINDER_REGISTER_MPI_H

#include_next <mpi.h>
#include <type_register.h>

#endif
