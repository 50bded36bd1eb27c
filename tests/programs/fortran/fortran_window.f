C     Without a dialect: see fortran_mixed.c.
      SUBROUTINE PUT_INTO(VALUE, WIN)
      INCLUDE 'mpif.h'
      INTEGER VALUE, WIN, IERR
      INTEGER(KIND=MPI_ADDRESS_KIND) DISP
      DISP = 0
      CALL MPI_PUT(VALUE, 1, MPI_INTEGER, 1, DISP, 1, MPI_INTEGER,
     &             WIN, IERR)
      END
