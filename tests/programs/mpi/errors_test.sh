#!/bin/bash
# Every error of a one-sided call is an MPI error of the right class; nothing crashes and the window stays usable.
. "$(dirname "$0")/../../lib.sh"
build errors
for machine in t3d smp now; do passes "$machine" 3 errors; done
finish
