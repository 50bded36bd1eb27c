#!/bin/bash
# "With calls, ranks, window, bytes, variable names, inlining below": a conflict names the window, and the static
# variable that has the bytes, or where their block was allocated.
. "$(dirname "$0")/../lib.sh"
cat >"$work/names.c" <<'C'
#include <mpi.h>
#include <stdlib.h>
static int ghosts[64];
int answer;
int main(int argc, char **argv)
{
    static double result[4];
    int rank, *heap = calloc(4, sizeof *heap); /* block */
    int *origin = malloc(64);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win win, other;
    MPI_Win_create(ghosts, sizeof ghosts, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_name(win, "halo");
    MPI_Win_create(heap, 16, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    MPI_Win_fence(0, win);
    MPI_Win_fence(0, other);
    MPI_Put(&rank, 1, MPI_INT, 2, 5, 1, MPI_INT, win); /* window */
    MPI_Put(&rank, 1, MPI_INT, 2, 1, 1, MPI_INT, other); /* heap */
    MPI_Get(&answer, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    answer = 3; /* global */
    MPI_Get(&result[1], 2, MPI_INT, 1, 0, 2, MPI_INT, win);
    result[1] = 2; /* local */
    MPI_Get(origin + 2, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    origin[2] = 1; /* origin */
    MPI_Win_fence(0, other);
    MPI_Win_fence(0, win);
    MPI_Win_free(&other);
    MPI_Win_free(&win);
    free(heap);
    free(origin);
    MPI_Finalize();
    return 0;
}
C
cat >"$work/names.f90" <<'F'
module halo
  integer :: ghosts(16)
end module
program names
  use mpi
  use halo
  integer :: win, code, rank
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Win_create(ghosts, 64_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, code)
  call MPI_Win_fence(0, win, code)
  call MPI_Put(rank, 1, MPI_INTEGER, 0, 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, code)
  call MPI_Win_fence(0, win, code)
  call MPI_Win_free(win, code)
  call MPI_Finalize(code)
end program
F
cd "$work" || exit 1
"$sidewinder" cc -O1 -g names.c -o names || wrong "names.c is compiled"
"$sidewinder" f90 -O1 -g names.f90 -o names_f90 || wrong "names.f90 is compiled"

# message MARK: of the conflict at that line
message() {
    local line
    line=$(grep -n "/\* $1 \*/" names.c | cut -d: -f1)
    grep '"message"' json | grep "names.c:$line"
}
block=$(grep -n '/\* block \*/' names.c | cut -d: -f1)
for machine in rdma t3d; do
    "$sidewinder" run -m $machine -n 4 -q --check --json json ./names >/dev/null 2>&1
    says "$machine: a window's name, and the variable it is made of" \
        eval "message window | grep -qF \"window 0 'halo' of rank 2, 'ghosts' from byte 20)\""
    says "$machine: of a block of the heap, where it was allocated" \
        eval "message heap | grep -qF 'window 1 of rank 2, of the block allocated at names.c:$block, from byte 4)'"
    says "$machine: the same of an operation's buffer" \
        eval "message origin | grep -qF 'own memory, of the block allocated at names.c:$((block + 1)), from byte 8)'"
    says "$machine: a global variable" eval "message global | grep -qF \"own memory, 'answer')\""
    says "$machine: a function's static one" eval "message local | grep -qF \"own memory, 'result' from byte 8)\""
done
"$sidewinder" run -m rdma -n 4 -q --check --json json ./names_f90 >/dev/null 2>&1
says "a variable of a Fortran module" grep -qF "of window 0 of rank 0, 'ghosts' from byte 12)" json
# "Variable names": of a function's own array, which lies on the stack.
cat >local.c <<'C'
#include <mpi.h>
static MPI_Win win;
static void fetch(int from, int n)
{
    double before = n, values[8] = {before};
    int word[4] = {0};
    MPI_Get(&values[3], 1, MPI_DOUBLE, from, 0, 1, MPI_DOUBLE, win);
    values[3] += 1; /* values */
    MPI_Get(word, 4, MPI_INT, from, 0, 4, MPI_INT, win);
    word[0] = n; /* word */
    MPI_Win_flush(from, win);
}
int main(int argc, char **argv)
{
    int rank, *base, result[2] = {argc, 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        fetch(1, argc);
        MPI_Fetch_and_op(&result[0], &result[1], MPI_INT, 1, 0, MPI_SUM, win);
        result[1]++; /* result */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return result[1] == 99;
}
C
for level in O0 O2; do
    "$sidewinder" cc -$level -g local.c -o local || wrong "local.c is compiled"
    "$sidewinder" run -m rdma -n 2 -q --check --json json ./local
    for pair in "values:'values' from byte 24" "word:'word'" "result:'result' from byte 4"; do
        line=$(grep -n "/\* ${pair%%:*} \*/" local.c | cut -d: -f1)
        says "$level: a function's array, ${pair%%:*}" \
            eval 'grep "\"message\"" json | grep "local.c:$line" | grep -qF "own memory, ${pair#*:})"'
    done
done
cat >inlined.c <<'C'
#include <mpi.h>
static int *base;
static inline void fill(int *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = n; /* store */
}
static inline void step(int n) { fill(base, n); } /* step */
int main(int argc, char **argv)
{
    int rank, one = 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Put(&one, 1, MPI_INT, 1, 2, 1, MPI_INT, win);
    if (rank == 1) step(argc + 8); /* main */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
at() { grep -n "/\* $1 \*/" inlined.c | cut -d: -f1; }
"$sidewinder" cc -O2 -g inlined.c -o inlined || wrong "inlined.c is compiled"
"$sidewinder" run -m rdma -n 2 -q --check --json json ./inlined
says "a store of an inlined function is at its line, and which calls it was put into is said below" grep -qF \
    "inlined.c:$(at store) (inlined from 'step' at inlined.c:$(at step), from 'main' at inlined.c:$(at main))" json
finish
