#!/bin/bash
# Collective calls of rank 0 meet other calls, or the same over another communicator, at ranks 1 and 2: the run ends
# with a sentence, on machines with a barrier network and without. "Collective operations must be executed in the same
# order at all members of the communication group" (MPI-3.1 5.12).
. "$(dirname "$0")/../../lib.sh"
build crossed
ends() {       # WORDS ARGUMENT...
    local words=$1
    shift
    for machine in t3d now $(thorough && echo smp rdma cxl-pool clump challenge now-ethernet); do
        run "$machine" 3 crossed "$@"
        says "$machine: $* ends with '$words'" eval '[ "$status" != 0 ] && ! grep -q "^FAILED" "$work/out" &&
            tr -s "\n " " " <"$work/err" | grep -Eq -- "$words"'
    done
}
others='another rank makes a window over another communicator|the arguments of another rank are invalid'
ends "$others" window
ends "$others" getput
ends 'register different objects, or over different communicators' type
ends 'ranks 0-2 wait in MPI_Barrier at' barrier
ends 'ranks 0-2 wait in MPI_Win_free at' free
kinds='another rank makes another kind of window|the arguments of another rank are invalid'
ends "$kinds" window allocated
ends "$kinds" window getput
ends 'rank 0 waits in MPI_Type_register at [^ ]* ranks 1, 2 wait in MPI_Win_create' window type
for call in window getput type; do
    ends 'rank 0 waits in MPI_Barrier at [^ ]* ranks 1, 2 wait in' $call barrier
    ends 'rank 0 waits in .* ranks 1, 2 wait in' $call none
done
finish
