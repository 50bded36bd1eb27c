#!/bin/bash
# A long run shows how far it is, on a terminal only.
. "$(dirname "$0")/../../lib.sh"
cat >"$work/long.c" <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (long i = 0; i < 1000000000; i++) MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
END
"$sidewinder" cc -O2 -o "$work/long" "$work/long.c"
cd "$work" || exit 2
line='^sidewinder: [0-9.]* [µm]*s simulated in [0-9]* s, now [0-9.]* [µm]*s a second$'
shown() { [ -e terminal ] && tr -d "\r" <terminal | grep -qa "$line"; }
on_terminal() { script -qefc "exec '$sidewinder' run -m t3d -n 2 $1" "$2" >none </dev/null & }
"$sidewinder" run -m t3d -n 2 --report r2 ./long >file 2>&1 &
runs=($!)
on_terminal "-q ./long" quiet
on_terminal "--report r ./long" terminal      # the last: when it has shown a line, the others would have
until_true shown
for shell in $(jobs -p | tail -n 2); do runs+=($(pgrep -P "$shell")); done
kill -TERM "${runs[@]}"
wait
says "on a terminal a line with the simulated time and its rate" shown
says "not with --quiet" eval '! grep -qa "simulated in" quiet'
says "and not into a file" eval '! grep -q "simulated in" file'
finish
