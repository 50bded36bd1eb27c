#!/bin/bash
# Every lab of the classroom: a C file of at most 80 lines and a page whose commands print what the page says, a
# prediction, a repair and questions; their answers lie in a file of their own. The short run prints every third page.
here=$(cd "$(dirname "$0")" && pwd)
room=$here/../../apps/classroom
failed=0
wrong() { echo "FAILED: $*"; failed=$((failed + 1)); }

for lab in 1 2 3 4 5 6 7 8 9 10 11 12 13; do
    code=("$room"/lab${lab}_*.c) page=("$room"/lab${lab}_*.md)
    [ ${#code[@]} = 1 ] && [ -f "${code[0]}" ] || { wrong "lab $lab has one C file"; continue; }
    [ ${#page[@]} = 1 ] && [ -f "${page[0]}" ] || { wrong "lab $lab has one page"; continue; }
    [ "$(wc -l <"${code[0]}")" -le 80 ] || wrong "lab $lab's C file has at most 80 lines"
    for part in Predict 'What to run' Why 'What to change' Repair Questions; do
        grep -q "^## .*$part" "${page[0]}" || wrong "lab $lab's page has a part '$part'"
    done
    grep -q "\*\*Goal\*\*.*\*\*Time\*\*" "${page[0]}" || wrong "lab $lab's page names its goal and its time"
    grep -q "^## Answers" "${page[0]}" && wrong "lab $lab's page does not give the answers"
    for part in "^1\. " "^## A repair"; do
        grep -q "$part" "$room/answers/lab$lab.md" || wrong "lab $lab's answers have a part $part"
    done
    if [ -z "${POINTS:-}" ] && [ $((lab % 3)) != 1 ]; then echo "not printed in the short run: lab $lab"
    elif bash "$here/../../results/printed" check "${page[0]}"; then echo "ok: lab $lab prints what its page says";
        else failed=$((failed + 1)); fi
done

# The check itself: a page that claims something else fails.
copy=$(mktemp -d "${TMPDIR:-/tmp}/classroom-XXXXXX")
trap 'rm -rf "$copy"' EXIT
cp "$room"/lab1_* "$copy"
sed -i 's/^\(    .*after it (nothing): \)0$/\12/' "$copy"/lab1_*.md
if bash "$here/../../results/printed" check "$copy"/lab1_*.md >/dev/null; then wrong \
    "a page that claims another value is caught";
    else echo "ok: a page that claims another value is caught"; fi
echo "$failed failed"
[ $failed = 0 ]
