! The module mpi_f08 (MPI-3.1 17.1.2), 2 ranks: handles are types, errors are optional, buffers of any type and shape.
! With the argument "fatal", a mistake of rank 0 ends the run.
program f08
  use, intrinsic :: iso_c_binding
  use mpi_f08
  implicit none
  type(MPI_Comm) :: half, copy
  type(MPI_Win) :: win
  type(MPI_Request) :: requests(2), request
  type(MPI_Status) :: status, statuses(2)
  type(MPI_Datatype) :: column, pair
  type(MPI_Group) :: world, other
  type(MPI_Op) :: larger
  type(MPI_Info) :: info
  type(c_ptr) :: base
  integer, pointer :: memory(:)
  integer(kind=MPI_ADDRESS_KIND) :: lb, extent, place, value
  integer :: rank, ranks, ierr, n, i, grid(2, 3), one, old, f_status(MPI_STATUS_SIZE)
  real(8) :: matrix(4, 4), sums(2), most(2)
  complex :: z
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=MPI_MAX_ERROR_STRING) :: message
  character(len=16) :: text
  logical :: flag

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(comm=MPI_COMM_WORLD, size=ranks, ierror=ierr)
  call says(ierr == MPI_SUCCESS .and. ranks == 2, 'arguments by name, ierror among them')

  call MPI_Comm_dup(MPI_COMM_WORLD, copy)
  call says(copy /= MPI_COMM_WORLD .and. copy /= MPI_COMM_NULL, 'handles are compared with /=')
  half = copy
  call says(half == copy, 'and with ==, assigned ones are equal')
  call MPI_Comm_set_name(copy, 'a copy')
  call MPI_Comm_get_name(copy, name, n)
  call says(name == 'a copy' .and. n == 6, 'strings have the length that they have')
  call MPI_Comm_free(copy)
  call says(copy == MPI_COMM_NULL, 'a freed communicator is MPI_COMM_NULL')

  ! Buffers: scalars, arrays of two dimensions, sections, text
  grid = 0
  if (rank == 0) grid = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  call MPI_Bcast(grid, 6, MPI_INTEGER, 0, MPI_COMM_WORLD)
  call says(grid(2, 3) == 6, 'an array of two dimensions is a buffer')
  z = (0., 0.)
  if (rank == 0) then
     call MPI_Send((2., 3.), 1, MPI_COMPLEX, 1, 4, MPI_COMM_WORLD)
     call MPI_Send(grid(1, :), 3, MPI_INTEGER, 1, 5, MPI_COMM_WORLD)
     call MPI_Send('some text', 9, MPI_CHARACTER, 1, 6, MPI_COMM_WORLD)
  else
     call MPI_Recv(z, 1, MPI_COMPLEX, 0, MPI_ANY_TAG, MPI_COMM_WORLD, status)
     call says(z == (2., 3.) .and. status%MPI_TAG == 4 .and. status%MPI_SOURCE == 0, &
               'a status has components')
     call MPI_Get_count(status, MPI_COMPLEX, n)
     call says(n == 1, 'and MPI_GET_COUNT reads it')
     call MPI_Status_f082f(status, f_status)
     call says(f_status(MPI_TAG) == 4, 'it is converted to an array')
     grid = 0
     call MPI_Recv(grid(1, :), 3, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
     call says(all(grid(1, :) == [1, 3, 5]) .and. all(grid(2, :) == 0), 'a section is sent, and received into')
     text = ''
     call MPI_Recv(text, 16, MPI_CHARACTER, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
     call says(text == 'some text', 'text is a buffer')
  end if
  call awaited()

  sums = [real(rank, 8), 1d0]
  call MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  call says(sums(1) == 1 .and. sums(2) == 2, 'MPI_IN_PLACE')
  call MPI_Op_create(greatest, .true., larger)
  most = [real(rank, 8), real(-rank, 8)]
  call MPI_Reduce(most, sums, 2, MPI_DOUBLE_PRECISION, larger, 0, MPI_COMM_WORLD)
  if (rank == 0) call says(sums(1) == 1 .and. sums(2) == 0, 'an operation of the program is an MPI_User_function')
  call MPI_Op_free(larger)
  call says(larger == MPI_OP_NULL, 'a freed operation is MPI_OP_NULL')

  ! Datatypes
  call MPI_Type_vector(4, 1, 4, MPI_DOUBLE_PRECISION, column)
  call MPI_Type_commit(column)
  call MPI_Type_get_extent(MPI_DOUBLE_PRECISION, lb, extent)
  call MPI_Type_create_struct(2, [1, 1], [0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND], [MPI_INTEGER, MPI_REAL], pair)
  call MPI_Type_size(pair, n)
  call says(lb == 0 .and. extent == 8 .and. n == 8, 'extents are of MPI_ADDRESS_KIND, types stand in arrays')
  matrix = rank
  call MPI_Isend(matrix, 1, column, 1 - rank, 0, MPI_COMM_WORLD, requests(1))
  call MPI_Irecv(matrix(2, 1), 1, column, 1 - rank, 0, MPI_COMM_WORLD, requests(2))
  call MPI_Waitall(2, requests, statuses)
  call says(all(matrix(2, :) == 1 - rank) .and. all(matrix(1, :) == rank), 'a row is sent as a vector')
  call says(all([requests(1) == MPI_REQUEST_NULL, requests(2) == MPI_REQUEST_NULL]), 'requests are null then')
  call MPI_Type_free(column)

  ! Groups, info, attributes
  call MPI_Comm_group(MPI_COMM_WORLD, world)
  call MPI_Group_range_incl(world, 1, reshape([1, 1, 1], [3, 1]), other)
  call MPI_Group_size(other, n)
  call says(n == 1 .and. other /= world, 'groups: a range')
  call MPI_Comm_create(MPI_COMM_WORLD, other, half)
  call says((half == MPI_COMM_NULL) .eqv. (rank == 0), 'who is outside gets MPI_COMM_NULL')
  call MPI_Comm_split(MPI_COMM_WORLD, merge(MPI_UNDEFINED, 1, rank == 0), 0, half)
  call says((half == MPI_COMM_NULL) .eqv. (rank == 0), 'so does who is of no colour')
  call MPI_Info_create(info)
  call MPI_Info_set(info, 'same_size', 'true')
  call MPI_Info_get(info, 'same_size', 16, text, flag)
  call says(flag .and. text == 'true', 'info')

  ! Windows
  call MPI_Win_allocate(32_MPI_ADDRESS_KIND, 4, info, MPI_COMM_WORLD, base, win)
  call c_f_pointer(base, memory, [8])
  call MPI_Info_free(info)
  call MPI_Win_get_attr(win, MPI_WIN_SIZE, value, flag)
  call says(flag .and. value == 32, 'MPI_WIN_SIZE is of MPI_ADDRESS_KIND')
  memory = 0
  call MPI_Win_fence(0, win)
  if (rank == 0) call MPI_Put([41, 42], 2, MPI_INTEGER, 1, 2_MPI_ADDRESS_KIND, 2, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  if (rank == 1) call says(all(memory(3:4) == [41, 42]), 'a put arrives')
  call MPI_Win_lock_all(0, win)
  one = 1
  call MPI_Fetch_and_op(one, old, MPI_INTEGER, 0, 7_MPI_ADDRESS_KIND, MPI_SUM, win)
  call MPI_Win_flush(0, win)
  call says(old == 0 .or. old == 1, 'a counter')
  old = -1
  call MPI_Rget(old, 1, MPI_INTEGER, 1, 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win, request)
  call MPI_Wait(request, MPI_STATUS_IGNORE)
  call says(old == 42, 'a get with a request')
  call MPI_Win_unlock_all(win)
  call MPI_Win_free(win)
  call says(win == MPI_WIN_NULL, 'a freed window is MPI_WIN_NULL')

  ! Addresses
  call MPI_Get_address(grid(1, 1), place)
  call MPI_Get_address(grid(2, 1), value)
  call says(MPI_Aint_diff(value, place) == 4 .and. MPI_Aint_add(place, 4_MPI_ADDRESS_KIND) == value, 'addresses')
  call MPI_F_sync_reg(grid)

  ! Errors
  if (command_argument_count() == 0) call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
  ierr = MPI_ERR_RANK
  if (command_argument_count() == 0) call MPI_Send(one, 1, MPI_INTEGER, 5, 0, MPI_COMM_WORLD, ierr)
  call MPI_Error_class(ierr, n)
  call says(n == MPI_ERR_RANK, 'ierror has the error where it is there')
  message = repeat('x', MPI_MAX_ERROR_STRING)
  call MPI_Error_string(ierr, message, n)
  call says(n > 0 .and. len_trim(message) == n, 'an error in words is padded with blanks')
  call MPI_Send(one, 1, MPI_INTEGER, 5, 0, MPI_COMM_WORLD)
  call says(MPI_Wtime() >= 0 .and. MPI_Wtick() > 0, 'and nothing is stored where it is not')
  if (.not. MPI_SUBARRAYS_SUPPORTED) print '(a,i0)', 'ok ', rank
  call MPI_Finalize()

contains
  subroutine says(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (.not. holds) print '(a,i0,2a)', 'FAILED on rank ', rank, ': ', what
  end subroutine

  ! A call may keep a pointer to its buffer, which no argument of MPI_Wait names.
  subroutine awaited()
    integer :: got, sent
    type(MPI_Request) :: pending
    got = -1
    sent = 10 + rank
    call MPI_Irecv(got, 1, MPI_INTEGER, 1 - rank, 9, MPI_COMM_WORLD, pending)
    call MPI_Send(sent, 1, MPI_INTEGER, 1 - rank, 9, MPI_COMM_WORLD)
    call MPI_Wait(pending, MPI_STATUS_IGNORE)
    call says(got == 11 - rank, 'a receive is in its variable after the wait')
  end subroutine

  subroutine greatest(invec, inoutvec, len, datatype)
    type(c_ptr), value :: invec, inoutvec
    integer :: len
    type(MPI_Datatype) :: datatype
    real(8), pointer :: from(:), to(:)
    call c_f_pointer(invec, from, [len])
    call c_f_pointer(inoutvec, to, [len])
    if (datatype /= MPI_DOUBLE_PRECISION) return
    to = max(from, to)
  end subroutine
end program f08
