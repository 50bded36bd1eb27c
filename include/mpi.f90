! The module mpi of Fortran programs: what their 'mpif.h' has. (SMPI's module has SMPI's 'mpif.h', without MPI_REPLACE, the errors of
! windows and more.) Compiled when Sidewinder is built.
module mpi
  implicit none
  include 'mpif.h'
end module mpi
