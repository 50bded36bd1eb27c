! mpi_f08: aliases by associate and pointer, arguments that are set on entry, memory that moves, procedures of types.
module things
  use mpi_f08
  implicit none
  type counter
    integer :: n = 0
    integer :: more(3) = [1, 2, 3]
  contains
    procedure :: bump => bump_it
  end type
  type(MPI_Win) :: win
  integer :: rank
  logical :: race
  integer, pointer, volatile :: w(:)
contains
  subroutine bump_it(self)
    class(counter), intent(inout), target :: self
    self%n = self%n + 1 !1:2
  end subroutine
  subroutine fresh(c)
    type(counter), intent(out) :: c
    if (rank < 0) c%n = 5 !2:2
  end subroutine
  subroutine fence()
    call MPI_Win_fence(0, win)
  end subroutine
  subroutine middle()
    if (.not. race) call MPI_Win_fence(0, win)
  end subroutine
  recursive subroutine halves(a, n)
    integer, intent(in) :: n
    integer, intent(inout) :: a(n)
    if (n == 1) then
      a(1) = a(1) * 2 !7:2
    else
      call halves(a(:n/2), n / 2)
      call halves(a(n/2+1:), n - n / 2)
    end if
  end subroutine
end module
program main
  use things
  use, intrinsic :: iso_c_binding
  implicit none
  character(len=8) :: how, number
  integer :: which, i
  type(c_ptr) :: base
  type(counter), target, volatile :: c
  type(counter), target :: d
  integer, allocatable, target, asynchronous :: a(:), b(:)
  integer, pointer, volatile :: p(:)
  integer, pointer :: q(:,:)
  integer, volatile, asynchronous :: one, seen
  integer, asynchronous :: got(4)
  logical :: flag
  type(MPI_Request) :: r
  type(MPI_Op) :: op
  integer, volatile, asynchronous :: list(6)
  namelist /settings/ list
  character(len=40) :: line
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call get_command_argument(1, how)
  call get_command_argument(2, number)
  race = how == 'race'
  read (number, *) which
  call MPI_Win_allocate(128_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, base, win)
  call c_f_pointer(base, w, [32])
  call c_f_pointer(base, q, [4, 8])
  w = 1
  one = 1
  call fence()
  select case (which)
  case (1)
    if (rank == 0) call MPI_Put(d%n, 1, MPI_INTEGER, 2, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !1:1
    call middle()
    if (rank == 0) call d%bump()
    call fence()
    if (d%n > 5) print *, d%n
  case (2)
    if (rank == 0) call MPI_Put(d%more(2), 1, MPI_INTEGER, 2, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !2:1
    call middle()
    if (rank == 0) call fresh(d)
    call fence()
    if (d%n > 5) print *, d%n
  case (3)
    allocate (a(4))
    a = 3
    if (rank == 1) call MPI_Get(a, 4, MPI_INTEGER, 2, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win) !3:1
    call middle()
    call move_alloc(a, b)
    if (rank == 1) b(2) = 9 !3:2
    call fence()
    if (sum(b) > 1000) print *, b
  case (4)
    associate (edge => w(3:6))
      if (rank == 0) call MPI_Put(one, 1, MPI_INTEGER, 2, 4_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !4:1
      call middle()
      if (rank == 2) edge(3) = 5 !4:2
    end associate
    call fence()
  case (5)
    p => w(1:16:3)
    if (rank == 0) call MPI_Get(got, 1, MPI_INTEGER, 2, 6_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !5:1
    call middle()
    if (rank == 2) p(2:4) = 7 !5:2
    call fence()
  case (6)
    if (rank == 0) call MPI_Put(one, 1, MPI_INTEGER, 2, 9_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) !6:1
    call middle()
    if (rank == 2) got = transposed(q)
    call fence()
  case (7)
    got = [1, 2, 3, 4]
    if (rank == 0) call MPI_Accumulate(got(3), 1, MPI_INTEGER, 2, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, MPI_MIN, win) !7:1
    call middle()
    call halves(got, 4)
    call fence()
  case (8)
    list = 5
    if (rank == 0) call MPI_Get(list(2), 3, MPI_INTEGER, 2, 0_MPI_ADDRESS_KIND, 3, MPI_INTEGER, win) !8:1
    call middle()
    if (rank == 0) write (line, '(6i3)') list !8:2
    call fence()
  case (9)
    call MPI_Win_lock_all(0, win)
    if (rank == 0) then
      call MPI_Rget(got, 4, MPI_INTEGER, 2, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, win, r) !9:1
      flag = race
      do while (.not. flag)
        call MPI_Test(r, flag, MPI_STATUS_IGNORE)
      end do
      if (any(got(1:4) == 7)) seen = 1 !9:2
      if (race) call MPI_Wait(r, MPI_STATUS_IGNORE)
    end if
    call MPI_Win_unlock_all(win)
  case (10)
    call MPI_Win_lock_all(0, win)
    op = MPI_SUM
    if (race .and. rank == 1) op = MPI_PROD
    if (rank < 2) then
      one = rank + 1
      call MPI_Fetch_and_op(one, got(1), MPI_INTEGER, 2, 0_MPI_ADDRESS_KIND, op, win) !10:1 10:2
    end if
    call MPI_Win_unlock_all(win)
  case (11)
    block
      integer, volatile :: inner(8)
      inner = [(i, i = 1, 8)]
      if (rank == 1) call MPI_Put(inner(3:5), 3, MPI_INTEGER, 2, 0_MPI_ADDRESS_KIND, 3, MPI_INTEGER, win) !11:1
      call middle()
      where (inner > 3) inner = 0 !11:2
      call fence()
      if (sum(inner) > 1000) print *, inner
    end block
  case (12)
    call MPI_Win_lock_all(0, win)
    if (rank == 0) call MPI_Compare_and_swap(one, 1, got(2), MPI_INTEGER, 2, 3_MPI_ADDRESS_KIND, win) !12:1
    if (rank == 0 .and. .not. race) call MPI_Win_flush_local_all(win)
    if (rank == 0) seen = findloc(got, 3, dim=1) !12:2
    call MPI_Win_unlock_all(win)
  end select
  call MPI_Barrier(MPI_COMM_WORLD)
  call MPI_Win_free(win)
  call MPI_Finalize()
contains
  function transposed(m) result(v)
    integer, intent(in) :: m(:,:)
    integer :: v(4)
    v = reshape(transpose(m(:2, 2:3)), [4]) !6:2
  end function
end program
