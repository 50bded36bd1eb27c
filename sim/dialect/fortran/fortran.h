/* dialect/fortran: what its files share. MPI and the dialects as Fortran calls them: arguments by
 * reference, handles as integers, the error code last (MPI-2 2.6.2, 4.12). A binding notes the line
 * of the program before it calls the C function, which takes it for its own caller's; nothing may
 * block in between.
 */
#ifndef DIALECT_FORTRAN_FORTRAN_H
#define DIALECT_FORTRAN_FORTRAN_H

#include "dialect/mpi/call/call.h"

#define DIALECT_BINDING __attribute__((visibility("default")))

/* The error code is OPTIONAL in mpi_f08 (f08.awk): a null pointer where it is absent. */
#define DIALECT_FORTRAN_CODE(ierr)                                                                 \
    int ierr##_absent;                                                                             \
    if (!(ierr)) (ierr) = &ierr##_absent

/* Strings are as long as their variables, padded with blanks (MPI-2 2.6.2): one for C, without the
 * blanks behind, and one of C's. */
enum { DIALECT_FORTRAN_STRING = 1024 }; /* longer than any of MPI's own */
char *dialect_fortran_text(const char *string, size_t length);
void dialect_fortran_pad(char *to, size_t length, const char *found);

void *dialect_fortran_binding(const char *name); /* SMPI's */

/* mpif.h: every null handle, but for a file's */
enum { DIALECT_FORTRAN_NULL = -1 };

/* SMPI's: what a program passes for MPI_BOTTOM, MPI_IN_PLACE, MPI_STATUS_IGNORE,
 * MPI_STATUSES_IGNORE. */
extern char mpi_bottom_[], mpi_in_place_[], mpi_status_ignore_[], mpi_statuses_ignore_[];

/* Arguments: where the program names MPI_BOTTOM or MPI_IN_PLACE; handles. */
void *dialect_fortran_buffer(void *address);
int *dialect_fortran_weights(int *weights); /* or that there are none */
MPI_Datatype dialect_fortran_datatype(MPI_Fint type);
MPI_Op dialect_fortran_op(MPI_Fint op);
MPI_Win dialect_fortran_win(MPI_Fint win);
MPI_Info dialect_fortran_info(MPI_Fint info);
MPI_Comm dialect_fortran_comm(MPI_Fint comm);
MPI_Group dialect_fortran_group(MPI_Fint group);
MPI_Request dialect_fortran_request(MPI_Fint request);
MPI_Errhandler dialect_fortran_errhandler(MPI_Fint errhandler);

/* Results. */
MPI_Fint dialect_fortran_number_win(MPI_Win win);
MPI_Fint dialect_fortran_number_info(MPI_Info info);
MPI_Fint dialect_fortran_number_comm(MPI_Comm comm);
MPI_Fint dialect_fortran_number_group(MPI_Group group);
MPI_Fint dialect_fortran_number_request(MPI_Request request);
MPI_Fint dialect_fortran_number_errhandler(MPI_Errhandler errhandler);

#endif
