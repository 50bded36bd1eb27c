#!/bin/bash
# Rounds of a loop that do what the round before did ask nothing (sim/instrument/strip.h): they are charged and counted
# as if they had, to the tick. strips.c plays random loops; built with strips and without, all that a run knows is the
# same.
. "$(dirname "$0")/../lib.sh"
levels=("-O2 -g" "-O3 -ftree-vectorize -g")
machines=(rdma smp t3d)
loops=100
if thorough; then
    # what comes behind the loop is the same in the short form: stale loads are counted by place in the code, of which
    # -funroll-loops makes more
    levels=("-O1" "-O2 -fnon-call-exceptions" "-O3 -funroll-loops -mavx2" "${levels[@]}")
    machines+=(now challenge cxl-pool)
    loops=600
fi
sampled "the options ${levels[*]}, on ${machines[*]}, $loops loops"
mkdir "$work/with" "$work/without"
made() { # FLAG...
    "$sidewinder" cc -std=gnu11 "$@" -o "$work/with/strips" "$here/strips.c" -lm &&
        "$sidewinder" cc -std=gnu11 "$@" -fplugin-arg-sw_plugin-no-strips -o "$work/without/strips" "$here/strips.c" -lm
}
length() { objdump -h "$1/strips" | awk '$2 == ".text" {print $3}'; }

# same FILE OTHER: word by word. The seconds of a line or a variable are a sum over places in the code, of which strips
# make more: of such a sum of floating-point numbers the last digits follow from its order, and of what is left of the
# whole, all. Dates are compared to the bit, in what strips.c prints.
same() {
    awk -v other="$2" '
        function close_by(x, y, d, most) {
            if (x !~ /^-?[0-9.]+e?[-+0-9]*$/ || y !~ /^-?[0-9.]+e?[-+0-9]*$/ || (x y) !~ /[.e]/) return 0
            d = x - y; most = x < 0 ? -x : x
            return (d < 0 ? -d : d) <= 1e-13 * most + 1e-17
        }
        {
            if ((getline line <other) <= 0) exit bad = 1
            if ($0 == line) next
            gsub(",", ""); gsub(",", "", line)
            n = split(line, word)
            for (i = 1; i <= NF || i <= n; i++)
                if ($i != word[i] && !close_by($i, word[i])) { print "line " NR ": " $0; print line; exit bad = 1 }
        }
        END { exit bad || (getline line <other) > 0 }' "$1"
}

# alike SENTENCE MACHINE RANKS OPTIONS PROGRAM ARGUMENT...: both print the same, and so does the JSON, but for what is
# called by where it lies in the code, which has another length
alike() {
    local sentence=$1 machine=$2 ranks=$3 options build
    read -ra options <<<"$4"
    shift 5
    for build in with without; do
        (cd "$work/$build" && "$sidewinder" run -q -m "$machine" -n "$ranks" --json json "${options[@]}" \
            ./strips "$@" >out 2>err && grep -v -e "${places:-^$}" json >played) || wrong "$sentence: $build strips"
    done
    says "$sentence" eval 'cmp "$work/with/out" "$work/without/out" && same "$work/with/played" "$work/without/played"'
}
for flags in "${levels[@]}"; do
    read -ra words <<<"$flags"
    says "strips.c is compiled with $flags" made "${words[@]}"
    more=$((0x$(length "$work/with") - 0x$(length "$work/without")))
    if [[ $flags == *-fnon-call-exceptions* ]]; then # each access ends a block
        says "... it makes no strips" [ $more -eq 0 ]
        continue
    fi
    says "... with strips its code is longer" [ $more -gt 0 ]
    for machine in "${machines[@]}"; do
        alike "loops take the same time with strips and without: $machine, $flags" \
            "$machine" 1 "" strips private 1 $loops
    done
    alike "... in a window of one rank" rdma 1 "" strips window 2 $loops
    alike "... in windows that others put into" rdma 3 "" strips window 3 $loops
    alike "... in memory that a node shares" smp 2 "--set cpus=2 --set ranks_per_node=2" strips shared 4 $loops
done
alike "... without a quantum" rdma 2 "--quantum 0" strips window 5 $loops
# of a violation as many are counted as have other places, which follow from how gcc lays code out
places='"pair"\|"count"'
# ways: what is spilled, which strips change, would come between loops in a cache without
for machine in t3d rdma; do
    alike "... where all accesses are watched: $machine" $machine 2 "--check --set cache.l1.ways=4" strips window 6 50
done
places=
alike "... in a profile with hits by variable" rdma 1 "--profile profile --profile-hits" strips private 7 $loops
says "... and the profiles are the same" same "$work/with/profile" "$work/without/profile"
"$sidewinder" cc -O0 -std=gnu11 -o "$work/with/strips" "$here/strips.c" -lm
"$sidewinder" cc -O0 -std=gnu11 -fplugin-arg-sw_plugin-no-strips -o "$work/without/strips" "$here/strips.c" -lm
says "-O0 makes no strips" [ "$(length "$work/with")" = "$(length "$work/without")" ]
finish
