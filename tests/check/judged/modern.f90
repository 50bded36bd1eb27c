! mpi_f08: buffers in types and requests by index, memory that goes by itself, whole arrays in the window.
module work
  use mpi_f08
  implicit none
  type cell
    integer :: id
    integer :: value(4)
  end type
  integer, pointer, volatile :: w(:)
  type(MPI_Win) :: win
  integer :: rank
  logical :: race
contains
  subroutine fence()
    call MPI_Win_fence(0, win)
  end subroutine
  subroutine middle()
    if (.not. race) call MPI_Win_fence(0, win)
  end subroutine
  elemental integer function bump(x)
    integer, intent(in) :: x
    bump = x + 1
  end function
  integer function twice(a)
    integer, intent(in) :: a
    twice = 2 * a !5:2
  end function
  subroutine automatic()
    integer, allocatable, asynchronous :: mine(:)
    allocate (mine(4))
    mine = rank
    call MPI_Put(mine, 4, MPI_INTEGER, 2, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win) !3:1
    if (.not. race) call MPI_Win_flush_local(2, win)
  end subroutine !3:2
end module
program main
  use work
  use, intrinsic :: iso_c_binding
  implicit none
  character(len=8) :: how, number
  integer :: which, i, index
  type(c_ptr) :: base
  type(cell), asynchronous, volatile :: one
  type(MPI_Request) :: r(3)
  integer, asynchronous, volatile :: slot(3), got, seen, compare, result
  real(8) :: total
  real(8), pointer, volatile :: x(:)
  integer, pointer, volatile :: p(:,:)
  character(len=16), pointer, volatile :: text
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call get_command_argument(1, how)
  call get_command_argument(2, number)
  race = how == 'race'
  read (number, *) which
  call MPI_Win_allocate(128_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
  call c_f_pointer(base, w, [32])
  call c_f_pointer(base, x, [16])
  call c_f_pointer(base, p, [4, 8])
  call c_f_pointer(base, text)
  w = 1
  call fence()
  if (which < 5) call MPI_Win_lock_all(0, win)
  select case (which)
  case (1)
    one = cell(1, [2, 3, 4, 5])
    if (rank == 0) then
      call MPI_Get(one%value(2), 2, MPI_INTEGER, 2, 0_MPI_ADDRESS_KIND, 2, MPI_INTEGER, win) !1:1
      if (.not. race) call MPI_Win_flush(2, win)
      seen = one%value(3) !1:2
    end if
  case (2)
    slot = 5
    if (rank == 1) then
      do i = 1, 3
        call MPI_Rput(slot(i), 1, MPI_INTEGER, 2, int(i, MPI_ADDRESS_KIND), 1, MPI_INTEGER, win, r(i)) !2:1
      end do
      call MPI_Waitany(3, r, index, MPI_STATUS_IGNORE)
      slot(merge(1 + mod(index, 3), index, race)) = 9 !2:2
      call MPI_Waitall(3, r, MPI_STATUSES_IGNORE)
    end if
  case (3)
    if (rank == 0) call automatic()
  case (4)
    if (rank == 0) then
      compare = 1
      do i = 1, 2
        call MPI_Compare_and_swap(i, compare, result, MPI_INTEGER, 2, 0_MPI_ADDRESS_KIND, win) !4:1
        if (.not. race) call MPI_Win_flush(2, win)
        compare = i !4:2
        call MPI_Win_flush(2, win)
      end do
    end if
  case (5)
    if (rank == 0) call MPI_Put(rank, 1, MPI_INTEGER, 2, 3_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !5:1
    call middle()
    if (rank == 2) seen = twice(w(4))
    call fence()
  case (6)
    if (rank == 0) call MPI_Get(got, 1, MPI_INTEGER, 2, 4_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !6:1
    call middle()
    if (rank == 2) w(2:6) = bump(w(2:6)) !6:2
    call fence()
  case (7)
    total = 2
    if (rank == 1) call MPI_Accumulate(total, 1, MPI_REAL8, 2, 2_MPI_ADDRESS_KIND, 1, MPI_REAL8, MPI_SUM, win) !7:1
    call middle()
    if (rank == 2) total = dot_product(x(1:4), x(5:8)) !7:2
    call fence()
    if (total > 1d100) print *, total
  case (8)
    if (rank == 1) call MPI_Put(rank, 1, MPI_INTEGER, 2, 6_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !8:1
    call middle()
    if (rank == 2) seen = size(pack(w(1:8), w(1:8) > 0)) !8:2
    call fence()
  case (9)
    if (rank == 1) call MPI_Put('abcd', 4, MPI_CHARACTER, 2, 1_MPI_ADDRESS_KIND, 4, MPI_CHARACTER, win) !9:1
    call middle()
    if (rank == 2) seen = index_of(text)
    call fence()
  case (10)
    if (rank == 1) call MPI_Put(rank, 1, MPI_INTEGER, 2, 9_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !10:1
    if (rank == 2) then
      do concurrent (i = 1:merge(3, 2, race))
        p(2, i) = i !10:2
      end do
    end if
    call fence()
  case (11)
    if (rank == 0) call MPI_Get(got, 1, MPI_INTEGER, 2, 10_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !11:1
    call middle()
    if (rank == 2) call random_number(x(6)) !11:2
    call fence()
  case (12)
    if (rank == 0) call MPI_Put(rank, 1, MPI_INTEGER, 2, 5_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !12:1
    call middle()
    if (rank == 2) seen = merge(1, 2, any(w(5:7) == 3)) !12:2
    call fence()
  end select
  if (which < 5) call MPI_Win_unlock_all(win)
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Win_free(win)
  call MPI_Finalize()
contains
  integer function index_of(t)
    character(len=16), intent(in) :: t
    index_of = scan(t, 'xyz') !9:2
  end function
end program
