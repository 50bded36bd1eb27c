#!/bin/bash
# CC="sidewinder cc" builds Makefile, autoconf and CMake projects as they are, and what they build runs.
. "$(dirname "$0")/../lib.sh"
built() { "$@" >"$work/log" 2>&1 || { tail -20 "$work/log"; false; }; }
runs() { [ "$("$sidewinder" run -q -m smp -n 2 "$1" 2>"$work/err")" = "sum 3" ]; }
sources() {
    cat >sum.h <<'C'
int sum(int mine);
C
    cat >sum.c <<'C'
#include <mpi.h>
#include "sum.h"
int sum(int mine)
{
    int all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}
C
    cat >main.c <<'C'
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include "sum.h"
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int all = sum((int)sqrt((rank + 1) * (rank + 1.0)));
    if (rank == 0) printf("sum %d\n", all);
    MPI_Finalize();
    return 0;
}
C
}

# ---- make: objects, an archive, dependencies ----
mkdir "$work/make" && cd "$work/make" && sources
cat >Makefile <<'M'
CFLAGS = -O2 -g -Wall -Werror -MMD -MP
prog: main.o libsum.a
	$(CC) $(CFLAGS) -o $@ $^ -lm
libsum.a: sum.o
	$(AR) rcs $@ $^
-include main.d sum.d
M
says "a Makefile project is built with CC=\"sidewinder cc\"" built make CC="$sidewinder cc"
says "and runs" runs ./prog
touch sum.h
says "and is built again when a header changes" bash -c "make CC='$sidewinder cc' | grep -q -- '-c -o main.o'"

# ---- autoconf and automake: a convenience library, a check that runs a program, one that must fail ----
mkdir "$work/auto" && cd "$work/auto" && sources
cat >configure.ac <<'M'
AC_INIT([sum], [1])
AC_CONFIG_HEADERS([config.h])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AC_PROG_RANLIB
AM_PROG_AR
AC_C_BIGENDIAN
AC_CHECK_SIZEOF([long])
AC_CHECK_FUNCS([strdup nanosleep no_such_function_anywhere memcpy malloc getopt_long])
AC_FUNC_MALLOC
AC_SEARCH_LIBS([sqrt], [m])
AC_SEARCH_LIBS([MPI_Init], [mpi], [], [AC_MSG_ERROR([no MPI])])
AC_RUN_IFELSE([AC_LANG_PROGRAM([[#include <stdlib.h>]], [[return malloc(10) == 0;]])], [], [AC_MSG_ERROR([cannot run])])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
M
cat >Makefile.am <<'M'
noinst_LIBRARIES = libsum.a
libsum_a_SOURCES = sum.c sum.h
bin_PROGRAMS = prog
prog_SOURCES = main.c
prog_LDADD = libsum.a
M
says "autoreconf" built autoreconf -fi
says "an autoconf project is configured" built ./configure CC="$sidewinder cc" --prefix="$work/prefix"
says "not as a cross compilation" grep -q 'whether we are cross compiling... no' "$work/log"
says "a function that exists is found" grep -q 'define HAVE_STRDUP 1' config.h
says "one that does not is not" grep -q 'undef HAVE_NO_SUCH_FUNCTION_ANYWHERE' config.h
says "sizes are known" grep -q 'define SIZEOF_LONG 8' config.h
says "it is built" built make
says "and installed" built make install
says "and runs" runs "$work/prefix/bin/prog"

# ---- libtool: a shared library and a program that uses it, in place and installed; in the long run ----
if thorough; then
mkdir "$work/libtool" && cd "$work/libtool" && sources
cat >configure.ac <<'M'
AC_INIT([sum], [1])
AC_CONFIG_MACRO_DIRS([m4])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AM_PROG_AR
LT_INIT
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
M
cat >Makefile.am <<'M'
lib_LTLIBRARIES = libsum.la
libsum_la_SOURCES = sum.c sum.h
bin_PROGRAMS = prog
prog_SOURCES = main.c
prog_LDADD = libsum.la -lm
M
mkdir m4
says "libtool: autoreconf" built autoreconf -fi
says "libtool: configured" built ./configure CC="$sidewinder cc" --prefix="$work/prefix_libtool"
says "libtool: shared libraries are possible" grep -qx 'build_libtool_libs=yes' libtool
says "libtool: built" built make
says "libtool: installed" built make install
says "libtool: runs" runs "$work/prefix_libtool/bin/prog"
fi

# ---- CMake: its own checks, FindMPI, a static and a shared library ----
mkdir "$work/cmake" && cd "$work/cmake" && sources
cat >CMakeLists.txt <<'M'
cmake_minimum_required(VERSION 3.13)
project(sum C)
include(CheckFunctionExists)
include(CheckTypeSize)
include(CheckCSourceRuns)
check_function_exists(strdup HAVE_STRDUP)
check_function_exists(no_such_function_anywhere HAVE_NO_SUCH)
check_type_size(long SIZEOF_LONG)
check_c_source_runs("int main(void) { return 0; }" RUNS)
check_c_source_runs("int main(void) { return 1; }" RUNS_WRONGLY)
find_package(MPI REQUIRED COMPONENTS C)
if(NOT HAVE_STRDUP OR HAVE_NO_SUCH OR NOT RUNS OR RUNS_WRONGLY OR NOT SIZEOF_LONG EQUAL 8)
  message(FATAL_ERROR "checks: ${HAVE_STRDUP} ${HAVE_NO_SUCH} ${RUNS} ${RUNS_WRONGLY} ${SIZEOF_LONG}")
endif()
add_library(sum_static STATIC sum.c)
add_library(sum_shared SHARED sum.c)
foreach(kind static shared)
  add_executable(prog_${kind} main.c)
  target_link_libraries(prog_${kind} sum_${kind} MPI::MPI_C m)
endforeach()
M
sampled "no libtool, CMake's Release only"
for type in Release $(thorough && echo Debug); do
    says "a CMake project is configured, $type" built env CC="$sidewinder cc" cmake -S . -B "build-$type" \
        -DCMAKE_BUILD_TYPE=$type
    says "and built" built cmake --build "build-$type"
    says "its program runs" runs "build-$type/prog_static"
    says "and that with a shared library" runs "build-$type/prog_shared"
done
# With the toolchain file, and CTest, whose programs mpiexec starts.
cat >>CMakeLists.txt <<'M'
enable_testing()
add_test(NAME sum COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} 2 $<TARGET_FILE:prog_static>)
set_tests_properties(sum PROPERTIES PASS_REGULAR_EXPRESSION "sum 3")
M
toolchain=$(realpath "$(dirname "$sidewinder")/../share/sidewinder/toolchain.cmake")
says "a CMake project is configured with the toolchain file" built env -u CC cmake -S . -B build-toolchain \
    -DCMAKE_TOOLCHAIN_FILE="$toolchain"
says "and built" built cmake --build build-toolchain
says "CTest runs its program on the machine of SIDEWINDER_MACHINE" \
    built env SIDEWINDER_MACHINE=smp ctest --no-tests=error --test-dir build-toolchain
finish
