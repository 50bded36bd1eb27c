#!/bin/bash
# Vectors under a mask access the lanes that are asked for, no others. With POINTS set more vectors on
# more machines.
. "$(dirname "$0")/../lib.sh"
has() { grep -qm1 "^flags.* $1 " /proc/cpuinfo; }
try() {    # FLAGS INSTRUCTION
    gcc -O3 -ftree-vectorize $1 -I/usr/include/smpi -I"$tests" -S "$here/masked.c" -o "$work/masked.s"
    says "$1 makes masked instructions" test "$(grep -c "$2" "$work/masked.s")" -gt 9
    build masked -O3 -ftree-vectorize $1 -fchecking
    for machine in t3d rdma ${POINTS:+cxl-pool smp}; do
        run_options=(--check)
        passes $machine 2 masked $([ $machine = t3d ] || echo shorts)
        says "and no load or store of another lane is judged" eval '! grep -q "conflict" "$work/err"'
    done
}
if has avx2; then try -mavx2 vp*maskmov; fi
if has avx512bw && { [ "${POINTS:-}" ] || ! has avx2; }; then
    try "-mavx512bw -mavx512vl -mprefer-vector-width=512" '{%k[1-7]}'
fi
finish
