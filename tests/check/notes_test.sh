#!/bin/bash
# "Each finding is an error ..., or a note (allowed, but the outcome depends on timing)": notes are counted and shown
# apart, and no verdict is made of them.
. "$(dirname "$0")/../lib.sh"
cat >"$work/notes.c" <<'C'
#include <mpi.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, *base, got; volatile int seen;
    MPI_Win win;
    const char *name = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win); /* unfreed */
    MPI_Win_fence(0, win);
    if (!strcmp(name, "replace")) MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win); /* replace */
    if (!strcmp(name, "sum")) MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_fence(0, win);
    if (!strcmp(name, "blind")) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* blind */
        MPI_Win_unlock(0, win);
    }
    if (!strcmp(name, "counter")) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        got += rank;
        MPI_Put(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    if (!strcmp(name, "spin")) { /* the lock's word is 1 while somebody has it */
        int free = 0, taken = 1;
        MPI_Win_lock_all(0, win);
        do {
            MPI_Compare_and_swap(&taken, &free, &got, MPI_INT, 0, 0, win);
            MPI_Win_flush(0, win);
        } while (got != free);
        MPI_Accumulate(&free, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_unlock_all(win);
    }
    if (!strcmp(name, "unwaited") || !strcmp(name, "tested")) {
        MPI_Request request;
        int done;
        MPI_Win_lock(MPI_LOCK_SHARED, (rank + 1) % 3, 0, win);
        MPI_Rput(&rank, 1, MPI_INT, (rank + 1) % 3, 0, 1, MPI_INT, win, &request); /* unwaited */
        MPI_Win_unlock((rank + 1) % 3, win);
        if (!strcmp(name, "tested")) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    }
    if (!strcmp(name, "sync")) MPI_Win_sync(win); /* sync */
    if (!strcmp(name, "locked")) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Win_sync(win);
        MPI_Win_unlock(0, win);
    }
    if (!strcmp(name, "held")) { /* read before all meet, written behind it, under one lock */
        if (rank == 0) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
        if (rank == 0) MPI_Get(&got, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        if (rank == 0) MPI_Win_flush(2, win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 2) seen = base[8];
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
        if (rank < 2) MPI_Put(&rank, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        if (rank < 2) MPI_Win_unlock(2, win);
    }
    if (strcmp(name, "unfreed")) MPI_Win_free(&win);
    MPI_Finalize(); /* unfreed */ /* unwaited */
    return 0;
}
C
cd "$work" || exit 1
"$sidewinder" cc -O1 -g notes.c -o notes || wrong "notes.c is compiled"
at() { grep -n "/\* $1 \*/" notes.c | cut -d: -f1 | sort -u; }
# noted MACHINE NAME: class and lines of all findings
noted() {
    "$sidewinder" run -m "$1" -n 3 --check --check-exit 9 --json json --report report ./notes "$2" ||
        echo "exit code $?"
    awk -v notes=1 -f "$here/pairs.awk" json
}
for machine in t3d smp rdma; do
    for name in replace blind unfreed unwaited sync; do
        lines=$(at $name | sed -n '1p;$p' | xargs)
        says "$machine: $name is a note at its lines, and no error" [ "$(noted $machine $name)" = "note $lines" ]
        says "$machine: $name is counted apart" grep -q '"notes" : 1,' json
        says "$machine: the report shows it below the verdict" grep -q 'No error in this execution' report
    done
    for name in sum counter spin tested locked held; do
        says "$machine: of $name there is nothing to say" [ -z "$(noted $machine $name)" ]
    done
done
"$sidewinder" check -n 3 -m t3d -m rdma --sarif sarif ./notes blind >table
says "check: a note is no error" [ $? -eq 0 ]
says "check: a note stands behind the verdict" eval "tr -s ' \n' ' ' <table | grep -q '1 note: .*notes.c:18'"
says "check: in SARIF its level is note" grep -q '"level" : "note"' sarif
finish
