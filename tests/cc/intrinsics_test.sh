#!/bin/bash
# Instructions called by name (gathers, scatters, streams, masks, packed lanes) access what they do natively: the values
# are the same, and each lane that is asked for is an access, whole vectors the machine's words. What gcc makes of
# indirect loops (-O3 -march=...) are some of these, too. More levels and a second machine in the long run.
. "$(dirname "$0")/../lib.sh"
optimize=-O2
has() { grep -qm1 "^flags.* $1 " /proc/cpuinfo; }
has avx2 || { echo "skipped: this processor has no AVX2"; exit 77; }
flags=(-ftree-vectorize -mavx2)
if has avx512bw && has avx512vl && has avx512dq; then flags+=(-mavx512f -mavx512bw -mavx512vl -mavx512dq); fi
sampled "-O3 on rdma"

for level in -O3 $(thorough && echo -O0 -O1 -O2 -Os); do
    gcc $level "${flags[@]}" -o "$work/native" "$here/intrinsics.c"
    "$work/native" >"$work/natively"
    build intrinsics $level "${flags[@]}" -fchecking
    for machine in rdma $(thorough && echo t3d); do
        run $machine 1 intrinsics
        says "$machine: with $level memory holds what it does natively" cmp "$work/natively" "$work/out"
    done
done

# counted NAME: loads and stores of one round
counted() {
    run rdma 1 intrinsics "$1"
    echo $((($(json 'rank[0].cache[0].loads') - none_loaded) / 100)) \
        $((($(json 'rank[0].cache[0].stores') - none_stored) / 100))
}
build intrinsics -O2 "${flags[@]}"

run rdma 1 intrinsics nothing
none_loaded=$(json 'rank[0].cache[0].loads') none_stored=$(json 'rank[0].cache[0].stores')
"$work/native" list >"$work/there"
while read -r name loads stores; do
    grep -qx "$name" "$work/there" || continue
    says "$name: $loads loads, $stores stores" test "$(counted "$name")" = "$loads $stores"
done <<<'stream_ps 1 1
    stream_pd256 4 4
    stream_int 1 1
    stream_load 1 1
    unaligned 1 1
    halves 4 3
    mask_store 4 4
    mask_load 9 4
    mask_bytes 1 6
    gather_float 5 1
    gather_double 5 4
    gather_two 3 1
    gather_mask 11 4
    gather_bytes 6 1
    stream_512 8 8
    bits_load 4 8
    bits_load_over 6 8
    packed 13 12
    scatter 33 18
    gather_512 28 12'

# What gcc vectorises itself, judged: rank 1 puts what rank 0 gathers in the same epoch.
gcc -O3 -mavx2 -mtune=haswell -ftree-vectorize -I/usr/include/smpi -I"$tests" -S "$here/gathers.c" -o "$work/gathers.s"
says "gcc gathers in an indirect loop" grep -q vgather "$work/gathers.s"
build gathers -O3 -mavx2 -mtune=haswell -ftree-vectorize
run_options=(--check --check-exit 9)
run rdma 2 gathers
says "gathers of what nobody puts are right" test "$status" = 0
says "and load all of them" test "$(json 'rank[0].cache[0].loads')" -ge 4000
run rdma 2 gathers clash
says "a gather of what another rank puts is an error" test "$status" = 9
finish
