#!/bin/bash
# What the C library, MPI and inline assembly load from a window after a put and a fence, on every machine.
. "$(dirname "$0")/../../lib.sh"
flags=()
if grep -qw avx2 /proc/cpuinfo; then flags=(-mavx2); fi
build uninstrumented_loads "${flags[@]}"
for machine in $("$sidewinder" machines | awk '/^[a-z]/ {print $1}'); do passes "$machine" 2 uninstrumented_loads; done
run_options=(--set ni.invalidate=index)
passes t3d 2 uninstrumented_loads
run_options=(--set ni.invalidate=address)
passes t3d 2 uninstrumented_loads
finish
