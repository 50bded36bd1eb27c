#!/bin/bash
# Operations of 1, 4, 16 and 63 origins (or as many as the machine has processors for) at one target, 8 B to 1 MiB, and
# of 16 to 65 origins of several kinds at two and three targets take what their bottleneck allows, within 5 %; that
# resource is named by the run's JSON and busy at least 95 % of the time, or of what of it the limit says.
# contention.awk works the limit out from `sidewinder machines` alone. A sample, or with POINTS set the whole table.
. "$(dirname "$0")/../../lib.sh"

# Not instrumented: what the loop itself computes is no matter here.
eval "$("$sidewinder" cc --show -O2 -c "$here/contention.c" -o "$work/contention.o" | sed 's/ -fplugin[^ ]*//g')" &&
    "$sidewinder" cc -o "$work/contention" "$work/contention.o" 2>"$work/log" || exit 1

# Lines "SECONDS RESOURCE" of a run's JSON.
busy='/"resources"/ {on = 1} /"buses"/ {bus = 1} on && /"name"/ {split($0, part, "\""); name = part[4]}
    bus && /"node"/ {name = "bus of node " ($3 + 0)} /"busy_s"/ && (on || bus) {sub(/.*: /, ""); print $0 + 0, name}
    /\]/ {on = bus = 0}'

# row MACHINE KINDS ORIGINS BYTES TIMES LIMIT BUSY PATTERN TARGETS
row() {
    local options=() took share name times ranks=$(($3 + $9))
    case $1 in smp | challenge) options=(--set cache.l1.ways=8 --set cache.l2.ways=8) ;; esac   # none in another's way
    [ "$ranks" -le 64 ] || options+=(--set "nodes=$ranks")
    for times in 0 "$5"; do   # what is busy before the clock starts, and all
        took=$("$sidewinder" run -q -m "$1" -n "$ranks" --json "$work/json" ${options[@]+"${options[@]}"} \
            "$work/contention" "$2" "$3" "$4" "$times" "$9")
        awk "$busy" "$work/json" | sort -rg >"$work/busy.$((times > 0))"
    done
    read -r share name < <(awk -v pattern="$8" -v took="$took" '{s = $1; $1 = ""; sub(/^ /, "")}
        FILENAME ~ /0$/ {before[$0] = s; next}
        $0 ~ pattern {printf "%.3f %s\n", (s - before[$0]) / took, $0; exit}' "$work/busy.0" "$work/busy.1")
    local line="$1: $3 to $9, $2 of $4 bytes: $took s of $6, by the ${name:-none} (${share:-0} of the time)"
    if holds "$took > 0.95 * $6 && $took < 1.05 * $6 && ${share:-0} > 0.95 * $7"; then
        ok "$line"
    else
        wrong "$line"
    fi
}

# How many operations of an origin: kind, bytes, origins, machine
times_of() {
    case $2:$1-$4 in
    8:???-challenge) echo 60000 ;;   # a cache answers
    8:???-smp) echo 10000 ;;
    8:* | 512:*) echo 1000 ;;
    8192:*) echo 200 ;;
    65536:*) echo 32 ;;
    *) echo $(($3 > 4 ? 4 : $3 > 1 ? 8 : 32)) ;;   # a single origin reads its first bytes while nothing moves
    esac
}

# rows MACHINE MOST: all; 4, 16 and 63 origins are as many as the machine has where that is less
rows() {
    local kind bytes origins most
    for kind in acc get put; do
        for bytes in 8 512 8192 65536 1048576; do
            [ "$kind" != acc ] || [ "$bytes" = 8 ] || continue
            for origins in 1 4 16 63; do
                most=$((origins < $2 ? origins : $2))
                echo "$kind $most $bytes $(times_of "$kind" "$bytes" "$most" "$1")"
            done
        done
    done | uniq
}

# table MACHINE ROWS: one a line
table() {
    while read -r limit part pattern <&3 && read -r kind origins bytes n targets <&4; do
        row "$1" "$kind" "$origins" "$bytes" "$n" "$limit" "$part" "$pattern" "${targets:-1}"
    done 3< <({ "$sidewinder" machines "$1"; echo "$2"; } | awk -f "$here/contention.awk") 4<<<"$2"
}

if thorough; then
    for machine in t3d:63 rdma:63 now:63 now-ethernet:63 smp:29 challenge:35 cxl-pool:15 clump:31; do
        table "${machine%:*}" "$(rows "${machine%:*}" "${machine#*:}")"
    done
else
    sampled "two or three rows of a machine"
    table t3d $'put 16 512 50\nget 4 8192 50\nacc 16 8 50'
    table rdma $'put 32 8 1000\nget 4 8192 200\nacc 16 8 50'
    table now $'put 4 8 200\nget 4 8192 50'
    table now-ethernet $'get 4 512 50'
    table smp $'get 1 8192 200\nput 16 1048576 1\nacc 16 8 200'
    table cxl-pool $'get 4 65536 32\nacc 15 8 50'
    table challenge $'put 4 65536 32'
    table clump $'put 31 8 50\nget 4 512 100\nget 4 65536 32'
fi
# One origin or many at more than one target.
table rdma $'put+get 16 8192 60 2'"$(thorough && printf '\nput+get 65 8192 60 3\nput+acc 32 8 100 2')"
table t3d $'put+get 61 512 60 3'"$(thorough && printf '\nput+get 32 512 60 2\nput+get 62 512 60 2')"
table now $'put+get 16 512 60 2'"$(thorough && printf '\nput+get 62 4096 30 2')"
finish
