! What belongs to a rank alone: COMMON, SAVE, modules, units, random numbers, time. 3 ranks.
module own
  integer :: counted = 0
end module

program ranks
  use mpi
  use own
  implicit none
  include 'put_accept.inc'
  integer :: rank, ierr, i, total, n, status(MPI_STATUS_SIZE), before, after, rate
  integer :: stored, requests(2), indices(2), ignored(2)
  real :: x, cpu
  double precision :: start
  character(len=80) :: file, line
  common /block/ stored

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  stored = rank
  do i = 0, rank
     call count_up
  end do
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  call says(stored == rank, 'a COMMON block belongs to a rank')
  call says(counted == rank + 1, 'so does a module''s variable')
  call MPI_Allreduce(counted, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  call says(total == 6, 'MPI_ALLREDUCE from Fortran')

  ! The same unit number is another file at each rank, and stays connected while others run.
  write (file, '(a,i0)') 'unit', rank
  open (10, file=file)
  write (10, '(i0,a)', advance='no') rank, ' begins '
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  write (10, '(a)') 'and ends'
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  rewind (10)
  read (10, '(a)') line
  close (10, status='delete')
  call says(line == achar(48 + rank)//' begins and ends', 'unit 10 belongs to a rank')

  call random_number(x)
  if (rank > 0) call MPI_Send(x, 1, MPI_REAL, 0, 1, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
     print '(a,f0.8)', 'random=', x
     do i = 1, 2
        call MPI_Recv(cpu, 1, MPI_REAL, i, 1, MPI_COMM_WORLD, status, ierr)
        call says(cpu /= x .and. status(MPI_SOURCE) == i, 'ranks have random numbers of their own')
     end do
  end if

  ! SMPI's bindings write a status to these constants, which are no statuses.
  ignored(1) = -1
  if (rank > 0) call MPI_Send(rank, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, ierr)
  if (rank > 0) call MPI_Send(rank, 1, MPI_INTEGER, 0, 3, MPI_COMM_WORLD, ierr)
  if (rank == 0) then
     before = word_after()
     do i = 1, 2
        call MPI_Recv(ignored(1), 1, MPI_INTEGER, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        call MPI_Irecv(ignored(i), 1, MPI_INTEGER, i, 3, MPI_COMM_WORLD, requests(i), ierr)
     end do
     call MPI_Waitany(2, requests, n, MPI_STATUS_IGNORE, ierr)
     call MPI_Waitsome(2, requests, n, indices, MPI_STATUSES_IGNORE, ierr)
     call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
     call says(sum(ignored) == 3, 'messages whose status is ignored')
     call says(word_after() == before, 'and nothing is written to MPI_STATUS_IGNORE')
  end if

  call system_clock(before, rate)
  start = MPI_Wtime()
  call sleep(2)
  call system_clock(after)
  call cpu_time(cpu)
  call says(MPI_Wtime() - start >= 2 .and. MPI_Wtime() - start < 2.001, 'SLEEP takes simulated time')
  call says(after - before == 2 * rate, 'SYSTEM_CLOCK shows it')
  call says(cpu > 2 .and. cpu < 2.1, 'so does CPU_TIME')

  ! An I/O statement that is under way while other ranks run, and do the same.
  do i = 1, 3
     write (line, *) MPI_Wtime(), i
     print '(a,i0,a,i0)', 'line ', i, ' of ', waits(rank)
  end do
  call MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, status, ierr)
  n = status(MPI_OP)
  call says(n == MPI_SEND_PROBED, 'put_accept.inc goes with the module mpi')
  call MPI_Finalize(ierr)
  if (rank == 2) stop 5

contains
  ! What lies behind the constant; 2 is a source or tag of the above.
  integer function word_after()
    integer, external :: look
    word_after = look(MPI_STATUS_IGNORE)
  end function

  subroutine count_up
    counted = counted + 1
  end subroutine

  recursive integer function waits(who)
    integer, intent(in) :: who
    integer :: code
    call MPI_Barrier(MPI_COMM_WORLD, code)
    waits = who
  end function

  subroutine says(right, what)
    logical, intent(in) :: right
    character(*), intent(in) :: what
    if (right) then
       print '(2a)', 'ok: ', what
    else
       print '(2a,i0)', 'FAILED: ', what//' at rank ', rank
    end if
  end subroutine
end program

integer function look(words)
  integer :: words(5)
  look = words(1) + 3 * words(2) + 5 * words(3)
end function
