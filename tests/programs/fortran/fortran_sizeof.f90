! MPI_SIZEOF of variables of any type and rank (MPI-3.1 17.1.9). The test makes `use mpi_f08` of `use mpi`.
program sizes
  use mpi
  implicit none
  integer :: n(9), ierr
  double precision, allocatable :: u(:, :)
  real :: section(4, 4)
  complex(kind=8) :: z
  integer(kind=2) :: short(3)
  allocate (u(3, 0:2))
  call MPI_Init(ierr)
  call MPI_Sizeof(u, n(1), ierr)
  call MPI_Sizeof(u(1, 1), n(2), ierr)
  call MPI_Sizeof(section(::2, 2), n(3), ierr)
  call MPI_Sizeof(z, n(4), ierr)
  call MPI_Sizeof(short, n(5), ierr)
  call MPI_Sizeof(1, n(6), ierr)
  print '(a,6(1x,i0))', 'ok: sizes', n(1:6)
  call MPI_Finalize(ierr)
end program
