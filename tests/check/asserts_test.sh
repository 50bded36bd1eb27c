#!/bin/bash
# "Plain run checks ... lying asserts always": those that the epochs show, at the line that lies.
. "$(dirname "$0")/../lib.sh"
cat >"$work/asserts.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, *base, one = 1, two = 2, other, lies, both[2];
    MPI_Win win, first, second;
    MPI_Group all, peer;
    const char *name = argv[1];
    MPI_Init(&argc, &argv);
    lies = argc > 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    other = 1 - rank;
    MPI_Group_incl(all, 1, &other, &peer);
    MPI_Win_allocate(8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    if (strcmp(name, "noprecede") == 0) {
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
        if (lies) MPI_Put(&one, 1, MPI_INT, other, 0, 1, MPI_INT, win);
        MPI_Win_fence(MPI_MODE_NOPRECEDE, win); /* noprecede */
    }
    if (strcmp(name, "start") == 0) {
        if (rank == 1 && !lies) MPI_Win_post(peer, MPI_MODE_NOCHECK, win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) MPI_Win_start(peer, MPI_MODE_NOCHECK, win); /* start */
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1 && lies) MPI_Win_post(peer, MPI_MODE_NOCHECK, win);
        if (rank == 0) MPI_Win_complete(win);
        if (rank == 1) MPI_Win_wait(win);
    }
    if (strcmp(name, "lock") == 0) {
        if (rank == 0) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        if (rank == 0 && !lies) MPI_Win_unlock(0, win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, win); /* lock */
        if (rank == 1) MPI_Win_unlock(0, win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0 && lies) MPI_Win_unlock(0, win);
    }
    if (strcmp(name, "put") == 0)
        for (int i = 0; i < 3; i++) {
            MPI_Win_fence(i == 1 && rank == 1 ? MPI_MODE_NOPUT : 0, win);
            if (rank == 0 && (lies || i != 1)) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* put */
            if (rank == 0) MPI_Get(&one, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
            if (rank == 1) MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
            MPI_Win_fence(0, win);
        }
    if (strcmp(name, "exposed") == 0)
        for (int i = 0; i < 3; i++) {
            if (rank == 1) MPI_Win_post(peer, i == 1 ? MPI_MODE_NOPUT : 0, win);
            if (rank == 0) MPI_Win_start(peer, 0, win);
            if (rank == 0 && (lies || i != 1)) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* exposed */
            if (rank == 0) MPI_Win_complete(win);
            if (rank == 1) MPI_Win_wait(win);
        }
    if (strcmp(name, "fenced") == 0)
        for (int i = 0; i < 3; i++) {
            if (i != 1 || (lies && rank == 1)) base[1] = i;
            MPI_Win_fence(i == 1 ? MPI_MODE_NOSTORE : 0, win); /* fenced */
        }
    if (strcmp(name, "got") == 0)
        for (int i = 0; i < 3; i++) {
            MPI_Win_fence(i == 2 ? MPI_MODE_NOSTORE : 0, win); /* got */
            if (rank == 0 && i != 2 && (lies || i != 1)) MPI_Get(base, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        }
    if (strcmp(name, "received") == 0) {
        MPI_Win_fence(0, win);
        int *to = lies ? base + 1 : &two;
        if (rank == 0) MPI_Recv(to, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (rank == 1) MPI_Send(&one, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Win_fence(MPI_MODE_NOSTORE, win); /* received */
    }
    if (strcmp(name, "scanned") == 0) {
        MPI_Win_fence(0, win);
        sscanf("7", "%d", lies ? base : &two);
        MPI_Win_fence(MPI_MODE_NOSTORE, win); /* scanned */
    }
    if (strcmp(name, "posted") == 0)
        for (int i = 0; i < 3; i++) {
            if (rank == 1 && (lies || i != 1)) base[0] = i;
            if (rank == 1) MPI_Win_post(peer, i == 1 ? MPI_MODE_NOSTORE : 0, win); /* posted */
            if (rank == 0) MPI_Win_start(peer, 0, win);
            if (rank == 0) MPI_Put(&one, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
            if (rank == 0) MPI_Win_complete(win);
            if (rank == 1) MPI_Win_wait(win);
        }
    if (strcmp(name, "windows") == 0) {
        MPI_Win_create(both, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &first);
        MPI_Win_create(both + 1, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &second);
        both[0] = both[1] = 1;
        MPI_Win_fence(0, first);
        MPI_Win_fence(0, second);
        both[1] = 1; /* as it was */
        if (lies) both[0] = 1;
        MPI_Win_fence(MPI_MODE_NOSTORE, first); /* windows */
        MPI_Win_fence(0, second);
        MPI_Win_free(&first);
        MPI_Win_free(&second);
    }
    if (strcmp(name, "later") == 0) {
        if (rank == 0) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, MPI_MODE_NOCHECK, win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1 && lies) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win); /* later */
        if (rank == 1 && lies) MPI_Win_unlock(0, win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) MPI_Win_unlock(0, win);
    }
    if (strcmp(name, "matched") == 0) {
        if (rank == 1) MPI_Win_post(peer, lies ? 0 : MPI_MODE_NOCHECK, win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) MPI_Win_start(peer, MPI_MODE_NOCHECK, win); /* matched */
        if (rank == 0) MPI_Win_complete(win);
        if (rank == 1) MPI_Win_wait(win);
    }
    if (strcmp(name, "some") == 0) {
        MPI_Win_fence(0, win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_fence(!lies || rank == 1 ? MPI_MODE_NOSUCCEED : 0, win); /* some */
    }
    if (strcmp(name, "succeed") == 0) {
        MPI_Win_fence(0, win);
        MPI_Win_fence(lies ? MPI_MODE_NOSUCCEED : 0, win);
        MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
        MPI_Put(&one, 1, MPI_INT, other, 0, 1, MPI_INT, win); /* succeed */
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -g "$work/asserts.c" -o "$work/asserts" || wrong "asserts is compiled"
# blamed LINE OPTION... -- ARGUMENT...: how many violations name the line, and how many do not
blamed() {
    local line=$1
    shift
    rm -f "$work/json"
    timeout 600 "$sidewinder" run -m "$machine" -n 2 -q --json "$work/json" "$@" >/dev/null 2>&1
    awk -f "$here/pairs.awk" "$work/json" |
        awk -v line="$line" '{ if ($2 == line || $3 == line) with++; else without++ }
                             END { print with + 0, without + 0 }'
}
for name in noprecede start lock put exposed succeed fenced got received scanned posted windows later matched some; do
    line=$(grep -n "/\* $name \*/" "$work/asserts.c" | cut -d: -f1)
    machine=rdma
    lie=$(blamed "$line" "$work/asserts" $name lies)
    case $name in
    some | matched | received) ;; # each is the same on all machines
    *) machine=t3d ;;
    esac
    says "$name: a lie is reported at its line" grep -q "^[1-9].* 0$" <<<"$lie"
    says "$name: the truth is not" [ "$(blamed "$line" "$work/asserts" $name)" = "0 0" ]
    says "$name: with --check too" [ "$(blamed "$line" --check "$work/asserts" $name lies)" != "0 0" ]
done
text=$("$sidewinder" run -m rdma -n 2 --check "$work/asserts" noprecede lies 2>&1)
says "a verdict names the lying assert as a rank's" grep -q "rank [01]'s assert at" <<<"$text"
finish
