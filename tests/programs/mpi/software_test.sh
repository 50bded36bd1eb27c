#!/bin/bash
# What a library and an operating system take: a call of MPI, and a message over TCP and Ethernet.
. "$(dirname "$0")/../../lib.sh"
cat >"$work/calls.c" <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    long *base;
    MPI_Win win;
    MPI_Win_allocate(8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    double begin = MPI_Wtime();
    for (int i = 0; i < 1000; i++) MPI_Win_flush(0, win);
    printf("%.9g\n", MPI_Wtime() - begin);
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 -o "$work/calls" "$work/calls.c" || exit 1
"$sidewinder" cc -O2 -o "$work/latency" "$apps/latency.c" || exit 1
# number MACHINE KEY: in seconds
number() {
    "$sidewinder" machines "$1" --text | awk -v key="$2" '$1 == "cpu.clock" {clock = $2 * 1e6 * ($2 ~ /GHz/ ? 1e3 : 1)}
        $1 == key {n = $2 + 0; unit = $2}
        END {print n * (unit ~ /us$/ ? 1e-6 : unit ~ /ns$/ ? 1e-9 : unit ~ /cycles$/ ? 1 / clock : 1)}'
}
for machine in t3d smp challenge now now-ethernet clump rdma cxl-pool; do
    call=$(number $machine mpi.call)
    took=$("$sidewinder" run -q -m $machine -n 1 "$work/calls")
    says "$machine: a call takes its $call s (1000 in $took s)" \
        holds "$call > 0 && $took > 1000 * $call && $took < 1000 * ($call + 60e-9)"
done
cat >"$work/polls.c" <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int there;
    double begin = MPI_Wtime();
    for (int i = 0; i < 1000; i++)
        MPI_Iprobe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    printf("%.9g\n", MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 -o "$work/polls" "$work/polls.c" || exit 1
for machine in now smp rdma; do
    call=$(number $machine mpi.call) test=$(number $machine mpi.test)
    took=$("$sidewinder" run -q -m $machine -n 1 "$work/polls")
    says "$machine: a poll takes its $test s, and no call's in addition (1000 in $took s)" \
        holds "$took > 1000 * $test && $took < 1000 * ($test + 30e-9) + 2 * $call"
done
cat >"$work/far.c" <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    static char bytes[4096];
    MPI_Init(&argc, &argv);
    int rank, to = atoi(argv[1]);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (rank == 0) MPI_Send(bytes, 4096, MPI_BYTE, to, 1, MPI_COMM_WORLD);
    if (rank == to) MPI_Recv(bytes, 4096, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == to) printf("%.12g\n", MPI_Wtime() - begin);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 -o "$work/far" "$work/far.c" || exit 1
for to in 1 4; do
    with=$("$sidewinder" run -q -m clump -n 8 --set net.fetch=9us "$work/far" $to)
    without=$("$sidewinder" run -q -m clump -n 8 --set net.fetch=0s "$work/far" $to)
    says "clump: MPI's own message from rank 0 to rank $to is fetched if that is on another node ($with, $without s)" \
        holds "($with - $without) * 1e9 > 9000 * ($to == 4) - 1 && ($with - $without) * 1e9 < 9000 * ($to == 4) + 1"
done
way="2 * $(number now-ethernet net.kernel) + $(number now-ethernet net.local_latency)"
says "now-ethernet: its keys of a message within the node are lmbench's 162 us of loopback TCP, both ways" \
    holds "2 * ($way) > 161.9e-6 && 2 * ($way) < 162.1e-6"
sum=0
for key in net.kernel net.kernel net.driver net.driver net.interrupt net.latency; do
    says "now-ethernet has $key" holds "$(number now-ethernet $key) > 0"
    sum="$sum + $(number now-ethernet $key)"
done
trip=$("$sidewinder" run -q -m now-ethernet -n 2 --set mpi.call=0s "$work/latency" |
    awk '$1 == "get" {print $2 * 1e-6}')
says "a get over Ethernet takes the kernel, driver, interrupt and wire of two messages, $trip s" \
    holds "$trip > 2 * ($sum) && $trip < 2 * ($sum) + 3e-6"
says "which lmbench has at 280 us" holds "2 * ($sum) > 279.9e-6 && 2 * ($sum) < 280.1e-6"
finish
