#!/bin/bash
# Explicit flush and invalidate do where caches are not coherent what the protocol does elsewhere.
. "$(dirname "$0")/../../lib.sh"
build explicit
saw() { says "$1: $2: $3" grep -qx "$2: $3" "$work/out"; }
for machine in t3d cxl-pool smp now; do
    run "$machine" 2 explicit
    saw $machine "after a put and sw_invalidate" 1
    saw $machine "after a put and sw_invalidate_all" 2
    saw $machine "got after a store and sw_flush" 4
    case $machine in t3d | cxl-pool) old=1 ;; *) old=0 ;; esac
    saw $machine "after a put" $((1 - old))
    saw $machine "got after a store" $((3 - old))
done
finish
