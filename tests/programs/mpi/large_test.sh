#!/bin/bash
# A transfer of tens of megabytes costs the host seconds: what the bus has booked ahead is not moved for every booking.
. "$(dirname "$0")/../../lib.sh"
build large
sampled "smp"
for machine in smp $(thorough && echo clump); do
    SECONDS=0
    passes "$machine" 2 large
    says "$machine: 32 million bytes each way take the host less than a minute" test "$SECONDS" -lt 60
done
finish
