/* Info objects: "in Fortran, leading and trailing spaces are stripped" of keys and values (MPI-3.1
 * 9), and what is found fills its variable. SMPI's bindings fill as much as the program says a
 * value may have. MPI_INFO_GET_STRING, which SMPI lacks, counts without C's end of a string
 * (MPI-4.0 10).
 */
#include "dialect/fortran/fortran.h"

#include <string.h>

#define BINDING(name, ...)                                                                         \
    DIALECT_BINDING void name(__VA_ARGS__);                                                        \
    void name(__VA_ARGS__)

static char *stripped(const char *text, size_t length)
{
    return g_strchug(dialect_fortran_text(text, length));
}

/* As much of what was found as the program wants. */
static void give(char *value, size_t length, char *found, int wanted)
{
    if (wanted >= 0 && (size_t)wanted < strlen(found)) found[wanted] = '\0';
    dialect_fortran_pad(value, length, found);
}

BINDING(mpi_info_set_, MPI_Fint *info, const char *key, const char *value, int *ierr, size_t l_key,
        size_t l_value)
{
    DIALECT_FORTRAN_CODE(ierr);
    g_autofree char *name = stripped(key, l_key), *text = stripped(value, l_value);
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = MPI_Info_set(dialect_fortran_info(*info), name, text);
    dialect_fortran_pc = 0;
}

BINDING(mpi_info_delete_, MPI_Fint *info, const char *key, int *ierr, size_t l_key)
{
    DIALECT_FORTRAN_CODE(ierr);
    g_autofree char *name = stripped(key, l_key);
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = MPI_Info_delete(dialect_fortran_info(*info), name);
    dialect_fortran_pc = 0;
}

BINDING(mpi_info_get_, MPI_Fint *info, const char *key, int *valuelen, char *value, int *flag,
        int *ierr, size_t l_key, size_t l_value)
{
    DIALECT_FORTRAN_CODE(ierr);
    g_autofree char *name = stripped(key, l_key);
    char found[MPI_MAX_INFO_VAL + 1] = "";
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = MPI_Info_get(dialect_fortran_info(*info), name, MPI_MAX_INFO_VAL, found, flag);
    dialect_fortran_pc = 0;
    if (*ierr == MPI_SUCCESS && *flag) give(value, l_value, found, *valuelen);
}

BINDING(mpi_info_get_string_, MPI_Fint *info, const char *key, int *buflen, char *value, int *flag,
        int *ierr, size_t l_key, size_t l_value)
{
    DIALECT_FORTRAN_CODE(ierr);
    g_autofree char *name = stripped(key, l_key);
    char found[MPI_MAX_INFO_VAL + 1] = "";
    const int wanted = *buflen;
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = MPI_Info_get(dialect_fortran_info(*info), name, MPI_MAX_INFO_VAL, found, flag);
    dialect_fortran_pc = 0;
    if (*ierr != MPI_SUCCESS || !*flag) return;
    *buflen = (int)strlen(found);
    if (wanted > 0) give(value, l_value, found, wanted);
}

BINDING(mpi_info_get_valuelen_, MPI_Fint *info, const char *key, int *valuelen, int *flag,
        int *ierr, size_t l_key)
{
    DIALECT_FORTRAN_CODE(ierr);
    g_autofree char *name = stripped(key, l_key);
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = MPI_Info_get_valuelen(dialect_fortran_info(*info), name, valuelen, flag);
    dialect_fortran_pc = 0;
}

BINDING(mpi_info_get_nthkey_, MPI_Fint *info, int *n, char *key, int *ierr, size_t l_key)
{
    DIALECT_FORTRAN_CODE(ierr);
    char found[MPI_MAX_INFO_KEY + 1] = "";
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = MPI_Info_get_nthkey(dialect_fortran_info(*info), *n, found);
    dialect_fortran_pc = 0;
    if (*ierr == MPI_SUCCESS) dialect_fortran_pad(key, l_key, found);
}

/* Fortran has no arguments of main. */
BINDING(mpi_info_create_env_, MPI_Fint *info, int *ierr)
{
    MPI_Info made = MPI_INFO_NULL;
    DIALECT_FORTRAN_CODE(ierr);
    dialect_fortran_pc = DIALECT_HERE;
    *ierr = MPI_Info_create_env(0, NULL, &made);
    dialect_fortran_pc = 0;
    *info = dialect_fortran_number_info(made);
}
