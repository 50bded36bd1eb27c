#!/bin/bash
# Sends are loads and receives are stores: they go through the view of the rank that makes them.
. "$(dirname "$0")/../../lib.sh"
build messages
for machine in t3d smp now cxl-pool; do passes "$machine" 3 messages; done

sent() {       # MACHINE VALUE SENTENCE
    run "$1" 3 messages
    says "$1: $3" test "$(value sent_without_lock)" = "$2"
}
sent t3d 0      "a send without a lock before sends the obsolete value in the cache"
sent cxl-pool 0 "a send without a lock before sends the obsolete value in the cache"
sent smp 1      "a send without a lock before sends what was put"
sent now 1      "a send without a lock before sends what was put"
run t3d 3 messages
says "t3d: the report counts the obsolete values that were sent as stale loads" holds \
    "$(json 'rank[1].stale_loads') >= 1"
run smp 3 messages
says "smp: nobody loads anything stale" test "$(json 'rank[*].stale_loads' | sort -u)" = 0
says "smp: a get without an unlock before returns what was received" test "$(value received_without_unlock)" = 11

# Absolute addresses.
build bottom
for machine in t3d smp now; do passes $machine 2 bottom; done
finish
