! What is kept by a key: attributes with functions of the program's (MPI-3.1 6.7), and info objects (9).
subroutine copies(handle, key, extra, in, out, flag, ierr)
  include 'mpif.h'
  integer :: handle, key, ierr
  integer(kind=MPI_ADDRESS_KIND) :: extra, in, out
  logical :: flag
  out = in + extra
  flag = .true.
  ierr = MPI_SUCCESS
end subroutine

subroutine deletes(handle, key, value, extra, ierr)
  include 'mpif.h'
  integer :: handle, key, ierr
  integer(kind=MPI_ADDRESS_KIND) :: value, extra, deleted
  common /seen/ deleted
  deleted = deleted + value
  ierr = MPI_SUCCESS
end subroutine

program keys
  implicit none
  include 'mpif.h'
  external :: copies, deletes
  integer :: ierr, me, key, comm, other, info, length
  integer(kind=MPI_ADDRESS_KIND) :: value, deleted
  integer(kind=MPI_ADDRESS_KIND), parameter :: extra = 2**33_MPI_ADDRESS_KIND, mine = 5
  logical :: flag
  character(len=50) :: text
  character(len=9) :: name
  common /seen/ deleted
  deleted = 0
  call MPI_INIT(ierr)
  call MPI_COMM_RANK(MPI_COMM_WORLD, me, ierr)

  call MPI_COMM_CREATE_KEYVAL(copies, deletes, key, extra, ierr)
  call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
  call MPI_COMM_SET_ATTR(comm, key, mine, ierr)
  call MPI_COMM_DUP(comm, other, ierr)
  call MPI_COMM_GET_ATTR(other, key, value, flag, ierr)
  call check(flag .and. value == mine + extra, 'a function copies an attribute, of eight bytes')
  call MPI_COMM_FREE(comm, ierr)
  call MPI_COMM_FREE(other, ierr)
  call check(deleted == 2 * mine + extra, 'and another deletes both')

  deleted = 0
  call MPI_TYPE_CREATE_KEYVAL(MPI_TYPE_NULL_COPY_FN, deletes, key, extra, ierr)
  call MPI_TYPE_CONTIGUOUS(2, MPI_INTEGER, comm, ierr)
  call MPI_TYPE_SET_ATTR(comm, key, mine, ierr)
  call MPI_TYPE_DUP(comm, other, ierr)
  call MPI_TYPE_GET_ATTR(other, key, value, flag, ierr)
  call check(.not. flag, 'MPI_TYPE_NULL_COPY_FN copies none')
  call MPI_TYPE_FREE(other, ierr)
  call MPI_TYPE_FREE(comm, ierr)
  call check(deleted == mine, 'what is deleted is one')

  deleted = 0
  call MPI_WIN_CREATE_KEYVAL(MPI_NULL_COPY_FN, deletes, key, extra, ierr)
  call MPI_WIN_CREATE(me, 0_MPI_ADDRESS_KIND, 1, MPI_INFO_NULL, MPI_COMM_WORLD, other, ierr)
  call MPI_WIN_SET_ATTR(other, key, mine, ierr)
  call MPI_WIN_FREE(other, ierr)
  call check(deleted == mine, 'and of a window')

  call MPI_INFO_CREATE(info, ierr)
  call MPI_INFO_SET(info, '  a b ', '  some value ', ierr)
  text = repeat('z', 50)
  call MPI_INFO_GET(info, 'a b', 20, text, flag, ierr)
  call check(flag .and. text == 'some value', 'a value has no blanks around it, and fills its variable')
  call MPI_INFO_GET(info, ' a b', 4, text, flag, ierr)
  call check(flag .and. text == 'some', 'or as much of it as is asked for')
  length = 50
  call MPI_INFO_GET_STRING(info, 'a b', length, text, flag, ierr)
  call check(flag .and. length == 10 .and. text == 'some value', 'MPI_INFO_GET_STRING says how long it is')
  call MPI_INFO_GET_NTHKEY(info, 0, name, ierr)
  call check(name == 'a b', 'a key is found by its number')
  call MPI_INFO_DELETE(info, 'a b  ', ierr)
  call MPI_INFO_GET_VALUELEN(info, 'a b', length, flag, ierr)
  call check(.not. flag, 'and deleted')
  call MPI_INFO_FREE(info, ierr)
  call MPI_FINALIZE(ierr)
contains
  subroutine check(truth, sentence)
    logical, intent(in) :: truth
    character(len=*), intent(in) :: sentence
    if (.not. truth) then
      print '(2a)', 'FAILED: ', sentence
    else if (me == 0) then
      print '(2a)', 'ok: ', sentence
    end if
  end subroutine
end program
