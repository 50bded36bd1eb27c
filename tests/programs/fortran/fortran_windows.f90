! MPI's windows from Fortran, 2 ranks. Arguments are of MPI-2's Fortran bindings: sizes and displacements of MPI_ADDRESS_KIND.
program windows
  implicit none
  include 'mpif.h'
  integer(kind=MPI_ADDRESS_KIND), parameter :: zero = 0, one = 1, two = 2, three = 3
  integer :: a(8), got(4), rank, ierr, win, i, request, group, all, keyval
  integer :: status(MPI_STATUS_SIZE)
  integer(kind=MPI_ADDRESS_KIND) :: bytes, value
  character(len=MPI_MAX_OBJECT_NAME) :: name
  logical :: flag
  common /memory/ a, got

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  a = [(100 * rank + i, i = 1, 8)]
  got = 0
  bytes = 32
  call MPI_Win_create(a, bytes, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call says(ierr == MPI_SUCCESS .and. win /= MPI_WIN_NULL, 'MPI_WIN_CREATE gives a handle')

  call MPI_Win_fence(0, win, ierr)
  if (rank == 0) then
     call MPI_Put(a(1), 1, MPI_INTEGER, 1, zero, 1, MPI_INTEGER, win, ierr)
     call MPI_Get(got(1), 2, MPI_INTEGER, 1, two, 2, MPI_INTEGER, win, ierr)
     call MPI_Accumulate(a(2), 1, MPI_INTEGER, 1, one, 1, MPI_INTEGER, MPI_SUM, win, ierr)
     call MPI_Accumulate(a(5), 1, MPI_INTEGER, 1, 4_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_REPLACE, win, ierr)
  end if
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, win, ierr)
  if (rank == 1) call says(a(1) == 1, 'MPI_PUT between fences')
  if (rank == 0) call says(got(1) == 103 .and. got(2) == 104, 'MPI_GET between fences')
  if (rank == 1) call says(a(2) == 104, 'MPI_ACCUMULATE with MPI_SUM')
  if (rank == 1) call says(a(5) == 5, 'MPI_ACCUMULATE with MPI_REPLACE')

  call MPI_Win_get_group(win, all, ierr)
  call MPI_Group_incl(all, 1, [1 - rank], group, ierr)
  if (rank == 0) then
     call MPI_Win_start(group, 0, win, ierr)
     call MPI_Put(a(3), 1, MPI_INTEGER, 1, three, 1, MPI_INTEGER, win, ierr)
     call MPI_Win_complete(win, ierr)
  else
     call MPI_Win_post(group, 0, win, ierr)
     call MPI_Win_wait(win, ierr)
     call says(a(4) == 3, 'MPI_WIN_START, POST, COMPLETE and WAIT')
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)

  if (rank == 1) then
     call MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win, ierr)
     call MPI_Fetch_and_op(a(1), got(1), MPI_INTEGER, 0, zero, MPI_SUM, win, ierr)
     call MPI_Win_flush(0, win, ierr)
     call says(got(1) == 1, 'MPI_FETCH_AND_OP gives what was there')
     call MPI_Compare_and_swap(77, 2, got(2), MPI_INTEGER, 0, zero, win, ierr)
     call MPI_Win_flush(0, win, ierr)
     call says(got(2) == 2, 'MPI_COMPARE_AND_SWAP gives what was there')
     call MPI_Get_accumulate(a(1), 1, MPI_INTEGER, got(3), 1, MPI_INTEGER, 0, zero, 1, MPI_INTEGER, MPI_NO_OP, win, ierr)
     call MPI_Win_flush_all(win, ierr)
     call says(got(3) == 77, 'MPI_GET_ACCUMULATE with MPI_NO_OP')
     call MPI_Rput(a(2), 1, MPI_INTEGER, 0, one, 1, MPI_INTEGER, win, request, ierr)
     call MPI_Wait(request, status, ierr)
     call says(request == MPI_REQUEST_NULL, 'MPI_RPUT completes in MPI_WAIT')
     call MPI_Rget(got(4), 1, MPI_INTEGER, 0, two, 1, MPI_INTEGER, win, request, ierr)
     call MPI_Wait(request, status, ierr)
     call says(got(4) == 3, 'MPI_RGET has its data after MPI_WAIT')
     call MPI_Win_unlock(0, win, ierr)
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (rank == 0) then
     call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win, ierr)
     call says(a(1) == 77 .and. a(2) == 104, 'what another put is there when one''s own window is locked')
     call MPI_Win_unlock(0, win, ierr)
  end if

  call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag, ierr)
  call says(flag .and. value == 32, 'MPI_WIN_SIZE is an attribute')
  call MPI_Win_get_attr(win, MPI_WIN_DISP_UNIT, value, flag, ierr)
  call says(flag .and. value == 4, 'MPI_WIN_DISP_UNIT is an attribute')
  call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag, ierr)
  call says(flag .and. value == loc(a), 'MPI_WIN_BASE is an attribute')
  call MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, keyval, zero, ierr)
  call MPI_Win_set_attr(win, keyval, 12345678901_MPI_ADDRESS_KIND, ierr)
  call MPI_Win_get_attr(win, keyval, value, flag, ierr)
  call says(flag .and. value == 12345678901_MPI_ADDRESS_KIND, 'attributes of the program''s own')
  call MPI_Win_set_name(win, 'heat', ierr)
  name = repeat('x', len(name))
  call MPI_Win_get_name(win, name, i, ierr)
  call says(i == 4 .and. name == 'heat', 'names are padded with blanks')

  ! The Fortran library is not instrumented: what READ stores must reach the window's memory, what PRINT loads must come from it.
  if (rank == 0) then
     name = '4242'
     read (name, *) a(8)
     call MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win, ierr)
     call MPI_Win_unlock(0, win, ierr)
  end if
  call MPI_Win_fence(0, win, ierr)
  if (rank == 1) call MPI_Get(got(1), 1, MPI_INTEGER, 0, 7_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  if (rank == 0) call MPI_Put(got(1), 1, MPI_INTEGER, 1, 7_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  if (rank == 1) call says(got(1) == 4242, 'READ stores into a window')
  if (rank == 1) print '(a,i0)', 'printed=', a(8)

  call MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN, ierr)
  call MPI_Put(a, -1, MPI_INTEGER, 0, zero, 1, MPI_INTEGER, win, ierr)
  call says(ierr == MPI_ERR_COUNT, 'a negative count is MPI_ERR_COUNT')
  call MPI_Put(a, 1, MPI_INTEGER, 0, 99_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, ierr)
  call says(ierr == MPI_ERR_RMA_RANGE, 'a target outside the window is MPI_ERR_RMA_RANGE')
  call MPI_Win_free(win, ierr)
  call says(win == MPI_WIN_NULL, 'MPI_WIN_FREE makes the handle MPI_WIN_NULL')
  call MPI_Finalize(ierr)

contains
  subroutine says(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (right) then
       print '(2a)', 'ok: ', what
    else
       print '(2a)', 'FAILED: ', what
    end if
  end subroutine
end program
