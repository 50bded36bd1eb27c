#!/bin/bash
# A run that goes on forever reports what it has done so far when it is asked to (SIGUSR1) and when it is ended.
. "$(dirname "$0")/../../lib.sh"
build forever

begun() { [ "$(grep -c begun "$work/out" 2>/dev/null)" = 2 ]; }
reports() { [ "$(grep -c '^Operations' "$work/err")" -ge "$1" ]; }
# more: has it put more since then?
more() { [ "$(grep -c more "$work/out")" -gt $((before + 1)) ]; }

for signal in INT TERM; do
    rm -f "$work"/out "$work"/json "$work"/p
    set -m      # a background job that does not ignore SIGINT
    (cd "$work" && exec "$sidewinder" run -m now -n 2 --json json --profile p ./forever) >"$work/out" 2>"$work/err" &
    pid=$!
    set +m
    says "$signal: it runs" until_true begun
    kill -USR1 $pid
    says "$signal: asked, it reports so far" until_true reports 1
    until_true test -s "$work/p" # the last one
    says "$signal: ... that it had not ended, and where each rank is" eval '
        grep -q "The run had not ended; the figures cover it up to this point" "$work/err" &&
        grep -qE "^ +ranks? .* at forever.c:" "$work/err"'
    says "$signal: the JSON is there, and the profile" eval '[ -s "$work/p" ] &&
        [ "$("$sidewinder" compare --key end "$work/json")" = interrupted ]'
    puts=$("$sidewinder" compare --key 'operations[0].count' "$work/json")
    before=$(grep -c more "$work/out")
    says "$signal: it goes on" until_true more
    kill -$signal $pid
    wait $pid
    code=$?
    says "$signal: ended, it dies of the signal" [ $code = $((128 + $(kill -l $signal))) ]
    says "$signal: and has reported again, of more operations" eval 'reports 2 &&
        [ "$("$sidewinder" compare --key "operations[0].count" "$work/json")" -gt "$puts" ]'
    says "$signal: its output stands once" [ "$(grep -c begun "$work/out")" = 2 ]
done

# It may be asked, or ended, while the engine or a library has the heap half written: then it is put off. Here the heap
# is half written, once, in the first block that is wanted after the program has said so; who wants another meanwhile
# falls over it.
cat >"$work/heap.c" <<'C'
#include <signal.h>
#include <stdlib.h>
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
volatile int half_written_by; /* signal that comes then */
static volatile int half_written;
static void want(void)
{
    if (half_written) abort();
    if (!half_written_by) return;
    const int number = half_written_by;
    half_written_by = 0;
    half_written = 1;
    raise(number);
    half_written = 0;
}
void *malloc(size_t bytes)
{
    want();
    return __libc_malloc(bytes);
}
void *calloc(size_t n, size_t bytes)
{
    want();
    return __libc_calloc(n, bytes);
}
C
gcc -O2 -fPIC -shared "$work/heap.c" -o "$work/heap.so" || wrong "heap.c is compiled"
cat >"$work/half.c" <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int *base, one = 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    *(volatile int *)dlsym(RTLD_DEFAULT, "half_written_by") = atoi(argv[1]);
    for (int i = 0; i < 100; i++) {
        MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 -g "$work/half.c" -o "$work/half" || wrong "half.c is compiled"
for signal in USR1 TERM; do
    LD_PRELOAD=$work/heap.so "$sidewinder" run -m now -n 1 "$work/half" "$(kill -l $signal)" >"$work/out" 2>"$work/err"
    code=$?
    says "$signal: where the heap is half written, it reports once it is whole" eval '
        grep -q "The run had not ended" "$work/err" && grep -qE "^ +rank 0 .* at half.c:" "$work/err" &&
        [ $code = $([ $signal = TERM ] && echo 143 || echo 0) ]'
done

# A rank that works while nobody else will act is ahead of the clock: what is said of it is of its own time.
cat >"$work/ahead.c" <<'C'
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank;
    long *base;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(65536, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        for (int k = 0; k < 9; k++)
            for (int i = 0; i < 8192; i++) base[i] += i;
        raise(SIGUSR1);
        printf("%.9f\n", MPI_Wtime());
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 -g "$work/ahead.c" -o "$work/ahead" || wrong "ahead.c is compiled"
# seconds: of "4.849 ms"
seconds() { awk '{ print $1 * ($2 == "ms" ? 1e-3 : $2 == "s" ? 1 : $2 == "ns" ? 1e-9 : 1e-6) }'; }
for machine in t3d smp rdma; do
    true_s=$("$sidewinder" run -q -m $machine -n 2 "$work/ahead" 2>"$work/err")
    said_s=$(sed -n "s/.*at simulated time //p" "$work/err" | seconds)
    says "$machine: asked while it is alone, the date is the rank's own ($said_s of $true_s s)" \
        holds "$said_s > 0.99 * $true_s && $said_s < 1.001 * $true_s"
done
finish
