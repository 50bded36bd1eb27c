#!/bin/bash
# "sidewinder machines NAME --set ... > mine.xml writes a new machine file": what runs on it takes, to the bit, the time
# it takes on the other with --set, and plain SimGrid loads it.
. "$(dirname "$0")/../../lib.sh"
"$sidewinder" cc -O2 -g -o "$work/pingpong" "$apps/pingpong.c" -lm || wrong "pingpong.c is compiled"

# All the run has to say, but for what the machine is called and what was set.
result() {
    "$sidewinder" run -q "$@" --json "$work/json" "$work/pingpong" 4096 3 >"$work/out" 2>"$work/err" || cat "$work/err"
    sed -e '/^ "machine"/d' -e '/^ "set" : \[\]/d' -e '/^ "set" : \[/,/^ \]/d' "$work/json"
    cat "$work/out"
}
machine_with() {      # MACHINE KEY=VALUE...: the file and the options agree
    local machine=$1 set sets=()
    shift
    for set in "$@"; do sets+=(--set "$set"); done
    rm -f "$work/mine.xml"
    "$sidewinder" machines "$machine" "${sets[@]}" >"$work/mine.xml" 2>"$work/err" ||
        wrong "$machine with $* is written: $(cat "$work/err")"
    result -m "$machine" -n 2 "${sets[@]}" >"$work/by_options"
    result -m "$work/mine.xml" -n 2 >"$work/by_file"
    says "$machine with $* runs the same from its file" eval 'grep -q "\"time_s\"" "$work/by_file" &&
        grep -q us "$work/out" && cmp -s "$work/by_options" "$work/by_file"'
}
machine_with t3d ni.invalidate=index cpu.clock=166.66666MHz
machine_with t3d nodes=14 net.latency=3.3333cycles cache.l2.size=64KiB cache.l2.line=128B
machine_with smp cpus=4 coh.protocol=msi
machine_with now serve.policy=interrupt serve.when=completion
machine_with clump nodes=3 bus.slot=100.1ns
machine_with rdma coh.protocol=none ni.invalidate=address
machine_with cxl-pool pool.latency=1.1us
machine_with challenge cache.l1.ways=2
machine_with now-ethernet net.bandwidth=123456.789kBps

"$sidewinder" machines --set ni.invalidate=index t3d >"$work/mine.xml"
"$sidewinder" machines t3d --set=ni.invalidate=index >"$work/other.xml"
says "options stand in any order" cmp -s "$work/mine.xml" "$work/other.xml"
says "what was changed says what it was, and where that came from" grep -q \
    'ni.invalidate" value="index"/> *<!-- set; was none in t3d: \[D\]' "$work/mine.xml"
says "what was not changed keeps its source" grep -q 'cpu.clock" value="150MHz"/> *<!-- \[R\] Alpha 21064' \
    "$work/mine.xml"
says "the list's line shows what was changed" eval 'head -n 3 "$work/mine.xml" |
    grep -q "^<!-- Cray T3D.*; changed: ni.invalidate=index. -->"'
says "its reports carry another name" eval '"$sidewinder" machines "$work/mine.xml" --text |
    grep -q "^t3d-changed: Cray"'
"$sidewinder" machines t3d --name mine --doc 'A machine of mine' >"$work/mine.xml"
says "--name and --doc are the machine's" eval '"$sidewinder" machines "$work/mine.xml" | head -n 1 |
    grep -q "^mine: A machine of mine$"'
says "without --set a machine is shown, in a pipe too" eval '"$sidewinder" machines t3d | grep -q "^PARAMETER"'
says "a disk that is full is reported" eval '! "$sidewinder" machines t3d --xml >/dev/full 2>"$work/err" &&
    grep -q "cannot write" "$work/err"'

# Plain SimGrid: its own mpirun, a program it compiled itself.
if command -v smpicc >/dev/null; then
    smpicc -O1 -o "$work/plain" -x c - <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) printf("all there\n");
    MPI_Finalize();
    return 0;
}
PROGRAM
    for machine in t3d now smp; do
        "$sidewinder" machines "$machine" --set net.latency=2us >"$work/mine.xml"
        printf 'node-0\nnode-0\n' >"$work/hosts"
        smpirun -np 2 -platform "$work/mine.xml" -hostfile "$work/hosts" "$work/plain" >"$work/out" 2>&1
        says "plain SimGrid runs on a file made of $machine" grep -q 'all there' "$work/out"
    done
else
    wrong "smpicc is there (libsimgrid-dev)"
fi
finish
