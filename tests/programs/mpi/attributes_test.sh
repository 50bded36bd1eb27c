#!/bin/bash
# Attributes of communicators and datatypes: keys freed in use, callbacks that fail, and objects that are never freed.
. "$(dirname "$0")/../../lib.sh"
build attributes
build left_behind
for machine in t3d smp now; do passes "$machine" 1 attributes; done
passes smp 3 attributes
passes now 2 left_behind
says "no callback runs for what is never freed" [ ! -s "$work/err" ]
run now 2 left_behind abort
says "nor after MPI_Abort, whose code is the run's" eval \
    '[ "$status" = 3 ] && grep -q "MPI_Abort(3) at left_behind.c" "$work/err" && ! grep -q FAILED "$work/err"'
finish
