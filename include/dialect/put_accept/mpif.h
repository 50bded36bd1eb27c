! 'mpif.h' for `sidewinder f77 --dialect put_accept`: the calls are
! the proposal's (fortran.s), and so are these constants.

      INCLUDE '../../mpif.h'
      INCLUDE 'put_accept.inc'
