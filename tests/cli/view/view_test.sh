#!/bin/bash
# A page for a browser has all of a trace in one file. "one HTML file, opens offline from disk, nothing fetched"
. "$(dirname "$0")/../../lib.sh"
for app in halo stale; do "$sidewinder" cc -O2 -g -o "$work/$app" "$apps/$app.c" -lm || exit 1; done
cd "$work" || exit 1

"$sidewinder" run -q -m t3d -n 32 --trace halo.trace ./halo >out
"$sidewinder" run -q -m t3d -n 2 --set ni.invalidate=none --trace stale.trace ./stale >out
"$sidewinder" view halo.trace --source "$apps" >out
says "the page lies beside the trace" [ -s halo.html ]
says "making it prints nothing" [ ! -s out ]
size() { stat -c %s "$1"; }
says "the page of halo takes at most half of its trace: $(size halo.html) of $(size halo.trace) bytes" \
    [ $((2 * $(size halo.html))) -le "$(size halo.trace)" ]
"$sidewinder" view halo.trace --source "$apps" -o - >again.html
says "the same trace makes the same page, in a file or on standard output" cmp halo.html again.html
says "nothing is fetched: no address is in it" eval '! grep -oE "(src|href)=|https?://|import\(|fetch\(" halo.html'

# data FILE: the JSON of a page
data() { awk '/<script type="application\/json"/ {on = 1; next} /<\/script>/ {on = 0} on' "$1"; }
# What the page knows of each rank: "c 1234", seconds by activity; and of operations their number, bytes and latency.
known() {
    data "$1" | sed 's/{/\n{/g' | awk '
        function number(text,   i, n, sign) {
            sign = sub(/^-/, "", text) ? -1 : 1
            for (i = 1; i <= length(text); i++) n = n * 36 + index("0123456789abcdefghijklmnopqrstuvwxyz",
                substr(text, i, 1)) - 1
            return sign * n
        }
        match($0, /"rank":[0-9]+,/) && match($0, /"intervals":"[^"]*"/) {
            text = substr($0, RSTART + 13, RLENGTH - 14)
            match($0, /"rank":[0-9]+/)
            rank = substr($0, RSTART + 7, RLENGTH - 7)
            n = split(text, token, " ")
            for (i = 1; i <= n; i++) {
                sub(/:.*/, "", token[i])
                kind = substr(token[i], 1, 1)
                if (index("bldnitaz", kind)) kind = "w"   # waits, by cause
                sum[rank " " kind] += number(substr(token[i], 2))
            }
        }
        match($0, /"operations":"[^"]*"/) {
            n = split(substr($0, RSTART + 14, RLENGTH - 15), token, " ")
            for (i = 1; i <= n; i++) {
                split(token[i], f, ",")
                called += number(f[7]); bytes += number(f[4]); took += number(f[12]); dates += called
            }
            printf "operations %d %d %.9f %.6f\n", n, bytes, took / 1e12, dates / 1e12
        }
        END {for (k in sum) printf "%s %.9f\n", k, sum[k] / 1e12}' | sort
}
traced() {
    awk -F, '
        /^(compute|memory|service|wait),/ {sum[$2 " " substr($1, 1, 1)] += $4 - $3}
        /^(put|get|accumulate|get_accumulate),/ {n++; bytes += $4; took += $13 - $8; dates += $8}
        END {
            printf "operations %d %d %.9f %.6f\n", n, bytes, took, dates
            for (k in sum) printf "%s %.9f\n", k, sum[k]
        }' "$1" | sort
}
for name in halo stale; do
    [ -f $name.html ] || "$sidewinder" view $name.trace --source "$apps"
    known $name.html >known
    traced $name.trace >traced
    says "$name: the page's intervals and operations sum to the trace's" cmp known traced
done
late_in_page() { data halo.html | grep -o '"intervals":"[^"]*"' | tr ' "' '\n\n' | grep -c '^b[0-9a-z:]*$'; }
late_in_trace() { grep -cE '^cause,.*,(barrier|partner),' halo.trace; }
says "waits are cut by cause: $(late_in_page) of $(late_in_trace) were for ranks that came late" \
    [ "$(late_in_page)" = "$(late_in_trace)" ]
says "the critical path of the page has every piece that a rank ran" eval \
    '[ "$(data halo.html | sed "s/.*\"path\":\"//; s/\".*//" | wc -w)" = "$(grep -c "^path,run," halo.trace)" ]'
says "a stale load is a finding of the page, with both lines" eval \
    'data stale.html | grep -q "\"at\":\"stale.c:22\",\"other\":0,\"otherCall\":\"MPI_Put\",\"there\":\"stale.c:17\""'
says "the program's source is in the page" eval 'data stale.html | grep -q "\"source\":{\"stale.c\":\"/\*"'
"$sidewinder" view stale.trace --source /nonexistent -o none.html
mkdir -p other/src other/build
cp "$apps/stale.c" other/src/elsewhere.c
(cd other/build && "$sidewinder" cc -O2 -g -c ../src/elsewhere.c && "$sidewinder" cc -o ../../elsewhere elsewhere.o)
"$sidewinder" run -q -m t3d -n 2 --view elsewhere.html ./elsewhere >out
says "run --view finds the source of a program that was built elsewhere" eval \
    'data elsewhere.html | grep -q "\"source\":{\"elsewhere.c\":\"/\*"'
