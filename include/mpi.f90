! The module mpi of Fortran programs: what their 'mpif.h' has. (SMPI's module has SMPI's 'mpif.h', without MPI_REPLACE, the errors of
! windows and more.) Compiled when Sidewinder is built.
module mpi
  implicit none
  include 'mpif.h'
  interface MPI_SIZEOF     ! no part of mpif.h: a variable of any type and rank (MPI-3.1 17.1.9)
    subroutine sw_f08_sizeof(x, size, ierror) bind(C, name='sw_f08_sizeof_')
      type(*), dimension(..), intent(in) :: x
      integer, intent(out) :: size, ierror
    end subroutine
  end interface
end module mpi
