#!/bin/bash
# "MPI_WIN_MODEL is MPI_WIN_UNIFIED where caches and interface are coherent and updates need no call of the target".
. "$(dirname "$0")/../../lib.sh"
build model

# is "MACHINE OPTION..." MODEL
is() { [ "$(timeout 600 "$sidewinder" run -q -m $1 -n 2 "$work/model" 2>&1)" = "$2 $2 $2" ]; }

for machine in smp challenge rdma 'now --set serve.policy=interrupt' 'clump --set serve.policy=thread' \
    't3d --set coh.protocol=mesi'; do says "$machine: unified" is "$machine" unified; done
for machine in t3d cxl-pool now now-ethernet clump 'smp --set serve.policy=polling' \
    'rdma --set serve.when=completion' 't3d --set ni.invalidate=address'; do
    says "$machine: separate" is "$machine" separate
done
finish
