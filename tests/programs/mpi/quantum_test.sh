#!/bin/bash
# "One rank's predicted time is the same for every quantum", and so are its values: random programs (quantum.awk).
. "$(dirname "$0")/../../lib.sh"
sampled "the first program on five machines, the second on two"
for seed in ${SEEDS:-1 2 $(thorough && echo 3)}; do
    awk -v seed="$seed" -f "$here/quantum.awk" >"$work/random.c" &&
        "$sidewinder" cc -O$seed -w "$work/random.c" -o "$work/random" || wrong "program $seed is compiled"
    for machine in $([ $seed = 1 ] || thorough && echo smp now cxl-pool) t3d rdma; do
        for quantum in 0 1us 1s; do
            run_options=(--quantum $quantum)
            run $machine 1 random
            { cat "$work/out"; json 'rank[0].time_s'; json 'rank[0].memory_s'; } >"$work/$quantum.said"
        done
        says "$machine, program $seed: the same with a quantum of 0, 1us and 1s" \
            eval 'test "$status" = 0 && cmp "$work/0.said" "$work/1us.said" && cmp "$work/0.said" "$work/1s.said"'
    done
done

# "At most 1 % where control flow does not depend on time": who leaves a barrier first is not alone.
"$sidewinder" cc -O2 "$here/../../../apps/transpose_shmalloc.c" -o "$work/transpose" ||
    wrong "the transpose is compiled"
for machine in smp $(thorough && echo challenge); do
    for quantum in 0 1us; do
        run_options=(--quantum $quantum --set nodes=1 --set cpus=64)
        run $machine 32 transpose
        json time_s >"$work/$quantum.said"
    done
    exact=$(cat "$work/0.said") usual=$(cat "$work/1us.said")
    says "$machine: 32 ranks on one bus take what they take with a quantum of 0 ($usual, $exact s)" \
        holds "$usual > 0.99 * $exact && $usual < 1.01 * $exact"
done

# Edges put into neighbours' windows share lines with what the neighbours read, once in each iteration. One nanosecond
# of memory's 270 or 1169 changes this by up to 3 %, whatever the quantum: the means of 21 memories, or of 5.
"$sidewinder" cc -O2 "$here/../../../apps/halo.c" -o "$work/halo" || wrong "the halo exchange is compiled"
means_agree() {      # MACHINE RANKS WAY NS
    local quantum d exact usual
    for quantum in '--quantum 0' ''; do
        for d in $(if thorough; then seq -10 10; else seq -2 2; fi); do
            run_options=($quantum --set dram.same_page_cycles=$(($4 + d))ns
                --set dram.other_page_cycles=$(($4 + d))ns)
            run "$1" "$2" halo "$3"
            json time_s
        done | awk '{ s += $1 } END { printf "%.9g\n", s / NR }' >"$work/${quantum:-usual}.said"
    done
    exact=$(cat "$work/--quantum 0.said") usual=$(cat "$work/usual.said")
    says "$1, halo $3: $2 ranks take what they take with a quantum of 0, in the mean ($usual, $exact s)" \
        holds "$usual > 0.99 * $exact && $usual < 1.01 * $exact"
}
# Whoever comes first in a burst has not run ahead of the others: pscw and lock in each run, fence in the mean. Not in
# each run: of 21 memories, ten make fence 1.1 to 1.2 % longer than with a quantum of 0 as gcc 12 compiles it. As
# gcc 14 does, one makes it 1.25 % longer. There two ranks ask for the bus at one date and are served in another order,
# after which a put finds lines taken that its rank had.
for way in pscw $(thorough && echo lock); do
    for quantum in 0 100ns; do
        run_options=(--quantum $quantum)
        run challenge 4 halo $way
        json time_s >"$work/$quantum.said"
    done
    exact=$(cat "$work/0.said") usual=$(cat "$work/100ns.said")
    says "challenge, halo $way: bursts of 4 ranks take what they take with a quantum of 0 ($usual, $exact s)" \
        holds "$usual > 0.995 * $exact && $usual < 1.005 * $exact"
done
means_agree challenge 4 fence 1169
sampled "one bus by its transpose, and one of twelve ways and numbers of ranks with 10 runs instead of 42"
if thorough; then
    means_agree smp 4 pscw 270
    means_agree challenge 4 lock 1169
    means_agree challenge 4 pscw 1169
    means_agree challenge 16 fence 1169
    means_agree smp 4 fence 270
    means_agree smp 16 fence 270
    means_agree smp 16 pscw 270
    means_agree challenge 16 pscw 1169
    means_agree smp 4 lock 270
    means_agree smp 16 lock 270
    means_agree challenge 16 lock 1169
fi

# Those that ask for a target's lock of accumulates at one date have it by rank.
"$sidewinder" cc -O2 "$here/../../../apps/histogram.c" -o "$work/histogram" || wrong "the histogram is compiled"
for quantum in 0 1us; do
    run_options=(--quantum $quantum)
    run cxl-pool 16 histogram
    json time_s >"$work/$quantum.said"
done
exact=$(cat "$work/0.said") usual=$(cat "$work/1us.said")
says "cxl-pool, histogram: 16 ranks take what they take with a quantum of 0 ($usual, $exact s)" \
    holds "$usual > 0.99 * $exact && $usual < 1.01 * $exact"

# A rank that ran ahead is not inside MPI, and has not sent within its node, before its date. Four processors of clump
# share a bus, and locks are given in its order: of 22 clocks and codes one run was 1.2 % longer than with a quantum of
# 0, seven were 0.2 to 0.4 %, and the others as long or 0.3 % shorter. So there the mean of some clocks counts.
for machine in now clump; do
    for way in lock $(thorough && echo pscw); do
        most=0.001 clocks=''
        [ $machine-$way = clump-lock ] && most=0.005 clocks='165 166 167 168 169'
        for quantum in 0 1us; do
            for clock in ${clocks:-its-own}; do
                run_options=(--quantum $quantum ${clocks:+--set cpu.clock=${clock}MHz})
                run $machine 16 halo $way
                json time_s
            done | awk '{ s += $1 } END { printf "%.9g\n", s / NR }' >"$work/$quantum.said"
        done
        exact=$(cat "$work/0.said") usual=$(cat "$work/1us.said")
        says "$machine, halo $way: 16 ranks take what they take with a quantum of 0 ($usual, $exact s)" \
            holds "$usual > (1 - $most) * $exact && $usual < (1 + $most) * $exact"
    done
done

# Long gets of all from all: who ran ahead of the others is not who has the links first, nor where all begin at once.
"$sidewinder" cc -O2 -g "$here/long_gets_probe.c" -o "$work/long_gets" || wrong "the gets are compiled"
for machine in t3d rdma; do
    for apart in 61 $(thorough && echo 0 400); do
        for quantum in 0 1us; do
            run_options=(--quantum $quantum)
            run $machine 8 long_gets $apart
            json time_s >"$work/$quantum.said"
        done
        says "$machine: 8 ranks that get 64 KiB of each other, begun $apart apart, take the same with a quantum of 0" \
            cmp "$work/0.said" "$work/1us.said"
    done
done
finish
