#!/bin/bash
# Vectors under a mask access the lanes that are asked for, no others. More vectors on more machines in the long run.
. "$(dirname "$0")/../lib.sh"
optimize=-O2
has() { grep -qm1 "^flags.* $1 " /proc/cpuinfo; }
try() {    # FLAGS INSTRUCTION
    gcc -O3 -ftree-vectorize $1 -I/usr/include/smpi -I"$tests" -S "$here/masked.c" -o "$work/masked.s"
    says "$1 makes masked instructions" test "$(grep -c "$2" "$work/masked.s")" -gt 9
    build masked -O3 -ftree-vectorize $1 -fchecking
    for machine in t3d $(thorough && echo rdma cxl-pool smp); do
        run_options=(--check --check-exit 9)
        passes $machine 2 masked $([ $machine = t3d ] || echo shorts)
        says "and no load or store of another lane is judged" [ "$status" != 9 ]
        run $machine 2 masked clash
        says "one of the same lane is" [ "$status" = 9 ]
    done
}
has avx2 || has avx512bw || { echo "skipped: this processor has no masked vectors"; exit 77; }
sampled "t3d, the first kind of vectors that this processor has"
if has avx2; then try -mavx2 vp*maskmov; fi
if has avx512bw && { thorough || ! has avx2; }; then
    try "-mavx512bw -mavx512vl -mprefer-vector-width=512" '{%k[1-7]}'
fi
finish
