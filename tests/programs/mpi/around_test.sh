#!/bin/bash
# What programs use around one-sided calls, and SimGrid's MPI lacks or gets wrong.
. "$(dirname "$0")/../../lib.sh"
for what in cancel codes each elements groups halves inactive intercomms large matched newer order partitioned tools \
    topologies; do
    program=around_$what
    build $program
    for machine in t3d smp; do passes "$machine" 3 $program; done
done
finish
