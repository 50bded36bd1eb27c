#!/bin/bash
# "A remark when all ranks return without MPI_Finalize, on quick_exit": and quick_exit ends the rank, not the simulator.
. "$(dirname "$0")/../../lib.sh"
build ending

run t3d 3 ending finalize
says "ranks that call MPI_Finalize are not remarked upon" eval '[ "$status" = 0 ] && [ ! -s "$work/err" ]'
run t3d 3 ending return
says "when all ranks return without MPI_Finalize, it is remarked" eval \
    '[ "$status" = 0 ] && grep -qx "sidewinder: all ranks ended without MPI_Finalize" "$work/err"'
run t3d 3 ending one
says "when one does and the others wait for it, the remark names it" eval \
    '[ "$status" = 3 ] && grep -qx "sidewinder: rank 1 ended without MPI_Finalize" "$work/err"'
for machine in t3d smp; do
    run $machine 3 ending early
    says "a rank that ends while others send to it, on $machine: they wait for ever, and the report names who" eval \
        '[ "$status" = 3 ] && grep -qx "sidewinder: rank 1 ended without MPI_Finalize" "$work/err" &&
        grep -q "ranks 0, 2.*wait in MPI_Barrier" "$work/err" && ! grep -q -e SimGrid -e Backtrace "$work/err"'
done
run t3d 2 ending quick
says "quick_exit ends the rank: the run has its report, exit code and remark" eval \
    '[ "$status" = 0 ] &&
    [ -s "$work/json" ] && grep -qx "sidewinder: all ranks ended without MPI_Finalize" "$work/err"'
says "... and calls what at_quick_exit was given, the last first, in every rank" eval \
    '[ "$(tr "\n" " " <"$work/out")" = "first last first last " ]'
run t3d 2 ending quick-after
says "quick_exit after MPI_Finalize is remarked upon no more, and its code is the run's" eval \
    '[ "$status" = 7 ] && [ ! -s "$work/err" ]'
run t3d 2 ending fail
says "a run that a rank ends by exit(5) is aborted with 5" [ "$status" = 5 ]
for rank in 0 1; do
    says "... rank $rank computed and stalled no longer than it ran" eval \
        '[ "$("$sidewinder" compare --key "rank[$rank].compute_s * 1e12" "$work/json" |
        cut -d. -f1)" -le "$("$sidewinder" compare --key "rank[$rank].time_s * 1e12" "$work/json" | cut -d. -f1)" ]'
done
# ---- when a deadlock happened ----
cat >"$work/probes.c" <<'C'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, x, any;
    MPI_Request request[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) usleep(3000);
    if (rank == 0 && argc == 1) MPI_Probe(1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) MPI_Irecv(&x, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request[0]);
    if (rank == 0) MPI_Ibarrier(MPI_COMM_SELF, &request[1]);
    if (rank == 0) MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -g -w "$work/probes.c" -o "$work/probes" || wrong "probes.c is compiled"
for machine in smp rdma; do
    for how in "" waits; do
        run $machine 2 probes $how
        says "$machine: a deadlock is when the last rank began to wait (${how:-probes})" eval \
            '[ $status = 3 ] && holds "$(json time_s) > 0.003 && $(json time_s) < 0.0031"'
    done
done
cat >"$work/alone.c" <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    volatile double sum = 0;
    int x;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 10000; i++) sum += i;
    if (argc > 1) MPI_Probe(0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -g -w -O1 "$work/alone.c" -o "$work/alone" || wrong "alone.c is compiled"
run smp 1 alone
receives=$(json time_s)
run smp 1 alone probes
says "a lone rank that probes for ever does so from when one that receives does" \
    holds "$(json time_s) > 0.99 * $receives && $(json time_s) < 1.01 * $receives && $receives > 1e-4"
# ---- whom a deadlock is about ----
cat >"$work/circle.c" <<'C'
#include <mpi.h>
static char big[1 << 20];
int main(int argc, char **argv)
{
    int rank, ranks, x;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Irecv(&x, 1, MPI_INT, 2, 7, MPI_COMM_WORLD, &request);
    if (argc == 2 && rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (argc == 2 && rank == 1) MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (argc == 2 && rank == 2) MPI_Ssend(&x, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
    if (argc > 2 && rank == ranks - 1) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(big, sizeof big, MPI_BYTE, (rank + 1) % ranks, 3, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -g -w "$work/circle.c" -o "$work/circle" || wrong "circle.c is compiled"
run now 6 circle
says "sends that wait for each other are a circle" \
    grep -Eqx '  rank 0 waits for rank 1, .*, rank 5 waits for rank 0: a circle, in which none can go on' "$work/err"
run now 6 circle not closed
says "without one, the first three of a group say for whom they wait" grep -Eqx \
    '  ranks 0-4 wait in MPI_Send +at circle.c:15 rank 0 for rank 1, rank 1 .*, rank 2 for rank 3, \.\.\.' "$work/err"
run smp 3 circle others
says "a wait for one receive, and a receive from anybody, say for which message" eval \
    'grep -Eq "rank 0 waits in MPI_Wait +at circle.c:11 for a message of rank 2 with tag 7$" "$work/err" &&
    grep -Eq "rank 1 waits in MPI_Recv +at circle.c:12 for a message of any rank with tag 8$" "$work/err"'
says "a synchronous send, for whom to receive it; and there is no circle" eval \
    'grep -Eq "rank 2 waits in MPI_Ssend +at circle.c:13 for rank 1 to receive a message with tag 9$" "$work/err" &&
    ! grep -q circle, "$work/err"'
finish
