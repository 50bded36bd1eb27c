#!/bin/bash
# Random race-free programs that store in many ways, instrumented or not, leave what they leave in plain memory.
. "$(dirname "$0")/../../lib.sh"
build ../../soak/ways -w -lpthread
for machine in $("$sidewinder" machines | awk '/^[a-z]/ {print $1}'); do
    for how in fence lock; do passes "$machine" 3 ways 1 3 "$how"; done
done
for how in fence lock; do passes t3d 2 ways 1 1 "$how"; done
passes cxl-pool 4 ways 2 3 fence
finish
