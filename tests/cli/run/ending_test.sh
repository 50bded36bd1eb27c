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
finish
