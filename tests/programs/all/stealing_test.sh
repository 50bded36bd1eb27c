#!/bin/bash
# Who steals from whom hangs on dates, so one run says little. Over 20 seeds the mean time with the machine's quantum is
# that of runs in which every access is played at its date, within 2 %.
. "$(dirname "$0")/../../lib.sh"
"$sidewinder" cc -O2 -o "$work/steal" "$apps/steal.c" 2>"$work/log" || wrong "steal.c is compiled"
seeds=$(thorough && echo 20 || echo 10)
sampled "$seeds of 20 seeds"
# mean OPTION...: in microseconds
mean() {
    for seed in $(seq $seeds); do
        "$sidewinder" run -q -m now -n 8 "$@" "$work/steal" 256 20000 "$seed"
    done | awk -v seeds=$seeds '/ok$/ {n++; sum += $8} END {print n == seeds ? sum / n : 0}'
}
default=$(mean)
exact=$(mean --quantum 0)
says "steal on now takes $default us on average; at exact dates $exact us" \
    holds "$default > 0.98 * $exact && $default < 1.02 * $exact"

# A message takes a processor longer than a thief needs for its next: who polls gets on nevertheless.
run_options=(--set net.overhead_send=51.8us --set net.overhead_receive=54us)
run now 16 steal
says "a rank that polls does its own work, however many requests come" eval \
    '[ $status = 0 ] && grep -q "ok$" "$work/out" && holds "$(json time_s) < 1"'
finish
