#!/bin/bash
# sidewinder compare refuses what is not a run's JSON, or has no such value, and prints the table and values of those
# that are.
. "$(dirname "$0")/../../lib.sh"
. "$(dirname "$0")/../refuses.sh"
build ../run/echo

refuses "comparing nothing"                  "A.json"              compare
refuses "comparing a file that is not there" "cannot read $work/no.json: No such file or directory" \
    compare "$work/no.json"
echo 'int main(void)' >"$work/other.json"
refuses "comparing what is no JSON at all"   "other.json: not a run.s JSON" compare "$work/other.json"
echo '{"a": 1}' >"$work/other.json"
refuses "comparing what is not a run's JSON" "--json"              compare "$work/other.json"
printf '%050000d' 0 | tr 0 '[' >"$work/deep.json"
refuses "comparing lists in lists without end" "deep.json: not a run" compare "$work/deep.json"
echo '{"sidewinder": "0.1.0", "machine": 5, "rank": []}' >"$work/other.json"
refuses "comparing what only looks like one" "other.json: not a run" compare "$work/other.json"
run t3d 2 echo
refuses "a key that is not there"            "not found in $work/json; did you mean time_s[?]" compare --key time \
    "$work/json"
refuses "one of a measure that is not there" "did you mean stale_loads[?]" compare --key 'sum(rank[*].stale_load)' \
    "$work/json"
says "a kind of operation that there is none of has no value" eval \
    '"$sidewinder" compare --key "operations[get].count" "$work/json" | cmp -s - /dev/null'
says "a fraction is printed with ten digits, not with all that a double has" eval \
    '"$sidewinder" compare --key time_s "$work/json" | grep -Eqx "[0-9.]{1,12}(e-[0-9]+)?"'
refuses "a key that is none"                 "--key"               compare --key 'rank[' "$work/json"
says "compare prints a column for each run" \
    eval '"$sidewinder" compare "$work/json" "$work/json" >"$work/table" && grep -q "^predicted time" "$work/table"'
says "what an experiment measures is a key, too" eval \
    '[ "$("$sidewinder" compare --key "sum(rank[*].stale_loads)" "$work/json")" = 0 ] &&
        [ "$("$sidewinder" compare --key "max(rank[*].rank) * 10" "$work/json" "$work/json" | tr "\n" ,)" = 10,10, ]'
says "several keys give all their values, those of a file together" eval \
    'two=$("$sidewinder" compare --key ranks --key "max(rank[*].rank)" "$work/json" "$work/json" | tr "\n" ,)
        [ "$two" = 2,1,2,1, ]'
refuses "a function that is none"             "--key median"        compare --key 'median(rank[*].time_s)' "$work/json"
finish
