#!/bin/bash
# Handlers of atexit and destructors of static objects run in their rank, and may call MPI.
. "$(dirname "$0")/../../lib.sh"
build at_exit
for machine in t3d smp; do
    run "$machine" 3 at_exit before
    says "$machine: MPI works in a handler, which may finalize it" eval \
        '[ "$status" = 0 ] && [ "$(grep -c "initialized 1, finalized 0, in order" "$work/out")" = 3 ] &&
            [ "$(grep -c "^sum 3 at a date$" "$work/out")" = 3 ]'
    run "$machine" 3 at_exit after
    says "$machine: a handler sees that MPI was initialized and is finalized" eval \
        '[ "$status" = 0 ] && [ "$(grep -c "initialized 1, finalized 1, in order" "$work/out")" = 3 ]'
done

cat >"$work/object.cc" <<'CC'
#include <mpi.h>
#include <cstdio>
struct mpi {
    ~mpi()
    {
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Finalize();
        std::printf("rank %d is done\n", rank);
    }
};
static mpi whole;
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    return 0;
}
CC
"$sidewinder" c++ -O2 -o "$work/object" "$work/object.cc"
run t3d 2 object
says "an object of C++ may call MPI_Finalize when it is destroyed" eval \
    '[ "$status" = 0 ] && grep -q "rank 0 is done" "$work/out" && grep -q "rank 1 is done" "$work/out"'
finish
