/* Two ranks: each walks a static array down its columns, a heap block, an array on its stack, its
 * window, and lists whose links two places allocate by turns and a third one again, all larger than
 * a first-level cache, and puts into the other's window. Usage:
 * variables [walks of the static array [print what is never touched else]] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 256, WORDS = N * N / 4, LINKS = 4096 };
static double board[N][N], other[8];
static volatile double once[8], unused[8];

static __attribute__((noinline)) double on_the_stack(void)
{
    volatile double local[WORDS];
    double sum = 0;
    for (int i = 0; i < WORDS; i += 4) local[i] = i;
    for (int i = 0; i < WORDS; i += 4) sum += local[i];
    return sum;
}

struct link {
    struct link *next;
    double value[7];
};

static double lists(void)
{
    static struct link *list[2];
    double sum = 0;
    for (int i = 0; i < LINKS; i++) {
        struct link *odd = malloc(sizeof *odd), *even = calloc(1, sizeof *even);
        odd->next = list[1];
        even->next = list[0];
        list[1] = odd;
        list[0] = even;
    }
    for (int which = 0; which < 4; which++)
        for (struct link *at = list[which % 2]; at; at = at->next) at->value[6] = 1;
    for (struct link *at = list[1], *next; at; at = next) {
        next = at->next;
        free(at);
        at = malloc(sizeof *at + 0 * (next - at)); /* there again */
        at->value[6] = sum += 1;
        if (at->value[6] < 0) list[0] = at;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rank, walks = argc > 1 ? atoi(argv[1]) : 2;
    double *window, sum = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(WORDS * sizeof *window, sizeof *window, MPI_INFO_NULL, MPI_COMM_WORLD, &window,
                     &win);
    double *block = malloc(WORDS * sizeof *block);
    for (int i = 0; i < N; i++) board[i][rank] = i;
    for (int i = 0; i < WORDS; i++) window[i] = block[i] = i;
    MPI_Win_fence(0, win);
    for (int walk = 0; walk < walks; walk++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++) sum += board[i][j];
    for (int i = 0; i < WORDS; i++) sum += block[i];
    for (int i = 0; i < WORDS; i++) sum += window[i];
    sum += on_the_stack() + lists() + once[rank];
    MPI_Put(other, 8, MPI_DOUBLE, 1 - rank, 0, 8, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    block = realloc(block, 2 * WORDS * sizeof *block);
    for (int i = 0; i < 2 * WORDS; i++) block[i] = sum;
    printf("%g\n", sum + block[7]);
    if (argc > 2) printf("%g\n", unused[walks % 8]);
    free(block);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
