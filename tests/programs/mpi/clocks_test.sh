#!/bin/bash
# "A loop that waits for the clock, or tests until something comes, ends on every machine."
. "$(dirname "$0")/../../lib.sh"
build clocks
machines='t3d smp now'
thorough && machines=$("$sidewinder" machines | awk '/^[a-z]/ {print $1}')
sampled "$machines"
for machine in $machines; do
    for clock in MPI_Wtime clock_gettime; do
        run "$machine" 2 clocks $clock
        says "$machine: a loop on $clock ends at its time" [ "$(sort -u "$work/out")" = "$clock: 1" ]
    done
done
for clock in gettimeofday clock times getrusage; do
    run t3d 2 clocks $clock
    says "a loop on $clock ends at its time" [ "$(sort -u "$work/out")" = "$clock: 1" ]
done
for call in MPI_Test MPI_Testall MPI_Testany MPI_Testsome MPI_Iprobe; do
    run rdma 2 clocks $call
    says "a loop on $call ends when the message has come" [ "$(cat "$work/out")" = "$call: 1" ]
done
run t3d 2 clocks tick
says "two readings of the clock are apart by the code between them; MPI_Wtick is 10 ns" \
    [ "$(cat "$work/out")" = "1 1e-08" ]
run_options=(--set clock.read=1us)
run t3d 2 clocks tick
says "it is the machine's clock.read" [ "$(cat "$work/out")" = "1 1e-06" ]
run_options=(--quantum 0)
run t3d 2 clocks clock_gettime
says "a loop on the clock ends with a quantum of 0" [ "$(sort -u "$work/out")" = "clock_gettime: 1" ]
run_options=()
run t3d 1 clocks finalized
says "after MPI_Finalize loops on the clock end too" [ "$(cat "$work/out")" = ended ]
# What is not instrumented takes no time.
gcc -O2 -g -fPIC -I"$tests" -I/usr/include/smpi -I/usr/include -c "$here/clocks.c" -o "$work/plain.o" &&
    "$sidewinder" cc "$work/plain.o" -o "$work/plain" 2>"$work/build.log"
run_options=(--set mpi.call=0s)
run t3d 1 plain still
run_options=()
says "a million calls at one simulated instant are named, with the last one's line" \
    grep -Eqx \
        "sidewinder: rank 0 has made 1000000 MPI calls at one simulated instant, the last MPI_Wait at clocks.c:[0-9]+\.\
 .*" \
        "$work/err"
finish
