/* MPI_Accumulate with every predefined operation and every type it is defined for, against the same
 * arithmetic done here. "Each datatype argument must be a predefined data type or a derived data
 * type, where all basic components are of the same predefined data type. [...] A new predefined
 * operation, MPI_REPLACE, is defined. It corresponds to the associative function f(a,b) = b"
 * (MPI-2 11.3.4). */
#include "check.h"
#include <complex.h>
#include <stdint.h>

enum { N = 5 };

static MPI_Win win;
static unsigned char *window;
static int rank, tried;

/* Rank 0 accumulates `origin` onto rank 1's window, which holds `before`; compares each element
 * with `after`. */
static int right(MPI_Datatype type, MPI_Op op, size_t size, const void *origin, const void *before,
                 int (*same)(const void *, const void *), const void *after)
{
    if (rank == 1) memcpy(window, before, N * size);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    if (rank == 0) MPI_Accumulate(origin, N, type, 1, 0, N, type, op, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    tried++;
    int good = 1;
    if (rank == 1)
        for (int i = 0; i < N; i++)
            good &= same(window + (size_t)i * size, (const char *)after + (size_t)i * size);
    return good;
}

/* One operation on one type: expression in a (old value at the target) and b (from the origin). */
#define TRY(NAME, C, T, OP, EXPRESSION)                                                            \
    do {                                                                                           \
        static const C older[N] = {3, 0, 7, 1, 6}, newer[N] = {5, 2, 0, 1, 3};                     \
        C after[N];                                                                                \
        for (int i = 0; i < N; i++) {                                                              \
            C a = older[i], b = newer[i];                                                          \
            (void)a, (void)b;                                                                      \
            after[i] = (C)(EXPRESSION);                                                            \
        }                                                                                          \
        check(right(T, OP, sizeof(C), newer, older, same_##NAME, after), #OP " of " #T);           \
    } while (0)

#define SAME(NAME, C)                                                                              \
    static int same_##NAME(const void *a, const void *b) { return *(const C *)a == *(const C *)b; }

#define ARITHMETIC(NAME, C, T)                                                                     \
    do {                                                                                           \
        TRY(NAME, C, T, MPI_SUM, a + b);                                                           \
        TRY(NAME, C, T, MPI_PROD, a *b);                                                           \
        TRY(NAME, C, T, MPI_MIN, a < b ? a : b);                                                   \
        TRY(NAME, C, T, MPI_MAX, a > b ? a : b);                                                   \
        TRY(NAME, C, T, MPI_REPLACE, b);                                                           \
    } while (0)
#define LOGIC(NAME, C, T)                                                                          \
    do {                                                                                           \
        TRY(NAME, C, T, MPI_LAND, a &&b);                                                          \
        TRY(NAME, C, T, MPI_LOR, a || b);                                                          \
        TRY(NAME, C, T, MPI_LXOR, !a != !b);                                                       \
    } while (0)
#define BITS(NAME, C, T)                                                                           \
    do {                                                                                           \
        TRY(NAME, C, T, MPI_BAND, a &b);                                                           \
        TRY(NAME, C, T, MPI_BOR, a | b);                                                           \
        TRY(NAME, C, T, MPI_BXOR, a ^ b);                                                          \
    } while (0)
#define INTEGER(NAME, C, T)                                                                        \
    do {                                                                                           \
        ARITHMETIC(NAME, C, T);                                                                    \
        LOGIC(NAME, C, T);                                                                         \
        BITS(NAME, C, T);                                                                          \
    } while (0)

SAME(schar, signed char)
SAME(uchar, unsigned char)
SAME(short, short)
SAME(ushort, unsigned short)
SAME(int, int)
SAME(uint, unsigned)
SAME(long, long)
SAME(ulong, unsigned long)
SAME(llong, long long)
SAME(ullong, unsigned long long)
SAME(float, float)
SAME(double, double)
SAME(ldouble, long double)
SAME(fcomplex, float complex)
SAME(dcomplex, double complex)

/* MPI_MAXLOC and MPI_MINLOC: of equal values the lower index (MPI-1 4.9.3). */
#define PAIR(NAME, C, T)                                                                           \
    do {                                                                                           \
        static const struct NAME older[N] = {{3, 10}, {0, 11}, {7, 12}, {1, 13}, {6, 3}};          \
        static const struct NAME newer[N] = {{5, 20}, {2, 21}, {0, 22}, {1, 2}, {6, 24}};          \
        struct NAME most[N], least[N];                                                             \
        for (int i = 0; i < N; i++) {                                                              \
            struct NAME a = older[i], b = newer[i], low = a.index < b.index ? a : b;               \
            most[i] = a.value > b.value ? a : a.value < b.value ? b : low;                         \
            least[i] = a.value < b.value ? a : a.value > b.value ? b : low;                        \
        }                                                                                          \
        check(right(T, MPI_MAXLOC, sizeof(struct NAME), newer, older, same_##NAME, most),          \
              "MPI_MAXLOC of " #T);                                                                \
        check(right(T, MPI_MINLOC, sizeof(struct NAME), newer, older, same_##NAME, least),         \
              "MPI_MINLOC of " #T);                                                                \
        check(right(T, MPI_REPLACE, sizeof(struct NAME), newer, older, same_##NAME, newer),        \
              "MPI_REPLACE of " #T);                                                               \
    } while (0)
#define SAME_PAIR(NAME, C)                                                                         \
    struct NAME {                                                                                  \
        C value;                                                                                   \
        int index;                                                                                 \
    };                                                                                             \
    static int same_##NAME(const void *a, const void *b)                                           \
    {                                                                                              \
        const struct NAME *p = a, *q = b;                                                          \
        return p->value == q->value && p->index == q->index;                                       \
    }
SAME_PAIR(pair_float, float)
SAME_PAIR(pair_double, double)
SAME_PAIR(pair_long, long)
SAME_PAIR(pair_int, int)
SAME_PAIR(pair_short, short)
SAME_PAIR(pair_ldouble, long double)

/* "accumulates by several processes to one location": every rank adds to the same elements in one
 * epoch; none is lost. */
static void together(void)
{
    long add[N] = {1, 2, 3, 4, 5}, sum = 0;
    long *at = (long *)window;
    for (int i = 0; i < N; i++) at[i] = 0;
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int k = 0; k < 8; k++) MPI_Accumulate(add, N, MPI_LONG, 1, 0, N, MPI_LONG, MPI_SUM, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    for (int i = 0; i < N; i++) sum += at[i] == 8L * check_ranks * (i + 1);
    check(rank != 1 || sum == N,
          "accumulates of all ranks onto one location are all there after a fence");

    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    for (int k = 0; k < 8; k++) MPI_Accumulate(add, N, MPI_LONG, 1, 0, N, MPI_LONG, MPI_SUM, win);
    MPI_Win_unlock(1, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    sum = 0;
    for (int i = 0; i < N; i++) sum += at[i] == 16L * check_ranks * (i + 1);
    MPI_Win_unlock(rank, win);
    check(rank != 1 || sum == N,
          "accumulates of all ranks under shared locks are all there after the unlocks");
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    rank = check_rank;
    MPI_Win_allocate(1024, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);

    INTEGER(schar, signed char, MPI_SIGNED_CHAR);
    INTEGER(uchar, unsigned char, MPI_UNSIGNED_CHAR);
    INTEGER(short, short, MPI_SHORT);
    INTEGER(ushort, unsigned short, MPI_UNSIGNED_SHORT);
    INTEGER(int, int, MPI_INT);
    INTEGER(uint, unsigned, MPI_UNSIGNED);
    INTEGER(long, long, MPI_LONG);
    INTEGER(ulong, unsigned long, MPI_UNSIGNED_LONG);
    INTEGER(llong, long long, MPI_LONG_LONG);
    INTEGER(ullong, unsigned long long, MPI_UNSIGNED_LONG_LONG);
    ARITHMETIC(float, float, MPI_FLOAT);
    ARITHMETIC(double, double, MPI_DOUBLE);
    ARITHMETIC(ldouble, long double, MPI_LONG_DOUBLE);
    TRY(fcomplex, float complex, MPI_C_FLOAT_COMPLEX, MPI_SUM, a + b);
    TRY(fcomplex, float complex, MPI_C_FLOAT_COMPLEX, MPI_PROD, a *b);
    TRY(dcomplex, double complex, MPI_C_DOUBLE_COMPLEX, MPI_SUM, a + b);
    TRY(dcomplex, double complex, MPI_C_DOUBLE_COMPLEX, MPI_PROD, a *b);
    TRY(dcomplex, double complex, MPI_C_DOUBLE_COMPLEX, MPI_REPLACE, b);
    BITS(uchar, unsigned char, MPI_BYTE);
    TRY(uchar, unsigned char, MPI_BYTE, MPI_REPLACE, b);
    TRY(schar, signed char, MPI_CHAR, MPI_REPLACE, b);
    PAIR(pair_float, float, MPI_FLOAT_INT);
    PAIR(pair_double, double, MPI_DOUBLE_INT);
    PAIR(pair_long, long, MPI_LONG_INT);
    PAIR(pair_int, int, MPI_2INT);
    PAIR(pair_short, short, MPI_SHORT_INT);
    PAIR(pair_ldouble, long double, MPI_LONG_DOUBLE_INT);
    together();
    if (rank == 0) printf("tried=%d\n", tried);

    MPI_Win_free(&win);
    return check_end();
}
