#!/bin/bash
# The hottest code: the hooks of loads and stores call nothing, they return or jump; and up to 8 bytes they have no
# stack frame before they have looked into the filter.
. "$(dirname "$0")/../lib.sh"
library=$(dirname "$sidewinder")/../lib/libsidewinder.so
objdump -d --no-show-raw-insn "$library" >"$work/code"
for way in read write; do
    for bytes in 1 2 4 8 16; do
        hook=__tsan_$way$bytes
        sed -n "/<$hook>:\$/,/^\$/p" "$work/code" >"$work/$hook"
        says "$hook is there and returns" grep -q 'ret' "$work/$hook"
        says "$hook calls nothing" bash -c "! grep -q 'call' '$work/$hook'"
        sed '/\tj[a-z]* /q' "$work/$hook" >"$work/start"
        [ $bytes -eq 16 ] || says "$hook hits without a stack frame, in at most 12 instructions" \
            bash -c "! grep -E 'push|,%rsp\$' '$work/start' && [ \$(wc -l <'$work/start') -le 13 ]"
    done
done

# sw_compute charges what it says, and the header does without Sidewinder.
cat >"$work/compute.c" <<'C'
#include <mpi.h>
#include <sidewinder.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double start = MPI_Wtime();
    sw_compute(150e6);
    printf("seconds=%.6f\n", MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 "$work/compute.c" -o "$work/compute"
run t3d 1 compute
says "sw_compute(150e6) is a second of a 150 MHz processor" holds "$(value seconds) >= 1 && $(value seconds) < 1.000001"
says "the header compiles for another MPI" gcc -DSIDEWINDER_NONE -I/usr/include/smpi -I"$here/../../include" \
    -fsyntax-only "$work/compute.c"
finish
