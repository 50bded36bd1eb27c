#!/bin/bash
# "A clock of C++'s library, of OpenMP or of the processor shows simulated time, as MPI_Wtime does; random numbers are
# the same in each run, others in each rank."
. "$(dirname "$0")/../../lib.sh"
sampled "t3d and rdma at -O2"
for level in -O2 $(thorough && echo -O0); do
    "$sidewinder" c++ $level -fopenmp -o "$work/timers" "$here/timers.cc" || exit 1
    for machine in t3d rdma $(thorough && echo smp now); do
        hertz=$("$sidewinder" machines "$machine" | awk '$1 == "cpu.clock" {print $2}' | sed 's/MHz/e6/; s/GHz/e9/')
        run $machine 1 timers $hertz
        says "$machine: it ends" test "$status" = 0
        says "$machine, $level: every clock is the rank's" \
            test "$(grep -c "the rank's" "$work/out") $(grep -c ANOTHER "$work/out")" = "13 0"
        mv "$work/out" "$work/first"
        run $machine 1 timers $hertz
        says "$machine, $level: another run has the same times and random numbers" cmp "$work/first" "$work/out"
    done
done
run t3d 2 timers 150e6
says "another rank has other random numbers" test "$(grep '^[0-9 ]*$' "$work/out" | sort -u | wc -l)" = 2
"$work/timers" 1e9 >/dev/null 2>&1
says "natively it ends" test $? = 0
finish
