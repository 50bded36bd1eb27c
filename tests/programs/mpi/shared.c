/* Windows of shared memory, sentence by sentence (MPI-3 11.2.3). All ranks on one coherent node, or
 * each on its own. */
#include "check.h"

#include <stdatomic.h>

static int me, ranks; /* of the communicator that shares memory */
static MPI_Comm node;
static int coherent;

static int class_of(int code)
{
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS) MPI_Error_class(code, &class);
    return class;
}

static void made(void)
{
    MPI_Win win;
    int flag, *flavor, *model, unit, ok = 1;
    long *mine, *theirs;
    MPI_Aint bytes;
    MPI_Win_allocate_shared((me + 1) * (MPI_Aint)sizeof(long), 8, MPI_INFO_NULL, node, &mine, &win);
    MPI_Win_get_attr(win, MPI_WIN_CREATE_FLAVOR, &flavor, &flag);
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &flag);
    check(*flavor == MPI_WIN_FLAVOR_SHARED, "\"MPI_WIN_FLAVOR_SHARED\" is its flavor");
    check(*model == (coherent ? MPI_WIN_UNIFIED : MPI_WIN_SEPARATE),
          "its two copies are one where caches are coherent, and only there");
    for (int i = 0; i <= me; i++) mine[i] = 10 * me + i;
    MPI_Win_fence(0, win);
    long *end = NULL;
    for (int r = 0; r < ranks; r++) {
        MPI_Win_shared_query(win, r, &bytes, &unit, &theirs);
        ok &= bytes == (r + 1) * (MPI_Aint)sizeof(long) && unit == 8 && (!end || theirs == end);
        end = theirs + r + 1;
        for (int i = 0; i <= r; i++) ok &= theirs[i] == 10 * r + i;
    }
    check(ok, "every process loads what the others stored, and \"the allocated memory is "
              "contiguous across process ranks\"");
    MPI_Win_fence(0, win);
    MPI_Win_shared_query(win, (me + 1) % ranks, &bytes, &unit, &theirs);
    theirs[0] = -me;
    MPI_Win_fence(0, win);
    check(mine[0] == -((me + ranks - 1) % ranks), "and has what others stored in its part");
    long value = 7 + me;
    MPI_Put(&value, 1, MPI_LONG, (me + 1) % ranks, 0, 1, MPI_LONG, win);
    MPI_Win_fence(0, win);
    check(mine[0] == 7 + (me + ranks - 1) % ranks, "puts go there, too");
    check(MPI_Win_free(&win) == MPI_SUCCESS, "and it is freed");
}

static void empty_and_apart(void)
{
    MPI_Win win;
    MPI_Info info;
    char *mine, *first;
    int unit, code = MPI_SUCCESS;
    MPI_Aint bytes;
    MPI_Info_create(&info);
    MPI_Info_set(info, "alloc_shared_noncontig", "true");
    MPI_Win_allocate_shared(me == 0 ? 0 : 5, 1, info, node, &mine, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_shared_query(win, MPI_PROC_NULL, &bytes, &unit, &first);
    check(ranks == 1 ? bytes == 0 && !first : bytes == 5 && (me != 1 || first == mine),
          "\"the lowest rank that specified size > 0\" stands for MPI_PROC_NULL");
    check((size_t)mine % 4096 == 0,
          "\"alloc_shared_noncontig\": each part begins where its process would put it");
    code = class_of(MPI_Win_shared_query(win, ranks, &bytes, &unit, &first));
    check(code == MPI_ERR_RANK, "a rank that is none");
    MPI_Win_free(&win);
    MPI_Info_free(&info);
    MPI_Win plain;
    MPI_Win_create(&bytes, sizeof bytes, 1, MPI_INFO_NULL, node, &plain);
    MPI_Win_set_errhandler(plain, MPI_ERRORS_RETURN);
    code = class_of(MPI_Win_shared_query(plain, 0, &bytes, &unit, &first));
    check(code == MPI_SUCCESS && (me == 0 ? first == (void *)&bytes && bytes == sizeof bytes
                                          : first == NULL && bytes == 0),
          "in a window that is not of shared memory a process has access to its own part only");
    MPI_Win_free(&plain);
}

/* A counter and a flag, as threads use them. */
static void atomics(void)
{
    MPI_Win win;
    _Atomic long *mine, *counter;
    int unit;
    MPI_Aint bytes;
    MPI_Win_allocate_shared(me == 0 ? 2 * sizeof(long) : 0, 8, MPI_INFO_NULL, node, &mine, &win);
    MPI_Win_shared_query(win, 0, &bytes, &unit, &counter);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
    for (int i = 0; i < 50; i++) atomic_fetch_add(&counter[0], 1);
    if (me == ranks - 1) {
        while (atomic_load(&counter[0]) != 50 * ranks) continue;
        atomic_store(&counter[1], 1);
    }
    while (!atomic_load(&counter[1])) continue;
    check(atomic_load(&counter[0]) == 50 * ranks,
          "atomics of C count, and a loop sees the store that ends it");
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
}

/* SMPI's communicator of a node had no number, and took any other's messages for its own. */
static void messages(void)
{
    int one = 1, two = 2, first = 0, second = 0;
    MPI_Request sent[2];
    if (check_rank == 0 && ranks > 1) {
        MPI_Isend(&one, 1, MPI_INT, 1, 5, node, &sent[0]);
        MPI_Isend(&two, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &sent[1]);
        MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
    } else if (check_rank == 1 && ranks > 1) {
        MPI_Recv(&second, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&first, 1, MPI_INT, 0, 5, node, MPI_STATUS_IGNORE);
    }
    check(check_rank != 1 || ranks == 1 || (first == 1 && second == 2),
          "messages of a node's communicator are its own");
}

static void by_key(void)
{
    MPI_Comm backwards;
    int place;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, -me, MPI_INFO_NULL, &backwards);
    MPI_Comm_rank(backwards, &place);
    check(place == ranks - 1 - me, "MPI_Comm_split_type: \"a key ... to control rank assignment\"");
    MPI_Comm_free(&backwards);
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 1);
    coherent = argc > 1;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &me);
    MPI_Comm_size(node, &ranks);
    messages();
    by_key();
    made();
    empty_and_apart();
    atomics();
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (ranks < check_ranks) {
        MPI_Win win;
        void *base;
        int code =
            class_of(MPI_Win_allocate_shared(8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win));
        check(code == MPI_ERR_RMA_SHARED, "processes that share no memory cannot have one");
    }
    MPI_Comm_free(&node);
    return check_end();
}
