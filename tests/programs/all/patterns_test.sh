#!/bin/bash
# Patterns of operations take what the machine's numbers allow: of each a closed form of the keys that `sidewinder
# machines` prints (in seconds and bytes; n: operations of a rank, S: bytes, N: ranks), within 5 %; or between that and
# another one, within 5 % of each, where the sentence says what may take longer.
. "$(dirname "$0")/../../lib.sh"
# Not instrumented: what the loop itself computes is no matter here.
eval "$("$sidewinder" cc --show -O2 -c "$here/patterns.c" -o "$work/patterns.o" | sed 's/ -fplugin[^ ]*//g')" &&
    "$sidewinder" cc -o "$work/patterns" "$work/patterns.o" 2>"$work/log" || exit 1

# Evaluates the closed form with the machine's numbers.
limit() {
    "$sidewinder" machines "$1" --text | awk -v form="${5//$'\n'/ }" -v N="$2" -v S="$3" -v n="$4" '
        BEGIN {
            unit["ns"] = 1e-9; unit["us"] = 1e-6; unit["s"] = 1; unit["KiB"] = 1024; unit["MiB"] = 1048576
            unit["MBps"] = 1e6; unit["GBps"] = 1e9; unit["MHz"] = 1e6; unit["GHz"] = 1e9; unit["B"] = unit[""] = 1
        }
        $1 ~ /^[a-z0-9_]+\.[a-z0-9_.]+$/ {
            word = $2; sub(/^[0-9.e+-]+/, "", word)
            value[$1] = $2 * (word ~ /^cycle/ ? 1 / value["cpu.clock"] : unit[word])
        }
        END {
            while (match(form, /[a-z]+[0-9a-z_]*\.[0-9a-z_.]+/)) {
                key = substr(form, RSTART, RLENGTH)
                form = substr(form, 1, RSTART - 1) sprintf("%.12g", value[key]) substr(form, RSTART + RLENGTH)
            }
            print "BEGIN { N = " N "; S = " S "; n = " n "; printf \"%.9g\", " form " }"
        }' >"$work/form.awk"
    awk -f "$work/form.awk"
}

# row MACHINE RANKS PATTERN BYTES TIMES FORM [WHY MOST]: within 5 % of the form; or, with why it may take longer, not
# less than that and not more than the form MOST, within 5 %.
row() {
    local options=() took least most line
    case $1 in smp | challenge) options=(--set cache.l1.ways=8 --set cache.l2.ways=8) ;; esac   # none in another's way
    took=$("$sidewinder" run -q -m "$1" -n "$2" ${options[@]+"${options[@]}"} "$work/patterns" "$3" "$4" "$5")
    least=$(limit "$1" "$2" "$4" "$5" "$6")
    line="$1: $2 ranks, $3 of $4 bytes, $5 times: $took s of $least"
    most=$(limit "$1" "$2" "$4" "$5" "${8:-$6}")
    [ -z "${7:-}" ] || line="$line, at most $most: $7"
    says "$line" holds "$took > 0.95 * $least && $took < 1.05 * $most"
}
row t3d 16 ring 8192 20 'n * (mpi.call + S / wb.line * ni.put_line_cycles)'
row t3d 16 ring 8 1000 'n * (mpi.call + ni.put_word_cycles + 1 / cpu.clock)'
row t3d 16 gets 4096 20 'n * (mpi.call + S / 8 / ni.get_group * (ni.get_issue_cycles + ni.get_round_cycles +
    ni.get_group * ni.get_pop_cycles) + S / wb.line * wb.retire_cycles)'
row t3d 16 fetch 8 100 'n * (2 * mpi.call + 2 * ni.atomic + ni.read_word_cycles + ni.put_word_cycles)'
row t3d 8 word 8 50 'N * n * (ni.atomic + ni.read_word_cycles + ni.put_word_cycles + 2 * (ni.latency + net.latency))' \
    "rank 0's own, and the flush of each, go through its interface as messages to itself, there and back" \
    'n * (N * (ni.atomic + ni.read_word_cycles + ni.put_word_cycles + 2 * ni.latency) + 2 * (N - 1) * net.latency +
    4 * net.local_latency)'
row rdma 2 ring 8192 200 'n * S / net.bandwidth'
row rdma 16 all 65536 120 'n * S / net.bandwidth'
row rdma 16 gets 65536 150 'n * S / net.bandwidth'
row rdma 16 fetch 8 100 'n * (2 * mpi.call + ni.overhead + 2 * (ni.latency + net.latency) + ni.atomic)'
row rdma 16 word 8 100 'N * n * ni.atomic'
row now 8 ring 4096 50 'n * (mpi.call + net.overhead_send + S / net.bandwidth +
    S / cache.l1.line * cache.l2.hit_cycles + net.overhead_receive)'
row now 8 ring 8 200 'n * (mpi.call + net.overhead_send + S / net.bandwidth + net.overhead_receive)' \
    "handlers and calls alternate, and the interface's gap falls between them" \
    'n * (mpi.call + net.overhead_send + S / net.bandwidth + net.overhead_receive + net.gap)'
row now 8 gets 8192 40 'n * S / net.bandwidth' \
    "a request waits at its interface behind a reply that leaves there" \
    'n * 2 * S / net.bandwidth'
row now-ethernet 8 ring 8192 10 'n * (mpi.call + net.kernel + net.driver + S / net.bandwidth +
    S / cache.l1.line * cache.l2.hit_cycles + net.kernel + net.driver + net.interrupt + net.kernel + net.driver)'
row smp 16 all 4096 60 'N * n * S / cache.l2.line * bus.slot'
row smp 4 ring 65536 20 'n * (mpi.call + S / cache.l1.line * (2 * cache.l1.line / 8 / cpu.clock +
    cache.l2.hit_cycles - cache.l1.hit_cycles))'
row smp 16 word 8 100 'N * n * bus.cache_to_cache'
row challenge 16 gets 1048576 1 'N * n * S / cache.l2.line * 3 * bus.slot'
row challenge 16 word 8 50 'N * n * bus.cache_to_cache'
row cxl-pool 8 ring 65536 20 'n * (mpi.call + pool.latency + (S / cache.l1.line - 1) * pool.latency / mem.outstanding +
    S / cache.l1.line * cache.l1.hit_cycles)'
row cxl-pool 8 word 8 50 'N * n * (ni.atomic + 2 * (pool.latency + S / pool.bandwidth))'
finish
