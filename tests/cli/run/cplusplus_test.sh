#!/bin/bash
# C++: a run ends as in C where nothing may be thrown (noexcept, exit), and nothing of the program is unwound. Its
# exceptions and its memory are reported by the program's own lines.
. "$(dirname "$0")/../../lib.sh"
if ! "$sidewinder" c++ -O1 -g -o "$work/cplusplus" "$here/cplusplus.cc" >"$work/build.log" 2>&1; then
    cat "$work/build.log"
    wrong "cplusplus.cc is compiled"
    finish
fi
line_of() { grep -n "/\* $1 \*/" "$here/cplusplus.cc" | cut -d: -f1; }
# ends HOW CODE: with that code, no destructor called, and nothing of SimGrid's
ends() {
    run smp 3 cplusplus "$1"
    sed 's/^/    /' "$work/err" | head -5
    [ "$status" = "$2" ] && [ ! -s "$work/out" ] && ! grep -q -e SimGrid -e abort "$work/err"
}
says "exit(0) behind MPI_Finalize is exit code 0" ends last 0
says "exit(3) is 3" ends last3 3
says "a rank's exit(3) ends those that wait in a barrier" ends exit 3
run smp 3 cplusplus abort
says "MPI_Abort does, too, and is named with its line" eval '[ "$status" = 6 ] && [ ! -s "$work/out" ] &&
    [ "$(cat "$work/err")" = "sidewinder: rank 1: MPI_Abort(6) at cplusplus.cc:$(line_of abort)" ]'
run smp 3 cplusplus exception
says "an exception that nobody catches is shown with the program's line, and without SimGrid's frames" eval \
    '[ "$status" = 134 ] && grep -q "rank 1: aborted at cplusplus.cc:$(line_of exception)" "$work/err" &&
    grep -q "^sidewinder: uncaught exception std::out_of_range: vector" "$work/err" && ! grep -q SimGrid "$work/err"'
for machine in smp t3d; do
    run $machine 3 cplusplus handlers
    says "$machine: a rank that waits in its handler finds its own exception there" eval \
        '[ "$status" = 0 ] && [ "$(sort -u "$work/out")" = "its own" ]'
done
run_options=(--check-memory --label)
run smp 1 cplusplus behind
says "a block of a container is named by the program's lines, and no rank stands before the message" eval \
    'grep -qx "sidewinder: rank 0 stored just past the end of a block of 16 bytes, allocated at cplusplus.cc:$(line_of \
made); seen when it was freed at cplusplus.cc:$(line_of freed)" "$work/err"'
finish
