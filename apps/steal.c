/* Work stealing: tasks of unlike length lie in pools, one a rank, all of them at rank 0 in the
 * beginning. A rank takes its own newest task; a rank without tasks locks the pool of another one,
 * chosen at random, and takes the older half. A counter at rank 0 says how many tasks are done. */
#include <mpi.h>
#include <sidewinder.h>
#include <stdio.h>
#include <stdlib.h>

#include "random.h"

/* a pool: its task numbers are in words [first, last) behind these two */
enum { FIRST, LAST, TASKS };
static int rank, ranks;
static MPI_Win pools, counter;
static long *pool, *done, *loot;

/* The older half of that rank's tasks, moved into `loot`: how many. The pool is locked by the
 * caller. */
static long take_half(int victim)
{
    long range[2];
    MPI_Get(range, 2, MPI_LONG, victim, 0, 2, MPI_LONG, pools);
    MPI_Win_flush(victim, pools);
    long half = (range[1] - range[0] + 1) / 2, first = range[0] + half;
    if (half == 0) return 0;
    MPI_Get(loot, (int)half, MPI_LONG, victim, TASKS + range[0], (int)half, MPI_LONG, pools);
    MPI_Put(&first, 1, MPI_LONG, victim, FIRST, 1, MPI_LONG, pools);
    return half;
}

static long steal(int victim)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, victim, 0, pools);
    long half = take_half(victim);
    MPI_Win_unlock(victim, pools);
    if (half == 0) return 0;
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, pools);
    for (long i = 0; i < half; i++) pool[TASKS + i] = loot[i];
    pool[FIRST] = 0, pool[LAST] = half;
    MPI_Win_unlock(rank, pools);
    return half;
}

static long own_task(void)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, pools);
    long task = pool[FIRST] < pool[LAST] ? pool[TASKS + --pool[LAST]] : -1;
    MPI_Win_unlock(rank, pools);
    return task;
}

static long total_done(long mine)
{
    long before;
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, counter);
    MPI_Fetch_and_op(&mine, &before, MPI_LONG, 0, 0, MPI_SUM, counter);
    MPI_Win_unlock(0, counter);
    return before + mine;
}

int main(int argc, char **argv)
{
    long tasks = argc > 1 ? atol(argv[1]) : 64;
    double cycles = argc > 2 ? atof(argv[2]) : 20000;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 4 || tasks < 1 || tasks > 1000000 || !(cycles >= 0)) {
        if (rank == 0)
            fprintf(
                stderr,
                "usage: steal [tasks a rank, 64] [cycles of a task on average, 20000] [seed, 0]\n");
        MPI_Finalize();
        return 2;
    }
    tasks *= ranks;
    loot = malloc((size_t)tasks * sizeof *loot);
    MPI_Win_allocate((TASKS + tasks) * (MPI_Aint)sizeof *pool, sizeof *pool, MPI_INFO_NULL,
                     MPI_COMM_WORLD, &pool, &pools);
    MPI_Win_allocate(rank == 0 ? (MPI_Aint)sizeof *done : 0, sizeof *done, MPI_INFO_NULL,
                     MPI_COMM_WORLD, &done, &counter);
    pool[FIRST] = 0, pool[LAST] = rank == 0 ? tasks : 0;
    for (long i = 0; rank == 0 && i < tasks; i++) pool[TASKS + i] = i;
    if (rank == 0) *done = 0;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, pools);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, counter);

    uint64_t seed = (uint64_t)rank + 977 * (argc > 3 ? strtoull(argv[3], NULL, 10) : 0);
    double start = MPI_Wtime();
    /* tasks done here, their numbers, steals tried, steals that got some */
    long sum[4] = {0, 0, 0, 0}, fresh = 0;
    for (;;) {
        for (long task; (task = own_task()) >= 0; fresh++) {
            uint64_t length = (uint64_t)task;
            sw_compute(2 * cycles * next_uniform(&length));
            sum[0]++, sum[1] += task;
        }
        if (total_done(fresh) == tasks) break;
        fresh = 0;
        if (ranks == 1) continue;
        sum[2]++;
        sum[3] += steal((rank + 1 + (int)(next_random(&seed) % (uint64_t)(ranks - 1))) % ranks) > 0;
    }
    double elapsed = MPI_Wtime() - start;
    MPI_Allreduce(MPI_IN_PLACE, sum, 4, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &elapsed, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    int wrong = sum[0] != tasks || sum[1] != tasks * (tasks - 1) / 2;
    if (rank == 0)
        printf("steal: %ld of %ld tasks done in %.3f us, %ld of %ld steals got some: %s\n", sum[0],
               tasks, elapsed * 1e6, sum[3], sum[2], wrong ? "WRONG" : "ok");
    MPI_Win_free(&counter);
    MPI_Win_free(&pools);
    free(loot);
    MPI_Finalize();
    return wrong;
}
