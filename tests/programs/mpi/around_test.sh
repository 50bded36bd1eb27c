#!/bin/bash
# What programs use around one-sided calls, and SimGrid's MPI lacks or gets wrong.
. "$(dirname "$0")/../../lib.sh"
for program in around_codes around_elements around_groups around_intercomms around_matched around_topologies; do
    build $program
    for machine in t3d smp; do passes "$machine" 3 $program; done
done
finish
