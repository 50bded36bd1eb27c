C     Wrong arguments of PUT/ACCEPT; MPI_ERRORS_RETURN. 2 ranks. With
C     an argument: "fatal N" makes mistake N with the default handler;
C     "lost", "starve", "round": requests that nobody services, counts
C     that nobody fills.
      PROGRAM WRONG
      INCLUDE 'mpif.h'
      INTEGER IERR, RANK, A(4), N, CLASS
      CHARACTER*8 WORD, NUMBER
      CHARACTER*48 WHAT
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL GETARG(1, WORD)
      IF (WORD .EQ. 'fatal') THEN
         CALL GETARG(2, NUMBER)
         READ (NUMBER, '(I2)') N
         CALL MISTAK(N, IERR, CLASS, WHAT)
      ELSE IF (WORD .EQ. 'lost') THEN
         IF (RANK .EQ. 0) CALL MPI_PUT(A, 1, MPI_INTEGER, 1, 0, 1,
     &                        MPI_INTEGER, 3, MPI_COMM_WORLD, IERR)
      ELSE IF (WORD .EQ. 'starve') THEN
         IF (RANK .EQ. 0) CALL MPI_PUT(A, 1, MPI_INTEGER, 1, 0, 1,
     &                        MPI_INTEGER, 3, MPI_COMM_WORLD, IERR)
         IF (RANK .EQ. 1) CALL MPI_ACCEPT(A, 16, 4, 3, MPI_COMM_WORLD,
     &                                    3, IERR)
      ELSE IF (WORD .EQ. 'round') THEN
         IF (RANK .EQ. 0) CALL MPI_ACCEPTC(A, 16, 4, 3, MPI_COMM_WORLD,
     &                                     IERR)
      ELSE
         CALL MPI_ERRHANDLER_SET(MPI_COMM_WORLD, MPI_ERRORS_RETURN,
     &                           IERR)
         DO 10 N = 1, 16
            CALL MISTAK(N, IERR, CLASS, WHAT)
            CALL SAYS(IERR .EQ. CLASS, WHAT)
10       CONTINUE
         CALL FEWER(RANK)
         CALL BEYOND(RANK)
      END IF
      CALL MPI_FINALIZE(IERR)
      END

C     Mistake N, what it gives back and the class it must
      SUBROUTINE MISTAK(N, IERR, CLASS, WHAT)
      INCLUDE 'mpif.h'
      INTEGER N, IERR, CLASS, A(4), REQ, W, I, GONE
      CHARACTER*(*) WHAT
      W = MPI_COMM_WORLD
      I = MPI_INTEGER
      REQ = 7
      IF (N .EQ. 1) THEN
         WHAT = 'PA_Put: the origin count is -1'
         CLASS = MPI_ERR_COUNT
         CALL MPI_PUT(A, -1, I, 0, 0, 1, I, 1, W, IERR)
      ELSE IF (N .EQ. 2) THEN
         WHAT = 'PA_Getc: the target count is -4'
         CLASS = MPI_ERR_COUNT
         CALL MPI_GETC(A, 1, I, 0, 0, -4, I, 1, W, IERR)
      ELSE IF (N .EQ. 3) THEN
         WHAT = 'PA_Offer: the count is -2'
         CLASS = MPI_ERR_COUNT
         CALL MPI_OFFER(A, 16, 4, 1, W, -2, IERR)
      ELSE IF (N .EQ. 4) THEN
         WHAT = 'PA_Puthold: target 9 is not in'
         CLASS = MPI_ERR_RANK
         CALL MPI_PUTHOLD(A, 1, I, 9, 0, 1, I, 1, W, IERR)
      ELSE IF (N .EQ. 5) THEN
         WHAT = 'PA_Get: invalid origin datatype handle'
         CLASS = MPI_ERR_TYPE
         CALL MPI_GET(A, 1, 12345, 0, 0, 1, I, 1, W, IERR)
      ELSE IF (N .EQ. 6) THEN
         WHAT = 'PA_Gethold: invalid target datatype handle'
         CLASS = MPI_ERR_TYPE
         CALL MPI_GETHOLD(A, 1, I, 0, 0, 1, MPI_DATATYPE_NULL, 1, W,
     &                    IERR)
      ELSE IF (N .EQ. 7) THEN
         WHAT = 'PA_Get: tag -5 is not between 0 and'
         CLASS = MPI_ERR_TAG
         CALL MPI_GET(A, 1, I, 0, 0, 1, I, -5, W, IERR)
      ELSE IF (N .EQ. 8) THEN
         WHAT = 'PA_Acceptc: tag -1 is not between 0 and'
         CLASS = MPI_ERR_TAG
         CALL MPI_ACCEPTC(A, 16, 4, -1, W, IERR)
      ELSE IF (N .EQ. 9) THEN
         WHAT = 'PA_Accept: not a valid intracommunicator'
         CLASS = MPI_ERR_COMM
         CALL MPI_ACCEPT(A, 16, 4, 1, MPI_COMM_NULL, 0, IERR)
      ELSE IF (N .EQ. 10) THEN
         WHAT = 'PA_Putc: not a valid intracommunicator'
         CLASS = MPI_ERR_COMM
         CALL MPI_PUTC(A, 1, I, 0, 0, 1, I, 1, 54321, IERR)
      ELSE IF (N .EQ. 11) THEN
         WHAT = 'PA_Put: not a valid intracommunicator'
         CLASS = MPI_ERR_COMM
         CALL MPI_COMM_DUP(W, REQ, IERR)
         GONE = REQ
         CALL MPI_COMM_FREE(REQ, IERR)
         CALL MPI_PUT(A, 1, I, 0, 0, 1, I, 1, GONE, IERR)
      ELSE IF (N .EQ. 12) THEN
         WHAT = 'PA_Ioffer: the size is -16'
         CLASS = MPI_ERR_SIZE
         CALL MPI_IOFFER(A, -16, 4, 1, W, 0, REQ, IERR)
         IF (REQ .NE. MPI_REQUEST_NULL) IERR = MPI_SUCCESS
      ELSE IF (N .EQ. 13) THEN
         WHAT = 'PA_Avail: the displacement unit is 0'
         CLASS = MPI_ERR_DISP
         CALL MPI_AVAIL(A, 16, 0, 1, W, IERR)
      ELSE IF (N .EQ. 14) THEN
         WHAT = 'PA_Put: 16 bytes do not fit a buffer of 4'
         CLASS = MPI_ERR_TRUNCATE
         CALL MPI_PUT(A, 4, I, 0, 0, 1, I, 1, W, IERR)
      ELSE IF (N .EQ. 15) THEN
         WHAT = 'PA_Put: invalid origin datatype handle'
         CLASS = MPI_ERR_TYPE
         CALL MPI_TYPE_CONTIGUOUS(2, I, REQ, IERR)
         CALL MPI_TYPE_COMMIT(REQ, IERR)
         GONE = REQ
         CALL MPI_TYPE_FREE(REQ, IERR)
         CALL MPI_PUT(A, 1, GONE, 0, 0, 2, I, 1, W, IERR)
      ELSE IF (N .EQ. 16) THEN
         WHAT = 'PA_Iavail: tag -3 is not between 0 and'
         CLASS = MPI_ERR_TAG
         CALL MPI_IAVAIL(A, 16, 4, -3, W, REQ, IERR)
      END IF
      END

