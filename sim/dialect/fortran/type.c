/* Datatypes of kinds, which SMPI has for C alone, and what a datatype was made of: SMPI's binding
 * stores handles of C where integers are. */
#include "dialect/fortran/fortran.h"

DIALECT_BINDING void mpi_type_get_contents_(MPI_Fint *type, int *max_integers, int *max_addresses,
                                            int *max_datatypes, int *integers, MPI_Aint *addresses,
                                            MPI_Fint *datatypes, int *ierr);
void mpi_type_get_contents_(MPI_Fint *type, int *max_integers, int *max_addresses,
                            int *max_datatypes, int *integers, MPI_Aint *addresses,
                            MPI_Fint *datatypes, int *ierr)
{
    DIALECT_FORTRAN_CODE(ierr);
    const int room = MAX(*max_datatypes, 0);
    g_autofree MPI_Datatype *found = g_new(MPI_Datatype, room + 1);
    for (int i = 0; i < room; i++) found[i] = MPI_DATATYPE_NULL;
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = MPI_Type_get_contents(dialect_fortran_datatype(*type), *max_integers, *max_addresses,
                                  *max_datatypes, integers, addresses, found);
    dialect_fortran_pc = 0;
    for (int i = 0; *ierr == MPI_SUCCESS && i < room; i++)
        if (found[i] != MPI_DATATYPE_NULL) datatypes[i] = MPI_Type_c2f(found[i]);
}

/* ---- of so many digits and such a range ------------------------------------------------------ */

DIALECT_BINDING void mpi_type_create_f90_integer_(int *r, MPI_Fint *newtype, int *ierr);
void mpi_type_create_f90_integer_(int *r, MPI_Fint *newtype, int *ierr)
{
    MPI_Datatype made;
    DIALECT_FORTRAN_CODE(ierr);
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = MPI_Type_create_f90_integer(*r, &made);
    dialect_fortran_pc = 0;
    if (*ierr == MPI_SUCCESS) *newtype = MPI_Type_c2f(made);
}

DIALECT_BINDING void mpi_type_create_f90_real_(int *p, int *r, MPI_Fint *newtype, int *ierr);
void mpi_type_create_f90_real_(int *p, int *r, MPI_Fint *newtype, int *ierr)
{
    MPI_Datatype made;
    DIALECT_FORTRAN_CODE(ierr);
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = MPI_Type_create_f90_real(*p, *r, &made);
    dialect_fortran_pc = 0;
    if (*ierr == MPI_SUCCESS) *newtype = MPI_Type_c2f(made);
}

DIALECT_BINDING void mpi_type_create_f90_complex_(int *p, int *r, MPI_Fint *newtype, int *ierr);
void mpi_type_create_f90_complex_(int *p, int *r, MPI_Fint *newtype, int *ierr)
{
    MPI_Datatype made;
    DIALECT_FORTRAN_CODE(ierr);
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = MPI_Type_create_f90_complex(*p, *r, &made);
    dialect_fortran_pc = 0;
    if (*ierr == MPI_SUCCESS) *newtype = MPI_Type_c2f(made);
}

DIALECT_BINDING void mpi_type_get_value_index_(MPI_Fint *value_type, MPI_Fint *index_type,
                                               MPI_Fint *pair_type, int *ierr);
void mpi_type_get_value_index_(MPI_Fint *value_type, MPI_Fint *index_type, MPI_Fint *pair_type,
                               int *ierr)
{
    MPI_Datatype found;
    DIALECT_FORTRAN_CODE(ierr);
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = MPI_Type_get_value_index(dialect_fortran_datatype(*value_type),
                                     dialect_fortran_datatype(*index_type), &found);
    dialect_fortran_pc = 0;
    if (*ierr == MPI_SUCCESS)
        *pair_type = found == MPI_DATATYPE_NULL ? DIALECT_FORTRAN_NULL : MPI_Type_c2f(found);
}
