#!/bin/bash
# "A rank that spins on its window while an operation waits for it is named, with both lines": in a plain run that is
# ended from outside, since it would not end.
. "$(dirname "$0")/../lib.sh"
cat >"$work/spin.c" <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, one = 1, looks = 0;
    volatile int *base;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* put */
    if (rank == 0) MPI_Win_flush(1, win);
    while (rank == 1 && base[0] == 0) /* spin */
        if (++looks == 20000) puts("ready"), fflush(stdout);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -g "$work/spin.c" -o "$work/spin" || wrong "spin.c is compiled"
at() { grep -n "/\* $1 \*/" "$work/spin.c" | cut -d: -f1; }
mkfifo "$work/pipe"
"$sidewinder" run -q -m now -n 2 "$work/spin" >"$work/pipe" 2>"$work/err" &
read -r line <"$work/pipe"
kill -TERM $!
wait $! 2>"$work/killed"
says "the program spins" [ "$line" = ready ]
spin=$(at spin)
line="  rank 0's MPI_Put at spin.c:$(at put) has waited .*s for rank 1 to enter MPI; it is at "
line+="spin.c:($spin|$((spin + 1)))"
says "who waits, and for whom, is said with both lines" grep -Eqx "$line" "$work/err"
cat "$work/err"
run rdma 2 spin
says "rdma: its interface needs no processor, and the program ends" [ "$status" = 0 ]
finish
