#!/bin/bash
# "A line goes from cache to cache one transfer after the other": processors that change one word by atomic operations
# take a transfer for each change, however many they are, and whatever the quantum. Where they store to one line, those
# stores that wait together for a line on its way are written together, when it is there. The line is a resource of the
# run's audit, and busy all the time.
. "$(dirname "$0")/../../lib.sh"
build one_word

# a change takes about a transfer MACHINE RANKS HOW: within 5 %
takes() {
    local transfer
    transfer=$("$sidewinder" machines "$1" | awk '$1 == "bus.cache_to_cache" {print $2 + 0}')
    run "$1" "$2" one_word "$3"
    took=$(cat "$work/out")
    says "$1: $2 processors that $3: a change takes a transfer ($took ns of $transfer)" \
        holds "${took:-0} > 0.95 * $transfer && ${took:-0} < 1.05 * $transfer"
}
# stores MACHINE RANKS: no more than a transfer each, and no less than all of its store buffer in one
stores() {
    local transfer entries
    transfer=$("$sidewinder" machines "$1" | awk '$1 == "bus.cache_to_cache" {print $2 + 0}')
    entries=$("$sidewinder" machines "$1" | awk '$1 == "mem.store_buffer" {print ($2 > 1 ? $2 + 0 : 1)}')
    run "$1" "$2" one_word store
    took=$(cat "$work/out")
    says "$1: $2 processors that store: a store takes a transfer, or waits with others ($took ns of $transfer)" \
        holds "${took:-0} > 0.95 * $transfer / $entries && ${took:-0} < 1.05 * $transfer"
}
for machine in smp challenge; do
    for ranks in 5 7; do
        takes $machine $ranks add
        stores $machine $ranks
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
takes smp 5 store
finish
