#!/bin/bash
# Examples 11.11 to 11.15 of MPI-2 on every machine: what the standard guarantees is fresh everywhere; what it leaves
# open is obsolete where the machine makes it so, and only there.
. "$(dirname "$0")/../../lib.sh"
build examples

fresh() {      # EXAMPLE NAME SENTENCE: on every machine
    for machine in t3d smp challenge now now-ethernet clump rdma cxl-pool; do
        run "$machine" 2 examples "$1"
        says "$1 on $machine: $3" test "$status" = 0 -a "$(value "$2")" = 1
    done
}

open() {       # EXAMPLE NAME SENTENCE MACHINE=VALUE...: left open by the standard, decided by the machine
    local example=$1 name=$2 sentence=$3 pair
    shift 3
    for pair in "$@"; do
        run "${pair%=*}" 2 examples "$example"
        local what=fresh
        [ "${pair#*=}" = 0 ] && what=obsolete
        says "$example on ${pair%=*}: $sentence, $what" test "$status" = 0 -a "$(value "$name")" = "${pair#*=}"
    done
}

fresh 11.11 get_x                "a get after the owner's unlock returns the owner's store (rule 5)"
fresh 11.12 load_x               "a load after the owner's lock returns the put (rule 6)"
fresh 11.13 get_x_after_unlock   "a get after the owner's unlock returns the store made before its lock"
fresh 11.14 get_y                "a get after the owner's post returns the store made before it"
fresh 11.14-with-put get_y       "the get moved into the started epoch still returns it"
fresh 11.14-with-put get_x       "a local put, in place of the store, is seen by the get"
fresh 11.14-with-put load_x_after_wait "and by the owner's own load after its wait"
fresh 11.15 load_x_after_wait    "a load after the owner's wait returns the put (rule 6)"

# The T3D's cache and the pool's do not learn of puts; on a bus, or with an NI or handler behind them, caches do.
open 11.12 load_x_without_lock   "omitting the lock-unlock at B"             t3d=0 smp=1 now=1 cxl-pool=0
open 11.15 load_x                "a load after the post alone"               t3d=0 smp=1 now=1 cxl-pool=0
# A lone store stays in the T3D's write buffer: the owner's lock and wait throw lines away, which touches no buffer. The
# pool's caches write a dirty line back when they throw it away, so there the same calls publish the store.
open 11.13 get_x                 "a get of a store made before the lock"     t3d=0 smp=1 now=1 cxl-pool=1
open 11.14 get_x                 "a get of a store made while posted"        t3d=0 smp=1 now=1 cxl-pool=1
# Eight stores to other lines push it out of a write buffer of four lines.
open 11.13-pushed-out get_x      "a get of a store followed by eight others" t3d=1 smp=1 now=1 cxl-pool=1

# Invalidation by index makes loads of what was put fresh, and cannot help with stores still on their way.
run_options=(--set ni.invalidate=index)
open 11.12 load_x_without_lock   "omitting the lock-unlock at B, invalidating on put" t3d=1
open 11.15 load_x                "a load after the post alone, invalidating on put"   t3d=1
open 11.13 get_x                 "a get of a store made before the lock, invalidating on put" t3d=0
run_options=()

# The report counts a stale load exactly where the program printed an obsolete one.
for pair in t3d=1 smp=0 now=0 cxl-pool=1; do
    run "${pair%=*}" 2 examples 11.12
    says "11.12 on ${pair%=*}: the JSON counts ${pair#*=} stale load(s) at rank 1 and none at rank 0" \
        test "$(json 'rank[1].stale_loads')/$(json 'rank[0].stale_loads')" = "${pair#*=}/0"
done
run t3d 2 examples 11.12
line=$(grep -n 'say("load_x_without_lock", X)' "$here/examples.c" | cut -d: -f1)
put=$(grep -n 'static void put_x' "$here/examples.c" | cut -d: -f1)
says "the stale load is named by file and line" test "$(json 'stale[0].load_at')" = "examples.c:$line"
says "it saw eight bytes of 0 where memory held 1" \
    test "$(json 'stale[0].seen')/$(json 'stale[0].memory')" = 0000000000000000/0100000000000000
says "its writer is rank 0's MPI_Put, by file and line" \
    test "$(json 'stale[0].writer.rank')/$(json 'stale[0].writer.call')/$(json 'stale[0].writer.at')" = \
    "0/MPI_Put/examples.c:$put"
finish
