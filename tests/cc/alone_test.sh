#!/bin/bash
# A program that `sidewinder cc` built, started without `sidewinder run`, is one rank: AC_RUN_IFELSE and ./a.out work.
. "$(dirname "$0")/../lib.sh"
optimize=-O2
build alone
cd "$work" || exit 2

./alone -n "two words" >out 2>err
says "started by itself a program ends with its own exit code" [ $? = 3 ]
says "... is rank 0 of 1, with its arguments" grep -qx 'rank 0 of 1 with two words' out
says "... what it prints before MPI_Init is printed once" [ "$(grep -c '^before$' out)" = 1 ]
says "... and no report" [ ! -s err ]
PMI_SIZE=4 ./alone >out 2>err
says "a copy started by another mpirun says that it is one rank" grep -q "sidewinder run .*-n 4" err
PATH=$work:$PATH alone -n 5 >out 2>err
says "found by PATH, from another folder, it is one rank too" grep -qx 'rank 0 of 1 with 5' out
says "-n after the program is an argument of the program" grep -q 'with 5' out

"$sidewinder" cc -o plain -x c - <<<'int main(void) { return 4; }'
./plain
says "a program without MPI is not simulated" [ $? = 4 ]

if command -v autoconf >/dev/null; then
    cat >configure.ac <<'END'
AC_INIT([alone], [1])
AC_PROG_CC
AC_RUN_IFELSE([AC_LANG_SOURCE([#include <mpi.h>
int main(int argc, char **argv)
{
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Finalize();
    return ranks != 1;
}])], [AC_MSG_NOTICE([MPI runs])], [AC_MSG_NOTICE([MPI does not run])])
AC_OUTPUT
END
    autoconf 2>log && ./configure CC="$sidewinder cc" >log 2>&1
    says "AC_RUN_IFELSE runs an MPI program" grep -q 'MPI runs' log
else
    says "autoconf is installed" false
fi
finish
