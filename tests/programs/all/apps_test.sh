#!/bin/bash
# Every program in apps/ is built by make with CC="sidewinder cc" and finds its own answer right on every kind of
# machine.
. "$(dirname "$0")/../../lib.sh"
if ! make -s -C "$apps" CC="$sidewinder cc" BUILD="$work" all registered >"$work/make.log" 2>&1; then
    cat "$work/make.log"
    wrong "make CC=\"sidewinder cc\" builds apps/"
    finish
fi

right() {      # MACHINE RANKS PROGRAM ARGUMENT...: it ends well, and says so itself
    run "$@"
    if [ "$status" -ne 0 ] || ! grep -q 'ok$' "$work/out" || grep -q WRONG "$work/out"; then
        sed 's/^/    /' "$work/out" "$work/err"
        wrong "$3 ${*:4} on $1 with $2 ranks (exit code $status)"
    else
        ok "$3 ${*:4} on $1 with $2 ranks: $(grep 'ok$' "$work/out")"
    fi
}
most="t3d smp now" some=t3d
thorough && most="t3d smp challenge now clump rdma cxl-pool" some="t3d smp now"
sampled "stale and halo on $most, the others on $some"
for machine in $most; do
    right "$machine" 2 stale
    right "$machine" 8 halo fence 24 4
    right "$machine" 6 halo pscw 23 4
    right "$machine" 7 halo lock 19 4
    right "$machine" 6 halo_register fence 23 4
done
for machine in $some; do
    right "$machine" 2 pingpong 256 2
    right "$machine" 2 bandwidth 1024 4
    right "$machine" 2 stream 2000 2
    right "$machine" 1 chase 16384 256
    right "$machine" 5 histogram 40 7
    right "$machine" 4 transpose 32
    right "$machine" 4 transpose_register 32
    for shape in vector indexed nested; do right "$machine" 3 registration $shape 8 512; done
    right "$machine" 4 false_sharing 40
    right "$machine" 4 false_sharing 40 64 owner
    right "$machine" 2 latency 3
    right "$machine" 1 read 64 1
    right "$machine" 5 steal 8 2000
    for operation in put get; do right "$machine" 3 grain $operation closed 20 10 8 500 5; done
    for pattern in whole edge rare unread; do
        for way in barrier sync fence; do right "$machine" 3 sharing $pattern $way 1024 2; done
    done
    run "$machine" 1 pingpong
    says "pingpong on $machine with one rank: says how it is used, exit code 2" \
        eval '[ "$status" = 2 ] && grep -q "^usage: pingpong" "$work/err"'
done
for program in pingpong bandwidth stream chase halo halo_register histogram transpose transpose_register registration \
    false_sharing latency read steal \
    grain sharing; do
    run t3d 2 "$program" --help
    says "$program --help: says how it is used, exit code 2" eval '[ "$status" = 2 ] &&
        grep -q "^usage: $program" "$work/err"'
done

# What each shows.
run t3d 2 stale
says "stale on t3d shows an obsolete value" grep -q 'and barrier: x = 0$' "$work/out"
for machine in smp now; do
    run "$machine" 2 stale
    says "stale on $machine shows none" grep -q 'and barrier: x = 1$' "$work/out"
done
run_options=(--set ni.invalidate=index)
run t3d 2 stale
says "stale on t3d with ni.invalidate=index shows none" grep -q 'and barrier: x = 1$' "$work/out"
run_options=()
run smp 4 false_sharing 40
beside=$(sed -n 's/.*side by side: *\([0-9.]*\).*/\1/p' "$work/out")
padded=$(sed -n 's/.*padded to.*bytes: *\([0-9.]*\).*/\1/p' "$work/out")
says "on smp, words in one line cost more than padded words" holds "$beside > 1.1 * $padded"
# The line binds, not the calls.
run_options=(--set mpi.call=0s)
for ranks in 2 4 8; do
    run smp $ranks false_sharing 400
    says "on smp, $ranks ranks hand one line round: an update takes $ranks transfers of 480 ns" \
        holds "$(sed -n 's/.*side by side: *\([0-9.]*\).*/\1/p' "$work/out") / $ranks > 0.4 &&
            $(sed -n 's/.*side by side: *\([0-9.]*\).*/\1/p' "$work/out") / $ranks < 0.56"
done
run_options=()
run t3d 2 sharing edge barrier 4096 2
says "sharing on t3d without MPI_Win_sync finds old values" grep -q ' [1-9][0-9]* of 4 sums of old values' "$work/out"
run t3d 1 chase 32768 512
says "on t3d, a chase through 32 KiB by 32 bytes misses the cache and one through 4 KiB does not" \
    holds "$(awk '$1 == 32768 { print $4 }' "$work/out") > 4 * $(awk '$1 == 4096 { print $4 }' "$work/out")"
run_options=(--set nodes=64)
right t3d 64 halo fence 64 2
finish
