#!/bin/bash
# More ways to load and to store (forms.c), at every level of optimisation and with the options that change how gcc
# makes them.
. "$(dirname "$0")/../lib.sh"
for flags in -O0 -O1 -O2 -O3 -Os "-O2 -fnon-call-exceptions" "-O3 -ftree-vectorize -funroll-loops"; do
    build forms $flags -w
    for machine in t3d cxl-pool smp; do passes $machine 2 forms; done
done
finish
