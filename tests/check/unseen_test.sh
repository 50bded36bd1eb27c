#!/bin/bash
# "What could not be judged (uninstrumented code ...)": where the flag of a test may be read by code that nobody
# instrumented, what the test completes counts as known; where all is seen, only once the flag is looked at.
. "$(dirname "$0")/../lib.sh"
cat >"$work/plain.c" <<'C'
int is_set(const int *flag) { return *flag; }
C
cat >"$work/tests.c" <<'C'
#include <mpi.h>
int is_set(const int *flag);
int main(int argc, char **argv)
{
    int rank, *base, flag = 0, one = 1, got;
    MPI_Win win;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_flush(2, win);
        MPI_Send(&one, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Irecv(&got, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
        do MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        while (!is_set(&flag) && argc == 1);
        MPI_Put(&one, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
cd "$work" || exit 1
gcc -O1 -c plain.c -o plain.o && "$sidewinder" cc -O1 -g -c plain.c -o seen.o || wrong "is_set is compiled"
"$sidewinder" cc -O1 -g tests.c plain.o -o foreign || wrong "tests is linked with an object that is not instrumented"
"$sidewinder" cc -O1 -g tests.c seen.o -o seen || wrong "tests is compiled"
# exit code of the run: 9: an error
blamed() { timeout 600 "$sidewinder" run -m rdma -n 3 -q --check --check-exit 9 "$@" >/dev/null 2>&1; }
blamed ./foreign
says "a flag read by code that is not instrumented is no reason to blame the program" [ $? -eq 0 ]
blamed ./seen
says "nor is one read where it is seen" [ $? -eq 0 ]
for program in ./foreign ./seen; do
    blamed $program early
    says "$program: who puts before the flag is set is blamed" [ $? -eq 9 ]
done

# "What could not be judged (uninstrumented code, threads) is \"not checked here\"": strverscmp reads what a put writes.
cat >"$work/swabs.c" <<'C'
#define _GNU_SOURCE
#include <mpi.h>
#include <string.h>
int main(int argc, char **argv)
{
    int rank, *base, one = 1;
    char to[16] = {0}, seen = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    if (rank == 0 && argc > 1) seen = (char)strverscmp((char *)base, to);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return seen == 99;
}
C
"$sidewinder" cc -O1 -g swabs.c -o swabs || wrong "swabs is compiled"
timeout 600 "$sidewinder" run -m rdma -n 2 --check --json swabs.json ./swabs really >out 2>&1
says "a call that may load from a window unseen is not checked, and that is said" eval \
    'grep -q "Not checked: rank 0 called code at swabs.c:14" out && grep -q "Not checked here" out &&
    grep -q "\"unseen_load\"" swabs.json'
timeout 600 "$sidewinder" run -m rdma -n 2 --check ./swabs >out 2>&1
says "where no such call is made, it is not" eval '! grep -q "Not checked" out && grep -q "No error" out'

# A load leaves no trace: who is handed a buffer that a get fills may load there.
cat >"$work/dot.c" <<'C'
double dot(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    return sum;
}
C
cat >"$work/dots.c" <<'C'
#include <mpi.h>
double dot(const double *x, int n);
int main(int argc, char **argv)
{
    int rank;
    static double base[8];
    double x[9] = {0}, sum = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(base, 64, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Get(x, 8, MPI_DOUBLE, 1, 0, 8, MPI_DOUBLE, win);
        sum += dot(argc > 1 ? x + 1 : x + 8, 1); /* x[8]: it is not filled */
        MPI_Win_flush(1, win);
        sum += dot(x, 8);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return sum != 0;
}
C
gcc -O1 -shared -fPIC dot.c -o libdot.so && "$sidewinder" cc -O1 -g dots.c -o dots -L. -ldot -Wl,-rpath,. ||
    wrong "dots is linked with a library that is not instrumented"
timeout 600 "$sidewinder" run -m rdma -n 2 --check --json dots.json ./dots early >out 2>&1
says "a call that may load from a buffer which a get fills is not checked, and that is said" eval \
    'grep -q "Not checked: rank 0 called code at dots.c:15" out && grep -q "in a buffer that MPI_Get fills" out &&
    grep -q "Not checked here" out && grep -q "\"unseen_load\"" dots.json'
timeout 600 "$sidewinder" run -m rdma -n 2 --check ./dots >out 2>&1
says "where it is handed what is beside it, or what has come, it is" eval \
    '! grep -q "Not checked: " out && grep -q "No error" out'

# A register that a call does not use may hold an address of a window: it is no argument.
cat >"$work/idle.c" <<'C'
int idle(int n) { return n + 1; }
C
cat >"$work/idles.c" <<'C'
#include <mpi.h>
int idle(int n);
int main(int argc, char **argv)
{
    int *base;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    register int *left __asm__("r9") = base;
    __asm__ volatile("" : : "r"(left));
    argc = idle(argc);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return argc != 2;
}
C
gcc -O1 -shared -fPIC idle.c -o libidle.so && "$sidewinder" cc -O1 -g idles.c -o idles -L. -lidle -Wl,-rpath,. ||
    wrong "idles is linked with a library that is not instrumented"
timeout 600 "$sidewinder" run -m rdma -n 2 --check ./idles >out 2>&1
says "a window's address in a register that a call does not use is no argument" eval \
    '! grep -q "Not checked: " out && grep -q "No error" out'

# Memory that lies between two windows is in neither: who was handed its address has not stored above it.
cat >"$work/keep.c" <<'C'
static int *kept;
void keep(int *p) { kept = p; }
int look(const int *p) { return *p; }
void later(void) { *kept = 7; }
C
cat >"$work/between.c" <<'C'
#include <mpi.h>
static int all[3 * 4096] __attribute__((aligned(4096)));
void keep(int *p);
int look(const int *p);
void later(void);
int main(int argc, char **argv)
{
    MPI_Win low, high;
    MPI_Init(&argc, &argv);
    MPI_Win_create(all, 4096, 4, MPI_INFO_NULL, MPI_COMM_SELF, &low);
    MPI_Win_create(all + 8192, 4096, 4, MPI_INFO_NULL, MPI_COMM_SELF, &high);
    keep(all + 8192);
    MPI_Win_fence(0, high);
    look(all + 4096);
    later();
    MPI_Win_fence(0, high);
    MPI_Win_free(&low);
    MPI_Win_free(&high);
    MPI_Finalize();
    return 0;
}
C
gcc -O1 -shared -fPIC keep.c -o libkeep.so &&
    "$sidewinder" cc -O1 -g between.c -o between -L. -lkeep -Wl,-rpath,. || wrong "between is compiled"
timeout 600 "$sidewinder" run -m rdma -n 1 --json between.json ./between >out 2>&1
says "a call that was handed memory between two windows is not taken for who stored into one" eval \
    'grep -A12 "\"unseen_store\"" between.json | grep -q "between.c:15"'

# What a function of the program's does in a reduction, beside its arguments.
cat >reduces.c <<'C'
#include <mpi.h>
static int *base;
static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    for (int i = 0; i < *n; i++) ((int *)inout)[i] += ((int *)in)[i];
    (void)type;
    base[0] += 1; /* store */
}
int main(int argc, char **argv)
{
    MPI_Win win;
    MPI_Op op;
    int rank, one = 1, sum[2], two[2] = {1, 2};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Op_create(add, 1, &op);
    MPI_Win_fence(0, win);
    MPI_Put(&one, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win); /* put */
    if (argc == 1) MPI_Win_fence(0, win);
    MPI_Allreduce(two, argc == 1 ? base + 2 : sum, 2, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
    MPI_Op_free(&op);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O2 -g reduces.c -o reduces || wrong "reduces is compiled"
pair=$(awk '/\/\* (store|put)/ { printf " %d", NR }' reduces.c)
timeout 600 "$sidewinder" run -m t3d -n 2 -q --check --json race.json ./reduces race >/dev/null 2>&1
timeout 600 "$sidewinder" run -m t3d -n 2 -q --check --json right.json ./reduces >/dev/null 2>&1
says "the check judges what a function stores that a reduction calls" \
    [ "$(awk -f "$here/pairs.awk" race.json)" = "error$pair" ]
says "it blames nobody where a fence comes between" [ -z "$(awk -f "$here/pairs.awk" right.json)" ]

# A library that is not instrumented stores into a put's buffer: its bytes changed while the put was on its way.
cat >filling.c <<'C'
void fill(int *p, int n, int v) { while (n-- > 0) p[n] = v; }
C
cat >filled.c <<'C'
#include <mpi.h>
void fill(int *p, int n, int v);
int main(int argc, char **argv)
{
    int rank, *base, v[2] = {5, 5}, got = 0;
    MPI_Win win;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(v, 2, MPI_INT, 1, 0, 2, MPI_INT, win); /* put */
    if (argc == 1) MPI_Win_fence(0, win);
    fill(v, rank == 0 ? 1 : 2, 6); /* put */
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Isend(v, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request); /* isend */
    if (rank == 1) MPI_Irecv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    fill(v + (argc < 3), 1, 7); /* isend */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_free(&win);
    MPI_Finalize();
    return got == 99;
}
C
gcc -O1 -shared -fPIC filling.c -o libfilling.so &&
    "$sidewinder" cc -O1 -g filled.c -L. -lfilling -Wl,-rpath,"$work" -o filled || wrong "filled is compiled"
# stored ARGUMENT...: the lines blamed
stored() {
    "$sidewinder" run -m rdma -n 2 -q --check --json json ./filled "$@" >/dev/null 2>&1
    awk -f "$here/pairs.awk" json | xargs
}
at() { grep -n "/\* $1 \*/" filled.c | cut -d: -f1 | xargs; }
says "a library's store into a put's buffer is blamed, with both lines" [ "$(stored early)" = "error $(at put)" ]
says "after the fence it is not" [ -z "$(stored)" ]
says "so is one into a message's" [ "$(stored early early)" = "error $(at put) error $(at isend)" ]
finish
