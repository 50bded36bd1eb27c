#!/bin/bash
# sidewinder f77 and f90 are drop-ins for gfortran: arguments, files, exit codes, projects; loads and stores are seen.
. "$(dirname "$0")/../lib.sh"
f77() { "$sidewinder" f77 "$@"; }
f90() { "$sidewinder" f90 "$@"; }
fails() { ! "$@" >"$work/said" 2>&1; }
quiet() { "$@" >"$work/said" 2>&1 && [ ! -s "$work/said" ]; }
built() { "$@" >"$work/log" 2>&1 || { tail -20 "$work/log"; false; }; }
contains() { grep -q -e "$2" "$1"; }
runs() { [ "$("$sidewinder" run -q -m smp -n 2 "$1" 2>"$work/err")" = "sum 3" ]; }
cd "$work" || exit 1

sources() {
    cat >main.f <<'F'
      PROGRAM MAIN
      INCLUDE 'mpif.h'
      INTEGER RANK, ALL, IERR, TOTAL
      EXTERNAL TOTAL
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      ALL = TOTAL(RANK + 1)
      IF (RANK .EQ. 0) PRINT '(A,I0)', 'sum ', ALL
      CALL MPI_FINALIZE(IERR)
      END
F
    cat >total.f90 <<'F'
integer function total(mine)
  use mpi
  use scale, only: factor
  integer, intent(in) :: mine
  integer :: ierr
  call MPI_Allreduce(factor * mine, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
end function
F
    printf 'module scale\n  integer, parameter :: factor = 1\nend module\n' >scale.f90
}
sources

# ---- arguments ----
says "--help: exit code 0, with examples" f77 --help >help.77
says "it says which compiler it drives" contains help.77 'links with gfortran'
says "and how FC is set" contains help.77 'make FC='
says "f90 has one of its own" bash -c "'$sidewinder' f90 --help | grep -q 'Usage: sidewinder f90'"
says "sidewinder --help names both" bash -c "'$sidewinder' --help | grep -c '^  f[79][07] ' | grep -qx 2"
says "--version is the compiler's" bash -c "'$sidewinder' f90 --version | grep -q Fortran"
says "several sources, no -o: a.out" quiet f90 scale.f90 total.f90 main.f
says "a.out runs" runs ./a.out
says "-c of several files" quiet f77 -c -O3 -g scale.f90 total.f90 main.f
says "objects are linked with -o joined" quiet f77 main.o total.o scale.o -oprog
says "the program runs" runs ./prog
says "a source and an object" quiet f90 -O2 main.f total.o scale.o -o both
says "and runs" runs ./both
says "-fsyntax-only makes nothing" quiet f77 -fsyntax-only main.f
mkdir inc && echo "      INTEGER, PARAMETER :: THREE = 3" >inc/three.inc
printf "      INCLUDE 'three.inc'\n      PRINT *, THREE\n      END\n" >folder.f
says "-I finds an included file" quiet f77 -Iinc folder.f -o folder
echo "      PRINT *, 'no end" >wrong.f
says "an error is the compiler's, and so is the exit code" bash -c "'$sidewinder' f77 -c wrong.f 2>said;
    test \$? = 1 && grep -q 'wrong.f:1' said"
says "nothing is left of it" test ! -e wrong.o
says "an undefined subroutine is an error" fails f77 -o undefined <(:) -x f77 - <<<"      CALL NOBODY
      END"
for dialect in fortran mpi2; do
    says "a dialect that is none is refused: $dialect" bash -c "'$sidewinder' f77 --dialect $dialect main.f 2>said;
        test \$? = 2 && grep -qx \
            'sidewinder f77: unknown dialect .$dialect. in Fortran; accepted: mpi put_accept register shmalloc' said"
done
says "SIDEWINDER_FC names another compiler" bash -c "SIDEWINDER_FC=/nowhere/f '$sidewinder' f77 -c main.f 2>said;
    test \$? = 1 && grep -q /nowhere/f said"
gfortran -fPIC -O2 -c -I/usr/include/smpi scale.f90 total.f90
says "-static-libgfortran is ignored" quiet f77 -static-libgfortran -Iinc folder.f -o folder
says "an object of the bare compiler is named" bash -c "'$sidewinder' f77 main.f total.o scale.o -o bare 2>said;
    grep -q 'total.o is not instrumented' said"

# ---- projects ----
mkdir make && cd make && sources
cat >Makefile <<'M'
FFLAGS = -O2 -g -Wall
prog: main.o total.o scale.o
	$(FC) $(FFLAGS) -o $@ $^
total.o: total.f90 scale.o
	$(FC) $(FFLAGS) -c $<
scale.o: scale.f90
	$(FC) $(FFLAGS) -c $<
M
says "a Makefile project is built with FC=\"sidewinder f90\"" built make FC="$sidewinder f90"
says "and runs" runs ./prog
mkdir ../cmake && cd ../cmake && sources
cat >CMakeLists.txt <<'M'
cmake_minimum_required(VERSION 3.20)
project(total LANGUAGES Fortran)
add_library(total STATIC total.f90 scale.f90)
add_executable(prog main.f)
target_link_libraries(prog total)
M
says "a CMake project is configured" built cmake -S . -B build -DCMAKE_Fortran_COMPILER="$sidewinder" \
    -DCMAKE_Fortran_COMPILER_ARG1=f90
says "and built" built cmake --build build
says "and runs" runs build/prog
cd ..

# Autoconf keeps of the linker's line what AC_F77_LIBRARY_LDFLAGS says, and links programs in C with it.
echo end >nothing.f90
flibs=$(f90 -v nothing.f90 -o nothing 2>&1 | grep collect2 | tr ' ' '\n' | grep -e '^-[lL]' -e '^/.*\.a$' |
    paste -sd ' ')
echo 'int main(void) { return 0; }' >flibs.c
says "a program in C is linked with the libraries that the Fortran compiler names" \
    built "$sidewinder" cc flibs.c -o flibs $flibs

# ---- loads and stores, at every level: stores reach the window's memory, loads come from it ----
sampled "-O2 on two machines"
for level in -O2 $(thorough && echo -O0 -O1 -O3); do
    says "fortran_seen.f90 is compiled with $level" built f90 $level -g -w -o fortran_seen "$here/fortran_seen.f90"
    for machine in t3d smp $(thorough && echo cxl-pool); do passes $machine 2 fortran_seen; done
done
gfortran -w -O2 -fPIC -I/usr/include/smpi -c "$here/fortran_seen.f90" -o blind.o
f90 blind.o -o blind 2>"$work/err"
"$sidewinder" run -m t3d -n 2 "$work/blind" 2>&1 | tr -s ' \n' '  ' >"$work/report"
says "stores that are not instrumented are found afterwards, and the report says so" \
    grep -q 'was not compiled by sidewinder cc, called at .* stored' "$work/report"
# ---- natively ----
cat >alone.f90 <<'F'
program alone
  real :: seconds
  integer :: when(8)
  real, allocatable :: a(:)
  allocate(a(1000))
  call random_number(a)
  call cpu_time(seconds)
  call date_and_time(values=when)
  if (seconds >= 0 .and. when(1) > 2000 .and. all(a < 1)) print '(A)', 'alone'
  stop 3
end program
F
says "a program that is to run natively is compiled" built f90 alone.f90 -o alone
timeout 60 ./alone >said 2>err
says "it allocates, prints, tells the time, and ends natively" [ "$? $(cat said)" = "3 alone" ]
# ---- a Sidewinder that was built without gfortran ----
home=$(dirname "$(dirname "$(realpath "$sidewinder")")")
mkdir -p without/bin && cp "$home/bin/sidewinder" without/bin && for part in include lib libexec share; do
    cp -rs "$home/$part" without
done
rm without/include/sidewinder/*.mod
printf 'use mpi_f08\nend\n' >modules.f90
without/bin/sidewinder f90 modules.f90 -o modules >said 2>err
says "modules that were not built: it says so" contains err "there was no gfortran when Sidewinder was built"
# ---- more ranks than there are keys for thread-specific data, which gfortran's library takes and does not ask for ----
most=$((($(getconf PTHREAD_KEYS_MAX) - 32) / 2))
"$sidewinder" run -q -m t3d --set nodes=2048 -n $((most + 1)) ./alone >said 2>err
says "too many ranks are refused" [ $? = 2 ]
says "with how many there may be" contains err "may have up to $most here"
finish
