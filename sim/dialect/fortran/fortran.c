/* Handles as integers, and where SMPI's own bindings are. Numbers are SMPI's; windows' are ours
 * (mpi/window.c). */
#include "dialect/fortran/fortran.h"

#include <dlfcn.h>
#include <string.h>

/* mpif.h: two operations SMPI gives no number; MPI_AINT, whose number is that of a type C programs
 * have no name for. */
enum { NUMBER_REPLACE = -2, NUMBER_NO_OP = -3, NUMBER_AINT = 22 };

void *dialect_fortran_binding(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) g_error("SMPI lacks %s: rebuild Sidewinder", name);
    return found;
}

char *dialect_fortran_text(const char *string, size_t length)
{
    while (length > 0 && string[length - 1] == ' ') length--;
    return g_strndup(string, length);
}

void dialect_fortran_pad(char *to, size_t length, const char *found)
{
    memset(to, ' ', length);
    memcpy(to, found, MIN(strlen(found), length));
}

void *dialect_fortran_buffer(void *address)
{
    return address == (void *)mpi_bottom_     ? MPI_BOTTOM
           : address == (void *)mpi_in_place_ ? MPI_IN_PLACE
                                              : address;
}

MPI_Datatype dialect_fortran_datatype(MPI_Fint type)
{
    if (type == NUMBER_AINT) return MPI_AINT;
    return type < 0 ? MPI_DATATYPE_NULL : MPI_Type_f2c(type);
}
MPI_Info dialect_fortran_info(MPI_Fint info)
{
    return info < 0 ? MPI_INFO_NULL : MPI_Info_f2c(info);
}
MPI_Comm dialect_fortran_comm(MPI_Fint comm)
{
    return comm == DIALECT_FORTRAN_NULL ? MPI_COMM_NULL : MPI_Comm_f2c(comm);
}
MPI_Group dialect_fortran_group(MPI_Fint group)
{
    return group == DIALECT_FORTRAN_NULL ? MPI_GROUP_NULL : MPI_Group_f2c(group);
}
MPI_Request dialect_fortran_request(MPI_Fint request)
{
    return request == DIALECT_FORTRAN_NULL ? MPI_REQUEST_NULL : MPI_Request_f2c(request);
}
MPI_Win dialect_fortran_win(MPI_Fint win) { return MPI_Win_f2c(win); }

MPI_Op dialect_fortran_op(MPI_Fint op)
{
    if (op == NUMBER_REPLACE) return MPI_REPLACE;
    if (op == NUMBER_NO_OP) return MPI_NO_OP;
    return op < 0 ? MPI_OP_NULL : MPI_Op_f2c(op);
}

MPI_Errhandler dialect_fortran_errhandler(MPI_Fint errhandler)
{
    return errhandler < 0 ? MPI_ERRHANDLER_NULL : MPI_Errhandler_f2c(errhandler);
}

MPI_Fint dialect_fortran_number_win(MPI_Win win)
{
    return win == MPI_WIN_NULL ? DIALECT_FORTRAN_NULL : MPI_Win_c2f(win);
}
MPI_Fint dialect_fortran_number_info(MPI_Info info)
{
    return info == MPI_INFO_NULL ? DIALECT_FORTRAN_NULL : MPI_Info_c2f(info);
}
MPI_Fint dialect_fortran_number_comm(MPI_Comm comm)
{
    return comm == MPI_COMM_NULL ? DIALECT_FORTRAN_NULL : MPI_Comm_c2f(comm);
}
MPI_Fint dialect_fortran_number_group(MPI_Group group)
{
    return group == MPI_GROUP_NULL ? DIALECT_FORTRAN_NULL : MPI_Group_c2f(group);
}
MPI_Fint dialect_fortran_number_request(MPI_Request request)
{
    return request == MPI_REQUEST_NULL ? DIALECT_FORTRAN_NULL : MPI_Request_c2f(request);
}
MPI_Fint dialect_fortran_number_errhandler(MPI_Errhandler errhandler)
{
    return errhandler == MPI_ERRHANDLER_NULL ? DIALECT_FORTRAN_NULL
                                             : MPI_Errhandler_c2f(errhandler);
}
