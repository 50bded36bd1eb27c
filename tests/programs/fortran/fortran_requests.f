C     With --dialect put_accept: see fortran_mixed.c.
      SUBROUTINE SEND_REQUEST(VALUE, COMM)
      INCLUDE 'mpif.h'
      INTEGER VALUE, COMM, IERR
      CALL MPI_PUT(VALUE, 1, MPI_INTEGER, 1, 0, 1, MPI_INTEGER, 5,
     &             COMM, IERR)
      CALL MPI_ACCEPT(VALUE, 0, 1, 5, COMM, 0, IERR)
      END

      SUBROUTINE TAKE_REQUEST(VALUE, COMM)
      INCLUDE 'mpif.h'
      INTEGER VALUE, COMM, IERR
      CALL MPI_ACCEPT(VALUE, 4, 4, 5, COMM, 1, IERR)
      END
