! mpi_f08 and modules: what MPI stores beside buffers, module variables, submodules' parts, allocatable components.
module state
  use mpi_f08
  implicit none
  type(MPI_Win) :: win
  integer :: me
  logical :: race
  integer, pointer, volatile, asynchronous :: w(:)
  integer, volatile, asynchronous :: shared_word = 4, other_word
  integer, volatile, asynchronous, allocatable :: rows(:,:)
  private :: other_word
contains
  subroutine between()
    if (.not. race) call MPI_Win_fence(0, win)
  end subroutine
  subroutine put_word(to)
    integer, intent(in) :: to
    call MPI_Put(shared_word, 1, MPI_INTEGER, to, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !1:1
  end subroutine
  subroutine change_word()
    shared_word = shared_word + 1 !1:2
  end subroutine
  subroutine get_row(i)
    integer, intent(in) :: i
    call MPI_Get(rows(:, i), 3, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 3, MPI_INTEGER, win) !2:1
  end subroutine
end module
module user
  use state, only: word => shared_word, rows
  implicit none
contains
  integer function total(j)
    integer, intent(in) :: j
    total = sum(rows(:, j)) !2:2
  end function
end module
program main
  use state
  use user
  use, intrinsic :: iso_c_binding
  implicit none
  character(len=8) :: how, number
  integer :: which
  type(c_ptr) :: base
  type(MPI_Request) :: r
  type(MPI_Status) :: status
  type(MPI_Datatype) :: type
  integer, volatile, asynchronous :: n, got, lengths(2), seen
  integer, volatile, asynchronous :: counts(3), places(3), all(3)
  integer :: mine
  logical, volatile, asynchronous :: flag
  call MPI_Init()
  call get_command_argument(1, how)
  call get_command_argument(2, number)
  read (number, *) which
  race = how == 'race'
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Win_allocate(64_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
  call c_f_pointer(base, w, [16])
  allocate (rows(3, 3)); rows = 0
  w = 1; n = 3; lengths = 1; counts = 1; places = [0, 1, 2]; mine = me; flag = .false.
  call MPI_Win_fence(0, win)
  select case (which)
  case (1)
    if (me == 0) call put_word(1)
    call between()
    if (me == 0) call change_word()
  case (2)
    if (me == 0) call get_row(2)
    call between()
    seen = total(2)
  case (3)
    if (me == 0) call MPI_Put(n, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !3:1
    call between()
    call MPI_Comm_size(MPI_COMM_WORLD, n) !3:2
  case (4)
    if (me == 0) call MPI_Get(got, 1, MPI_INTEGER, 1, 2_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !4:1
    call between()
    if (me == 1) call MPI_Comm_rank(MPI_COMM_WORLD, w(3)) !4:2
    if (me == 0) seen = 1
  case (5)
    if (me == 0) call MPI_Get(lengths(2), 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !5:1
    call between()
    call MPI_Type_indexed(2, lengths, [0, 2], MPI_INTEGER, type) !5:2
    call MPI_Type_free(type)
  case (6)
    if (me == 0) call MPI_Get(counts(2), 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !6:1
    call between()
    call MPI_Gatherv(mine, 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD) !6:2
  case (7)
    call MPI_Irecv(got, 1, MPI_INTEGER, me, 1, MPI_COMM_WORLD, r)
    call MPI_Send(mine, 1, MPI_INTEGER, me, 1, MPI_COMM_WORLD)
    if (me == 0) call MPI_Put(flag, 1, MPI_LOGICAL, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !7:1
    call between()
    call MPI_Iprobe(2, 77, MPI_COMM_WORLD, flag, status) !7:2
    call MPI_Wait(r, MPI_STATUS_IGNORE)
  case (8)
    if (me == 0) call MPI_Get(n, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !8:1
    call between()
    call MPI_Bcast(all, n, MPI_INTEGER, 0, MPI_COMM_WORLD) !8:2
  case (9)
    call MPI_Recv(got, 0, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, status)
    if (me == 0) call MPI_Put(n, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !9:1
    call between()
    call MPI_Get_count(status, MPI_INTEGER, n) !9:2
  case (10)
    if (me == 0) call MPI_Put(word, 1, MPI_INTEGER, 1, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !10:1
    call between()
    if (me == 0) word = 5 !10:2
  end select
  call MPI_Win_fence(0, win)
  call MPI_Win_free(win)
  call MPI_Finalize()
end program
