#!/bin/bash
# A processor that requests interrupt faster than it services them never computes: that is said once,
# and where it goes on for ever the run ends.
. "$(dirname "$0")/../../lib.sh"
build starved
build starved_lock
said='has been interrupted by 100000 requests in a row and computed next to nothing meanwhile'
line=$(grep -n 'the put' "$here/starved.c" | cut -d: -f1)
run_options=(--set serve.policy=interrupt --set serve.slice=0s)
run now 5 starved 30000 25500 0
says "who keeps whom from computing, and where, is said once" \
    [ "$(grep -cE "rank 0 $said, the last from rank [1-4] at starved.c:($line|$((line + 1)))\\." "$work/err")" = 1 ]
says "rank 0, which computes for a millisecond, took as long as they went on" holds "$(cat "$work/out") > 1"
# 120,000 interrupts over three seconds, in which it computes for two.
run now 2 starved 60000000 120000 20
says "a processor that comes to compute between as many interrupts is not named" \
    eval '[ $status = 0 ] && ! grep -q "in a row" "$work/err" && holds "$(cat "$work/out") > 2.5"'
sampled "not the spin lock that ends after a million interrupts"
if thorough; then
    # Who wait for a lock ask for it again and again; who has it and keeps it does not come to release it.
    lock=$(grep -n 'takes the lock' "$here/starved_lock.c" | cut -d: -f1)
    run_options=(--set serve.policy=interrupt --set serve.slice=0s)
    run now 4 starved_lock 5
    last="the last from rank [1-3] at starved_lock.c:($lock|$((lock + 1)))\\."
    says "a spin lock whose owner never comes to release it ends the run, with the line" \
        eval '[ $status = 1 ] &&
            grep -qE "rank 0 has been interrupted by 1000000 requests .*, $last.*: the run is over" "$work/err"'
fi
run_options=()
run now 4 starved_lock 5
says "where ranks poll, a spin lock is taken in turn" eval '[ $status = 0 ] && grep -qx "20 of 20" "$work/out"'

# "once a communication is enabled, then it is guaranteed to complete" (MPI-2, 11.7.2, Progress): whoever holds the lock
# comes to give it back, however many ask for it meanwhile.
for policy in interrupt thread; do
    run_options=(--set serve.policy=$policy)
    run now 4 starved_lock 5
    says "$policy: a lock on a rank that others interrupt is handed on, since that computes for serve.slice" \
        [ "$status $(cat "$work/out")" = '0 20 of 20' ]
done
finish
