#!/bin/bash
# "Both places as file:line", of calls that memory or a lock is in the way of: what gave the memory to the window, what
# took it from there, what locked it, what began the epoch that is still open, what of it is not complete.
. "$(dirname "$0")/../lib.sh"
cat >"$work/beside.c" <<'C'
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, one = 1;
    MPI_Aint at;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *memory = malloc(64);
    if (strcmp(argv[1], "created") == 0) {
        MPI_Win_create(memory, 64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        free(memory);
    } else if (strcmp(argv[1], "attached") == 0) {
        MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        MPI_Win_attach(win, memory, 64);
        free(memory);
    } else if (strcmp(argv[1], "locked") == 0) {
        MPI_Win_create(memory, 64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        if (rank == 0) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    } else {
        MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
        MPI_Win_attach(win, memory, 64);
        MPI_Get_address(memory, &at);
        MPI_Bcast(&at, 1, MPI_AINT, 1, MPI_COMM_WORLD);
        if (rank == 1) MPI_Win_detach(win, memory);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_lock_all(0, win);
        if (rank == 0) MPI_Put(&one, 1, MPI_INT, 1, MPI_Aint_add(at, 8), 1, MPI_INT, win);
        MPI_Win_unlock_all(win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -g "$work/beside.c" -o "$work/beside" || { wrong "beside is compiled"; finish; }
blames() { # blames CASE LINE LINE: what it says
    rm -f "$work/json"
    "$sidewinder" run -m smp -n 2 -q --check --json "$work/json" "$work/beside" "$1" >/dev/null 2>&1
    [ "$(awk -f "$here/pairs.awk" "$work/json" | sort -u)" = "error $2 $3" ]
}
says "memory freed while a window has it: where the window got it" blames created 13 14
says "memory freed while it is attached: where it was attached" blames attached 17 18
says "a window freed while a lock is held: where it was locked" blames locked 21 33
says "an operation on memory that was detached: where it was detached" blames detached 27 30
cat >"$work/refused.c" <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, *base, two[2] = {0};
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    if (rank == 0) MPI_Put(two, 2, MPI_INT, 1, 3, 2, MPI_INT, win);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -g "$work/refused.c" -o "$work/refused" || { wrong "refused is compiled"; finish; }
"$sidewinder" run -m smp -n 2 -q --check --json "$work/json" "$work/refused" >/dev/null 2>&1
says "an operation that no epoch allows: its bytes, and the epoch that is open" grep -q \
    '(8 bytes at offset 12 of the window of rank 1). Rank 0: shared lock from refused.c:10, still open' "$work/json"
cat >"$work/open.c" <<'C'
#include <mpi.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, other, *base, one = 1;
    MPI_Win win;
    MPI_Group all, group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &other, &group);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    if (strcmp(argv[1], "locked_twice") == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); /* locked_twice 1 */
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); /* locked_twice 2 */
    } else if (strcmp(argv[1], "fence_in_a_lock") == 0) {
        MPI_Win_lock_all(0, win); /* fence_in_a_lock 1 */
        MPI_Win_fence(0, win);    /* fence_in_a_lock 2 */
    } else if (strcmp(argv[1], "unlocked_apart") == 0) {
        MPI_Win_lock_all(0, win);     /* unlocked_apart 1 */
        MPI_Win_unlock(other, win);   /* unlocked_apart 2 */
    } else if (strcmp(argv[1], "started_twice") == 0) {
        if (rank == 1) MPI_Win_post(group, 0, win);
        if (rank == 1) MPI_Win_wait(win);
        MPI_Win_start(group, 0, win); /* started_twice 1 */
        MPI_Win_start(group, 0, win); /* started_twice 2 */
    } else if (strcmp(argv[1], "not_in_the_group") == 0) {
        if (rank == 1) MPI_Win_post(group, 0, win);
        if (rank == 1) MPI_Win_wait(win);
        MPI_Win_start(group, 0, win);                     /* not_in_the_group 1 */
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* not_in_the_group 2 */
    } else if (strcmp(argv[1], "posted_twice") == 0) {
        MPI_Win_post(group, 0, win); /* posted_twice 1 */
        MPI_Win_post(group, 0, win); /* posted_twice 2 */
    } else if (strcmp(argv[1], "not_completed") == 0) {
        if (rank == 1) MPI_Win_post(group, 0, win);
        if (rank == 0) MPI_Win_start(group, 0, win); /* not_completed 1 */
        if (rank == 1) MPI_Win_wait(win);
    } else if (strcmp(argv[1], "no_last_fence") == 0) {
        MPI_Win_fence(0, win);
        if (rank == 0) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* no_last_fence 1 */
    }
    MPI_Win_free(&win); /* not_completed 2, no_last_fence 2 */
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -g "$work/open.c" -o "$work/open" || { wrong "open is compiled"; finish; }
at() { grep -n "[ ]$1\b" "$work/open.c" | cut -d: -f1; }
for case in locked_twice fence_in_a_lock unlocked_apart started_twice not_in_the_group posted_twice not_completed \
    no_last_fence; do
    rm -f "$work/json"
    "$sidewinder" run -m rdma -n 2 -q --check --json "$work/json" "$work/open" $case >/dev/null 2>&1
    says "$case: both places" \
        [ "$(awk -f "$here/pairs.awk" "$work/json" | sort -u)" = "error $(at "$case 1") $(at "$case 2")" ]
done
finish
