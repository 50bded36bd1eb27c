#!/bin/bash
# "A line goes from cache to cache one transfer after the other": processors that change one word by atomic operations,
# or store to one line, take a transfer for each change, however many they are, and whatever the quantum. The line is a
# resource of the run's audit, and busy all the time.
. "$(dirname "$0")/../../lib.sh"
build one_word

# a change takes about a transfer MACHINE RANKS HOW: within 5 %
takes() {
    local transfer
    transfer=$("$sidewinder" machines "$1" | awk '$1 == "bus.cache_to_cache" {print $2 + 0}')
    run "$1" "$2" one_word "$3"
    took=$(cat "$work/out")
    says "$1: $2 processors that $3: a change takes a transfer ($took ns of $transfer)" \
        holds "\"$took\" > 0.95 * $transfer && \"$took\" < 1.05 * $transfer"
}
for machine in smp challenge; do
    for ranks in 5 7; do
        takes $machine $ranks add
        takes $machine $ranks store
        busy=$(awk -F': ' '/"line of rank 0.s window 0, byte [0-9]+"/ {on = 1}
            on && /"busy_s"/ {print 1e6 * $2; exit}' "$work/json")
        says "$machine, $ranks processors: the line is busy for that time (${busy:-none} us)" \
            holds "${busy:-0} > 0.95 * $ranks * $took && ${busy:-0} < 1.05 * $ranks * $took"
    done
    run $machine 3 one_word compare     # some attempts fail
    says "$machine: an exchange that compares takes no less" [ "$(sed 's/\..*//' "$work/out")" -gt 400 ]
done
run_options=(--set cache.l2.ways=8)   # no other line drives the word's out
takes smp 3 add
run_options=(--quantum 0)
takes smp 3 add
takes smp 2 store
finish
