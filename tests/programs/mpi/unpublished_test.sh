#!/bin/bash
# A get that reads memory before the owner's earlier store has reached it is reported; others are not.
. "$(dirname "$0")/../../lib.sh"
build unpublished
line_of() { grep -n "$1" "$here/unpublished.c" | head -1 | cut -d: -f1; }
report() {     # HOW MACHINE SET...: the report, on one line
    local how=$1 machine=$2
    shift 2
    "$sidewinder" run -m "$machine" "$@" -n 2 "$work/unpublished" "$how" 2>&1 >"$work/out" | tr -s '\n ' '  '
}
told="Stale values read: rank 1's MPI_Get at unpublished.c:$(line_of GET) read memory. The last stores of its \
owner to 2 bytes of it were then in a cache or write buffer."
for machine in t3d cxl-pool; do
    report lock "$machine" >"$work/report"
    says "$machine: memory is older than the owner's store, and the report says so" \
        eval 'test "$(value got)" = 0 && grep -qF "$told" "$work/report"'
    report published "$machine" >"$work/report"
    says "$machine: what the owner has published is read, and not reported" \
        eval 'test "$(value got)" = 7 && ! grep -q "Old values" "$work/report"'
    report later "$machine" >"$work/report"
    says "$machine: a store that comes after the get is not reported" \
        eval 'test "$(value got)" = 0 && ! grep -q "Old values" "$work/report"'
done
report lock t3d --set cache.l1.write=back --set cache.l1.allocate=both >"$work/report"
says "t3d with a write-back cache: so is a store that lies in a line" grep -qF "$told" "$work/report"
report lock t3d --set wb.timeout=10us >"$work/report"
says "t3d whose write buffer empties itself: nothing is old" \
    eval 'test "$(value got)" = 7 && ! grep -q "Old values" "$work/report"'
finish
