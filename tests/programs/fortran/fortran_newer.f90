! What MPI-4 added for messages and collectives, by mpi_f08; the second half by mpif.h's numbers.
program newer
  use mpi_f08
  implicit none
  integer, parameter :: parts = 4, each = 3
  integer :: me, n, left, right, i, round
  integer, asynchronous :: out(parts * each), in(parts * each), word, came, total, start(1)
  logical :: flag, good
  type(MPI_Request) :: both(2), one
  type(MPI_Comm) :: other, handled
  type(MPI_Errhandler) :: handles
  type(MPI_Win) :: win, handled_win
  integer :: class

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, me)
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  left = mod(me + n - 1, n)
  right = mod(me + 1, n)

  call MPI_Psend_init(out, parts, int(each, MPI_COUNT_KIND), MPI_INTEGER, right, 5, MPI_COMM_WORLD, &
                      MPI_INFO_NULL, both(1))
  call MPI_Precv_init(in, parts, int(each, MPI_COUNT_KIND), MPI_INTEGER, left, 5, MPI_COMM_WORLD, &
                      MPI_INFO_NULL, both(2))
  good = .true.
  do round = 1, 3
    in = -1
    out = [(100 * me + round + i, i = 1, parts * each)]
    call MPI_Startall(2, both)
    call MPI_Pready(0, both(1))
    call MPI_Pready_range(1, 2, both(1))
    call MPI_Pready_list(1, [3], both(1))
    flag = .false.
    do while (.not. flag)
      call MPI_Parrived(both(2), 3, flag)
    end do
    call MPI_Waitall(2, both, MPI_STATUSES_IGNORE)
    good = good .and. all(in == [(100 * left + round + i, i = 1, parts * each)])
  end do
  call MPI_Request_free(both(1))
  call MPI_Request_free(both(2))
  call say(good, 'partitioned messages')

  call blocks()
  call large()

  call MPI_Allreduce_init(word, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, one)
  good = .true.
  do round = 1, 3
    word = me + round
    call MPI_Start(one)
    call MPI_Wait(one, MPI_STATUS_IGNORE)
    good = good .and. total == n * (n - 1) / 2 + n * round
  end do
  call MPI_Request_free(one)
  call say(good, 'a persistent reduction')

  word = me
  call MPI_Isendrecv(word, 1, MPI_INTEGER, right, 1, came, 1, MPI_INTEGER, left, 1, MPI_COMM_WORLD, one)
  call MPI_Wait(one, MPI_STATUS_IGNORE)
  good = came == left
  call MPI_Isendrecv_replace(word, 1, MPI_INTEGER, right, 1, left, 1, MPI_COMM_WORLD, one)
  call MPI_Wait(one, MPI_STATUS_IGNORE)
  call say(good .and. word == left, 'MPI_Isendrecv and MPI_Isendrecv_replace')

  call MPI_Comm_idup_with_info(MPI_COMM_WORLD, MPI_INFO_NULL, other, one)
  call MPI_Wait(one, MPI_STATUS_IGNORE)
  word = me
  call MPI_Bcast(word, 1, MPI_INTEGER, 1, other)
  call MPI_Comm_free(other)
  call say(word == 1, 'MPI_Comm_idup_with_info')

  call MPI_Comm_dup(MPI_COMM_WORLD, other)
  call MPI_Comm_create_errhandler(handler, handles)
  call MPI_Comm_set_errhandler(other, handles)
  handled = MPI_COMM_NULL
  call MPI_Send(word, 1, MPI_INTEGER, n, 0, other)
  call say(handled == other .and. class == MPI_ERR_RANK, 'a handler of errors gets its communicator')
  call MPI_Errhandler_free(handles)
  call MPI_Comm_free(other)

  call MPI_Win_create(came, 0_MPI_ADDRESS_KIND, 1, MPI_INFO_NULL, MPI_COMM_WORLD, win)
  call MPI_Win_create_errhandler(win_handler, handles)
  call MPI_Win_set_errhandler(win, handles)
  call MPI_Errhandler_free(handles)
  handled_win = MPI_WIN_NULL
  call MPI_Win_fence(0, win)
  call MPI_Put(word, 1, MPI_INTEGER, me, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win)
  call MPI_Win_fence(0, win)
  call say(handled_win == win .and. class == MPI_ERR_RMA_RANGE, 'and one of a window its window')
  call MPI_Win_free(win)

  start = me
  call by_number(start, n, good)
  call say(good, 'a persistent broadcast, by the numbers of mpif.h')
  call MPI_Finalize()

