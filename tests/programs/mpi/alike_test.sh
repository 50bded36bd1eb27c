#!/bin/bash
# Nonblocking and persistent collectives against blocking ones, at random: datatypes, in place, operations.
. "$(dirname "$0")/../../lib.sh"
build alike
for seed in 1 2 $(thorough && seq 3 20); do
    for ranks in 3 4; do passes rdma $ranks alike 150 "$seed"; done
    passes t3d 5 alike 100 "$seed"
done
finish
