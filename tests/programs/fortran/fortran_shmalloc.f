C     SHMALLOC get/put as its message writes it: "we can probably get
C     away with requiring pointer support in our FORTRAN 77 binding".
C     Its example, and the calls (sidewinder f77 --dialect shmalloc
C     -fcray-pointer). 2 ranks.
      PROGRAM GETPUT
      INCLUDE 'mpif.h'
      INTEGER IERR, RANK, COMM, OTHERS, SIZE, I
      REAL F(10), WINDOW(2500)
      INTEGER WORD(3), BACK(3)
      POINTER (P, WINDOW)
      LOGICAL RIGHT
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_SHMALLOC(P, 10000, MPI_COMM_WORLD, COMM, IERR)
      CALL MPI_COMM_SIZE(COMM, SIZE, IERR)
      CALL SAYS(SIZE .EQ. 2, '"identical membership to the old one"')
      IF (RANK .EQ. 0) THEN
         DO 10 I = 1, 10
            F(I) = (I - 1) * 1.1
10       CONTINUE
         CALL MPI_PUT(F, 10, MPI_REAL, 0, 1, COMM, IERR)
         CALL MPI_BARRIER(COMM, IERR)
      ELSE
         CALL MPI_BARRIER(COMM, IERR)
         RIGHT = .TRUE.
         DO 20 I = 1, 10
            RIGHT = RIGHT .AND. WINDOW(I) .EQ. (I - 1) * 1.1
            PRINT '(A, F8.6)', 'float ', WINDOW(I)
20       CONTINUE
         CALL SAYS(RIGHT, 'the ten floats have come')
      END IF

C     "a put followed by a get (within the same communicator) will do
C     the right thing"
      DO 30 I = 1, 3
         WORD(I) = 10 * RANK + I
         BACK(I) = -1
30    CONTINUE
      CALL MPI_PUT(WORD, 3, MPI_INTEGER, 400 + 16 * RANK, 1 - RANK,
     &             COMM, IERR)
      CALL MPI_GET(BACK, 3, MPI_INTEGER, 400 + 16 * RANK, 1 - RANK,
     &             COMM, IERR)
      CALL SAYS(BACK(1) .EQ. WORD(1) .AND. BACK(3) .EQ. WORD(3),
     &          'a get after a put reads what was put')

C     "indicating that a process does not wish to open up a local
C     window but still wishes access": NULL is MPI_BOTTOM here
      IF (RANK .EQ. 0) THEN
         CALL MPI_SHMALLOC(MPI_BOTTOM, 0, MPI_COMM_WORLD, OTHERS, IERR)
         CALL MPI_PUT(WORD, 3, MPI_INTEGER, 0, 1, OTHERS, IERR)
         CALL MPI_BARRIER(OTHERS, IERR)
      ELSE
         CALL MPI_SHMALLOC(P, 64, MPI_COMM_WORLD, OTHERS, IERR)
         CALL MPI_BARRIER(OTHERS, IERR)
         CALL SEEN(WINDOW)
      END IF
      CALL MPI_COMM_SET_ERRHANDLER(COMM, MPI_ERRORS_RETURN, IERR)
      CALL MPI_PUT(WORD, 3, MPI_INTEGER, 9996, 1 - RANK, COMM, IERR)
      CALL SAYS(IERR .NE. MPI_SUCCESS,
     &          'a put that leaves the window is an error')
      CALL MPI_COMM_FREE(OTHERS, IERR)
      CALL MPI_COMM_FREE(COMM, IERR)
      CALL SAYS(COMM .EQ. MPI_COMM_NULL, '"deallocated by a call to MPI'
     &          //'_COMM_FREE()"')
      CALL MPI_FINALIZE(IERR)
      END

      SUBROUTINE SEEN(W)
      INTEGER W(3)
      CALL SAYS(W(1) .EQ. 1 .AND. W(3) .EQ. 3,
     &          'a process without a window puts to the others')
      END

      SUBROUTINE SAYS(RIGHT, WHAT)
      LOGICAL RIGHT
      CHARACTER*(*) WHAT
      IF (RIGHT) THEN
         PRINT '(2A)', 'ok: ', WHAT
      ELSE
         PRINT '(2A)', 'FAILED: ', WHAT
      END IF
      END
