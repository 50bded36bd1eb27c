#!/bin/bash
# "A line goes from cache to cache one transfer after the other": processors that change one word by atomic operations
# take a transfer for each change, however many they are, and whatever the quantum.
. "$(dirname "$0")/../../lib.sh"
build one_word

# a change takes about a transfer MACHINE RANKS HOW: within 5 %
takes() {
    local transfer took
    transfer=$("$sidewinder" machines "$1" | awk '$1 == "bus.cache_to_cache" {print $2 + 0}')
    run "$1" "$2" one_word "$3"
    took=$(cat "$work/out")
    says "$1: $2 processors that $3: a change takes a transfer ($took ns of $transfer)" \
        holds "\"$took\" > 0.95 * $transfer && \"$took\" < 1.05 * $transfer"
}
for machine in smp challenge; do
    for ranks in 5 7; do takes $machine $ranks add; done
    run $machine 3 one_word compare     # some attempts fail
    says "$machine: an exchange that compares takes no less" [ "$(sed 's/\..*//' "$work/out")" -gt 400 ]
done
run_options=(--quantum 0)
takes smp 3 add
finish
