#!/bin/bash
# "Who ends a run by Ctrl-C or SIGTERM reads where each rank was." That nobody reads the output any more, as in
# `sidewinder run ... | head`, and some is still to be written, does not matter.
. "$(dirname "$0")/../../lib.sh"
build interrupted
loop=$(grep -n 'for (ssize_t' "$here/interrupted.c" | cut -d: -f1) wait=$(grep -n 'MPI_Recv(' "$here/interrupted.c" \
    | cut -d: -f1)
mkfifo "$work/pipe"
for signal in TERM INT; do
    setsid env --default-signal=INT "$sidewinder" run -q -m t3d -n 3 "$work/interrupted" >"$work/pipe" 2>"$work/err" &
    read -r line <"$work/pipe"
    kill -$signal $!
    wait $!
    status=$?
    says "SIG$signal ends the run as it ends any program" [ "$line $status" = "ready $((128 + $(kill -l $signal)))" ]
    says "and the time is said" grep -Eqx "sidewinder: ended by signal [0-9]+ \(.*\) at simulated time .*s" "$work/err"
    says "and the line at which a rank computes" grep -Eqx " *rank 0 +outside MPI +at interrupted.c:$loop" "$work/err"
    says "and the calls in which the others wait" grep -Eqx \
        " *ranks 1, 2 +wait in MPI_Recv +at interrupted.c:$wait" "$work/err"
    cat "$work/err"
done
finish
