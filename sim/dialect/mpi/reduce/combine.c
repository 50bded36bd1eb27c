/* The predefined operations of an accumulate, on packed elements (MPI-2 5.9.2, 11.3.4).
 *
 * Run when the target's part is done, in an event, so they depend on nobody's context: own loops,
 * not PMPI_Reduce_local. inout is the target's: inout = in op inout. Elements may be unaligned.
 * Integers wrap.
 */
#include "dialect/mpi/reduce/reduce.h"

#include <string.h>
#include <wchar.h>

enum op {
    MAX_OP,
    MIN_OP,
    SUM_OP,
    PROD_OP,
    LAND_OP,
    BAND_OP,
    LOR_OP,
    BOR_OP,
    LXOR_OP,
    BXOR_OP,
    MAXLOC_OP,
    MINLOC_OP,
    OPS
};

/* Which operations a kind allows, as bits. */
#define BIT(op) (1u << op)
enum {
    LOGICAL_OPS = BIT(LAND_OP) | BIT(LOR_OP) | BIT(LXOR_OP),
    BYTE_OPS = BIT(BAND_OP) | BIT(BOR_OP) | BIT(BXOR_OP),
    COMPLEX_OPS = BIT(SUM_OP) | BIT(PROD_OP),
    FLOATING_OPS = COMPLEX_OPS | BIT(MAX_OP) | BIT(MIN_OP),
    INTEGER_OPS = FLOATING_OPS | LOGICAL_OPS | BYTE_OPS,
    PAIR_OPS = BIT(MAXLOC_OP) | BIT(MINLOC_OP),
    PLAIN_OPS = 0
};

/* For each element: a from in, b from inout; b = expression. */
#define EACH(ctype, statement)                                                                     \
    for (uint64_t i = 0; i + sizeof(ctype) <= bytes; i += sizeof(ctype)) {                         \
        ctype a, b;                                                                                \
        memcpy(&a, (const char *)in + i, sizeof a);                                                \
        memcpy(&b, (char *)inout + i, sizeof b);                                                   \
        statement;                                                                                 \
        memcpy((char *)inout + i, &b, sizeof b);                                                   \
    }                                                                                              \
    break

#define CASES_PLAIN(ctype)
#define CASES_COMPLEX(ctype)                                                                       \
    case SUM_OP: EACH(ctype, b = a + b);                                                           \
    case PROD_OP: EACH(ctype, b = a * b);
#define CASES_FLOATING(ctype)                                                                      \
    CASES_COMPLEX(ctype)                                                                           \
    case MAX_OP: EACH(ctype, if (a > b) b = a);                                                    \
    case MIN_OP: EACH(ctype, if (a < b) b = a);
#define CASES_LOGICAL(ctype)                                                                       \
    case LAND_OP: EACH(ctype, b = a && b);                                                         \
    case LOR_OP: EACH(ctype, b = a || b);                                                          \
    case LXOR_OP: EACH(ctype, b = !a != !b);
#define CASES_BYTE(ctype)                                                                          \
    case BAND_OP: EACH(ctype, b &= a);                                                             \
    case BOR_OP: EACH(ctype, b |= a);                                                              \
    case BXOR_OP: EACH(ctype, b ^= a);
#define CASES_INTEGER(ctype)                                                                       \
    CASES_LOGICAL(ctype)                                                                           \
    CASES_BYTE(ctype)                                                                              \
    case SUM_OP: EACH(ctype, __builtin_add_overflow(a, b, &b));                                    \
    case PROD_OP: EACH(ctype, __builtin_mul_overflow(a, b, &b));                                   \
    case MAX_OP: EACH(ctype, if (a > b) b = a);                                                    \
    case MIN_OP: EACH(ctype, if (a < b) b = a);
#define CASES_PAIR(ctype)                                                                          \
    case MAXLOC_OP:                                                                                \
        EACH(                                                                                      \
            ctype, if (a.value > b.value || (a.value == b.value && a.index < b.index)) {           \
                b.value = a.value;                                                                 \
                b.index = a.index;                                                                 \
            });                                                                                    \
    case MINLOC_OP:                                                                                \
        EACH(                                                                                      \
            ctype, if (a.value < b.value || (a.value == b.value && a.index < b.index)) {           \
                b.value = a.value;                                                                 \
                b.index = a.index;                                                                 \
            });

/* a kind has cases for its own operations only; dialect_combine checks */
#pragma GCC diagnostic ignored "-Wswitch"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define FUNCTION(name, ctype, kind)                                                                \
    static double name(const void *in, void *inout, uint64_t bytes, const void *arg)               \
    {                                                                                              \
        switch (*(const enum op *)arg) {                                                           \
            CASES_##kind(ctype)                                                                    \
        }                                                                                          \
        return 0;                                                                                  \
    }
#define PASTE(a, b)     a##b
#define NAME(prefix, n) PASTE(prefix, n)

/* One function a line of basic.def, named by its line number: handles are macros and will not
 * paste. */
#define BASIC(handle, ctype, kind) FUNCTION(NAME(line_, __LINE__), ctype, kind)
#define PAIR(handle, value_type, index_type)                                                       \
    struct NAME(pair_, __LINE__) {                                                                 \
        value_type value;                                                                          \
        index_type index;                                                                          \
    };                                                                                             \
    FUNCTION(NAME(line_, __LINE__), struct NAME(pair_, __LINE__), PAIR)
#include "dialect/mpi/type/basic.def"
#undef BASIC
#undef PAIR

static bool operation(MPI_Op op, const enum op **which)
{
    static const enum op number[OPS] = {MAX_OP, MIN_OP, SUM_OP,  PROD_OP, LAND_OP,   BAND_OP,
                                        LOR_OP, BOR_OP, LXOR_OP, BXOR_OP, MAXLOC_OP, MINLOC_OP};
    const MPI_Op handle[OPS] = {MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                                MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MAXLOC, MPI_MINLOC};
    for (int i = 0; i < OPS; i++)
        if (op == handle[i]) {
            *which = &number[i];
            return true;
        }
    return false;
}

static double no_op(const void *in, void *inout, uint64_t bytes, const void *arg)
{
    return (void)in, (void)inout, (void)bytes, (void)arg, 0;
}

double dialect_combine_swap(const void *in, void *inout, uint64_t bytes, const void *arg)
{
    const struct dialect_argument *expected = arg;
    if (bytes == expected->bytes && memcmp(inout, expected->value, bytes) == 0)
        memcpy(inout, in, bytes);
    return 0;
}

bool dialect_combine(MPI_Op op, MPI_Datatype basic, move_combine *combine, const void **arg)
{
    *arg = NULL;
    *combine = op == MPI_NO_OP ? no_op : NULL;
    if (op == MPI_REPLACE || op == MPI_NO_OP) return true;
    const enum op *which;
    if (!operation(op, &which)) return false;
    *arg = which;
#define BASIC(handle, ctype, kind)                                                                 \
    if (basic == (handle)) return *combine = NAME(line_, __LINE__), (BIT(*which) & kind##_OPS) != 0;
#define PAIR(handle, value_type, index_type)                                                       \
    if (basic == (handle)) return *combine = NAME(line_, __LINE__), (BIT(*which) & PAIR_OPS) != 0;
#include "dialect/mpi/type/basic.def"
#undef BASIC
#undef PAIR
    return false;
}
