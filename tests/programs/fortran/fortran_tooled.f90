! A program whose calls fortran_tool.f90 wraps.
program tooled
  use mpi
  implicit none
  integer :: ierr, r, n, win, got(4), v
  integer(kind=MPI_ADDRESS_KIND) :: size, disp
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, r, ierr)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, n, ierr)
  got = 0
  size = 16
  call MPI_WIN_CREATE(got, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_WIN_FENCE(0, win, ierr)
  v = r + 1
  disp = 0
  call MPI_PUT(v, 1, MPI_INTEGER, mod(r + 1, n), disp, 1, MPI_INTEGER, win, ierr)
  call MPI_WIN_FENCE(0, win, ierr)
  print *, 'rank', r, 'got', got(1)
  if (r == 0) call MPI_SEND(v, 1, MPI_INTEGER, 1, 3, MPI_COMM_WORLD, ierr)
  if (r == 1) call MPI_RECV(v, 1, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  call MPI_WIN_FREE(win, ierr)
  call MPI_FINALIZE(ierr)
end program
