#!/bin/bash
# What the C and C++ libraries, MPI and inline assembly store into a window is what others get after a fence.
. "$(dirname "$0")/../../lib.sh"
flags=(-w)
if grep -qw avx2 /proc/cpuinfo; then flags+=(-mavx2); fi
build uninstrumented_stores "${flags[@]}"
machines="t3d smp now"
thorough && machines=$("$sidewinder" machines | awk '/^[a-z]/ {print $1}')
sampled "the C library on $machines"
for machine in $machines; do passes "$machine" 2 uninstrumented_stores; done
run_options=(--set ni.invalidate=index)
passes t3d 2 uninstrumented_stores
run_options=(--quantum 0)
passes t3d 2 uninstrumented_stores
passes smp 2 uninstrumented_stores

run_options=()
"$sidewinder" c++ -O$(thorough && echo 2 || echo 1) -g -fno-var-tracking -o "$work/uninstrumented_streams" \
    "$here/uninstrumented_streams.cc" >"$work/build.log" 2>&1 ||
    { cat "$work/build.log"; wrong "a C++ program is compiled"; }
machines=rdma
thorough && machines="t3d smp now rdma cxl-pool"
sampled "streams of C++, optimised less, on $machines"
for machine in $machines; do passes "$machine" 2 uninstrumented_streams; done

run_options=()
build unseen_large
for machine in smp rdma $(thorough && echo t3d cxl-pool); do passes "$machine" 2 unseen_large; done
build unseen_large -O0
passes t3d 2 unseen_large

build unseen
run_options=(--report "$work/report")
for machine in t3d $(thorough && echo smp cxl-pool); do
    passes "$machine" 2 unseen
    tr -s ' \n' ' ' <"$work/report" >"$work/words"
    says "[$machine] the report names the place of an unseen store and how many bytes it was" grep -q \
        "Rank 0: code that was not compiled by sidewinder cc, called at unseen.c:[0-9]*, stored [0-9,]* bytes* into \
rank 0.s window" \
        "$work/words"
    says "[$machine] no load of what was stored so is stale" grep -q 'every load returned what memory held' \
        "$work/words"
done
finish