C     A count smaller than what arrives: the rest is for the next
      SUBROUTINE FEWER(RANK)
      INCLUDE 'mpif.h'
      INTEGER RANK, A(4), B(4), I, IERR
      COMMON /F/ A, B
      DO 10 I = 1, 4
         A(I) = 5 * I
         B(I) = 0
         IF (RANK .EQ. 0) CALL MPI_PUT(A(I), 1, MPI_INTEGER, 1, I - 1,
     &                      1, MPI_INTEGER, 6, MPI_COMM_WORLD, IERR)
10    CONTINUE
      IF (RANK .EQ. 0) THEN
         CALL MPI_ACCEPT(A, 0, 1, 6, MPI_COMM_WORLD, 0, IERR)
      ELSE
         CALL MPI_ACCEPT(B, 16, 4, 6, MPI_COMM_WORLD, 1, IERR)
         CALL SAYS(B(1) .EQ. 5 .AND. B(2) .EQ. 0,
     &             'an ACCEPT takes as many as it counts')
         CALL MPI_ACCEPT(B, 16, 4, 6, MPI_COMM_WORLD, 3, IERR)
         CALL SAYS(B(4) .EQ. 20, 'the rest stays for the next')
      END IF
      END

C     A transfer beyond the size is an error at both ends
      SUBROUTINE BEYOND(RANK)
      INCLUDE 'mpif.h'
      INTEGER RANK, A(4), B(4), I, IERR
      COMMON /G/ A, B
      DO 10 I = 1, 4
         A(I) = I
         B(I) = 0
10    CONTINUE
      IF (RANK .EQ. 0) THEN
         CALL MPI_PUT(A, 3, MPI_INTEGER, 1, 0, 3, MPI_INTEGER, 6,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_ACCEPT(A, 0, 1, 6, MPI_COMM_WORLD, 0, IERR)
         CALL SAYS(IERR .EQ. MPI_ERR_DISP, 'beyond the size: origin')
      ELSE
         CALL MPI_ACCEPT(B, 8, 4, 6, MPI_COMM_WORLD, 1, IERR)
         CALL SAYS(IERR .EQ. MPI_ERR_DISP .AND. B(1) .EQ. 0 .AND.
     &             B(3) .EQ. 0, 'beyond the size: target, unchanged')
      END IF
      END

      SUBROUTINE SAYS(RIGHT, WHAT)
      LOGICAL RIGHT
      CHARACTER*(*) WHAT
      IF (RIGHT) PRINT '(2A)', 'ok: ', WHAT
      IF (.NOT. RIGHT) PRINT '(2A)', 'FAILED: ', WHAT
      END
