#!/bin/bash
# A rank that waits in MPI_Probe goes on when the message is there: after the sender's overhead and the latency, and
# what two looks take (of tests three, and a miss between them). One that polls, too; and its polls cost the host little
# while the others compute. That calls take time themselves (mpi.call) is left out.
. "$(dirname "$0")/../../lib.sh"
build waiting

# wakes MACHINE SECONDS SECONDS_OF_A_RECEIVE
wakes() {
    local late polls
    late=$("$sidewinder" run -q -m "$1" -n 2 --set mpi.call=0s "$work/waiting" | cut -d' ' -f1)
    says "$1: a probe returns within $2 s of the sending (obtained $late)" holds "$late > 0 && $late < $2"
    late=$("$sidewinder" run -q -m "$1" -n 2 --set mpi.call=0s "$work/waiting" polls | cut -d' ' -f1)
    says "$1: a loop of polls ends within $2 s of the sending (obtained $late)" holds "$late > 0 && $late < $2"
    late=$("$sidewinder" run -q -m "$1" -n 2 --set mpi.call=0s "$work/waiting" tests | cut -d' ' -f1)
    says "$1: a loop of tests ends within $3 s of the sending (obtained $late)" holds "$late > 0 && $late < $3"
}
wakes rdma "(200e-9 + 900e-9 + 2 * 50e-9 + 100e-9)" "(2 * 200e-9 + 900e-9 + 3 * (50e-9 + 95e-9) + 100e-9)"
wakes now "(1.8e-6 + 5e-6 + 2 * 2.9e-6 + 100e-9)" "(1.8e-6 + 5e-6 + 4e-6 + 3 * (2.9e-6 + 270e-9) + 100e-9)"
# What is not short its interface fetches first (net.fetch).
late=$("$sidewinder" run -q -m now -n 2 --set mpi.call=0s "$work/waiting" "" "" 100 | cut -d' ' -f1)
says "now: a probe for a message that must be fetched returns when it is there, and not a look later (obtained $late)" \
    holds "$late > 15.8e-6 && $late < 1.8e-6 + 9e-6 + 5e-6 + 2 * 2.9e-6 + 1e-6"
wakes smp "(1e-6 + 960e-9 + 2 * 1e-6 + 100e-9)" "(2e-6 + 960e-9 + 3 * (1e-6 + 270e-9) + 100e-9)"

# While all others sleep a rank may pay its polls later; while one is inside MPI it pays each at once.
sampled "tests on rdma, all on now, polls on smp"
for one in rdma:tests now:all smp:polls; do
    machine=${one%:*} hows=${one#*:}
    ! thorough || hows="tests all polls"
    for how in $hows; do
        read -r late polls < <("$sidewinder" run -q -m $machine -n 3 "$work/waiting" $how sleeping)
        read -r beside each < <("$sidewinder" run -q -m $machine -n 3 "$work/waiting" $how inside_it)
        says "$machine, $how: polls come when they come where each is paid at once ($late, $beside)" \
            holds "$polls == $each && $late - $beside < 1e-12 && $beside - $late < 1e-12"
    done
    for how in $hows; do
        read -r late polls < <("$sidewinder" run -q -m $machine -n 3 "$work/waiting" $how inside_it)
        read -r exact each < <("$sidewinder" run -q -m $machine --quantum 0 -n 3 "$work/waiting" $how inside_it)
        says "$machine, $how: polls beside a rank inside MPI come when they come with no quantum ($late, $exact)" \
            holds "$polls == $each && $late - $exact < 1e-12 && $exact - $late < 1e-12"
    done
    for how in $hows; do
        "$sidewinder" run -q -m $machine -n 2 --json "$work/plain" "$work/waiting" $how >"$work/out"
        "$sidewinder" run -q -m $machine -n 2 --json "$work/traced" --trace "$work/trace" "$work/waiting" $how \
            >"$work/also"
        says "$machine, $how: a trace changes nothing that is predicted" \
            eval 'cmp "$work/out" "$work/also" && cmp "$work/plain" "$work/traced"'
    done
done

cat >"$work/steps.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    unsigned long long x = 1;
    for (long n = argc > 1 ? atol(argv[1]) : 0; n > 0; n--) x = x * 6364136223846793005u + 1442695040888963407u;
    printf("%llu\n", x);
    return 0;
}
C
gcc -O1 "$work/steps.c" -o "$work/steps" || wrong "steps.c is compiled"

# cheap HOW: 10 ms of polls of 50 ns on rdma, each in less than what this host takes for 3,000 steps of a generator, one
# after the other: 4 us where a step takes 4 cycles of 3 GHz.
TIMEFORMAT=%U
cheap() {
    local seconds steps polls
    seconds=$({ time "$sidewinder" run -q -m rdma -n 2 --set mpi.call=0s "$work/waiting" "$1" >"$work/out"; } 2>&1)
    polls=$(cut -d' ' -f2 "$work/out")
    steps=$({ time "$work/steps" $((polls * 3000)) >"$work/out"; } 2>&1)
    says "$1: a poll costs the host less than 3,000 steps of a generator ($polls polls, $seconds s, $steps s)" \
        holds "$polls > 100000 && $seconds < $steps"
}
cheap tests
cheap all
cheap polls
finish
