#!/bin/bash
# Threads of a program (POSIX, C11, OpenMP) run unseen, and the report says so.
. "$(dirname "$0")/../../lib.sh"
build threads -fopenmp -lpthread
for machine in t3d smp cxl-pool; do
    for way in posix c11 openmp spin mpi; do
        run_options=(--report "$work/report")
        passes "$machine" 2 threads "$way"
        tr -s ' \n' ' ' <"$work/report" >"$work/words"
        says "[$machine, $way] the report says where threads began that are not seen" grep -Eq \
            'of rank 0, started at threads.c:[0-9]+, (is|are) not seen: their time and accesses do not count' \
            "$work/words"
    done
    says "[$machine] a call of MPI in a thread is named with rank and line" \
        grep -q 'rank 0: MPI_Barrier at threads.c:[0-9]* in a thread' "$work/err"
done
run t3d 2 threads exit
says "a thread that calls exit ends the run with its code, and is named" eval \
    '[ "$status" = 7 ] && grep -q "exit(7) in a thread" "$work/err"'
run smp 2 threads abort
says "so does MPI_Abort in a thread" eval \
    '[ "$status" = 7 ] && grep -q "MPI_Abort at threads.c:[0-9]* in a thread" "$work/err"'
finish
