#!/bin/bash
# Small programs, each with one culprit: what to look at first names its line, and what is wrong there.
. "$(dirname "$0")/../../lib.sh"
build planted

# planted NAME WORDS MACHINE...: the report begins with a sentence of those words, with the line for AT
planted() {
    local name=$1 words=$2 machine at
    shift 2
    at=planted.c:$(grep -n "/\* $name \*/" "$here/planted.c" | cut -d: -f1)
    for machine; do
        (cd "$work" && "$sidewinder" run -m "$machine" -n 4 --report report ./planted "$name") >"$work/out" 2>&1 ||
            wrong "$name runs on $machine"
        sed -n '/^What to look at first/,/^$/p' "$work/report" | tr -s ' \n' ' ' >"$work/first"
        says "$machine: the culprit of $name is named" grep -qF "${words//AT/$at}" "$work/first"
    done
}
apart="so each takes another line; 100 % of loads there missed all caches"
planted columns "stalls at AT: " t3d smp now
planted columns "They are 2,560 bytes apart, $apart" t3d
planted sets "They are 1,048,576 bytes apart, so they share 1 of the 512 sets of the first level" smp now
planted banks "They are 8,192 bytes apart, $apart" t3d smp now
planted banks "They are 8,192 bytes apart, so each takes another line; most were answered by a cache beyond the" rdma
planted pages "stalls at AT: " t3d
planted pages "% of loads there missed all caches, in no order" t3d
planted branches "was for branches at AT that went another way than predicted" smp rdma
planted division "was for divisions or square roots at AT: " t3d smp now rdma
planted sharing "loaded and stored at AT by 4 ranks. Each rank uses other bytes: false sharing" smp
planted lock "waiting in MPI_Win_lock at AT for the lock of rank 0's window 0" t3d smp now rdma
planted late "% at AT: 'sidewinder blocks planted -m" t3d smp now
planted late "The slowest rank was 2: it waited least" t3d smp now rdma
planted servicer "arrived and were not yet serviced by rank 0, which " now
planted node "in MPI_Win_fence at AT: the last to come was rank 3, which had waited for an interface" t3d now rdma
planted node "Busiest was the interface of node 0, receiving" t3d now rdma
planted tiny "MPI_Put at AT and the servicing of it: 4,000 calls for 8 bytes each" t3d smp now rdma
planted counter "MPI_Fetch_and_op at AT: the lock of accumulates was held for AT, by rank" t3d
planted counter "in MPI_Fetch_and_op at AT: what the call itself takes" smp
planted counter "Busiest was the interface of node 0, receiving" now
planted barriers "spent in MPI_Barrier at AT for nothing: 392 of 400 calls" t3d smp now rdma
planted fences "waiting in MPI_Win_fence at AT: messages of a barrier or a reduction, in 200 calls" t3d smp now rdma
finish
