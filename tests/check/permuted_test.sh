#!/bin/bash
# "Grants prove nothing ...; tested by permuting grants": the cases of the suite once more, where each rank waits a
# random time before calls for whose turn ranks compete (wander.h). Locks, messages from any source and successful
# tests come in another order, and the findings are the same. They may differ where the program reads another value or
# flag: below.
. "$(dirname "$0")/../lib.sh"
cd "$work" || exit 1
seeds='1 2' machines=(rdma)
cases=$(echo "$here"/{locks,atomics,requests,messages,orders,patterns,court}.txt)
thorough && seeds='1 2 3 4 5 6 7 8 9 10 11 12' machines=(rdma t3d now clump challenge)
thorough && cases=$(echo "$here"/{cases,messages,locks,classic,suites,sentences,memory,lines,flavors}.txt \
    "$here"/{library,atomics,further,requests,shapes,returns,hidden,queries,outside,orders}.txt \
    "$here"/{mixed,several,fences,patterns,judged,court}.txt)
sampled "cases of locks, atomics, requests and messages, with the seeds $seeds on ${machines[*]}"

# Is there another order at all? Who came how many-th to an exclusive lock, a receive from any source and a test.
cat >order.c <<'C'
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, *base, mine, from[3], flag = 0, tests = 0;
    MPI_Win win;
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    *base = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Get(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    mine++;
    MPI_Put(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    if (rank) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    for (int i = 0; i < 3 && rank == 0; i++)
        MPI_Recv(&from[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 4; i++, flag = 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 2, 1, MPI_COMM_WORLD);
        if (rank == 2) MPI_Irecv(from, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request);
        for (; rank == 2 && !flag; tests++) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    }
    printf("lock %d of rank %d\n", mine, rank);
    if (rank == 0) printf("messages %d %d %d\n", from[0], from[1], from[2]);
    if (rank == 2) printf("tests %d\n", tests);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 -include "$here/wander.h" order.c -o order || { wrong "order.c is compiled"; finish; }
for seed in 1 2 3 4 5 6; do
    WANDER=$seed "$sidewinder" run -m rdma -n 4 -q ./order >order.$seed || wrong "order with seed $seed"
done
# orders WORD: in how many ways
orders() { for seed in 1 2 3 4 5 6; do grep "^$1" order.$seed | sort | xargs; done | sort -u | wc -l; }
for what in lock messages tests; do
    says "six seeds give at least three orders of $what" [ "$(orders $what)" -ge 3 ]
done

# Where what the racy program reads carries order, it is no race in an order in which it reads that: the name, what it
# reads.
cat >read <<'N'
flush_load_acc the value that the accumulate left; so is it a finding of the separate model
flush_load_rep the same
flush_load_fop the same
flush_load_cas the same
flush_load_gac the same
mcs_lock the lock's word: it was free for all of them
spin_lock_released_before_the_put the same
bounded_buffer_of_two_slots the count of slots: all were full
watched_by_load_in_a_test_loop the flag of its first test
tested_in_a_loop_then_loaded the same
N
awk -f "$here/generate.awk" -v crossed=$(thorough && echo 1 || echo 0) -v expected=expected $cases >cases.c
"$sidewinder" cc -O1 -g -include "$here/wander.h" cases.c -o cases || { wrong "the cases are compiled"; finish; }
cut -d' ' -f1-3 expected | sort -u >want
awk 'NR == FNR { reads[$1] = 1; next } !($4 in reads) { print $1, $2, $3 }' read expected | sort -u >always
sed 's/^error/separate/' want | sort -u want - >allowed

# pairs SEED MACHINE VARIANT SHARED: the lines blamed.
pairs() {
    rm -f json
    WANDER=$1 "$sidewinder" run -m "$2" -n 4 -q --check --json json ./cases "$3" "$4" >printed ||
        echo "the run ends with $?"
    awk -f "$here/pairs.awk" json
}
for seed in $seeds; do
    machine=${machines[seed % ${#machines[@]}]}
    for variant in race fix; do
        { pairs $seed smp $variant 1; pairs $seed $machine $variant 0; } | sort -u >got.$variant
    done
    says "$machine, seed $seed: no correct case is blamed" diff /dev/null got.fix
    says "$machine, seed $seed: every racy case is blamed that reads the same" [ -z "$(comm -23 always got.race)" ]
    says "$machine, seed $seed: no other lines are" [ -z "$(comm -13 allowed got.race)" ]
done
finish
