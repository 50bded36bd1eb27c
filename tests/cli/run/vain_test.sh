# Calls in vain, words that one call could carry, loops that wait for a value, and what late ranks did are named at the
# top of the report.
. "$(dirname "$0")/../../lib.sh"
first() { sed -n '/^What to look at first/,/^$/p' "$work/report" | tr -s ' \n' ' '; }
mentions() { case $2 in *"$1"*) return 0 ;; *) echo "    no '$1' in: $2"; return 1 ;; esac; }
cat >"$work/vain.c" <<'C'
#include <mpi.h>
#include <sidewinder.h>
#include <string.h>
static double mine[512];
int main(int argc, char **argv)
{
    int rank, x = 0, done = 0;
    double *table;
    MPI_Win win;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4096, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
    const char *what = argv[1];
    for (int i = 0; i < 100 && !strcmp(what, "fences"); i++)
        MPI_Win_fence(0, win); /* fences */
    for (int i = 0; i < 50 && !strcmp(what, "epochs"); i++) {
        MPI_Win_fence(0, win); /* epochs */
        MPI_Put(mine, 1, MPI_DOUBLE, !rank, 0, 1, MPI_DOUBLE, win);
        MPI_Win_fence(0, win);
    }
    for (int i = 0; i < 100 && !strcmp(what, "barriers"); i++)
        MPI_Barrier(MPI_COMM_WORLD); /* barriers */
    for (int i = 0; i < 50 && !strcmp(what, "halves"); i++) {
        MPI_Barrier(MPI_COMM_WORLD); /* halves */
        if (rank == 0) MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
        if (rank == 0) MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    }
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < 50 && !strcmp(what, "guarded"); i++) {
        MPI_Barrier(MPI_COMM_WORLD); /* guarded */
        MPI_Put(mine, 1, MPI_DOUBLE, !rank, 0, 1, MPI_DOUBLE, win);
        MPI_Win_flush(!rank, win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < 100 && !strcmp(what, "same"); i++)
        MPI_Accumulate(mine, 1, MPI_DOUBLE, !rank, 0, 1, MPI_DOUBLE, MPI_SUM, win); /* same */
    for (int i = 0; i < 200 && !strcmp(what, "flushes"); i++) {
        if (i % 50 == 0) MPI_Put(mine, 1, MPI_DOUBLE, !rank, 0, 1, MPI_DOUBLE, win);
        MPI_Win_flush(!rank, win); /* flushes */
    }
    for (int i = 0; i < 512 && !strcmp(what, "words"); i++)
        MPI_Put(&mine[i], 1, MPI_DOUBLE, !rank, i, 1, MPI_DOUBLE, win); /* words */
    for (int i = 0; i < 512 && !strcmp(what, "scattered"); i++)
        MPI_Put(&mine[i], 1, MPI_DOUBLE, !rank, i * i % 509, 1, MPI_DOUBLE, win); /* scattered */
    MPI_Win_unlock_all(win);
    if (!strcmp(what, "tests")) {
        MPI_Irecv(&x, 1, MPI_INT, !rank, 0, MPI_COMM_WORLD, &request);
        if (rank == 0) sw_compute_seconds(1e-3);
        if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        while (rank == 1 && !done) MPI_Test(&request, &done, MPI_STATUS_IGNORE); /* tests */
        if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (!strcmp(what, "asks") || !strcmp(what, "takes")) {
        const int one = 1;
        MPI_Win_lock_all(0, win);
        table[0] = 0;
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) sw_compute_seconds(1e-3);
        if (rank == 0) MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
        for (; rank == 1 && what[0] == 'a' && !done; MPI_Win_flush(0, win))
            MPI_Get(&done, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* asks */
        for (int i = 0; i < 500 && what[0] == 't'; i++, MPI_Win_flush(0, win))
            MPI_Fetch_and_op(&one, &x, MPI_INT, 0, 0, MPI_SUM, win); /* takes */
        MPI_Win_unlock_all(win);
    }
    if (!strcmp(what, "late")) {
        for (int i = 0; rank == 1 && i < 100; i++) {
            sw_compute_seconds(5e-4);
            MPI_Iprobe(0, 0, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
        }
        for (int i = 0; i < 60 && rank == 0; i++) {
            MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
            MPI_Get(&x, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
            MPI_Win_unlock(1, win); /* late */
            sw_compute_seconds(1e-4);
        }
    }
    if (!strcmp(what, "spins") || !strcmp(what, "scales") || !strcmp(what, "shares")) {
        volatile int *flag;
        const int me = rank;
        MPI_Win_free(&win);
        MPI_Win_allocate_shared(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &table, &win);
        MPI_Win_shared_query(win, 0, &(MPI_Aint){0}, &x, &flag);
        MPI_Win_lock_all(0, win);
        if (me == 0) sw_compute_seconds(1e-3), *flag = 1;
        while (what[1] == 'p' && me == 1 && !*flag)
            ; /* spins */
        for (int i = 0; i < 50000 && what[1] == 'c'; i++) mine[i % 512] += *flag * i; /* scales */
        for (int i = 0; i < 3000 && what[1] == 'h'; i++) flag[me]++; /* shares */
        MPI_Win_unlock_all(win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
}
C
"$sidewinder" cc -O2 -g -o "$work/vain" "$work/vain.c"
vain() {
    "$sidewinder" run -m "${2:-now}" -n 2 "$work/vain" "$1" >"$work/report" 2>&1
    at=vain.c:$(grep -n "/\* $1 \*/" "$work/vain.c" | cut -d: -f1)
}
vain fences
says "of fences that nobody uses the window between it is said" \
    mentions "in MPI_Win_fence at $at for nothing: 198 of 200 calls found that no rank had used the window" "$(first)"
vain barriers
says "of barriers that nobody calls MPI between, too" \
    mentions "in MPI_Barrier at $at for nothing: 196 of 200 calls came when no rank had called MPI" "$(first)"
vain flushes
says "of flushes with nothing to complete, too" \
    mentions "in MPI_Win_flush at $at for nothing: 392 of 400 calls found nothing to complete" "$(first)"
vain tests
says "of tests that find nothing, too" \
    eval 'first | grep -Eq "in MPI_Test at $at for nothing: [0-9,]+ of [0-9,]+ calls found nothing"'
for machine in t3d rdma smp; do
    vain asks $machine
    says "$machine: of gets in a loop that waits for a value it says that" \
        mentions "in MPI_Get at $at and what completes it, for bytes that it asked for again at once: " "$(first)"
    vain takes $machine
    says "$machine: not of operations that change what they bring" eval '! first | grep -q "asked for again"'
done
vain late
says "of a target that computed meanwhile it is said too, whatever asks it again and again" eval \
    'mentions "asked for again at once" "$(first)" && mentions "had computed until then" "$(first)"'
vain spins smp
at=vain.c:$((${at#*:} - 1))
says "and of loads in such a loop" mentions \
    "a loop at $at that loads the same bytes in window 1 again and again, as it does to wait for another's store." \
    "$(first)"
for good in scales shares; do
    vain $good smp
    says "not of $good, where each goes on with a store" eval '! first | grep -q "same bytes"'
done
vain words
says "of operations that go on word by word it is said that one call does the same" \
    mentions "MPI_Put at $at and the servicing of it: 1,024 calls for 8 bytes each. Most go on where" "$(first)"
for good in epochs halves guarded same scattered; do
    vain $good
    says "of $good nothing of that is said" eval '! first | grep -Eq "for nothing|Most go on"'
    [ $good != halves ] || says "and of many $good that nobody is late to what each waits" \
        eval 'first | grep -Eq "at $at: .*, in 100 calls for .* each: fewer of them would wait less"'
done
says "but who services them, and for which line" \
    mentions "servicing others' operations, 1,024 of 1,024 from MPI_Put at $at." "$(first)"
# Who waits for one that computes has to know where it computes.
cat >"$work/alone.c" <<'C'
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, n = argc > 1 ? atoi(argv[1]) : 30000;
    double v = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < n && rank == 0; i++) v = v * 0.5 + i; /* alone */
    MPI_Bcast(&v, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return v < 0;
}
C
"$sidewinder" cc -O2 -g -o "$work/alone" "$work/alone.c"
for machine in now rdma; do
    "$sidewinder" run -m $machine -n 4 "$work/alone" >"$work/report" 2>&1
    says "$machine: of a rank that computes while others wait the report names the line" \
        mentions "was computation, " "$(first)"
    says "$machine: which is where it does" \
        mentions " at alone.c:$(grep -n '/\* alone' "$work/alone.c" | cut -d: -f1): 'sidewinder blocks alone" "$(first)"
done
# All ranks put at once into one node.
cat >"$work/hot.c" <<'C'
#include <mpi.h>
static double v[4096];
int main(int argc, char **argv)
{
    int rank, ranks;
    double *base;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Win_allocate(rank ? 8 : (MPI_Aint)sizeof v * ranks, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    MPI_Put(v, 4096, MPI_DOUBLE, 0, (MPI_Aint)rank * 4096, 4096, MPI_DOUBLE, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 -g -o "$work/hot" "$work/hot.c"
"$sidewinder" run -m now -n 8 "$work/hot" >"$work/report" 2>&1
says "of ranks that all put into one node the report names its interface" \
    mentions "Busiest was the interface of node 0, receiving: " "$(first)"
finish
