#!/bin/bash
# Children, locks on files, ways to sleep and static answers of C's library are a rank's own (apart.c).
. "$(dirname "$0")/../../lib.sh"
build apart
for machine in t3d rdma; do
    for what in children sleeps answers; do passes "$machine" 4 apart "$what"; done
    passes "$machine" 4 apart locks "$work/file"
done
finish
