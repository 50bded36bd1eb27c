#!/bin/bash
# Where the time of a run went: the profile's lines are the program's, and their sums are the report's.
. "$(dirname "$0")/../../lib.sh"
build lines
source=$here/lines.c

line() { grep -n "/\* $1 \*/" "$source" | cut -d: -f1; }
profile() { "$sidewinder" profile "$@" >"$work/table" 2>"$work/errors"; }
# field NAME FIELD...: the fields of the row of that line, of the profile in $work/p
row() {
    awk -F'\t' -v at="$(line "$1")" -v f="$2" '$1 == "line" && $4 == at { n += $f }
        END { print n + 0 }' "$work/p"
}
near() { awk -v a="$1" -v b="$2" -v by="$3" 'BEGIN { d = a - b; exit !(d <= by && d >= -by) }' ||
    { echo "    $1, not $2"; return 1; }; }
# sums FIELD... KEY: do the lines sum to the ranks' KEY, to a nanosecond?
sums() {
    local key=${*: -1} fields="${*:1:$#-1}"
    near "$(awk -F'\t' -v f="$fields" 'BEGIN { n = split(f, k, " ") }
        $1 == "line" { for (i = 1; i <= n; i++) s += $k[i] } END { printf "%.12g", s }' "$work/p")" \
        "$("$sidewinder" compare --key "rank[*].$key" "$work/json" |
            awk '{ s += $1 } END { printf "%.12g", s }')" 1e-9
}
elsewhere() { awk -F'\t' '$1 == "total" { all = $2 + $3 + $4 + $5 }
    $1 == "line" && $2 == "(elsewhere)" { rest = $6 + $7 + $8 + $9 + $10 }
    END { exit !(rest < all / 1000 && rest > -all / 1000) }' "$work/p"; }

for machine in t3d smp now rdma; do
    for again in p q; do
        (cd "$work" && "$sidewinder" run -m $machine -n 2 --json json --profile $again -q ./lines) ||
            wrong "it runs on $machine"
    done
    says "$machine: the profiles of two runs are byte-identical" cmp "$work/p" "$work/q"
    says "$machine: computation, stalls, servicing and waits sum to the ranks' to a nanosecond" \
        eval 'sums 6 compute_s && sums 7 8 memory_s && sums 9 service_s && sums 10 wait_s'
    says "$machine: less than a thousandth of it has no line" elsewhere
    for key in compute_s memory_s service_s wait_s; do
        sum() { "$sidewinder" compare --key "sum($1[*].$key)" "$work/json"; }
        says "$machine: the JSON has $key by line, and all of it" near "$(sum lines)" "$(sum rank)" 1e-9
    done
    says "$machine: the line that misses has a miss for each line it touches" \
        eval '[ "$(row misses 16)" -ge 16384 ] && [ "$(row misses 12)" = 16384 ]'
    says "$machine: a loop's line has run as often as it says" near "$(row divides 11)" 99995 10
    says "$machine: what the program asks to be charged is at its line" near "$(row asks 6)" 2e-5 1e-6
    says "$machine: what is copied is at the line of the call" eval '[ "$(row copies 16)" -ge 16384 ]'
    says "$machine: who is late makes the fence wait at its line" \
        near "$(row waits 10)" "$(awk -v d="$(row divides 6)" 'BEGIN { print d * 3 / 5 }')" 1e-4
done

says "it prints a table" profile "$work/p"
says "its first line is the dearest" eval 'sed -n 4p "$work/table" | grep -q "lines.c:$(line divides) "'
says "by function one row is a function" \
    eval 'profile --by function "$work/p" && [ "$(grep -c divides "$work/table")" = 1 ]'
says "by call the wait has its cause" \
    eval 'profile --by call "$work/p" && grep -q "the last to come was rank 1" "$work/table"'
says "--top 3 prints three rows, and how many more there are" \
    eval 'profile --top 3 "$work/p" && [ "$(wc -l <"$work/table")" = 7 ] &&
        grep -q "more rows; --top 0 prints all" "$work/table"'
says "the source of a function stands beside what it cost" eval 'profile --annotate misses "$work/p" &&
    grep -q "16,384 .*s += far" "$work/table" && ! grep -q "memcpy" "$work/table"'
says "the source of a file, whole" eval 'profile --annotate lines.c "$work/p" &&
    [ "$(($(wc -l <"$source") + 3))" = "$(wc -l <"$work/table")" ]'
(cd "$work" && "$sidewinder" run -m t3d -n 2 --profile t3d.profile -q ./lines)
says "against another machine it prints differences" eval 'profile --against "$work/t3d.profile" "$work/p" &&
    grep -q "^against: lines on t3d" "$work/table" && grep -q "[+-].* lines.c:$(line divides) " "$work/table"'
says "against itself there is none" eval 'profile --against "$work/p" "$work/p" && [ "$(wc -l <"$work/table")" = 4 ]'

# What others read.
profile --format callgrind "$work/p"
cp "$work/table" "$work/callgrind"
ns=$(awk '/^calls=/ { getline; next } /^[0-9]+ / { s += $2 } END { print s }' "$work/callgrind")
says "callgrind's totals are the profile's" near "$ns" \
    "$(awk -F'\t' '$1 == "total" { print ($2 + $3 + $4 + $5) * 1e9 }' "$work/p")" 1000
if command -v callgrind_annotate >/dev/null; then
    callgrind_annotate --auto=no "$work/callgrind" >"$work/annotated" 2>"$work/errors"
    says "callgrind_annotate reads it" eval '[ ! -s "$work/errors" ] && grep -q "lines.c:divides" "$work/annotated"'
fi
profile --format speedscope "$work/p"
says "speedscope's weights sum to its end" awk '/^"weights"/ { gsub(/[^0-9,]/, ""); n = split($0, w, ",")
    for (i = 1; i <= n; i++) s += w[i]; bad += s != end; all += s; s = 0 } /endValue/ { match($0, /endValue":[0-9]+/)
    end = substr($0, RSTART + 10, RLENGTH - 10) } END { exit !(all > 0 && !bad) }' "$work/table"

refused() { # CODE MESSAGE ARGUMENT...
    "$sidewinder" profile "${@:3}" >"$work/table" 2>"$work/errors"
    [ $? = "$1" ] && grep -q "^sidewinder profile: .*$2" "$work/errors"
}
says "another word for --by is refused" refused 2 "accepted are line, function" --by file "$work/p"
says "a profile is needed" refused 2 "give one FILE" --top 3
says "a file that is none is refused" refused 1 "is not a profile" "$source"
sed '$d; 5s/\t/ /' "$work/p" >"$work/broken"
says "a broken line is named" refused 1 "broken:5: not a line" "$work/broken"
says "a name that nothing has is refused" refused 1 "no file or function" --annotate nowhere.c "$work/p"
says "a file that is not there is refused" refused 1 "No such file" "$work/absent"

# Behind MPI_Finalize the program has no time of the run's any more.
cat >"$work/after.c" <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    volatile int sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    for (int i = 0; i < 1000; i++) sum += i;
    return 0;
}
C
"$sidewinder" cc -O2 -g "$work/after.c" -o "$work/after"
for ranks in 1 2; do
    "$sidewinder" run -m t3d -n $ranks --profile "$work/after.profile" "$work/after" >"$work/after.txt" 2>&1
    says "$ranks: what runs behind MPI_Finalize is in no row, and no share is over 100 %" eval \
        'grep -q "^What to look at" "$work/after.txt" && ! grep -Eq "[1-9][0-9]{3,} %|1[0-9][1-9] %" "$work/after.txt"'
    # rounding aside: a nanosecond's billionth
    says "$ranks: and no row is below zero" awk -F'\t' '$1 == "line" { for (i = 3; i <= NF; i++)
        if ($i + 0 < -1e-18) bad = 1 } END { exit bad }' "$work/after.profile"
done
finish
