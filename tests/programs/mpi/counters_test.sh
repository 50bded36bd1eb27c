#!/bin/bash
# Counters are windows of one integer in a fetch-and-increment register, on t3d; elsewhere ordinary windows.
. "$(dirname "$0")/../../lib.sh"
optimize=-O2 # its time is judged
build counters -I"$here/../../../include"
# number KEY: of t3d, in seconds or a plain number.
number() {
    "$sidewinder" machines t3d --text | awk -v key="$1" '$1 == key {
        print $2 * ($2 ~ /us$/ ? 1e-6 : $2 ~ /ns$/ ? 1e-9 : $2 ~ /MBps$/ ? 1e6 : 1); exit}'
}
atomic=$(number ni.atomic)
register=$(awk -v a="$atomic" -v l="$(number ni.latency)" -v b="$(number net.bandwidth)" \
    -v hop="$("$sidewinder" machines t3d --text | awk '$1 == "net.latency" {print $2 / 150e6; exit}')" \
    'BEGIN {print a - 2 * (l + hop + 8 / b)}')

run_options=(--set mpi.call=0s)
passes t3d 2 counters count 200
says "a count takes one round trip, no lock, get and put: $(value seconds) s for 200 of $atomic and what lies between" \
    holds "$(value seconds) > 200 * $atomic && $(value seconds) < 1.15 * 200 * $atomic"
passes t3d 16 counters count 20
says "15 ranks wait for one register: 300 counts of $register s in $(value seconds) s" \
    holds "$(value seconds) > 300 * $register && $(value seconds) < 1.05 * 300 * $register"
run_options=()
says "t3d has two registers" test "$(value registers)" = 2
passes t3d 2 counters most
for way in put accumulate two max small float compare; do
    run t3d 2 counters wrong "$way"
    case $way in
    two) text='a counter adds 1, not 2' ;;
    float) text='the counter is an integer, and the datatype is of none' ;;
    small) text='the counter is an integer of 8 bytes, the datatype has 4' ;;
    *) text="a counter's window allows MPI_Fetch_and_op only, with a sum of 1, MPI_NO_OP or MPI_REPLACE" ;;
    esac
    says "$way: '$text'" eval '[ $status -ne 0 ] && grep -q "$text" "$work/err"'
done
for machine in smp now rdma cxl-pool; do
    passes "$machine" 4 counters count 20
    says "$machine has no such registers, and the same numbers" test "$(value registers)" = 0
done
run smp 2 counters wrong put
says "there any operation is allowed" test "$status" = 0
finish