contains
  ! A datatype for each block, which is freed before the first start.
  subroutine blocks()
    integer :: counts(n), at(n), give(n), take(n)
    integer(MPI_ADDRESS_KIND) :: beside(2)
    integer, asynchronous :: to(2), from(2)
    type(MPI_Datatype) :: types(n), twice(2)
    type(MPI_Comm) :: ring
    counts = 1
    at = [(4 * i, i = 0, n - 1)]
    do i = 1, n
      call MPI_Type_contiguous(1, MPI_INTEGER, types(i))
      call MPI_Type_commit(types(i))
    end do
    call MPI_Alltoallw_init(give, counts, at, types, take, counts, at, types, MPI_COMM_WORLD, MPI_INFO_NULL, one)
    do i = 1, n
      call MPI_Type_free(types(i))
    end do
    good = .true.
    do round = 1, 2
      give = [(100 * me + i + round, i = 0, n - 1)]
      call MPI_Start(one)
      call MPI_Wait(one, MPI_STATUS_IGNORE)
      good = good .and. all(take == [(100 * i + me + round, i = 0, n - 1)])
    end do
    call MPI_Request_free(one)
    call say(good, 'a persistent collective with a datatype for each block')
    call MPI_Cart_create(MPI_COMM_WORLD, 1, [n], [.true.], .false., ring)
    twice = MPI_INTEGER
    beside = [0, 4]
    call MPI_Neighbor_alltoallw_init(to, [1, 1], beside, twice, from, [1, 1], beside, twice, ring, MPI_INFO_NULL, one)
    to = [me, 100 + me]
    call MPI_Start(one)
    call MPI_Wait(one, MPI_STATUS_IGNORE)
    call MPI_Request_free(one)
    call say(all(from == [100 + left, right]), 'and one of neighbours')
    call MPI_Comm_free(ring)
  end subroutine

  subroutine large()
    integer(MPI_COUNT_KIND) :: size, lb, extent, true_lb, true_extent, elements
    type(MPI_Datatype) :: rows, far
    type(MPI_Status) :: status
    call MPI_Type_contiguous(2**20, MPI_INTEGER, rows)
    call MPI_Type_contiguous(2**11, rows, far)
    call MPI_Type_size_x(far, size)
    call MPI_Type_get_extent_x(far, lb, extent)
    call MPI_Type_get_true_extent_x(far, true_lb, true_extent)
    call MPI_Type_free(rows)
    call MPI_Type_free(far)
    good = size == 2_8**33 .and. lb == 0 .and. extent == size .and. true_lb == 0 .and. true_extent == size
    call MPI_Status_set_elements_x(status, MPI_INTEGER, 5_MPI_COUNT_KIND)
    call MPI_Get_elements_x(status, MPI_INTEGER, elements)
    call say(good .and. elements == 5, 'sizes beyond default integers')
  end subroutine

  subroutine win_handler(win, error_code)
    type(MPI_Win) :: win
    integer :: error_code
    handled_win = win
    class = error_code
  end subroutine

  subroutine handler(comm, error_code)
    type(MPI_Comm) :: comm
    integer :: error_code
    handled = comm
    class = error_code
  end subroutine

  subroutine say(truth, sentence)
    logical, intent(in) :: truth
    character(len=*), intent(in) :: sentence
    logical :: all_of_them
    call MPI_Allreduce(truth, all_of_them, 1, MPI_LOGICAL, MPI_LAND, MPI_COMM_WORLD)
    if (me == 0 .and. all_of_them) print '(2a)', 'ok: ', sentence
    if (me == 0 .and. .not. all_of_them) print '(2a)', 'FAILED: ', sentence
  end subroutine
end program

subroutine by_number(word, n, good)
  implicit none
  include 'mpif.h'
  integer :: word(1), n, request, ierr, round, pair
  logical :: good
  call MPI_BCAST_INIT(word, 1, MPI_INTEGER, n - 1, MPI_COMM_WORLD, MPI_INFO_NULL, request, ierr)
  good = ierr == MPI_SUCCESS
  do round = 1, 2
    call MPI_START(request, ierr)
    call MPI_WAIT(request, MPI_STATUS_IGNORE, ierr)
    good = good .and. word(1) == n - 1
  end do
  call MPI_REQUEST_FREE(request, ierr)
  good = good .and. request == MPI_REQUEST_NULL
  call MPI_TYPE_GET_VALUE_INDEX(MPI_COMPLEX, MPI_INTEGER, pair, ierr) ! there is no such pair
  good = good .and. ierr == MPI_SUCCESS .and. pair == MPI_DATATYPE_NULL
end subroutine
