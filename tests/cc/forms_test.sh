#!/bin/bash
# More ways to load and to store (forms.c), at every level of optimisation and with the options that change how gcc
# makes them.
. "$(dirname "$0")/../lib.sh"
optimize=-O2
flags=(-O0 -O2 "-O3 -ftree-vectorize -funroll-loops")
thorough && flags+=(-O1 -O3 -Os "-O2 -fnon-call-exceptions")
sampled "the options ${flags[*]}"
for flags in "${flags[@]}"; do
    build forms $flags -w
    for machine in t3d cxl-pool smp; do passes $machine 2 forms; done
done
finish
