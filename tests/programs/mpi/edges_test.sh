#!/bin/bash
# Calls at the edges of MPI, and calls after its end: no crash, and an exit code that is no success.
. "$(dirname "$0")/../../lib.sh"
build edges
for machine in t3d smp now; do passes "$machine" 4 edges; done
passes t3d 3 edges
says "that files are not simulated is said once, with the line" \
    [ "$(grep -c 'MPI_File_open at edges.c:[0-9]*: files are not simulated' "$work/err")" = 1 ]
says "GLib has nothing to complain about" eval '! grep -q CRITICAL "$work/err"'

run t3d 2 edges abort
says "MPI_Abort with a multiple of 256 is no success" [ "$status" = 255 ]
for what in twice:MPI_Finalize after:MPI_Barrier window:MPI_Win_create; do
    run now 2 edges "${what%%:*}"
    says "${what##*:} after MPI_Finalize is an error, with the line" eval \
        '[ "$status" -ne 0 ] &&
            grep -q "${what##*:} at edges.c:[0-9]*: MPI is already finalized (MPI_ERR_OTHER)" "$work/err"'
done
finish
