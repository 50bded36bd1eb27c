#!/bin/bash
# "A nonblocking barrier is one: nobody passes before all have come." SimGrid's lets ranks pass once rank 0 has.
. "$(dirname "$0")/../../lib.sh"
build ibarrier
for machine in t3d smp now; do passes $machine 4 ibarrier; done
finish
