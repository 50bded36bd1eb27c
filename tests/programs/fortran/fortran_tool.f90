! A tool that wraps three calls by the profiling interface (MPI-3.1 14.2).
module tool
  integer :: puts = 0, sends = 0
  double precision :: inside = 0
end module
subroutine MPI_PUT(b, n, t, to, disp, m, u, win, ierr)
  use mpi
  use tool
  implicit none
  integer :: b(*), n, t, to, m, u, win, ierr
  integer(kind=MPI_ADDRESS_KIND) :: disp
  double precision :: t0
  t0 = PMPI_WTIME()
  call PMPI_PUT(b, n, t, to, disp, m, u, win, ierr)
  inside = inside + PMPI_WTIME() - t0
  puts = puts + 1
end subroutine
subroutine MPI_SEND(b, n, t, to, tag, comm, ierr)
  use tool
  implicit none
  integer :: b(*), n, t, to, tag, comm, ierr
  call PMPI_SEND(b, n, t, to, tag, comm, ierr)
  sends = sends + 1
end subroutine
subroutine MPI_FINALIZE(ierr)
  use mpi, only: MPI_COMM_WORLD
  use tool
  implicit none
  integer :: ierr, r
  call PMPI_COMM_RANK(MPI_COMM_WORLD, r, ierr)
  print *, 'rank', r, 'tool', puts, sends, inside > 0
  call PMPI_FINALIZE(ierr)
end subroutine