says "without its source the page is made, and says so" eval \
    'data none.html | grep -q "\"source\":{}" && grep -q "No source text" none.html'

awk '/^stale,/ {late = $0; next} /^end,/ {sub(/stale,1,[^,]*/, "stale,1,1e-06", late); print kept; print late}
    {print}' kept="$(grep '^stale,' stale.trace)" stale.trace >late.trace
"$sidewinder" view late.trace
says "findings stand in order of their dates, wherever the trace has them" eval \
    'data late.html | grep -o "\"events\":.*" | grep -o "\"time\":[0-9]*" | head -2 | cut -d: -f2 | sort -c -g'
sed 's|^run,\([^,]*\),\([^,]*\),[^,]*|run,\1,\2,</script><img src=x>|; s|stale.c:22|<b>@TITLE@|' stale.trace >evil.trace
"$sidewinder" view evil.trace
says "texts of a trace cannot end the script or become elements" eval \
    '[ "$(grep -c "</script>" evil.html)" = 2 ] && ! grep -q "<img\|<b>" evil.html'

"$sidewinder" view halo.trace --from 500us --to 600us -o part.html
says "a part of the run is smaller" [ "$(size part.html)" -lt "$(size halo.html)" ]
part=$(known part.html | awk '$1 == 0 && $2 != "-" {s += $3} END {printf "%.8f", s}')
says "of rank 0 it has 100 us: $part s" [ "$part" = 0.00010000 ]

"$sidewinder" view halo.trace --ranks 0-2,8 --kinds put,wait -o chosen.html --source "$apps"
awk -F, 'BEGIN {is[0] = is[1] = is[2] = is[8] = 1}
    $1 == "wait" && $2 in is || $1 == "put" && ($2 in is || $3 in is)' halo.trace >chosen.trace
known chosen.html | grep -v " -" >known # without gaps
traced chosen.trace >traced
says "of ranks and kinds that are chosen the page has all, of others nothing" cmp known traced
says "nor interfaces, which were not chosen" eval '! data chosen.html | grep -q "\"rank\":-1,\"node\""'
"$sidewinder" view halo.trace --kinds accumulate --ranks 31 -o least.html
known least.html | grep -v " -" >known
says "a page of nothing is made" grep -qx "operations 0 0 0.000000000 0.000000" known
"$sidewinder" view halo.trace --ranks 0-31 --source "$apps" -o all.html \
    --kinds compute,memory,service,wait,send,receive,put,get,accumulate,get_accumulate,control
says "a page of all ranks and kinds is the page of the run" cmp all.html halo.html

"$sidewinder" run -q -m t3d -n 32 --view run.html ./halo >out
"$sidewinder" view halo.trace -o bare.html --source "$apps"
says "run --view makes the page of the run" cmp run.html bare.html
says "and leaves no trace behind" [ ! -e trace ]

# refuses SENTENCE TEXT COMMAND...
refuses() {
    local sentence=$1 text=$2 code=0
    shift 2
    "$@" >out 2>err || code=$?
    says "$sentence" eval '[ $code != 0 ] && grep -q -e "$text" err && [ ! -s out ]'
}
refuses "a file that is not a trace is named" "evil.html" "$sidewinder" view evil.html -o x.html
says "and no page is made" [ ! -e x.html ]
refuses "a folder is refused" "Is a directory" "$sidewinder" view . -o x.html
refuses "a file that is not there is refused" "cannot read nothing.trace" "$sidewinder" view nothing.trace
refuses "the trace is not overwritten" "over the trace, halo.trace" "$sidewinder" view halo.trace -o halo.trace
ln -s halo.trace linked.html
refuses "nor through a link" "over the trace, halo.trace" "$sidewinder" view halo.trace -o linked.html
refuses "a page in no folder is refused" "cannot write none/x.html: No such file" "$sidewinder" view halo.trace \
    -o none/x.html
refuses "an empty stretch of time is refused" "not before" "$sidewinder" view halo.trace --from 2ms --to 1ms
refuses "a time behind the end is refused" "the run ends before" "$sidewinder" view halo.trace --from 1s
refuses "a time without a unit is refused" "from 5" "$sidewinder" view halo.trace --from 5
refuses "a rank that the run does not have is refused" "the run has no rank 32, its last is 31" \
    "$sidewinder" view halo.trace --ranks 3,30-32 -o x.html
for ranks in "" 3- 5-3 a 1,,2 -1 1-2-3 99999999999; do
    refuses "--ranks '$ranks' is refused" "accepted are ranks and ranges of them, such as 0-3,8" \
        "$sidewinder" view halo.trace "--ranks=$ranks" -o x.html
done
for kinds in "" puts put,,get; do
    refuses "--kinds '$kinds' is refused" "accepted are compute, memory, service, wait, send, receive, put, get, " \
        "$sidewinder" view halo.trace --kinds "$kinds" -o x.html
done
refuses "run refuses a page that cannot be written" "view" "$sidewinder" run -m t3d -n 2 --view /nonexistent/x ./stale
truncate -s 110M large.trace
refuses "a very large trace is refused with what to do" "from 0 --to 1ms, --ranks 0-7 or --kinds wait,put" \
    "$sidewinder" view large.trace
finish
