#!/bin/bash
# sim/cpu/library.def is what tests/library/count counted: each call of calls.def and fortran.def has its row, and no
# other has; and where glibc, gcc, processor and tools are like those that counted, the rows are found again.
. "$(dirname "$0")/../lib.sh"
table=$tests/../sim/cpu/library.def
sed -n 's/^CALL\(_[A-Z_]*\)\{0,1\}(\([^,]*\),.*/\2/p' "$here"/calls.def "$here"/fortran.def >"$work/calls"
sed -n 's/^LIBRARY("\([^"]*\)".*/\1/p' "$table" >"$work/rows"
says "each call has its row, in the same order" diff "$work/calls" "$work/rows"
says "and there are at least 240" [ "$(wc -l <"$work/rows")" -ge 240 ]

# Does this computer have what counted? It stands in the table's head.
here_counts() {
    grep -qF "glibc $(ldd --version | awk 'NR == 1 {print $NF}') and gcc $(gcc -dumpfullversion)'s" "$table" &&
        grep -qF " $(awk '/^vendor_id/ {print $3; exit}' /proc/cpuinfo)," "$table" &&
        grep -qw fma /proc/cpuinfo && command -v gdb &&
        gdb -batch -nx -ex 'python import capstone'
}
sampled "not the counting itself"
if thorough && here_counts >"$work/out" 2>"$work/err"; then
    "$here/count" >"$work/again" 2>"$work/err" || wrong "calls are counted: $(head -n 3 "$work/err")"
    says "what calls execute is found again" diff "$table" "$work/again"
fi
finish
