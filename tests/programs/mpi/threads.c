/* Threads of a rank's own run, unseen, also while the rank waits in MPI: their time and accesses do
 * not count, and MPI is not for them. */
#include "check.h"

#include <pthread.h>
#include <threads.h>

enum { THREADS = 4, N = 4096 };
static int *window, refused, sums[THREADS];
static MPI_Win win;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop;

static void work(int i)
{
    int *own = malloc(N * sizeof *own);
    for (int k = 0; k < N; k++) own[k] = k + window[k];
    for (int k = 0; k < N; k++) {
        pthread_mutex_lock(&mutex);
        sums[i] += own[k];
        pthread_mutex_unlock(&mutex);
    }
    memset(own, 0, N * sizeof *own);
    char text[32];
    snprintf(text, sizeof text, "%d", sums[i]);
    sums[i] += (int)strlen(text);
    free(own);
}
static void *by_posix(void *i) { return work((int)(size_t)i), NULL; }
static int by_c11(void *i) { return work((int)(size_t)i), 0; }
static void *spin(void *unused)
{
    (void)unused;
    while (!stop) sums[0]++;
    return NULL;
}
static void *calls_exit(void *code) { exit((int)(size_t)code); }
static void *calls_abort(void *code)
{
    MPI_Abort(MPI_COMM_WORLD, (int)(size_t)code);
    return NULL;
}
static void *calls_mpi(void *unused)
{
    (void)unused;
    int rank, code = MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)code;
    refused = MPI_Barrier(MPI_COMM_WORLD) == MPI_ERR_OTHER;
    MPI_Datatype type;
    MPI_Info info;
    int flag = -1;
    char name[MPI_MAX_PROCESSOR_NAME];
    refused += MPI_Info_create(&info) == MPI_ERR_OTHER;
    refused += MPI_Type_contiguous(2, MPI_INT, &type) == MPI_ERR_OTHER;
    refused += MPI_Get_processor_name(name, &flag) == MPI_ERR_OTHER;
    refused += MPI_Finalize() == MPI_ERR_OTHER && MPI_Wtime() >= 0;
    refused += MPI_Finalized(&flag) == MPI_SUCCESS && flag == 0;
    return NULL;
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    const char *which = argc > 1 ? argv[1] : "posix";
    MPI_Win_allocate(N * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    for (int i = 0; i < N; i++) window[i] = i;
    MPI_Win_fence(0, win);
    if (strcmp(which, "mpi") == 0) {
        pthread_t one;
        pthread_create(&one, NULL, calls_mpi, NULL);
        pthread_join(one, NULL);
        check(refused == 6, "MPI in a thread returns MPI_ERR_OTHER");
    } else if (strcmp(which, "exit") == 0 || strcmp(which, "abort") == 0) {
        pthread_t one;
        pthread_create(&one, NULL, *which == 'e' ? calls_exit : calls_abort, (void *)7);
        pthread_join(one, NULL);
    } else if (strcmp(which, "spin") == 0) {
        pthread_t one;
        pthread_create(&one, NULL, spin, NULL);
        for (int i = 0; i < 50; i++) {
            window[i]++;
            MPI_Win_fence(0, win);
        }
        stop = 1;
        pthread_join(one, NULL);
        check(window[49] == 50, "a thread that spins while its rank calls MPI harms nobody");
    } else if (strcmp(which, "openmp") == 0) {
        int sum = 0;
#pragma omp parallel for num_threads(THREADS) reduction(+ : sum)
        for (int i = 0; i < N; i++) sum += window[i];
        check(sum == N * (N - 1) / 2, "OpenMP adds");
#pragma omp parallel for num_threads(THREADS)
        for (int i = 0; i < N; i++) window[i] = 3 * i;
        int *got = malloc(N * sizeof *got), wrong = 0;
        MPI_Win_fence(0, win);
        MPI_Get(got, N, MPI_INT, check_ranks - 1 - check_rank, 0, N, MPI_INT, win);
        MPI_Win_fence(0, win);
        for (int i = 0; i < N; i++) wrong += got[i] != 3 * i;
        check(!wrong, "what a region stored into a window is what another rank gets");
        free(got);
    } else if (strcmp(which, "c11") == 0) {
        thrd_t thread[THREADS];
        for (size_t i = 0; i < THREADS; i++) thrd_create(&thread[i], by_c11, (void *)i);
        for (int i = 0; i < THREADS; i++) thrd_join(thread[i], NULL);
    } else {
        pthread_t thread[THREADS];
        for (size_t i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, by_posix, (void *)i);
        for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    }
    if (strcmp(which, "c11") == 0 || strcmp(which, "posix") == 0)
        check(sums[0] == N * (N - 1) + 8 && sums[3] == sums[0],
              "every thread adds up what it should");
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    return check_end();
}
