/* Predefined elements of what was received, and datatypes found by what they hold: SMPI 3.32
 * declares these calls and ends the run.
 */
#include "dialect/mpi/type/compose.h"

#include <limits.h>
#include <string.h>

/* ---- elements -------------------------------------------------------------------------------- */

/* Of MPI_MINLOC's pairs each has two. */
static int64_t elements_of(MPI_Datatype basic)
{
#define BASIC(handle, ctype, kind)
#define PAIR(handle, value_type, index_type)                                                       \
    if (basic == (handle)) return 2;
#include "dialect/mpi/type/basic.def"
#undef BASIC
#undef PAIR
    return 1;
}

static int64_t elements_of_all(const struct dialect_type *type)
{
    int64_t elements = 0;
    for (uint32_t i = 0; i < dialect_runs_of(type); i++) {
        struct dialect_run run = dialect_run_of(type, i);
        elements += (int64_t)run.count * elements_of(run.basic);
    }
    return elements;
}

/* Of so many bytes; MPI_UNDEFINED: an element is cut. */
static int64_t elements_in(const struct dialect_type *type, uint64_t bytes)
{
    if (type->one.bytes == 0) return 0;
    int64_t elements = (int64_t)(bytes / type->one.bytes) * elements_of_all(type);
    uint64_t rest = bytes % type->one.bytes;
    for (uint32_t i = 0; rest > 0 && i < dialect_runs_of(type); i++) {
        struct dialect_run run = dialect_run_of(type, i);
        uint64_t size = dialect_type_find(run.basic)->one.bytes, n = MIN(run.count, rest / size);
        elements += (int64_t)n * elements_of(run.basic);
        rest -= n * size;
        if (n < run.count) break;
    }
    return rest > 0 ? MPI_UNDEFINED : elements;
}

/* The bytes of so many elements. */
static uint64_t bytes_of(const struct dialect_type *type, int64_t elements)
{
    int64_t all = elements_of_all(type);
    if (all == 0) return 0;
    uint64_t bytes = (uint64_t)(elements / all) * type->one.bytes;
    int64_t rest = elements % all;
    for (uint32_t i = 0; rest > 0 && i < dialect_runs_of(type); i++) {
        struct dialect_run run = dialect_run_of(type, i);
        int64_t each = elements_of(run.basic), n = MIN((int64_t)run.count, rest / each);
        bytes += (uint64_t)n * dialect_type_find(run.basic)->one.bytes;
        rest -= n * each;
        if (n < (int64_t)run.count) break;
    }
    return bytes;
}

/* A status has room for 2^31 - 1 bytes. More, which only the program itself can say, are below zero
 * there, and the rest stands in the word that says whether the message was cancelled. */
enum { LOW_BITS = 31 };

int64_t dialect_status_bytes(const MPI_Status *status)
{
    if (status->count >= 0) return status->count;
    return ((int64_t)(status->cancelled >> 1) << LOW_BITS) + -(int64_t)(status->count + 1);
}

static void put_bytes(MPI_Status *status, uint64_t bytes)
{
    const int cancelled = status->count < 0 ? status->cancelled & 1 : status->cancelled;
    const int low = (int)(bytes & INT_MAX);
    status->count = bytes > INT_MAX ? -low - 1 : low;
    status->cancelled =
        bytes > INT_MAX ? (int)(bytes >> LOW_BITS << 1) | (cancelled == 1) : cancelled;
}

int MPI_Test_cancelled(const MPI_Status *status, int *flag)
{
    DIALECT_NO_NULL(flag, MPI_ERR_ARG);
    /* of a probed request of PUT/ACCEPT its operation lies there */
    *flag = status->count < 0 ? status->cancelled & 1 : status->cancelled == 1;
    return MPI_SUCCESS;
}

int MPI_Status_set_cancelled(MPI_Status *status, int flag)
{
    DIALECT_NO_NULL(status, MPI_ERR_ARG);
    status->cancelled = status->count < 0 ? (status->cancelled & ~1) | (flag != 0) : flag != 0;
    return MPI_SUCCESS;
}

static int get_elements(const char *call, const MPI_Status *status, MPI_Datatype datatype,
                        MPI_Count *elements)
{
    const struct dialect_type *type = dialect_type_find(datatype);
    if (!type)
        return dialect_error(world_here(), MPI_COMM_NULL, call, MPI_ERR_TYPE,
                             "invalid datatype handle");
    *elements = elements_in(type, (uint64_t)dialect_status_bytes(status));
    return MPI_SUCCESS;
}

int MPI_Get_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count *elements)
{
    return get_elements(__func__, status, datatype, elements);
}

