#!/bin/bash
# "It is shown by provenance of the pair's own bytes (which write a read returned, which survived) against a run in
# which the pair is forced into order": what each error did on a machine is what the program prints there.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
for name in two_writers lost_update early_result; do
    "$sidewinder" cc -O1 -g "$tests/../apps/races/$name.c" -o $name || wrong "$name is compiled"
done
cat >read.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, *base, one = 1, got = 0, late = argc > 1 && *argv[1] == 'l', told = argc > 1 && !late;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    *base = 0;
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 1)
        for (double t = MPI_Wtime(); late && MPI_Wtime() < t + 1e-3;) continue;
    if (rank == 2)
        for (double t = MPI_Wtime(); !late && MPI_Wtime() < t + 1e-3;) continue;
    if (rank == 1) MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    if (rank == 1 && told) MPI_Send(&one, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2 && told) MPI_Recv(&one, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 2) MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    if (rank == 2) printf("got %d\n", got);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -g read.c -o read || wrong "read is compiled"
# What is put differs from what was there behind the first 64 bytes only.
cat >blocks.c <<'C'
#include <mpi.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, *base, buffer[256], seen[256];
    MPI_Win win;
    MPI_Datatype blocks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(2, 100, 128, MPI_INT, &blocks);
    MPI_Type_commit(&blocks);
    MPI_Win_allocate(1024, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    memset(base, 0, 1024);
    memset(buffer, 0, sizeof buffer);
    for (int i = 40; i < 256; i++) buffer[i] = i;
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Put(buffer, 1, blocks, 0, 0, 1, blocks, win);
    if (rank == 2) MPI_Get(seen, 1, blocks, 0, 0, 1, blocks, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -g blocks.c -o blocks || wrong "blocks is compiled"

# effect MACHINE PROGRAM [ARGUMENT]: the cell of the table.
effect() {
    "$sidewinder" check -n 4 -m "$1" "${@:2}" |
        awk '$1 == 1 && /\.c:/ { sub(/.*\.c:[0-9]+ +/, ""); print; exit }'
}
sampled "two machines; four with --all"
machines=(t3d smp)
thorough && machines=(t3d smp rdma now)
for machine in "${machines[@]}"; do
    printed=$("$sidewinder" run -q -m $machine -n 4 ./two_writers | grep -o '[0-9][0-9]*')
    says "$machine: of all puts, that comes last whose value stays" \
        eval 'effect $machine ./two_writers | grep -Eq "^rank $printed.s (comes last|stays \($printed\))$"'
    says "$machine: a get before the put reads the old value, which is stale" \
        [ "$(effect $machine ./read late)" = "stale value (0, not 1)" ]
    says "$machine: a get behind it reads the new one" [ "$(effect $machine ./read)" = "new value read (1)" ]
done
says "a result used early is stale where it is not there yet" \
    [ "$(effect t3d ./early_result)" = "stale value (-1, not 11)" ]
says "all of the pair's bytes are compared: the first that differs is shown" \
    [ "$(effect t3d ./blocks)" = "stale value (0, not 40, at byte 160 of 400)" ]
says "and harmless where it is" [ "$(effect smp ./early_result)" = "harmless here" ]
says "an update that a rank writes over without having read it is lost" \
    [ "$(effect t3d ./lost_update)" = "lost update (0, not 1)" ]
"$sidewinder" check -n 2 -m <(cat "$tests/../platforms/t3d.xml") ./early_result >out
says "a machine that comes through a pipe is forced, too" grep -q "stale value (-1, not 11)" out
says "with --forced 0, which came first" \
    eval '"$sidewinder" check -n 4 -m t3d --forced 0 ./read late | grep -q "  old value read$"'

# Nonblocking messages and a get/put communicator's operations, which complete otherwise than a window's.
cat >messages.c <<'C'
#include <mpi.h>
#include <shmalloc.h>
#include <string.h>
static int rank, *base, seven = 7, three = 3, got;
static void message(int receives, int far)
{
    MPI_Win win;
    MPI_Request request;
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    *base = 1;
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(&seven, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    if (rank == 1 && receives) MPI_Irecv(base, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
    if (rank == 1 && !receives) MPI_Isend(base, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
    if (rank == 2 && receives) MPI_Send(&three, 1, MPI_INT, far, 0, MPI_COMM_WORLD);
    if (rank == 2 && !receives) MPI_Recv(&got, 1, MPI_INT, far, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}
static void getput(void)
{
    MPI_Comm comm;
    SHM_Shmalloc(&base, 4, MPI_COMM_WORLD, &comm);
    *base = 1;
    MPI_Barrier(comm);
    if (rank == 0) SHM_Put(&seven, 1, MPI_INT, 0, 1, comm);
    if (rank == 2) SHM_Get(&got, 1, MPI_INT, 0, 1, comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
}
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1 && strcmp(argv[1], "getput") == 0)
        getput();
    else
        message(argc > 1 && strcmp(argv[1], "receive") == 0, 1);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -g messages.c -o messages || wrong "messages is compiled"
says "a nonblocking receive is forced into order: what came last stays" \
    [ "$(effect t3d ./messages receive)" = "rank 1's stays (3)" ]
says "a nonblocking send is: it carries the value before the put" \
    [ "$(effect t3d ./messages send)" = "stale value (1, not 7)" ]
says "so are SHMALLOC's put and get, on one machine" [ "$(effect t3d ./messages getput)" = "stale value (1, not 7)" ]
says "and on another" [ "$(effect rdma ./messages getput)" = "new value read (7)" ]

# pairs OPTION PAIR ARGUMENT: what the run reports of the pair
pairs() {
    "$sidewinder" run -q -m t3d -n 4 --check --json json "$1" "$2" ./read "${@:3}" >out
    tr -d ' \n' <json | grep -o '"pairs":\[[^]]*\]'
}
"$sidewinder" run -q -m t3d -n 4 --check --json json ./read >out
pair=$(grep -o '"pair" : "[^"]*"' json | cut -d'"' -f4)
met=$(pairs --pair "$pair" | cut -d'"' -f6)
says "a pair that is watched shows what the get read" \
    eval 'pairs --pair "$pair" | grep -q "\"met\":true.*\"\(first\|then\)_read\":\"01000000\""'
turned=$(echo "$met" | awk -F: '{ print $1 ":" $3 ":" $2 }')
for order in "$met" "$turned"; do
    says "$order can be forced" eval 'pairs --order "$order" | grep -q "\"ordered\":true"'
done
says "the program prints what that order makes" [ "$(cat out)" = "got 0" ]
says "where a message orders the calls, only one of the two can be" \
    [ "$(for order in "$met" "$turned"; do pairs --order "$order" told; done | grep -c '"ordered":true')" = 1 ]
"$sidewinder" run -q -m t3d -n 4 --check --order nonsense ./read >out 2>err
says "what is no pair is refused" grep -q "nonsense: not a pair" err
"$sidewinder" run -q -m t3d -n 4 --order "$met" ./read >out 2>err
says "a pair without --check is refused" grep -q "need --check" err
finish
