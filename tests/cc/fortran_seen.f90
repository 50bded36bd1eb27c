! Every kind of store of gfortran's reaches the window's memory, where the other rank gets it, and every kind of load sees what the other
! rank put. 2 ranks: rank 0 stores and rank 1 gets; then rank 1 puts and rank 0 loads.
module kinds
  implicit none
  type cell
     sequence
     real(8) :: q(50)
     integer :: n
     integer :: fill
  end type
end module

program seen
  use kinds
  implicit none
  include 'mpif.h'
  integer, parameter :: most = 2000
  integer(kind=MPI_ADDRESS_KIND) :: bytes, disp
  real(8) :: r(most)
  integer :: i4(most)
  character(len=400) :: text, other
  type(cell) :: c, d
  logical(1) :: l(64)
  complex(8) :: z(20)
  common /window/ r, i4, text, c, l, z
  real(8) :: r2(most), plain(most)
  integer :: i42(most), i, k
  character(len=400) :: text2
  type(cell) :: c2
  logical(1) :: l2(64)
  complex(8) :: z2(20)
  common /copy/ r2, i42, text2, c2, l2, z2
  common /outside/ plain
  integer :: rank, ierr, win

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  bytes = 8 * most + 4 * most + 400 + 408 + 64 + 320
  disp = 0
  call MPI_Win_create(r, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, win, ierr)
  plain = [(i * 0.5d0, i = 1, most)]
  other = repeat('sidewinder', 40)

  call MPI_Win_fence(0, win, ierr)
  if (rank == 0) call fill(r, i4)
  call fetch
  if (rank == 1) call says(all(r2(1:50) == [(1d0 / i, i = 1, 50)]), 'stores of reals in a loop')
  if (rank == 1) call says(all(i42 == [(7 * i, i = 1, most)]), 'stores of integers in a loop')

  if (rank == 0) r = plain
  call fetch
  if (rank == 1) call says(all(r2 == plain), 'a whole array of a COMMON block')
  if (rank == 0) call whole(r, plain)
  call fetch
  if (rank == 1) call says(all(r2 == plain + 1), 'a whole array that is an argument')
  if (rank == 0) call zero(r)
  call fetch
  if (rank == 1) call says(all(r2 == 0), 'an array that is set to zero')
  if (rank == 0) call part(r(101:), plain, 333)
  call fetch
  if (rank == 1) call says(all(r2(101:433) == plain(1:333)), 'an array of variable length')
  if (rank == 0) r(1:most:7) = plain(1:most:7) * 3
  call fetch
  if (rank == 1) call says(all(r2(1:most:7) == plain(1:most:7) * 3), 'a section with a stride')

  if (rank == 0) call string(text, other(1:3))
  call fetch
  if (rank == 1) call says(text2 == 'sid', 'a string that is padded')
  if (rank == 0) call string(text, other)
  call fetch
  if (rank == 1) call says(text2 == other, 'a string of assumed length')
  if (rank == 0) text(11:30) = text(1:20)
  call fetch
  if (rank == 1) call says(text2(11:30) == other(1:20), 'a part of a string')

  d%q = 2.5d0
  d%n = 99
  d%fill = 3
  if (rank == 0) c = d
  call fetch
  if (rank == 1) call says(all(c2%q == 2.5d0) .and. c2%n == 99, 'a derived type')
  if (rank == 0) l = .true.
  if (rank == 0) l(5) = .false.
  call fetch
  if (rank == 1) call says(count(l2) == 63 .and. .not. l2(5), 'logicals of one byte')
  if (rank == 0) z = (1d0, -1d0)
  if (rank == 0) z(3) = z(3) * (0d0, 1d0)
  call fetch
  if (rank == 1) call says(z2(2) == (1d0, -1d0) .and. z2(3) == (1d0, 1d0), 'complex numbers')
  if (rank == 0) call product_into(r)
  call fetch
  if (rank == 1) call says(r2(1) == 16 .and. r2(256) == 16, 'MATMUL')
  if (rank == 0) call reshaped(r, plain)
  call fetch
  if (rank == 1) call says(all(r2(1:24) == [(0.5d0 * i, i = 24, 1, -1)]), 'RESHAPE')
  if (rank == 1) call says(all(r2(25:48:2) == [(0.5d0 * i, i = 1, 23, 2)]), 'PACK')
  if (rank == 1) call says(all(r2(49:72) == [((0.5d0 * i, i = 1, 4), k = 1, 6)]), 'SPREAD')
  if (rank == 1) call says(all(r2(73:84) == [(0.5d0 * (i + 3), i = 1, 9), (0.5d0 * i, i = 1, 3)]), 'CSHIFT')
  if (rank == 1) call says(all(r2(85:96) == [(0.5d0 * (i + 2), i = 1, 10), 0d0, 0d0]), 'EOSHIFT')
  if (rank == 1) call says(all(r2(97:108) == [((0.5d0 * (i + 4 * (k - 1)), k = 1, 3), i = 1, 4)]), 'TRANSPOSE')
  if (rank == 0) call doubled(r(201:300:3), 34)
  call fetch
  if (rank == 1) call says(all(r2(201:300:3) == [(1d0 * i, i = 1, 34)]), 'an array temporary of an argument')

  call MPI_Win_fence(0, win, ierr)
  r2 = plain * 2
  i42 = 5
  text2 = 'put'
  if (rank == 1) call MPI_Put(r2, int(bytes), MPI_BYTE, 0, disp, int(bytes), MPI_BYTE, win, ierr)
  call MPI_Win_fence(0, win, ierr)
  if (rank == 0) then
     call says(sum(r) == sum(plain) * 2, 'a sum of an array')
     call whole(plain, r)
     call says(all(plain == r2 + 1), 'an array that is an argument is loaded')
     plain = r
     call says(all(plain == r2), 'a whole array is loaded')
     call says(text == 'put' .and. len_trim(text) == 3, 'a string is loaded')
     call says(maxval(i4) == 5 .and. minloc(i4, 1) == 1, 'MAXVAL and MINLOC')
  end if
  call MPI_Win_free(win, ierr)
  call MPI_Finalize(ierr)

