C     Wrong arguments of PUT/ACCEPT; MPI_ERRORS_RETURN. 2 ranks; with
C     an argument: the same, fatal.
      PROGRAM WRONG
      INCLUDE 'mpif.h'
      INTEGER IERR, RANK, A(4), REQ
      CHARACTER*8 WORD
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL GETARG(1, WORD)
      IF (WORD .EQ. ' ') CALL MPI_ERRHANDLER_SET(MPI_COMM_WORLD,
     &                        MPI_ERRORS_RETURN, IERR)
      IF (WORD .EQ. 'lost') THEN
         IF (RANK .EQ. 0) CALL MPI_PUT(A, 1, MPI_INTEGER, 1, 0, 1,
     &                        MPI_INTEGER, 3, MPI_COMM_WORLD, IERR)
         CALL MPI_FINALIZE(IERR)
         STOP
      END IF
      CALL MPI_PUT(A, -1, MPI_INTEGER, 0, 0, 1, MPI_INTEGER, 1,
     &             MPI_COMM_WORLD, IERR)
      CALL SAYS(IERR .EQ. MPI_ERR_COUNT, 'a negative count')
      CALL MPI_PUT(A, 1, MPI_INTEGER, 9, 0, 1, MPI_INTEGER, 1,
     &             MPI_COMM_WORLD, IERR)
      CALL SAYS(IERR .EQ. MPI_ERR_RANK, 'a rank that is none')
      CALL MPI_GET(A, 1, 12345, 0, 0, 1, MPI_INTEGER, 1,
     &             MPI_COMM_WORLD, IERR)
      CALL SAYS(IERR .EQ. MPI_ERR_TYPE, 'a datatype that is none')
      CALL MPI_GET(A, 1, MPI_DATATYPE_NULL, 0, 0, 1, MPI_INTEGER, 1,
     &             MPI_COMM_WORLD, IERR)
      CALL SAYS(IERR .EQ. MPI_ERR_TYPE, 'the null datatype')
      CALL MPI_GET(A, 1, MPI_INTEGER, 0, 0, 1, MPI_INTEGER, -5,
     &             MPI_COMM_WORLD, IERR)
      CALL SAYS(IERR .EQ. MPI_ERR_TAG, 'a negative tag')
      CALL MPI_ACCEPT(A, 16, 4, 1, MPI_COMM_NULL, 0, IERR)
      CALL SAYS(IERR .EQ. MPI_ERR_COMM, 'the null communicator')
      CALL MPI_ACCEPT(A, 16, 4, 1, 54321, 0, IERR)
      CALL SAYS(IERR .EQ. MPI_ERR_COMM, 'a communicator that is none')
      REQ = 7
      CALL MPI_IOFFER(A, -16, 4, 1, MPI_COMM_WORLD, 0, REQ, IERR)
      CALL SAYS(IERR .EQ. MPI_ERR_SIZE .AND. REQ .EQ. MPI_REQUEST_NULL,
     &          'a negative size, and no request is made')
      CALL MPI_AVAIL(A, 16, 0, 1, MPI_COMM_WORLD, IERR)
      CALL SAYS(IERR .EQ. MPI_ERR_DISP, 'a displacement unit of 0')
      CALL MPI_FINALIZE(IERR)
      END

      SUBROUTINE SAYS(RIGHT, WHAT)
      LOGICAL RIGHT
      CHARACTER*(*) WHAT
      IF (RIGHT) PRINT '(2A)', 'ok: ', WHAT
      IF (.NOT. RIGHT) PRINT '(2A)', 'FAILED: ', WHAT
      END
