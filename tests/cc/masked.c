/* Loops whose loads and stores under a condition gcc makes into masked vector instructions: only
 * the lanes that are asked for are accessed. Rank 0 stores every other element of its window while
 * rank 1 puts the others; then rank 1 puts every other element while rank 0 loads the others. 2
 * ranks. With the word shorts those too: where a store of two bytes is one (not t3d). With the word
 * clash rank 1 puts the lanes that rank 0 stores, which the check must find. */
#include "check.h"

enum { N = 128 };
static int first_put; /* the first element that rank 1 puts */

#define LOOPS(type)                                                                                \
    static __attribute__((noinline)) void store_##type(type *restrict to,                          \
                                                       const type *restrict asked, type first)     \
    {                                                                                              \
        for (int i = 0; i < N; i++)                                                                \
            if (asked[i]) to[i] = (type)(first + asked[i]);                                        \
    }                                                                                              \
    static __attribute__((noinline)) void load_##type(                                             \
        type *restrict to, const type *restrict asked, const type *restrict from)                  \
    {                                                                                              \
        for (int i = 0; i < N; i++)                                                                \
            if (asked[i]) to[i] = (type)(from[i] + 1);                                             \
    }                                                                                              \
    static void try_##type(MPI_Datatype basic)                                                     \
    {                                                                                              \
        static type asked[N], mine[N], got[N];                                                     \
        type *window;                                                                              \
        MPI_Win win;                                                                               \
        MPI_Datatype other;                                                                        \
        MPI_Type_vector(N / 2, 1, 2, basic, &other);                                               \
        MPI_Type_commit(&other);                                                                   \
        MPI_Win_allocate(sizeof asked, sizeof(type), MPI_INFO_NULL, MPI_COMM_WORLD, &window,       \
                         &win);                                                                    \
        for (int i = 0; i < N; i++) {                                                              \
            asked[i] = (type)(i & 1 ? i % 50 + 1 : 0);                                             \
            mine[i] = (type)(70 + i % 40);                                                         \
            window[i] = 3;                                                                         \
        }                                                                                          \
        for (int i = 0; i < N; i++) got[i] = window[i]; /* it is in a cache */                     \
        MPI_Win_fence(0, win);                                                                     \
        if (check_rank == 0) store_##type(window, asked, 20);                                      \
        if (check_rank == 1) MPI_Put(mine, 1, other, 0, first_put, 1, other, win);                 \
        MPI_Win_fence(0, win);                                                                     \
        if (check_rank == 1) MPI_Get(got, N, basic, 0, 0, N, basic, win);                          \
        MPI_Win_fence(0, win);                                                                     \
        int wrong = 0;                                                                             \
        for (int i = 0; i < N; i++) {                                                              \
            type right = (type)(i & 1 ? 20 + asked[i] : mine[i]);                                  \
            wrong += check_rank == 0 ? window[i] != right : check_rank == 1 && got[i] != right;    \
        }                                                                                          \
        check(wrong == 0, "stores under a mask of " #type " and puts beside them are all there");  \
        MPI_Win_fence(0, win);                                                                     \
        if (check_rank == 1) MPI_Put(asked, 1, other, 0, 0, 1, other, win);                        \
        if (check_rank == 0) load_##type(got, asked, window);                                      \
        MPI_Win_fence(0, win);                                                                     \
        for (int i = 0; i < N; i++)                                                                \
            wrong += check_rank == 0 && got[i] != (type)(i & 1 ? 21 + asked[i] : 3);               \
        check(wrong == 0, "loads under a mask of " #type);                                         \
        MPI_Win_free(&win);                                                                        \
        MPI_Type_free(&other);                                                                     \
    }
LOOPS(int)
LOOPS(double)
LOOPS(float)
LOOPS(long)
LOOPS(short)

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    if (argc > 1 && strcmp(argv[1], "clash") == 0) {
        first_put = 1;
        try_int(MPI_INT);
        MPI_Finalize();
        return 0;
    }
    try_int(MPI_INT);
    try_double(MPI_DOUBLE);
    try_float(MPI_FLOAT);
    try_long(MPI_LONG);
    if (argc > 1) try_short(MPI_SHORT);
    return check_end();
}
