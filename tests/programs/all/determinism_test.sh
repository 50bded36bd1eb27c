#!/bin/bash
# "A run is bit-identical every time, on every machine": whatever the environment, the directory, the paths, the
# addresses.
. "$(dirname "$0")/../../lib.sh"
cc_app() { "$sidewinder" cc -std=c11 -O2 -g -o "$work/$1" "$apps/$1.c" -lm || { wrong "apps/$1.c is compiled"; finish;
    }; }
cc_app halo
cc_app stale
cc_app histogram
cc_app false_sharing

same_twice() {      # MACHINE RANKS PROGRAM ARGUMENT...
    run "$@"
    local first=$status
    cp "$work/json" "$work/first.json"
    cp "$work/out" "$work/first.out"
    run "$@"
    says "$3 ${*:4} on $1, twice: the same exit code, output and JSON, byte for byte" \
        eval "[ $first = 0 ] && [ $status = 0 ] && cmp '$work/first.json' '$work/json' &&
        cmp '$work/first.out' '$work/out'"
}
sampled "one program a machine, files of t3d and now, one hole"
same_twice t3d 8 histogram 50
same_twice smp 8 halo fence 32 4
same_twice now 8 halo lock 32 4
for machine in $(thorough && echo t3d smp now); do
    same_twice "$machine" 8 halo fence 32 4
    same_twice "$machine" 8 halo lock 32 4
    same_twice "$machine" 8 histogram 50
    same_twice "$machine" 2 stale
done
# ... and so are the files that a run writes besides.
for machine in t3d now $(thorough && echo smp); do
    for exchange in lock $(thorough && echo fence); do
        for again in 1 2; do
            "$sidewinder" run -q -m $machine -n 4 --trace "$work/trace$again" --profile "$work/profile$again" \
                --graph "$work/graph$again" "$work/halo" $exchange 24 4 >"$work/none" 2>&1
        done
        for what in trace profile graph; do
            says "halo $exchange on $machine, twice: the same $what, byte for byte" \
                eval '[ -s "$work/${what}1" ] && cmp "$work/${what}1" "$work/${what}2"'
        done
    done
done
build addresses
if setarch -R true 2>/dev/null; then
    same_twice t3d 2 addresses
fi
same_twice cxl-pool 4 halo pscw 24 4
same_twice smp 8 false_sharing 30
run_options=(--quantum 0)
same_twice smp 4 halo lock 16 3
run_options=(--set cache.l1.replace=random --set cache.l1.ways=4)
same_twice t3d 4 halo fence 32 3
run_options=()

# The library's heap is everybody's, and where its holes lie depends on the lengths of paths and of the environment.
build churn
for machine in t3d $(thorough && echo smp now); do
    HOLE=x run "$machine" 4 churn
    cp "$work/json" "$work/first.json"
    for length in 90 $(thorough && echo 600); do
        HOLE=$(printf "%${length}s" x) run "$machine" 4 churn
        says "$machine: where windows made again lie does not follow from the library's heap ($length)" \
            eval "[ $status = 0 ] && cmp '$work/first.json' '$work/json'"
    done
done

# The stack begins after the environment and the arguments, files may be anywhere: no figure may depend on it.
for machine in t3d $(thorough && echo smp); do
    run "$machine" 8 halo fence 32 4
    cp "$work/json" "$work/first.json"
    deep=$work/a/directory/with/quite/a/long/name/so/that/every/path/differs/in/length
    mkdir -p "$deep"
    cp "$work/halo" "$deep/halo"
    (
        cd "$deep" || exit 1
        MORE=$(printf '%0*d' 5003 7) TMPDIR=$deep "$sidewinder" run -q -m "$machine" -n 8 --json other.json ./halo \
            fence 32 4 >out 2>err
    )
    says "halo on $machine: the same JSON with another environment, directory and path" cmp "$work/first.json" \
        "$deep/other.json"
    SIDEWINDER_RANDOMIZE=1 "$sidewinder" run -q -m "$machine" -n 8 --json "$work/other.json" "$work/halo" fence 32 4 \
        >/dev/null 2>&1
    says "halo on $machine: the same JSON at random addresses" cmp "$work/first.json" "$work/other.json"
    "$sidewinder" run -q -m "$machine" -n 8 --json "$work/piped.json" "$work/halo" fence 32 4 2>&1 | cat >/dev/null
    says "halo on $machine: the same JSON when the output goes to a pipe" cmp "$work/first.json" "$work/piped.json"
done

# From here on the host randomises addresses, as it does where it refuses not to.
export SIDEWINDER_RANDOMIZE=1
# Nor on where C's library, or MPI, puts what it gives the program.
build given
for n in $(seq 20); do seq -s " " $n $((7 * n)); done >"$work/lines"
sampled "of six lengths of the environment three, of five lengths of a path three"
for what in getenv getline asprintf MPI_Alloc_mem; do
    for length in 1 17 1000 $(thorough && echo 9 29 41); do
        folder=$work/given$(printf '%0*d' $((length % 100)) 0)
        mkdir -p "$folder"
        cp "$work/given" "$folder/given"
        env -i PATH="$PATH" GIVEN="$(printf '%0*d' 112 3)" TMPDIR="$folder" MORE="$(printf '%0*d' $length 7)" \
            "$sidewinder" run -q -m t3d -n 2 "$folder/given" $what <"$work/lines"
    done | sort -u >"$work/out"
    says "what $what gives is as near with every environment and path: $(paste -sd ' ' "$work/out")" eval \
        '[ $(wc -l <"$work/out") = 1 ] && ! grep -q -e "-1" "$work/out"'
done

# The program reads its arguments: where they lie may not depend on how long its path is.
for length in 1 9 41 $(thorough && echo 17 29); do
    folder=$work/$(printf '%0*d' $length 0)
    mkdir -p "$folder"
    cp "$work/halo" "$folder/halo"
    run t3d 2 "${folder##*/}/halo" fence 16 2
    [ $length = 1 ] && cp "$work/json" "$work/first.json"
    says "halo on t3d: the same JSON with a path $length longer" cmp "$work/first.json" "$work/json"
done

# What lies between two windows is not the same in every run: the host chooses addresses.
build between
for where in between beside; do
    run smp 2 between $where
    json 'rank[0].cache[0].loads' >"$work/$where.loads"
done
says "a text that is printed is loaded where it is of a window, not where it lies between two" \
    cmp "$work/between.loads" "$work/beside.loads"
# Memory that is not the program's own lies elsewhere then: the simulator's heap, and what MPI and C's library give of
# it.
build given_by_others -O1 -g
mkdir -p "$work/a" "$work/of_another_length"
for folder in a of_another_length; do
    TMPDIR=$work/$folder "$sidewinder" run -q -m t3d -n 4 --json "$work/$folder.json" "$work/given_by_others" \
        >/dev/null 2>&1
done
says "loads of attributes and of thread-local variables cost the same whatever the length of TMPDIR" eval \
    '[ -s "$work/a.json" ] && cmp "$work/a.json" "$work/of_another_length.json"'
finish