contains
  subroutine fetch
    call MPI_Win_fence(0, win, ierr)
    if (rank == 1) call MPI_Get(r2, int(bytes), MPI_BYTE, 0, disp, int(bytes), MPI_BYTE, win, ierr)
    call MPI_Win_fence(0, win, ierr)
  end subroutine

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

subroutine fill(r, i4)
  implicit none
  real(8) :: r(50)
  integer :: i4(2000), i
  do i = 1, 50
     r(i) = 1d0 / i
  end do
  do i = 1, 2000
     i4(i) = 7 * i
  end do
end subroutine

subroutine whole(a, b)
  real(8) :: a(2000), b(2000)
  a = b
  a = a + 1
end subroutine

subroutine zero(a)
  real(8) :: a(2000)
  a = 0
end subroutine

subroutine part(a, b, n)
  integer :: n
  real(8) :: a(n), b(n)
  a = b
end subroutine

subroutine string(a, b)
  character(*) :: a, b
  a = b
end subroutine

subroutine product_into(r)
  real(8) :: r(16, 16), a(16, 16), b(16, 16)
  a = 1
  b = 1
  r = matmul(a, b)
end subroutine

subroutine reshaped(r, plain)
  real(8) :: r(108), plain(24)
  logical :: odd(24)
  integer :: i
  odd = [(mod(i, 2) == 1, i = 1, 24)]
  r(1:24) = reshape(plain(24:1:-1), [24])
  r(25:48:2) = pack(plain, odd)
  r(49:72) = reshape(spread(plain(1:4), 2, 6), [24])
  r(73:84) = cshift(plain(1:12), 3)
  r(85:96) = eoshift(plain(1:12), 2)
  r(97:108) = reshape(transpose(reshape(plain(1:12), [4, 3])), [12])
end subroutine

subroutine doubled(a, n)
  integer :: n, i
  real(8) :: a(n)
  do i = 1, n
     a(i) = i
  end do
end subroutine
