/* Ahead of a program (-include): each rank sleeps a random time, or none, before calls for whose
 * turn ranks compete. So locks are granted, messages from any source taken and tests successful in
 * another order. WANDER, in the environment, is the seed; without it nothing changes. */
#include <mpi.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static inline void wander(void)
{
    static uint64_t state;
    if (!getenv("WANDER")) return;
    if (state == 0) {
        int rank;
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        state = strtoull(getenv("WANDER"), NULL, 10) * 1000003 + (uint64_t)rank + 1;
    }
    state += 0x9e3779b97f4a7c15;
    uint64_t x = (state ^ state >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    x ^= x >> 31;
    if (x & 1) nanosleep(&(struct timespec){.tv_nsec = (long)(x >> 8) % 100000}, NULL);
}

#define MPI_Win_lock(...)         (wander(), MPI_Win_lock(__VA_ARGS__))
#define MPI_Win_lock_all(...)     (wander(), MPI_Win_lock_all(__VA_ARGS__))
#define MPI_Fetch_and_op(...)     (wander(), MPI_Fetch_and_op(__VA_ARGS__))
#define MPI_Compare_and_swap(...) (wander(), MPI_Compare_and_swap(__VA_ARGS__))
#define MPI_Get_accumulate(...)   (wander(), MPI_Get_accumulate(__VA_ARGS__))
#define MPI_Send(...)             (wander(), MPI_Send(__VA_ARGS__))
#define MPI_Ssend(...)            (wander(), MPI_Ssend(__VA_ARGS__))
#define MPI_Isend(...)            (wander(), MPI_Isend(__VA_ARGS__))
#define MPI_Recv(...)             (wander(), MPI_Recv(__VA_ARGS__))
#define MPI_Irecv(...)            (wander(), MPI_Irecv(__VA_ARGS__))
#define MPI_Probe(...)            (wander(), MPI_Probe(__VA_ARGS__))
#define MPI_Iprobe(...)           (wander(), MPI_Iprobe(__VA_ARGS__))
#define MPI_Test(...)             (wander(), MPI_Test(__VA_ARGS__))
#define MPI_Testany(...)          (wander(), MPI_Testany(__VA_ARGS__))
#define MPI_Testsome(...)         (wander(), MPI_Testsome(__VA_ARGS__))
#define MPI_Testall(...)          (wander(), MPI_Testall(__VA_ARGS__))
#define MPI_Waitany(...)          (wander(), MPI_Waitany(__VA_ARGS__))
#define MPI_Waitsome(...)         (wander(), MPI_Waitsome(__VA_ARGS__))
#define MPI_Win_test(...)         (wander(), MPI_Win_test(__VA_ARGS__))
