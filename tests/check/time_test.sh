#!/bin/bash
# A run takes the same time where its accesses are checked: observation changes no prediction.
. "$(dirname "$0")/../lib.sh"
"$sidewinder" cc -O2 -g -o "$work/halo" "$here/../../apps/halo.c" -lm || wrong "halo is compiled"
time_of() {
    "$sidewinder" run "$@" --json "$work/json" -q "$work/halo" >"$work/none" 2>&1 && grep -m1 '"time_s"' "$work/json"
}
for where in "t3d -n 2" "smp -n 2" "smp -n 24" "rdma -n 2"; do
    plain=$(time_of -m $where)
    says "$where: the run takes the same time, to the last digit, with --check" eval \
        '[ -n "$plain" ] && [ "$plain" = "$(time_of -m $where --check)" ]'
done

# "Memory at most 4 times the windows": of windows of a few bytes what the check keeps for each member counts.
cat >"$work/many.c" <<'END'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    static long bytes[1000];
    static MPI_Win win[1000];
    char line[256];
    int rank, count = argc > 1 ? 1000 : 100;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < count; i++)
        MPI_Win_create(&bytes[i], 8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win[i]);
    FILE *status = rank ? NULL : fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "VmHWM:", 6) == 0) fputs(line + 6, stdout);
    for (int i = 0; i < count; i++) MPI_Win_free(&win[i]);
    MPI_Finalize();
}
END
"$sidewinder" cc -O2 -o "$work/many" "$work/many.c" || wrong "many is compiled"
peak() { "$sidewinder" run -m t3d -n 4 -q ${1:-} "$work/many" ${2:-} | awk '{print $1}'; }
says "900 windows of 8 bytes more take at most .4 KB a member of the check, where nobody accessed them" eval \
    '[ $(($(peak --check many) - $(peak --check) - $(peak "" many) + $(peak ""))) -le 1440 ]'

# Puts to many, complete by one fence: the buffer has one record of them, and the fence one list.
cat >"$work/wide.c" <<'END'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    static double from[256];
    char line[256];
    int rank, ranks;
    double *mine;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate(sizeof from, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    MPI_Win_fence(0, win);
    for (int i = 0; i < 256; i++) MPI_Put(from + i, 1, MPI_DOUBLE, (rank + 1 + i) % ranks, i, 1, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    FILE *status = rank ? NULL : fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, "VmHWM:", 6) == 0) fputs(line + 6, stdout);
    MPI_Win_free(&win);
    MPI_Finalize();
}
END
"$sidewinder" cc -O2 -o "$work/wide" "$work/wide.c" || wrong "wide is compiled"
wide() { "$sidewinder" run -m t3d --set nodes=256 -n 256 -q ${1:-} "$work/wide" | awk '{print $1}'; }
says "256 puts of each of 256 ranks, to all, take at most 250 bytes each of the check" eval \
    '[ $(($(wide --check) - $(wide))) -le 16000 ]'
finish
