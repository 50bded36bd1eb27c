#!/bin/bash
# What branches cost is found by their outcomes, not by what the compiler guesses.
. "$(dirname "$0")/../../lib.sh"
optimize=-O2
build branches
# Of `over`, 80,000 branches: wrong predictions lie between LEAST and MOST.
wrong_of() {
    local wrong
    wrong=$(json 'rank[0].mispredicted_branches')
    holds "$wrong >= $1 && $wrong <= $2"
}

run rdma 1 branches random
says "on rdma about half of the branches on random numbers are predicted wrongly, once they are too many to be learnt" \
    wrong_of 20000 48000
random=$(value time)
run rdma 1 branches sorted
says "on sorted ones hardly any" wrong_of 0 2000
sorted=$(value time)
says "and the same loop takes longer on random numbers" holds "$random > 1.3 * $sorted"
run rdma 1 branches alternating
says "a history knows that outcomes alternate" wrong_of 0 2000
run smp 1 branches alternating
says "a counter of two bits does not" wrong_of 38000 82000
run t3d 1 branches alternating
says "nor does the last outcome: t3d is wrong about each" wrong_of 78000 82000
run t3d 1 branches loops
says "on t3d the end of a loop that counts is predicted wrongly, and its next beginning: 2 of 40,000 loops" \
    wrong_of 80000 84000
took=$(value time)
run_options=(--set cpu.branch_miss=14cycles)
run t3d 1 branches loops
says "each costs cpu.branch_miss: 10 cycles more, 80,000 times" \
    holds "($(value time) - $took) * 150e6 > 790000 && ($(value time) - $took) * 150e6 < 850000"

run_options=()
run rdma 1 branches random qsort
says "qsort: which way a comparison goes is predicted; of random numbers at least a third wrongly" \
    wrong_of 350000 1200000
random=$(value time)
run rdma 1 branches sorted qsort
says "on sorted ones hardly any" wrong_of 0 60000
says "and it costs that: at least 4 rounds of 240,000 predictions" \
    holds "$random - $(value time) > 350000 * 14 / 2.6e9"
says "a comparison costs what the library executes for it beside: 25 operations, five a cycle" \
    holds "$(value time) > 4 * 130000 * 25 / 5 / 2.6e9"
sorted=$(value time)
run_options=(--set cpu.library.sort_comparison=105cycles)
run rdma 1 branches sorted qsort
says "or what the machine says of one" holds "$(value time) - $sorted > 4 * 130000 * 95 / 2.6e9"
run_options=()

# Of 80,000 loops that count.
run rdma 1 branches random rows
says "of 1 to 8 rounds at random a loop's end is predicted in one of eight at best" wrong_of 55000 82000
random=$(value time)
run rdma 1 branches sorted rows
says "of 1 to 8 rounds in turn a past knows, and of as many as before everybody" wrong_of 0 4000
says "what was not foreseen costs that: at least 55,000 times 14 cycles" \
    holds "$random - $(value time) > 55000 * 14 / 2.6e9"
run rdma 1 branches random eights
says "rounds are those of the loop that is left, not of the one around it that it counts to" wrong_of 0 3000
run t3d 1 branches random rows
says "t3d loses at each end, and at the next beginning" wrong_of 159000 164000

# Of 80,000 calls, jumps and switches.
for what in calls jumps; do
    run rdma 1 branches alternating "$what"
    says "where $what through a pointer go in turn, a past of targets knows" wrong_of 0 1000
    run rdma 1 branches random "$what"
    says "where they go at random it does not, but for a quarter of four" wrong_of 50000 66000
    run_options=(--set cpu.target_predictor=last)
    run rdma 1 branches alternating "$what"
    says "the last target is wrong in turn" wrong_of 79000 81000
    run rdma 1 branches sorted "$what"
    says "and is right where they go on" wrong_of 0 1000
    run_options=()
    run smp 1 branches sorted "$what"
    says "smp waits for each of them" wrong_of 80000 81000
done
run_options=(--set cpu.call_targets=0)
run rdma 1 branches alternating calls
says "calls in turn are predicted by nobody who does not remember where they went" wrong_of 79000 81000
run rdma 1 branches alternating jumps
says "jumps are" wrong_of 0 1000
run_options=(--set cpu.target_predictor=last)
run rdma 1 branches each switch
says "values that have one way are one target: two ways in ten differ from the one before" wrong_of 15000 17000
run_options=(--set cpu.target_predictor=none --set cpu.branch_miss=0cycles)
run t3d 1 branches random calls
took=$(value time)
run_options=(--set cpu.target_predictor=none --set cpu.branch_miss=10cycles)
run t3d 1 branches random calls
says "each costs cpu.branch_miss: 10 cycles more, 80,000 times" \
    holds "($(value time) - $took) * 150e6 > 790000 && ($(value time) - $took) * 150e6 < 850000"
run_options=()

for machine in t3d smp rdma; do
    for quantum in 0 1us 1s; do
        run_options=(--quantum "$quantum")
        run "$machine" 1 branches random
        cp "$work/out" "$work/$quantum"
    done
    says "on $machine times are the same with a quantum of 0, 1us and 1s" \
        eval 'cmp "$work/0" "$work/1us" && cmp "$work/0" "$work/1s"'
done
run_options=()
run rdma 1 branches random
cp "$work/json" "$work/first.json"
run rdma 1 branches random
says "two runs write the same JSON" cmp "$work/json" "$work/first.json"
result=$(value result)
"$work/branches" random >"$work/out" 2>"$work/err"
says "outside a simulation the program computes the same" test "$(value result)" = "$result"
says "blocks shows which branches are predicted while the program runs" \
    grep -q 'its branch is predicted during the run: 1[0-9.]* cycles more' \
    <("$sidewinder" blocks "$work/branches" -m rdma)
says "and which end a loop that counts" \
    grep -q 'it ends a loop that counts' <("$sidewinder" blocks "$work/branches" -m rdma)
finish
