#!/bin/bash
# "apps/races shows six classic errors": each is blamed for its marked lines, and `sidewinder check` shows what it does.
. "$(dirname "$0")/../lib.sh"
races=$tests/../apps/races

# line NAME NUMBER: where the program marks it
line() { grep -n "/\*$2\*/" "$races/$1.c" | cut -d: -f1; }
compiled=$(cd "$races" && for source in *.c; do
    "$sidewinder" cc -O1 -g "$source" -o "$work/${source%.c}" || echo "$source"
done)
says "they are compiled" [ -z "$compiled" ]
cd "$work" || exit 1
for source in "$races"/*.c; do
    name=$(basename "$source" .c)
    "$sidewinder" check --forced 0 -n 4 -m t3d -m rdma "./$name" >table 2>err
    code=$?
    if [ "$name" = late_sync ]; then says "$name: exit code 0 in the unified model" [ $code -eq 0 ]
    else says "$name: exit code 3" [ $code -eq 3 ]; fi
    first=$name.c:$(line "$name" 1) second=$name.c:$(line "$name" 2)
    says "$name: both lines" eval 'grep -q "$first" table && grep -q "$second" table'
    says "$name: a column each" grep -q "error.*t3d.*rdma" table
done
"$sidewinder" check -n 4 --rules separate -m t3d ./late_sync >/dev/null 2>&1
says "late_sync is an error in the separate model" [ $? -eq 3 ]
"$sidewinder" check -n 4 -m rdma -m nosuch ./two_writers >table 2>err
says "a machine that cannot run the program says so" grep -q "cannot run" table
cat >fine.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc fine.c -o fine
says "a program without an error ends with 0" eval '"$sidewinder" check -n 2 -m smp ./fine | grep -q "No error"'
"$sidewinder" check ./fine >/dev/null 2>err
says "used wrongly: exit code 2" [ $? -eq 2 ]
cat >timed.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int rank, *base, one = 1, race = argc > 1;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_fence(0, win);
    double begin_s = MPI_Wtime();
    if (rank == 1 || (race && rank == 2)) MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    if (rank == 0) printf("begin\n%s\n", MPI_Wtime() - begin_s > 1e-5 ? "slow" : "fast");
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
C
"$sidewinder" cc -O1 timed.c -o timed || wrong "timed is compiled"
for argument in "" race; do
    "$sidewinder" check -n 3 -m rdma -m now ./timed $argument >table 2>err
    says "where no error did anything, what differs is timing: '$argument'" \
        eval 'tr -s "\n " " " <table | grep -q "Timing: the output on now differs from that on rdma, first in line 2"'
done
finish
