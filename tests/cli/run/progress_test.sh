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
script -qec "timeout -s INT 7 '$sidewinder' run -m t3d -n 2 --report r ./long" terminal >none </dev/null &
script -qec "timeout -s INT 7 '$sidewinder' run -q -m t3d -n 2 ./long" quiet >none2 </dev/null &
timeout -s INT 7 "$sidewinder" run -m t3d -n 2 --report r2 ./long >file 2>&1
wait
says "on a terminal a line with the simulated time and its rate" eval 'tr -d "\r" <terminal | grep -qa "$line"'
says "not with --quiet" eval '! grep -qa "simulated in" quiet'
says "and not into a file" eval '! grep -q "simulated in" file'
finish
