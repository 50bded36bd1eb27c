#!/bin/bash
# The tree of chains of calls: who called whom, what each cost there, however functions are left.
. "$(dirname "$0")/../../lib.sh"
build calls
"$sidewinder" c++ -O2 -g -o "$work/thrown" "$here/thrown.cc" 2>"$work/errors" || { cat "$work/errors"; finish; }

# The chains of $work/p as lines "main>left>work COUNT RECURSIVE COMPUTE STALL SERVICE WAIT", whatever lines call.
chains() {
    awk -F'\t' 'BEGIN { n = 0 }
        $1 == "chain" { name[n] = $2 < 0 ? "" : name[$2] ($2 > 0 ? ">" : "") $4
            as = $2 < 0 ? $4 : name[n]
            if (!(as in count)) order[k++] = as
            count[as] += $9; again[as] += $10
            for (i = 0; i < 4; i++) time[as, i] += $(11 + i)
            n++ }
        END { for (i = 0; i < k; i++) { as = order[i]
            print as, count[as], again[as], time[as, 0], time[as, 1], time[as, 2], time[as, 3] } }' "$work/p"
}
# has CHAIN COUNT RECURSIVE: is it there, called so often?
has() {
    chains | awk -v c="$1" -v n="$2" -v r="$3" '$1 == c { found = $2 == n && $3 == r } END { exit !found }' ||
        { echo "    no $* in:"; chains; return 1; }
}
no_chain() { ! chains | grep -q "$1"; }
# sums: of each kind, do the chains sum to the total, to a nanosecond?
sums() {
    awk -F'\t' '$1 == "total" { for (i = 0; i < 4; i++) all[i] = $(2 + i) }
        $1 == "chain" { for (i = 0; i < 4; i++) sum[i] += $(11 + i) }
        END { for (i = 0; i < 4; i++) if ((d = sum[i] - all[i]) > 1e-9 || d < -1e-9) {
            print "    kind " i ": " sum[i] ", not " all[i]; exit 1 } }' "$work/p"
}
# alike: does each function compute by chain what its lines compute, to a nanosecond? What is called in it by MPI is
# with its lines.
alike() {
    awk -F'\t' 'BEGIN { n = 0 } $1 == "line" { line[$2] += $6 }
        $1 == "chain" { f[n] = $3 == "function" ? $4 : f[$2]; chain[f[n++]] += $11 }
        END { for (k in line) if ((d = line[k] - chain[k]) > 1e-9 || d < -1e-9) {
            print "    " k ": " chain[k] " by chain, " line[k] " by line"; bad = 1 } exit bad }' "$work/p"
}
rest_is_small() { chains | awk '$1 == "(elsewhere)" { r = $4 + $5 + $6 + $7 } { all += $4 + $5 + $6 + $7 }
    END { exit !(r < all / 1000 && r > -all / 1000) }'; }

for machine in t3d smp rdma; do
    (cd "$work" && "$sidewinder" run -q -m $machine -n 2 --json with --profile p ./calls &&
        "$sidewinder" run -q -m $machine -n 2 --profile q ./calls &&
        "$sidewinder" run -q -m $machine -n 2 --json without ./calls
    ) || wrong "it runs on $machine"
    says "$machine: the profiles of two runs are byte-identical" cmp "$work/p" "$work/q"
    says "$machine: a run that is profiled predicts what one predicts that is not" eval '
        with=$("$sidewinder" compare --key time_s "$work/with")
        without=$("$sidewinder" compare --key time_s "$work/without")
        [ "$with" -a "$with" = "$without" ]'
    says "$machine: chains sum to the totals of the ranks to a nanosecond" sums
    says "$machine: less than a thousandth has no chain" rest_is_small
    says "$machine: a function computes by chain what its lines compute" alike
    says "$machine: of two callers each has its own" eval 'has "main>left>work" 40 0 && has "main>right>work" 20 0'
    says "$machine: an MPI call stands below the function that made it, with its wait" eval '
        has "main>right>MPI_Barrier" 20 0 && chains | awk "\$1 == \"main>right>MPI_Barrier\" { exit !(\$7 > 0) }"'
    says "$machine: recursion counts once a chain" eval '
        has "main>even" 2 20 && has "main>even>odd" 20 0 && no_chain "odd>even"'
    says "$machine: what a longjmp leaves is left" eval 'has "main>jumps>deep" 2 6 && has "main>jumps>work" 2 0'
    says "$machine: a callback is called where its library was" eval '
        chains | grep -q "^main>sorts>less " && no_chain "^main>less"'
    says "$machine: a call in tail position stands below the function that makes it" has "main>last>work" 2 0
done

for flags in "-masm=intel -O1" "-O3 -fno-omit-frame-pointer -mavx2" "-Os -fstack-protector-all"; do
    build calls $flags
    (cd "$work" && "$sidewinder" run -q -m t3d -n 1 --profile p ./calls) || wrong "it runs with $flags"
    says "compiled with $flags the chains are the same" eval 'has "main>left>work" 20 0 && has "main>jumps>deep" 1 3 &&
        has "main>even" 1 10 && sums && alike'
done

(cd "$work" && "$sidewinder" run -q -m t3d -n 1 --profile p ./thrown) || wrong "thrown runs"
says "what an exception leaves is left, and its destructors run where they are" eval '
    chains | grep -q "^main>catches()>other()>work(int) " &&
    chains | grep -q "^main>catches()>deep(int)>.*work(int) 4 " &&
    chains | grep -q "^main>other()>work(int) " && no_chain "deep(int)>other()"'
says "functions of C++ have their names in all tables" eval '
    for by in line function variable call; do
        "$sidewinder" profile --by $by "$work/p" >"$work/$by"
        grep -q "_Z[0-9]" "$work/$by" && exit 1
    done
    grep -q "work(int)" "$work/function" && grep -q "work(int)" "$work/call"'
says "in C++, too, they sum to the totals" eval 'sums && alike'

build operation
for machine in t3d smp rdma; do
    (cd "$work" && "$sidewinder" run -q -m $machine -n 3 --profile p ./operation) || wrong "operation runs on $machine"
    says "$machine: an operation of the program's computes as long where MPI calls it" eval '
        chains | awk "{ took[\$1] = \$4 }
            END { own = took[\"main>mix\"]; mpi = took[\"main>MPI_Reduce_local>mix\"]
                exit !(own > 0 && mpi > .99 * own && mpi < 1.01 * own) }" && sums'
    says "$machine: a callback of an attribute computes as long where MPI calls it" eval '
        chains | awk "{ took[\$1] = \$4 }
            END { own = took[\"main>copied\"]; mpi = took[\"main>MPI_Comm_dup>copied\"]
                exit !(own > 0 && mpi > .99 * own && mpi < 1.01 * own) }"'
    says "$machine: what it stalls is with its lines alone, to a nanosecond" awk -F'\t' '
        $1 == "line" { for (i = 6; i <= 10; i++) if ($i < -1e-9) { print "    " $0; bad = 1 } }
        END { exit bad }' "$work/p"
done

build in_line
line() { grep -n "/\* $1 \*/" "$here/in_line.c" | cut -d: -f1; }
(cd "$work" && "$sidewinder" run -q -m t3d -n 2 --profile p ./in_line) || wrong "in_line runs"
says "what functions in line call stands below them" eval 'has "main>phase>step>work" 20 0 &&
    has "main>phase>MPI_Barrier" 20 0 && has "main>work" 2 0 && sums && alike'
says "each with the line that it is called from" eval '
    "$sidewinder" profile --by call "$work/p" >"$work/table" &&
    grep -q "  phase (in line)  from line $(line phases)" "$work/table" &&
    grep -q "  step (in line)  from line $(line steps)" "$work/table" &&
    grep -q "  work  in_line.c:[0-9]*  from line $(line works)" "$work/table" &&
    grep -q "  MPI_Barrier  from line $(line meets)" "$work/table"'

(cd "$work" && "$sidewinder" run -q -m t3d -n 2 --profile p ./calls)
says "the table is a tree, dearest first" eval '"$sidewinder" profile --by call --top 6 "$work/p" >"$work/table" &&
    sed -n 5p "$work/table" | grep -q "  main  calls.c:" && sed -n 6p "$work/table" | grep -q "    right  calls.c:" &&
    sed -n 7p "$work/table" | grep -q "      work  calls.c:"'
"$sidewinder" profile --format callgrind "$work/p" >"$work/callgrind"
if command -v callgrind_annotate >/dev/null; then
    (cd / && callgrind_annotate --auto=no --tree=both --inclusive=yes --threshold=100 --show=ns "$work/callgrind") \
        >"$work/annotated" 2>"$work/errors"
    says "callgrind_annotate --tree=both shows callers and called" eval '[ ! -s "$work/errors" ] &&
        grep -q "(100.0%)  PROGRAM TOTALS" "$work/annotated" && grep -q "  < .*calls.c:right (20x)" "$work/annotated" &&
        grep -q "  >  .*calls.c:work (40x)" "$work/annotated"'
fi
"$sidewinder" profile --format speedscope "$work/p" >"$work/speedscope"
says "the stacks of speedscope are the chains, and their weights sum to the end" awk '
    /"name":"calls, by call"/ { match($0, /endValue":[0-9]+/); end = substr($0, RSTART + 10, RLENGTH - 10); on = 1 }
    on && /^"samples"/ { deep = /\[[0-9]+,[0-9]+,[0-9]+,[0-9]+,[0-9]+/ }
    on && /^"weights"/ { gsub(/[^0-9,]/, ""); n = split($0, w, ","); for (i = 1; i <= n; i++) s += w[i]; on = 0 }
    END { exit !(s > 0 && s == end && deep) }' "$work/speedscope"
finish
