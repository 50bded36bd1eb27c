/* Says how large the file is that this rank was loaded from, while it is there. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <sys/stat.h>

static long bytes = -1;
int counted;
static volatile int middle = 1 << 19;
static const unsigned char large[1 << 20] = {[1 << 19] = 7}; /* text, as constants are */

#ifdef INDIRECT
static int plain(int i) { return i; }
static void *chosen(void) { return plain; }
static int same(int i) __attribute__((ifunc("chosen")));
#else
static int same(int i) { return i; }
#endif
#ifdef EARLY
static int early;
__attribute__((constructor(100))) static void first(void) { early = large[middle]; }
#endif

__attribute__((constructor)) static void measure(void)
{
    Dl_info here;
    struct stat file;
    if (dladdr(&bytes, &here) && stat(here.dli_fname, &file) == 0) bytes = (long)file.st_size;
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 1000; i++) counted += same(i) & rank;
#ifdef EARLY
    if (early != 7) return 1;
#endif
    if (large[same(middle)] != 7 || large[same(5000)] != 0) return 1;
    printf("rank %d loaded %ld of %s\n", rank, bytes, argv[0]);
    MPI_Finalize();
    return 0;
}
