/* Calls that break a rule by themselves, one a case; the lines marked with the case's name are
 * those that the check must blame. calls NAME; "fine" is a program without an error. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static int rank, *base, one = 1;
static MPI_Win win;
static MPI_Group other;

static int is(const char *given, const char *name) { return strcmp(given, name) == 0; }

static void epochs(const char *name)
{
    if (is(name, "no_epoch") && rank == 0)
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* no_epoch */
    if (is(name, "flush_in_a_fence_epoch")) {
        MPI_Win_fence(0, win);
        MPI_Win_flush(1, win); /* flush_in_a_fence_epoch */
    }
    if (is(name, "lock_in_a_fence_epoch")) {
        MPI_Win_fence(0, win);
        MPI_Put(&one, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); /* lock_in_a_fence_epoch */
    }
    if (is(name, "outside_the_window")) {
        MPI_Win_fence(0, win);
        MPI_Put(&one, 1, MPI_INT, 1, 16, 1, MPI_INT, win); /* outside_the_window */
        MPI_Win_fence(0, win);
    }
    if (is(name, "freed_in_an_epoch")) {
        MPI_Win_fence(0, win);
        MPI_Put(&one, 1, MPI_INT, 1 - rank, rank, 1, MPI_INT, win);
        MPI_Win_free(&win); /* freed_in_an_epoch */
    }
    if (is(name, "window_freed_before")) {
        MPI_Win_free(&win);
        MPI_Win_fence(0, win); /* window_freed_before */
    }
}

static void ends(const char *name)
{
    if (is(name, "lock_kept") && rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win); /* lock_kept */
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    }
    if (is(name, "fence_forgotten")) {
        MPI_Win_fence(0, win);
        if (rank == 0) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* fence_forgotten */
    }
    if (is(name, "post_forgotten") && rank == 0) {
        MPI_Win_start(other, 0, win); /* post_forgotten */
        MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
    }
    if (is(name, "fine")) {
        MPI_Win_fence(0, win);
        MPI_Put(&one, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_unlock(1, win);
        MPI_Win_free(&win);
    }
}

/* "the same as ... a send operation ... and a receive" (MPI-2 11.3.1): types match as theirs do. */
static void types(const char *name)
{
    static const int lengths[] = {1, 1};
    static const MPI_Aint at[] = {0, 4};
    MPI_Datatype two, kinds[] = {MPI_INT, MPI_FLOAT};
    int numbers[2] = {1, 1};
    double number = 1;
    long wide = 1;
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    MPI_Win_fence(0, win);
    if (is(name, "another_kind"))
        MPI_Put(numbers, 1, MPI_INT, 1 - rank, 0, 1, MPI_FLOAT, win); /* another_kind */
    if (is(name, "another_size"))
        MPI_Get(&number, 1, MPI_DOUBLE, 1 - rank, 0, 2, MPI_FLOAT, win); /* another_size */
    if (is(name, "second_of_a_struct")) {
        MPI_Type_free(&two);
        MPI_Type_create_struct(2, lengths, at, kinds, &two);
        MPI_Type_commit(&two);
        MPI_Put(numbers, 2, MPI_INT, 1 - rank, 0, 1, two, win); /* second_of_a_struct */
    }
    if (is(name, "types_that_match")) {
        MPI_Put(numbers, 2, MPI_INT, 1 - rank, 0, 1, two, win);
        MPI_Put(&wide, 1, MPI_LONG, 1 - rank, 2, 1, MPI_INT64_T, win);
        MPI_Put(&number, 1, MPI_DOUBLE, 1 - rank, 4, 8, MPI_BYTE, win);
    }
    MPI_Win_fence(0, win);
    MPI_Type_free(&two);
    MPI_Win_free(&win);
}

static void memory(const char *name)
{
    int *heap = malloc(64);
    MPI_Win theirs;
    if (is(name, "freed_in_a_window") || is(name, "freed_after")) {
        MPI_Win_create(heap, 64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &theirs);
        if (is(name, "freed_in_a_window")) free(heap); /* freed_in_a_window */
        MPI_Win_free(&theirs);
        if (is(name, "freed_in_a_window")) return;
    }
    if (is(name, "detached_too_early") || is(name, "detached_in_time")) {
        MPI_Aint at;
        MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &theirs);
        MPI_Win_attach(theirs, heap, 64);
        MPI_Get_address(heap, &at);
        MPI_Bcast(&at, 1, MPI_AINT, 1, MPI_COMM_WORLD);
        MPI_Win_lock_all(0, theirs);
        if (rank == 0) {
            MPI_Get(&one, 1, MPI_INT, 1, at, 1, MPI_INT, theirs); /* detached_too_early */
            MPI_Win_flush(1, theirs);
        }
        if (is(name, "detached_in_time"))
            MPI_Barrier(MPI_COMM_WORLD);
        else
            for (double t = MPI_Wtime(); rank == 1 && MPI_Wtime() < t + 1e-3;) continue;
        if (is(name, "detached_too_early") && rank == 1)
            MPI_Win_detach(theirs, heap); /* detached_too_early */
        if (is(name, "detached_in_time") && rank == 1) MPI_Win_detach(theirs, heap);
        MPI_Win_unlock_all(theirs);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_free(&theirs);
    }
    free(heap);
}

int main(int argc, char **argv)
{
    MPI_Group all;
    int them;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    them = 1 - rank;
    MPI_Group_incl(all, 1, &them, &other);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    epochs(argv[1]);
    ends(argv[1]);
    if (strstr("another_kind another_size second_of_a_struct types_that_match", argv[1]))
        types(argv[1]);
    memory(argv[1]);
    if (is(argv[1], "freed_after") || is(argv[1], "detached_in_time")) MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
