#!/bin/bash
# "All MPI programs must contain exactly one call to an MPI initialization routine: MPI_INIT or MPI_INIT_THREAD.
# Subsequent calls to any initialization routines are erroneous." (MPI-3.1, 8.7)
. "$(dirname "$0")/../../lib.sh"
build beginning
# refused WHAT CALL TEXT: every message is that one, with the line, and the run fails.
refused() {
    local call=$2 text=$3 line
    line=$(grep -n "/\* $1 \*/" "$here/beginning.c" | cut -d: -f1)
    run t3d 2 beginning "$1"
    says "$1: $3" eval '[ "$status" != 0 ] && [ "$status" -lt 128 ] && [ -s "$work/err" ] &&
        ! grep -vE "^sidewinder: rank [01]: $call at beginning.c:$line: $text" "$work/err"'
}
run t3d 2 beginning
says "MPI_Initialized, MPI_Get_version and clocks may come before MPI_Init" eval \
    '[ "$status" = 0 ] && [ ! -s "$work/err" ]'
refused rank MPI_Comm_rank "MPI is not initialized; MPI_Init comes before it"
refused barrier MPI_Barrier "MPI is not initialized; MPI_Init comes before it"
refused window MPI_Win_create "MPI is not initialized; MPI_Init comes before it"
refused send MPI_Send "MPI is not initialized; MPI_Init comes before it"
refused finalize MPI_Finalize "MPI is not initialized; MPI_Init comes before it"
refused twice MPI_Init "MPI is already initialized"
refused anew MPI_Init "MPI is already finalized"
refused null MPI_Comm_rank "SMPI rejected the arguments of the call"
refused late MPI_Comm_rank "MPI is already finalized"
run t3d 2 beginning abort
says "MPI_Abort may come before MPI_Init" eval '[ "$status" = 9 ] && grep -q "MPI_Abort(9) at beginning.c" "$work/err"'

# Sessions of MPI-4 begin and end it, too.
build sessions
for order in "" early late; do
    for machine in t3d rdma; do
        run $machine 3 sessions $order
        says "$machine: sessions ${order:-alone}${order:+, MPI_Init $order}" eval \
            '[ "$status" = 0 ] && grep -qx "sessions are right" "$work/out" && ! grep -q WRONG "$work/out"'
    done
done
run_options=()
MISSING=1 run smp 2 sessions
says "a process set that there is not is refused with the two that there are" grep -q \
    'no process set "mpi://NOBODY": accepted are mpi://WORLD and mpi://SELF' "$work/err"
finish
