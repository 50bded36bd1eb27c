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
# two ranks' threads, and the ranks' own: in 60 runs of smp four had crashed
says "[smp] calls of MPI in threads of two ranks at once end well, each of 20 times" eval '
    (for again in {1..20}; do
        timeout 60 "$sidewinder" run -q -m smp -n 2 "$work/threads" mpi >"$work/out" 2>&1 || exit 1
    done)'
build thread_calls -lpthread
for machine in t3d smp; do
    run $machine 2 thread_calls
    says "[$machine] a thread frees, changes and crashes nothing of its rank's, whatever it calls" eval \
        '[ "$status" = 0 ] && [ "$(grep -c "all calls refused" "$work/out")" = 2 ]'
done
run t3d 2 threads exit
says "a thread that calls exit ends the run with its code, and is named" eval \
    '[ "$status" = 7 ] && grep -q "exit(7) in a thread" "$work/err"'
run smp 2 threads abort
says "so does MPI_Abort in a thread" eval \
    '[ "$status" = 7 ] && grep -q "MPI_Abort at threads.c:[0-9]* in a thread" "$work/err"'
finish
