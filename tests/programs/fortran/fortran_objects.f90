! Attributes, names, contents of datatypes, MPI_BOTTOM and MPI_IN_PLACE in every call that has a buffer. 2 ranks.
program objects
  use mpi
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    type(c_ptr) function comm_of(comm) bind(c, name='MPI_Comm_f2c')
      import
      integer(c_int), value :: comm
    end function
    type(c_ptr) function win_of(win) bind(c, name='MPI_Win_f2c')
      import
      integer(c_int), value :: win
    end function
    integer(c_int) function comm_in_c(comm, key, found, is) bind(c, name='MPI_Comm_get_attr')
      import
      type(c_ptr), value :: comm
      integer(c_int), value :: key
      type(c_ptr) :: found
      integer(c_int) :: is
    end function
    integer(c_int) function win_in_c(win, key, found, is) bind(c, name='MPI_Win_get_attr')
      import
      type(c_ptr), value :: win
      integer(c_int), value :: key
      type(c_ptr) :: found
      integer(c_int) :: is
    end function
  end interface
  type(c_ptr) :: found
  integer(kind=MPI_ADDRESS_KIND), pointer :: there
  integer(kind=MPI_ADDRESS_KIND) :: base
  integer :: win, memory(8), class, code
  character(len=MPI_MAX_ERROR_STRING) :: message
  integer(kind=MPI_ADDRESS_KIND), parameter :: large = 123456789012345_MPI_ADDRESS_KIND
  integer(kind=MPI_ADDRESS_KIND) :: value, places(2), addresses(4)
  integer :: rank, other, ierr, comm, copy, keyval, kept, absolute, pair, n, m, k, combiner, position
  integer :: integers(4), types(3), sums(2), mine(4), status(MPI_STATUS_SIZE)
  integer, volatile :: a(3), b(3)   ! calls that name MPI_BOTTOM store there
  character(len=MPI_MAX_OBJECT_NAME) :: name
  character(len=12) :: short
  character :: packed(64)
  logical :: flag

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  other = 1 - rank

  ! "the attribute value is an integer of kind MPI_ADDRESS_KIND" (MPI-2 4.12.7)
  call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierr)
  call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND, ierr)
  call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, kept, 0_MPI_ADDRESS_KIND, ierr)
  call MPI_Comm_set_attr(comm, keyval, large, ierr)
  call MPI_Comm_set_attr(comm, kept, large + 1, ierr)
  value = -1
  call MPI_Comm_get_attr(comm, keyval, value, flag, ierr)
  call says(flag .and. value == large, 'an attribute of a communicator has 64 bits')
  call MPI_Comm_dup(comm, copy, ierr)
  call MPI_Comm_get_attr(copy, keyval, value, flag, ierr)
  call says(.not. flag, 'MPI_COMM_NULL_COPY_FN does not copy it')
  call MPI_Comm_get_attr(copy, kept, value, flag, ierr)
  call says(flag .and. value == large + 1, 'MPI_COMM_DUP_FN does')
  value = -1
  call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag, ierr)
  call says(flag .and. value >= 32767 .and. value < 2_MPI_ADDRESS_KIND**31, 'MPI_TAG_UB is an integer')
  call MPI_Attr_put(comm, keyval, 17, ierr)
  call MPI_Attr_get(comm, keyval, n, flag, ierr)
  call says(flag .and. n == 17, 'MPI_ATTR_PUT and MPI_ATTR_GET have default integers')
  call MPI_Comm_set_attr(comm, keyval, large, ierr)
  ierr = comm_in_c(comm_of(comm), keyval, found, n)
  call c_f_pointer(found, there)
  call says(n /= 0 .and. there == large, 'C gets the address of what Fortran has set')
  call MPI_Win_create(memory, 32_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  call MPI_Win_create_keyval(MPI_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, n, 0_MPI_ADDRESS_KIND, ierr)
  call MPI_Win_set_attr(win, n, large, ierr)
  call MPI_Win_get_attr(win, n, value, flag, ierr)
  call says(flag .and. value == large, 'an attribute of a window has 64 bits')
  ierr = win_in_c(win_of(win), n, found, m)
  call c_f_pointer(found, there)
  call says(m /= 0 .and. there == large, 'C gets its address, too')
  call MPI_Win_get_attr(win, MPI_WIN_BASE, value, flag, ierr)
  call MPI_Get_address(memory, base, ierr)
  call says(flag .and. value == base, 'MPI_WIN_BASE is an address')
  call MPI_Win_free(win, ierr)
  call MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, keyval, 0_MPI_ADDRESS_KIND, ierr)

  ! Names
  call MPI_Comm_set_name(copy, 'short', ierr)
  name = repeat('x', MPI_MAX_OBJECT_NAME)
  call MPI_Comm_get_name(copy, name, n, ierr)
  call says(n == 5 .and. name == 'short', 'a name that is a constant ends where it ends')
  short = 'x'
  call MPI_Comm_get_name(copy, short, n, ierr)
  call says(short == 'short', 'and is padded to the variable that there is')

  call MPI_Add_error_class(class, ierr)
  call MPI_Add_error_code(class, code, ierr)
  call MPI_Add_error_string(code, 'too cold', ierr)
  message = repeat('x', MPI_MAX_ERROR_STRING)
  call MPI_Error_string(code, message, n, ierr)
  call says(n == 8 .and. message == 'too cold', 'an error of the program has its words')
  short = 'x'
  call MPI_Get_processor_name(short, n, ierr)
  call says(n > 0 .and. len_trim(short) == n, 'the name of a processor is padded')

  ! Datatypes: "array_of_datatypes: handles"
  call MPI_Get_address(a, places(1), ierr)
  call MPI_Get_address(b, places(2), ierr)
  call MPI_Type_create_struct(2, [3, 3], places, [MPI_INTEGER, MPI_INTEGER], absolute, ierr)
  call MPI_Type_commit(absolute, ierr)
  call MPI_Type_create_struct(2, [1, 1], [0_MPI_ADDRESS_KIND, 8_MPI_ADDRESS_KIND], &
                              [MPI_INTEGER, MPI_DOUBLE_PRECISION], pair, ierr)
  call MPI_Type_set_attr(pair, keyval, large, ierr)
  call MPI_Type_get_attr(pair, keyval, value, flag, ierr)
  call says(flag .and. value == large, 'an attribute of a datatype has 64 bits')
  call MPI_Type_set_name(pair, 'a pair', ierr)
  call MPI_Type_get_name(pair, name, n, ierr)
  call says(n == 6 .and. name == 'a pair', 'a datatype has a name')
  types = -7
  call MPI_Type_get_envelope(pair, n, m, k, combiner, ierr)
  call MPI_Type_get_contents(pair, 4, 4, 2, integers, addresses, types, ierr)
  call says(combiner == MPI_COMBINER_STRUCT .and. k == 2 .and. addresses(2) == 8, 'the contents of a structure')
  call says(types(1) == MPI_INTEGER .and. types(2) == MPI_DOUBLE_PRECISION .and. types(3) == -7, &
            'its datatypes are handles, in their places and no others')

  ! MPI_BOTTOM
  call filled(10)
  call MPI_Bcast(MPI_BOTTOM, 1, absolute, 1, MPI_COMM_WORLD, ierr)
  call says(all(a == 111) .and. all(b == 211), 'MPI_BCAST')
  call filled(20)
  call MPI_Sendrecv_replace(MPI_BOTTOM, 1, absolute, other, 0, other, 0, MPI_COMM_WORLD, status, ierr)
  call says(all(a == 120 + other) .and. all(b == 220 + other), 'MPI_SENDRECV_REPLACE')
  call filled(30)
  if (rank == 0) call MPI_Ssend(MPI_BOTTOM, 1, absolute, 1, 0, MPI_COMM_WORLD, ierr)
  if (rank == 1) call MPI_Recv(MPI_BOTTOM, 1, absolute, 0, 0, MPI_COMM_WORLD, status, ierr)
  call says(all(a == 130) .or. rank == 0, 'MPI_SSEND')
  position = 0
  call filled(40)
  call MPI_Pack(MPI_BOTTOM, 1, absolute, packed, 64, position, MPI_COMM_WORLD, ierr)
  a = 0
  b = 0
  position = 0
  call MPI_Unpack(packed, 64, position, MPI_BOTTOM, 1, absolute, MPI_COMM_WORLD, ierr)
  call says(all(a == 140 + rank) .and. all(b == 240 + rank), 'MPI_PACK and MPI_UNPACK')

  ! MPI_IN_PLACE
  sums = [rank + 1, 10]
  call MPI_Exscan(MPI_IN_PLACE, sums, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call says(rank == 0 .or. all(sums == [1, 10]), 'MPI_EXSCAN')
  mine = [1, 2, 3, 4]
  call MPI_Reduce_scatter_block(MPI_IN_PLACE, mine, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call says(all(mine(1:2) == merge([2, 4], [6, 8], rank == 0)), 'MPI_REDUCE_SCATTER_BLOCK')
  sums = rank + 1
  if (rank == 0) call MPI_Reduce(MPI_IN_PLACE, sums, 2, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  if (rank == 1) call MPI_Reduce(sums, n, 2, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierr)
  call says(rank == 1 .or. all(sums == 3), 'MPI_REDUCE')

  call MPI_Comm_free(copy, ierr)
  call MPI_Comm_disconnect(comm, ierr)
  call says(copy == MPI_COMM_NULL .and. comm == MPI_COMM_NULL, 'communicators are null once they are freed')
  call MPI_Finalize(ierr)
  print '(a,i0)', 'ok ', rank
contains
  subroutine filled(with)
    integer, intent(in) :: with
    a = 100 + with + rank
    b = 200 + with + rank
  end subroutine
  subroutine says(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what
    if (.not. holds) print '(a,i0,2a)', 'FAILED on rank ', rank, ': ', what
  end subroutine
end program objects
