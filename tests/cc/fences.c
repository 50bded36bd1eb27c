/* What a store takes, in ns of simulated time, as C11 orders it: one line each. 1 rank. */
#include "check.h"

#include <stdatomic.h>
#include <stdio.h>
#include <x86intrin.h>

enum { N = 10000 };
static long plain[64];
static _Atomic long ordered[64];

static double ns_since(double start) { return (MPI_Wtime() - start) * 1e9 / N; }
#define SHOW(name, ...)                                                                            \
    do {                                                                                           \
        const double start = MPI_Wtime();                                                          \
        for (long i = 0; i < N; i++) {                                                             \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
        printf(name "=%.2f\n", ns_since(start));                                                   \
    } while (0)

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 1);
    for (int i = 0; i < 64; i++) plain[i] = ordered[i] = i;
    SHOW("nothing", plain[i & 63] = i; __asm__ volatile("" :: : "memory"));
    SHOW("release", atomic_store_explicit(&ordered[i & 63], i, memory_order_release));
    SHOW("sequential", atomic_store(&ordered[i & 63], i));
    SHOW("cleared", atomic_flag_clear((volatile atomic_flag *)&ordered[i & 63]));
    SHOW("weak", plain[i & 63] = i; atomic_thread_fence(memory_order_acq_rel));
    SHOW("fence", plain[i & 63] = i; atomic_thread_fence(memory_order_seq_cst));
    SHOW("synchronize", plain[i & 63] = i; __sync_synchronize());
    SHOW("intrinsic", plain[i & 63] = i; _mm_mfence());
    SHOW("assembly", plain[i & 63] = i; __asm__ volatile("mfence" :: : "memory"));
    SHOW("stores", plain[i & 63] = i; _mm_sfence());
    /* 9989 without its last byte, which was cleared as a flag */
    check(ordered[5] == 9984 && plain[5] == 9989, "the values are the last ones");
    return check_end();
}