/* What int cannot hold is MPI_UNDEFINED. */
int MPI_Get_elements(MPI_Status *status, MPI_Datatype datatype, int *elements)
{
    MPI_Count found = 0;
    int code = get_elements(__func__, status, datatype, &found);
    if (code == MPI_SUCCESS) *elements = found > INT_MAX ? MPI_UNDEFINED : (int)found;
    return code;
}

static int set_elements(const char *call, MPI_Status *status, MPI_Datatype datatype,
                        MPI_Count count)
{
    const struct dialect_type *type = dialect_type_find(datatype);
    if (!type || count < 0)
        return dialect_error(world_here(), MPI_COMM_NULL, call, type ? MPI_ERR_COUNT : MPI_ERR_TYPE,
                             "%s", type ? "the count is negative" : "invalid datatype handle");
    put_bytes(status, bytes_of(type, count));
    return MPI_SUCCESS;
}

int MPI_Status_set_elements(MPI_Status *status, MPI_Datatype datatype, int count)
{
    return set_elements(__func__, status, datatype, count);
}

int MPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    return set_elements(__func__, status, datatype, count);
}

/* ---- statuses in Fortran --------------------------------------------------------------------- */

static int convert(const char *call, const void *from, void *to)
{
    if (from == MPI_STATUS_IGNORE || to == MPI_STATUS_IGNORE)
        return dialect_error(world_here(), MPI_COMM_NULL, call, MPI_ERR_ARG,
                             "MPI_STATUS_IGNORE has no fields");
    memcpy(to, from, MPI_STATUS_SIZE * sizeof(MPI_Fint));
    return MPI_SUCCESS;
}

G_STATIC_ASSERT(sizeof(MPI_Status) == MPI_STATUS_SIZE * sizeof(MPI_Fint));

int MPI_Status_c2f(MPI_Status *c_status, MPI_Fint *f_status)
{
    return convert(__func__, c_status, f_status);
}

int MPI_Status_f2c(MPI_Fint *f_status, MPI_Status *c_status)
{
    return convert(__func__, f_status, c_status);
}

/* ---- datatypes by what they hold ------------------------------------------------------------- */

static int none(const char *call, const char *what)
{
    return dialect_error(world_here(), MPI_COMM_NULL, call, MPI_ERR_ARG,
                         "no predefined datatype has %s", what);
}

int MPI_Type_match_size(int typeclass, int size, MPI_Datatype *datatype)
{
    const struct {
        int typeclass, size;
        MPI_Datatype type;
    } kind[] = {{MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},  {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
                {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},  {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
                {MPI_TYPECLASS_REAL, 4, MPI_REAL4},        {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
                {MPI_TYPECLASS_REAL, 16, MPI_REAL16},      {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},
                {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16}};
    for (size_t i = 0; i < G_N_ELEMENTS(kind); i++)
        if (kind[i].typeclass == typeclass && kind[i].size == size) {
            *datatype = kind[i].type;
            return MPI_SUCCESS;
        }
    return none(__func__, "that class and size");
}

/* Decimal digits and exponents of gfortran's kinds 4 and 8: SELECTED_REAL_KIND. */
static int real_kind(int digits, int exponent)
{
    if (digits == MPI_UNDEFINED) digits = 0;
    if (exponent == MPI_UNDEFINED) exponent = 0;
    return digits <= 6 && exponent <= 37 ? 4 : digits <= 15 && exponent <= 307 ? 8 : 0;
}

int MPI_Type_create_f90_real(int prec, int exp, MPI_Datatype *newtype)
{
    int kind = real_kind(prec, exp);
    if (!kind) return none(__func__, "that precision and range");
    *newtype = kind == 4 ? MPI_REAL4 : MPI_REAL8;
    return MPI_SUCCESS;
}

int MPI_Type_create_f90_complex(int prec, int exp, MPI_Datatype *newtype)
{
    int kind = real_kind(prec, exp);
    if (!kind) return none(__func__, "that precision and range");
    *newtype = kind == 4 ? MPI_COMPLEX8 : MPI_COMPLEX16;
    return MPI_SUCCESS;
}

/* The parameter, which SMPI calls count, is a number of decimal digits: SELECTED_INT_KIND. */
int MPI_Type_create_f90_integer(int count, MPI_Datatype *newtype)
{
    if (count > 18) return none(__func__, "that range");
    *newtype = count <= 2   ? MPI_INTEGER1
               : count <= 4 ? MPI_INTEGER2
               : count <= 9 ? MPI_INTEGER4
                            : MPI_INTEGER8;
    return MPI_SUCCESS;
}
