! mpif.h: common blocks, equivalences, labelled loops, statement functions, computed goto.
      block data start
      integer a(20), b(4)
      common /mem/ a
      common /buf/ b
      data b /1, 2, 3, 4/
      end
      subroutine fill(x, n)
      integer n, x(*), i
      do 10 i = 1, n
      x(i) = i !3:2
 10   continue
      end
      program main
      include 'mpif.h'
      integer a(20), c(16), b(4), rank, ierr, win, which, i, s
      integer world, grp, req
      logical race
      integer st(MPI_STATUS_SIZE)
      common /mem/ a
      common /buf/ b
      equivalence (a(5), c(1))
      integer(kind=MPI_ADDRESS_KIND) bytes, at
      character*8 how, number
      integer pick
      pick(i) = a(i) + 1
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call getarg(1, how)
      call getarg(2, number)
      race = how .eq. 'race'
      read (number, *) which
      bytes = 64
      at = 6
      s = 0
      do 5 i = 1, 16
      a(i) = 0
 5    continue
      call MPI_WIN_CREATE(a, bytes, 4, MPI_INFO_NULL,
     &     MPI_COMM_WORLD, win, ierr)
      if (which .eq. 5) goto 500
      if (which .eq. 6) goto 600
      call MPI_WIN_FENCE(0, win, ierr)
      if (which .eq. 4) at = 1
      if (rank .eq. 0) call MPI_PUT(b, 2, MPI_INTEGER, 2, at, 2, !*:1
     &     MPI_INTEGER, win, ierr)
      if (.not. race) call MPI_WIN_FENCE(0, win, ierr)
      if (rank .ne. 2) goto 400
      goto (100, 200, 300, 350), which
 100  c(3) = 8 !1:2
      goto 400
 200  do 210 i = 1, 16
      s = s + a(i) !2:2
 210  continue
      goto 400
 300  call fill(c, 8)
      goto 400
 350  s = pick(3) !4:2
 400  call MPI_WIN_FENCE(0, win, ierr)
      goto 900
 500  call MPI_COMM_GROUP(MPI_COMM_WORLD, world, ierr)
      if (rank .eq. 0) then
        call MPI_GROUP_INCL(world, 1, 2, grp, ierr)
        call MPI_WIN_START(grp, 0, win, ierr)
        call MPI_ACCUMULATE(b, 1, MPI_INTEGER, 2, at, 1, !5:1
     &       MPI_INTEGER, MPI_SUM, win, ierr)
        call MPI_WIN_COMPLETE(win, ierr)
      end if
      if (rank .eq. 2) then
        call MPI_GROUP_INCL(world, 1, 0, grp, ierr)
        call MPI_WIN_POST(grp, 0, win, ierr)
        if (.not. race) call MPI_WIN_WAIT(win, ierr)
        s = a(7) !5:2
        if (race) call MPI_WIN_WAIT(win, ierr)
      end if
      goto 900
 600  call MPI_WIN_LOCK(MPI_LOCK_SHARED, 2, 0, win, ierr)
      if (rank .eq. 0) then
        call MPI_GET(b, 4, MPI_INTEGER, 2, at, 4, MPI_INTEGER, !6:1
     &       win, ierr)
        if (.not. race) call MPI_WIN_FLUSH(2, win, ierr)
        call MPI_ISEND(b, 4, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, !6:2
     &       req, ierr)
        call MPI_WAIT(req, st, ierr)
      end if
      if (rank .eq. 1) call MPI_RECV(b, 4, MPI_INTEGER, 0, 7,
     &     MPI_COMM_WORLD, st, ierr)
      call MPI_WIN_UNLOCK(2, win, ierr)
 900  call MPI_BARRIER(MPI_COMM_WORLD, ierr)
      call MPI_WIN_FREE(win, ierr)
      if (s .gt. 1000000) print *, s
      call MPI_FINALIZE(ierr)
      end
