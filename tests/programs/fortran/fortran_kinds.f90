! Datatypes by how many digits and which range a kind has (MPI-3.1 17.2.6): put, accumulated and fetched.
program kinds
  use mpi
  implicit none
  integer, parameter :: digits = selected_int_kind(12), wide = selected_real_kind(15, 300), narrow = selected_real_kind(6)
  integer :: whole, real, pair !mpif.h
  integer(digits), asynchronous :: counts(2)
  real(wide), asynchronous :: sums(2)
  complex(narrow), asynchronous :: pairs(2)
  integer :: me, n, right, bytes(3), ierr, class
  logical :: good

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  right = mod(me + 1, n)
  call MPI_Type_create_f90_integer(12, whole, ierr)
  call MPI_Type_create_f90_real(15, 300, real, ierr)
  call MPI_Type_create_f90_complex(6, MPI_UNDEFINED, pair, ierr)
  call MPI_Type_size(whole, bytes(1), ierr)
  call MPI_Type_size(real, bytes(2), ierr)
  call MPI_Type_size(pair, bytes(3), ierr)
  good = all(bytes == [storage_size(counts), storage_size(sums), storage_size(pairs)] / 8)

  counts = 2_digits**33
  sums = 0.5_wide
  pairs = (1, 2)
  call add_whole()
  call add_real()
  call add_pair()
  good = good .and. counts(1) == 2_digits**33 .and. counts(2) == 2_digits**33 + 3 .and. all(sums == [0.5_wide, 2.0_wide]) &
         .and. pairs(1) == (1, 2) .and. pairs(2) == (3, 5)
  call MPI_Allreduce(MPI_IN_PLACE, good, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD, ierr)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierr)
  call MPI_Type_create_f90_integer(40, whole, ierr)
  call MPI_Error_class(ierr, class, ierr)
  if (me == 0) then
    if (good) print '(a)', 'ok: elements of kinds are added in windows'
    if (.not. good) print *, 'FAILED: elements of kinds are added in windows', bytes, counts, sums, pairs
    if (class == MPI_ERR_ARG) print '(a)', 'ok: no kind has 40 digits'
    if (class /= MPI_ERR_ARG) print *, 'FAILED: no kind has 40 digits', class
  end if
  call MPI_Finalize(ierr)
contains
  subroutine add_whole()
    integer :: win !mpif.h
    integer(digits), asynchronous :: add
    add = 3
    call MPI_Win_create(counts, int(sizeof(counts), MPI_ADDRESS_KIND), digits, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Accumulate(add, 1, whole, right, 1_MPI_ADDRESS_KIND, 1, whole, MPI_SUM, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Win_free(win, ierr)
  end subroutine
  subroutine add_real()
    integer :: win !mpif.h
    real(wide), asynchronous :: add
    add = 1.5_wide
    call MPI_Win_create(sums, int(sizeof(sums), MPI_ADDRESS_KIND), wide, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Accumulate(add, 1, real, right, 1_MPI_ADDRESS_KIND, 1, real, MPI_SUM, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Win_free(win, ierr)
  end subroutine
  subroutine add_pair()
    integer :: win !mpif.h
    complex(narrow), asynchronous :: add
    add = (2, 3)
    call MPI_Win_create(pairs, int(sizeof(pairs), MPI_ADDRESS_KIND), 2 * narrow, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Accumulate(add, 1, pair, right, 1_MPI_ADDRESS_KIND, 1, pair, MPI_SUM, win, ierr)
    call MPI_Win_fence(0, win, ierr)
    call MPI_Win_free(win, ierr)
  end subroutine
end program
