#!/bin/bash
# "All racy ones with exactly their lines, no correct one flagged", in Fortran.
. "$(dirname "$0")/../lib.sh"
awk -f "$here/generate_fortran.awk" -v expected="$work/expected" "$here/fortran.txt" >"$work/cases.f90"
"$sidewinder" f90 -O1 -g "$work/cases.f90" -J "$work" -o "$work/cases" || { wrong "the cases are compiled"; finish; }
cut -d' ' -f1-3 "$work/expected" | sort >"$work/want"
says "there are at least 124 racy cases" [ "$(wc -l <"$work/want")" -ge 124 ]

# pairs MACHINE VARIANT: the lines blamed.
pairs() {
    rm -f "$work/json"
    "$sidewinder" run -m "$1" -n 3 -q --check --json "$work/json" "$work/cases" "$2" || echo "the run ends with $?"
    awk -f "$here/pairs.awk" "$work/json" | grep error | sort
}
sampled "all cases on t3d"
for machine in t3d $(thorough && echo rdma); do
    pairs $machine race >"$work/got"
    says "$machine: every racy case is blamed for exactly its lines" diff "$work/want" "$work/got"
    pairs $machine fix >"$work/blamed"
    says "$machine: no correct case is blamed" diff /dev/null "$work/blamed"
done

# "Library copies": functions of whole arrays, which nobody instrumented.
cat >"$work/arrays.f90" <<'F'
program arrays
  use mpi
  use iso_c_binding
  implicit none
  integer :: rank, ierr, win, which, along = 2, at(2)
  character(len=16) :: how, text
  real(8), pointer :: a(:), m(:,:)
  real(8) :: v(8) = 2, w(8) = 3, p(4,2) = 1
  type(c_ptr) :: base
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call get_command_argument(1, how)
  call get_command_argument(2, text)
  read(text, *) which
  call MPI_Win_allocate(64_MPI_ADDRESS_KIND, 8, MPI_INFO_NULL, MPI_COMM_WORLD, base, win, ierr)
  call c_f_pointer(base, a, [8])
  call c_f_pointer(base, m, [2, 4])
  a = 1
  call MPI_Win_fence(0, win, ierr)
  if (rank == 0) call MPI_Put(v, 3, MPI_REAL8, 1, 1_MPI_ADDRESS_KIND, 3, MPI_REAL8, win, ierr) ! put
  if (how == 'fence') call MPI_Win_fence(0, win, ierr)
  if (rank == 1) then
    if (on(0)) p(:2, :) = matmul(m, p) ! 0
    if (on(1)) w(1:2) = norm2(m, 2) ! 1
    if (on(2)) call random_number(a) ! 2
    if (on(3)) call random_number(a(3)) ! 3
    if (on(4)) at = maxloc(m) ! 4
    if (on(5)) w(1:2) = minval(m, dim=along) ! 5
    if (on(6)) at = minloc(m, dim=along) ! 6
    if (on(7)) p(:2, :) = matmul(p(:2, :), m(:, :2)) ! 7
  end if
  call MPI_Win_fence(0, win, ierr)
  call MPI_Win_free(win, ierr)
  if (w(1) > 1d9) print *, p, at
  call MPI_Finalize(ierr)
contains
  logical function on(k)
    integer, intent(in) :: k
    on = which == k .or. which < 0
  end function
end program
F
cd "$work" || exit 1
blamed() {
    rm -f json
    "$sidewinder" run -m rdma -n 2 -q --check --json json ./arrays "$@" >/dev/null || echo "the run ends with $?"
    awk -f "$here/pairs.awk" json
}
"$sidewinder" f90 -O0 -g arrays.f90 -o arrays || wrong "arrays.f90 is compiled"
says "functions of arrays: with a fence between the two nobody is blamed" [ -z "$(blamed fence -1)" ]
put=$(grep -n '! put$' arrays.f90 | cut -d: -f1) which=0
while line=$(grep -n "! $which\$" arrays.f90); do
    says "blamed at its line: ${line#*:}" [ "$(blamed race $which)" = "error $put ${line%%:*}" ]
    which=$((which + 1))
done

# "For an operation its call": a statement that goes on in further lines is at its first one.
cat >lines.f90 <<'F'
program lines
  use mpi
  implicit none
  integer :: ierr, rank, win, a(4) = 0, v = 1
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Win_create(a, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  if (rank == 0) call MPI_Put(v, 1, & ! put & more
      ! a comment

      MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, &
      1, MPI_INTEGER, win, ierr)
  if (rank == 1) & ! store
    a(1) = len('it''s & no "end" !') + &
      v
  call MPI_Win_fence(0, win, ierr)
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)
end program
F
cat >lines.f <<'F'
      program lines
      include 'mpif.h'
      integer ierr, rank, win, a(4), v
      common /window/ a
      integer(kind=MPI_ADDRESS_KIND) bytes, first
      bytes = 16
      first = 0
      v = 1
      call MPI_Init(ierr)
      call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
      call MPI_Win_create(a, bytes, 4, MPI_INFO_NULL,
     &    MPI_COMM_WORLD, win, ierr)
      call MPI_Win_fence(0, win, ierr)
      if (rank .eq. 0) call MPI_Put(v, 1, ! put
     &    MPI_INTEGER, 1, first,
* a comment
     1    1, MPI_INTEGER, win, ierr)
      if (rank .eq. 1) ! store
     &  a(1) = v
     +       + 2
      call MPI_Win_fence(0, win, ierr)
      call MPI_Win_free(win, ierr)
      call MPI_Finalize(ierr)
      end
F
for file in lines.f90 lines.f; do
    "$sidewinder" f90 -O1 -g $file -o lines || wrong "$file is compiled"
    "$sidewinder" run -m rdma -n 2 -q --check --json json ./lines >/dev/null || wrong "$file runs"
    says "$file: a statement of several lines is at its first" [ "$(awk -f "$here/pairs.awk" json)" = \
        "error $(grep -n '! put' $file | cut -d: -f1) $(grep -n '! store' $file | cut -d: -f1)" ]
done
finish
