#!/bin/bash
# What a request or a servicer that waits costs the host does not depend on how many wait with it.
. "$(dirname "$0")/../../lib.sh"
build put_accept_many
TIMEFORMAT=%U
for machine in t3d smp now; do
    servicers=
    [ $machine = smp ] && servicers=too
    { time passes "$machine" 2 put_accept_many 4000 $servicers; } 2>"$work/time"
    few=$(tail -n 1 "$work/time")
    { time passes "$machine" 2 put_accept_many 24000 $servicers; } 2>"$work/time"
    many=$(tail -n 1 "$work/time")
    says "$machine: six times the requests and servicers take the host less than 12 times as long ($few s, $many s)" \
        holds "$many < 12 * $few"
done
finish
