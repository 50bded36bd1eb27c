C     Every call of the PUT/ACCEPT proposal, from Fortran, as the
C     proposal spells it (sidewinder f77 --dialect put_accept).
C     2 ranks. A sentence for what holds: "ok: ..." or "FAILED: ...".
      PROGRAM CALLS
      INCLUDE 'mpif.h'
      INTEGER IERR, RANK
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL SIMPLE(RANK)
      CALL HOLDS(RANK)
      CALL COLLEC(RANK)
      CALL AVAILS(RANK)
      CALL LATER(RANK)
      CALL MIXED(RANK)
      CALL PROBES(RANK)
      CALL MEMORY(RANK)
      CALL TYPES(RANK)
      CALL NAMED(RANK)
      CALL MPI_FINALIZE(IERR)
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

C     "the location obtained by multiplying the target_disp arg of the
C     PUT request with the disp_unit arg of the ACCEPT"
      SUBROUTINE SIMPLE(RANK)
      INCLUDE 'mpif.h'
      INTEGER RANK, A(10), B(10), I, IERR
      COMMON /S/ A, B
      DO 10 I = 1, 10
         A(I) = 100 * RANK + I
         B(I) = -I
10    CONTINUE
      IF (RANK .EQ. 0) THEN
         CALL MPI_PUT(A, 3, MPI_INTEGER, 1, 2, 3, MPI_INTEGER, 7,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_ACCEPT(B, 0, 1, 7, MPI_COMM_WORLD, 0, IERR)
         CALL MPI_GET(B(4), 2, MPI_INTEGER, 1, 1, 2, MPI_INTEGER, 8,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_OFFER(A, 0, 1, 8, MPI_COMM_WORLD, 0, IERR)
         CALL SAYS(B(3) .EQ. -3 .AND. B(4) .EQ. 102 .AND. B(5) .EQ. 103
     &             .AND. B(6) .EQ. -6, 'MPI_GET reads MPI_OFFER''s base'
     &             //' + target_disp * disp_unit')
      ELSE
         CALL MPI_ACCEPT(B, 40, 4, 7, MPI_COMM_WORLD, 1, IERR)
         CALL SAYS(B(2) .EQ. -2 .AND. B(3) .EQ. 1 .AND. B(5) .EQ. 3
     &             .AND. B(6) .EQ. -6, 'MPI_PUT writes MPI_ACCEPT''s ba'
     &             //'se + target_disp * disp_unit')
         CALL MPI_OFFER(A, 40, 4, 8, MPI_COMM_WORLD, 1, IERR)
      END IF
      END

C     "the completion of an ACCEPT operation is independent of the
C     number of PUTHOLD operations which it has serviced"
      SUBROUTINE HOLDS(RANK)
      INCLUDE 'mpif.h'
      INTEGER RANK, A(4), B(4), I, IERR
      COMMON /H/ A, B
      DO 10 I = 1, 4
         A(I) = 10 * I
         B(I) = 0
10    CONTINUE
      IF (RANK .EQ. 0) THEN
         CALL MPI_PUTHOLD(A, 1, MPI_INTEGER, 1, 0, 1, MPI_INTEGER, 3,
     &                    MPI_COMM_WORLD, IERR)
         CALL MPI_PUTHOLD(A(2), 1, MPI_INTEGER, 1, 1, 1, MPI_INTEGER,
     &                    3, MPI_COMM_WORLD, IERR)
         CALL MPI_PUT(A(3), 1, MPI_INTEGER, 1, 2, 1, MPI_INTEGER, 3,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_GETHOLD(B, 1, MPI_INTEGER, 1, 3, 1, MPI_INTEGER, 3,
     &                    MPI_COMM_WORLD, IERR)
         CALL MPI_GET(B(2), 1, MPI_INTEGER, 1, 2, 1, MPI_INTEGER, 3,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_ACCEPT(A, 0, 1, 3, MPI_COMM_WORLD, 0, IERR)
         CALL MPI_OFFER(A, 0, 1, 3, MPI_COMM_WORLD, 0, IERR)
         CALL SAYS(B(1) .EQ. 40 .AND. B(2) .EQ. 30,
     &             'MPI_GETHOLD and MPI_GET, one MPI_OFFER of count 1')
      ELSE
         CALL MPI_ACCEPT(B, 16, 4, 3, MPI_COMM_WORLD, 1, IERR)
         CALL SAYS(B(1) .EQ. 10 .AND. B(2) .EQ. 20 .AND. B(3) .EQ. 30,
     &             'two MPI_PUTHOLD and a MPI_PUT, one MPI_ACCEPT')
         CALL MPI_OFFER(A, 16, 4, 3, MPI_COMM_WORLD, 1, IERR)
      END IF
      END

C     PUTC, GETC and the collective servicers
      SUBROUTINE COLLEC(RANK)
      INCLUDE 'mpif.h'
      INTEGER RANK, A(2), B(2), IERR, REQ(2)
      INTEGER STATES(MPI_STATUS_SIZE,2)
      COMMON /C/ A, B
      A(1) = 5 + RANK
      A(2) = 50 + RANK
      B(1) = 0
      B(2) = 0
      CALL MPI_PUTC(A, 1, MPI_INTEGER, 1 - RANK, 0, 1, MPI_INTEGER, 4,
     &              MPI_COMM_WORLD, IERR)
      CALL MPI_ACCEPTC(B, 8, 4, 4, MPI_COMM_WORLD, IERR)
      CALL SAYS(B(1) .EQ. 6 - RANK, 'MPI_PUTC and MPI_ACCEPTC')
      CALL MPI_GETC(B(2), 1, MPI_INTEGER, 1 - RANK, 1, 1, MPI_INTEGER,
     &              5, MPI_COMM_WORLD, IERR)
      CALL MPI_OFFERC(A, 8, 4, 5, MPI_COMM_WORLD, IERR)
      CALL SAYS(B(2) .EQ. 51 - RANK, 'MPI_GETC and MPI_OFFERC')
      CALL MPI_PUTC(A(2), 1, MPI_INTEGER, 1 - RANK, 0, 1, MPI_INTEGER,
     &              4, MPI_COMM_WORLD, IERR)
      CALL MPI_IACCEPTC(B, 4, 4, 4, MPI_COMM_WORLD, REQ(1), IERR)
      CALL MPI_GETC(B(2), 1, MPI_INTEGER, 1 - RANK, 0, 1, MPI_INTEGER,
     &              5, MPI_COMM_WORLD, IERR)
      CALL MPI_IOFFERC(A, 4, 4, 5, MPI_COMM_WORLD, REQ(2), IERR)
      CALL MPI_WAITALL(2, REQ, STATES, IERR)
      CALL SAYS(B(1) .EQ. 51 - RANK .AND. B(2) .EQ. 6 - RANK .AND.
     &          REQ(1) .EQ. MPI_REQUEST_NULL,
     &          'MPI_IACCEPTC and MPI_IOFFERC end in MPI_WAITALL')
      END

C     "serviced exactly one PUT or GET request"
      SUBROUTINE AVAILS(RANK)
      INCLUDE 'mpif.h'
      INTEGER RANK, A, B, IERR
      COMMON /V/ A, B
      A = 77 - RANK
      B = 0
      IF (RANK .EQ. 0) THEN
         CALL MPI_PUT(A, 1, MPI_INTEGER, 1, 0, 1, MPI_INTEGER, 9,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_GET(B, 1, MPI_INTEGER, 1, 0, 1, MPI_INTEGER, 9,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_ACCEPT(A, 0, 1, 9, MPI_COMM_WORLD, 0, IERR)
         CALL MPI_OFFER(A, 0, 1, 9, MPI_COMM_WORLD, 0, IERR)
         CALL SAYS(B .EQ. 77, 'MPI_AVAIL takes a PUT, the next a GET')
      ELSE
         CALL MPI_AVAIL(B, 4, 4, 9, MPI_COMM_WORLD, IERR)
         CALL MPI_AVAIL(B, 4, 4, 9, MPI_COMM_WORLD, IERR)
      END IF
      END

C     Servicers that complete later, found by MPI_TEST and MPI_WAIT
      SUBROUTINE LATER(RANK)
      INCLUDE 'mpif.h'
      INTEGER RANK, A, B, IERR, R1, R2, STATUS(MPI_STATUS_SIZE)
      LOGICAL FLAG
      COMMON /L/ A, B
      A = 300 + RANK
      B = 0
      IF (RANK .EQ. 1) THEN
         CALL MPI_IACCEPT(B, 4, 4, 2, MPI_COMM_WORLD, 1, R1, IERR)
         CALL MPI_IOFFER(A, 4, 4, 2, MPI_COMM_WORLD, 1, R2, IERR)
         CALL MPI_TEST(R1, FLAG, STATUS, IERR)
         CALL SAYS(.NOT. FLAG, 'MPI_TEST: nobody has put yet')
      END IF
      CALL MPI_BARRIER(MPI_COMM_WORLD, IERR)
      IF (RANK .EQ. 0) THEN
         CALL MPI_PUT(A, 1, MPI_INTEGER, 1, 0, 1, MPI_INTEGER, 2,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_GET(B, 1, MPI_INTEGER, 1, 0, 1, MPI_INTEGER, 2,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_ACCEPT(A, 0, 1, 2, MPI_COMM_WORLD, 0, IERR)
         CALL MPI_OFFER(A, 0, 1, 2, MPI_COMM_WORLD, 0, IERR)
         CALL SAYS(B .EQ. 301, 'MPI_IOFFER gives its memory')
      ELSE
         CALL MPI_WAIT(R1, STATUS, IERR)
         CALL SAYS(B .EQ. 300 .AND. R1 .EQ. MPI_REQUEST_NULL,
     &             'MPI_WAIT completes MPI_IACCEPT')
10       CALL MPI_TEST(R2, FLAG, STATUS, IERR)
         IF (.NOT. FLAG) GOTO 10
         CALL SAYS(R2 .EQ. MPI_REQUEST_NULL,
     &             'MPI_TEST completes MPI_IOFFER')
      END IF
      END

C     INTEGER requests of servicers and of messages in one array; an
C     index begins at 1
      SUBROUTINE MIXED(RANK)
      INCLUDE 'mpif.h'
      INTEGER RANK, A, B, WORD, IERR, REQ(3), INDEX, K, N
      INTEGER INDS(3), STATUS(MPI_STATUS_SIZE)
      INTEGER STATES(MPI_STATUS_SIZE,3)
      COMMON /M/ A, B, WORD
      A = 4711
      B = 0
      WORD = 0
      IF (RANK .EQ. 0) THEN
         CALL MPI_SEND(A, 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, IERR)
         CALL MPI_RECV(WORD, 1, MPI_INTEGER, 1, 2, MPI_COMM_WORLD,
     &                 STATUS, IERR)
         CALL MPI_PUT(A, 1, MPI_INTEGER, 1, 0, 1, MPI_INTEGER, 6,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_ACCEPT(A, 0, 1, 6, MPI_COMM_WORLD, 0, IERR)
      ELSE
         REQ(1) = MPI_REQUEST_NULL
         CALL MPI_IAVAIL(B, 4, 4, 6, MPI_COMM_WORLD, REQ(2), IERR)
         CALL MPI_IRECV(WORD, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD,
     &                  REQ(3), IERR)
         CALL MPI_WAITANY(3, REQ, INDEX, STATUS, IERR)
         CALL SAYS(INDEX .EQ. 3 .AND. WORD .EQ. 4711 .AND.
     &             STATUS(MPI_SOURCE) .EQ. 0 .AND. STATUS(MPI_TAG) .EQ.
     &             1 .AND. REQ(3) .EQ. MPI_REQUEST_NULL .AND. REQ(2)
     &             .NE. MPI_REQUEST_NULL,
     &             'MPI_WAITANY: the message, beside a waiting IAVAIL')
         CALL MPI_SEND(A, 1, MPI_INTEGER, 0, 2, MPI_COMM_WORLD, IERR)
         CALL MPI_WAITSOME(3, REQ, N, INDS, STATES, IERR)
         CALL SAYS(N .EQ. 1 .AND. INDS(1) .EQ. 2 .AND. B .EQ. 4711,
     &             'MPI_WAITSOME: the IAVAIL, by its index')
         CALL MPI_WAITANY(3, REQ, INDEX, STATUS, IERR)
         CALL SAYS(INDEX .EQ. MPI_UNDEFINED, 'MPI_WAITANY: no more')
         CALL MPI_IAVAIL(B, 4, 4, 6, MPI_COMM_WORLD, REQ(1), IERR)
         CALL MPI_CANCEL(REQ(1), IERR)
         CALL MPI_WAIT(REQ(1), STATUS, IERR)
         K = REQ(1)
         CALL SAYS(K .EQ. MPI_REQUEST_NULL, 'MPI_CANCEL of an IAVAIL')
      END IF
      END

C     The agent that probes, with what its author meant: a probed GET
C     is offered to, a probed PUT accepted; four kinds and a message
      SUBROUTINE PROBES(RANK)
      INCLUDE 'mpif.h'
      INTEGER RANK, A(5), W(5), I, IERR, ITAG, OP, SEEN(0:5), N, K
      INTEGER STATUS(MPI_STATUS_SIZE)
      COMMON /P/ A, W
      DO 5 I = 1, 5
         A(I) = 1000 + I
         W(I) = 0
5     CONTINUE
      IF (RANK .EQ. 0) THEN
         CALL MPI_PUTHOLD(A, 2, MPI_INTEGER, 1, 0, 2, MPI_INTEGER, 1,
     &                    MPI_COMM_WORLD, IERR)
         CALL MPI_PUT(A(3), 1, MPI_INTEGER, 1, 2, 1, MPI_INTEGER, 1,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_ACCEPT(A, 0, 1, 1, MPI_COMM_WORLD, 0, IERR)
         CALL MPI_PUT(A(4), 1, MPI_INTEGER, 1, 3, 1, MPI_INTEGER, 2,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_ACCEPT(A, 0, 1, 2, MPI_COMM_WORLD, 0, IERR)
         CALL MPI_GETHOLD(W(4), 1, MPI_INTEGER, 1, 0, 1, MPI_INTEGER,
     &                    3, MPI_COMM_WORLD, IERR)
         CALL MPI_GET(W, 3, MPI_INTEGER, 1, 0, 3, MPI_INTEGER, 3,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_OFFER(A, 0, 1, 3, MPI_COMM_WORLD, 0, IERR)
         CALL MPI_GET(W(5), 1, MPI_INTEGER, 1, 3, 1, MPI_INTEGER, 4,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_OFFER(A, 0, 1, 4, MPI_COMM_WORLD, 0, IERR)
         CALL SAYS(W(1) .EQ. 1001 .AND. W(3) .EQ. 1003 .AND. W(4) .EQ.
     &             1001 .AND. W(5) .EQ. 1004,
     &             'put and got through an agent that probes')
         CALL MPI_SEND(A, 2, MPI_INTEGER, 1, 9, MPI_COMM_WORLD, IERR)
         RETURN
      END IF
      DO 6 I = 0, 5
         SEEN(I) = 0
6     CONTINUE
      K = 0
10    CONTINUE
      CALL MPI_PROBE(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
     &               STATUS, IERR)
      ITAG = STATUS(MPI_TAG)
      OP = STATUS(MPI_OP)
      SEEN(OP) = SEEN(OP) + 1
      CALL MPI_GET_COUNT(STATUS, MPI_INTEGER, N, IERR)
      K = 10 * K + N
      IF (STATUS(MPI_OP) .EQ. MPI_GET_PROBED .OR.
     &    STATUS(MPI_OP) .EQ. MPI_GETHOLD_PROBED) THEN
         CALL MPI_OFFER(W, 20, 4, ITAG, MPI_COMM_WORLD, 1, IERR)
      ELSE IF (STATUS(MPI_OP) .EQ. MPI_PUT_PROBED .OR.
     &         STATUS(MPI_OP) .EQ. MPI_PUTHOLD_PROBED) THEN
         CALL MPI_ACCEPT(W, 20, 4, ITAG, MPI_COMM_WORLD, 1, IERR)
      ELSE
         GOTO 20
      END IF
      GOTO 10
20    CONTINUE
      CALL MPI_RECV(A, 2, MPI_INTEGER, 0, 9, MPI_COMM_WORLD, STATUS,
     &              IERR)
      CALL SAYS(SEEN(MPI_PUTHOLD_PROBED) .EQ. 1 .AND.
     &          SEEN(MPI_PUT_PROBED) .EQ. 1 .AND.
     &          SEEN(MPI_GETHOLD_PROBED) .EQ. 1 .AND.
     &          SEEN(MPI_GET_PROBED) .EQ. 1 .AND.
     &          SEEN(MPI_SEND_PROBED) .EQ. 1,
     &          'STATUS(MPI_OP) tells the five kinds apart')
      CALL SAYS(K .EQ. 21112, 'MPI_GET_COUNT of what was probed')
      END

C     "MPI_RMA_MALLOC(base, size)"
      SUBROUTINE MEMORY(RANK)
      INCLUDE 'mpif.h'
      INTEGER RANK, B, IERR, A(100)
      POINTER (WHERE, A)
      CALL MPI_RMA_MALLOC(WHERE, 400, IERR)
      A(100) = 12 + RANK
      IF (RANK .EQ. 0) THEN
         CALL MPI_GET(B, 1, MPI_INTEGER, 1, 99, 1, MPI_INTEGER, 1,
     &                MPI_COMM_WORLD, IERR)
         CALL MPI_OFFER(B, 0, 1, 1, MPI_COMM_WORLD, 0, IERR)
         CALL SAYS(B .EQ. 13, 'a GET of memory of MPI_RMA_MALLOC')
      ELSE
         CALL MPI_OFFER(A, 400, 4, 1, MPI_COMM_WORLD, 1, IERR)
      END IF
      CALL MPI_RMA_FREE(A, IERR)
      CALL SAYS(IERR .EQ. MPI_SUCCESS, 'MPI_RMA_FREE')
      END

C     Any datatypes on both sides; a displacement of MPI_ADDRESS_KIND
      SUBROUTINE TYPES(RANK)
      INCLUDE 'mpif.h'
      INTEGER RANK, COLUMN, IERR
      INTEGER (KIND=MPI_ADDRESS_KIND) DISP
      DOUBLE PRECISION M(4,4), V(4)
      COMMON /T/ M, V
      CALL MPI_TYPE_VECTOR(4, 1, 4, MPI_DOUBLE_PRECISION, COLUMN, IERR)
      CALL MPI_TYPE_COMMIT(COLUMN, IERR)
      M = 0
      V = (/ 1.5D0, 2.5D0, 3.5D0, 4.5D0 /)
      DISP = 2
      IF (RANK .EQ. 0) THEN
         CALL MPI_PUT(V, 4, MPI_DOUBLE_PRECISION, 1, DISP, 1, COLUMN,
     &                5, MPI_COMM_WORLD, IERR)
         CALL MPI_ACCEPT(V, 0, 1, 5, MPI_COMM_WORLD, 0, IERR)
      ELSE
         CALL MPI_ACCEPT(M, 128, 8, 5, MPI_COMM_WORLD, 1, IERR)
         CALL SAYS(ALL(M(3,:) .EQ. V) .AND. SUM(M) .EQ. 12,
     &             'a PUT into a row, by a vector type')
      END IF
      CALL MPI_TYPE_FREE(COLUMN, IERR)
      END

C     The datatypes of mpif.h
      SUBROUTINE NAMED(RANK)
      INCLUDE 'mpif.h'
      INTEGER RANK, T(23), I, SIZE, BAD, IERR
      CHARACTER A(32), B(32,23)
      COMMON /N/ A, B
      DATA T /MPI_BYTE, MPI_CHARACTER, MPI_LOGICAL, MPI_INTEGER,
     &  MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4, MPI_INTEGER8,
     &  MPI_REAL, MPI_REAL4, MPI_REAL8, MPI_DOUBLE_PRECISION,
     &  MPI_COMPLEX, MPI_DOUBLE_COMPLEX, MPI_2INTEGER, MPI_LOGICAL1,
     &  MPI_LOGICAL2, MPI_LOGICAL8, MPI_2REAL, MPI_2DOUBLE_PRECISION,
     &  MPI_AINT, MPI_OFFSET, MPI_REAL16/
      DO 10 I = 1, 32
         A(I) = CHAR(64 + I)
10    CONTINUE
      IF (RANK .EQ. 0) THEN
         DO 20 I = 1, 23
            CALL MPI_PUT(A, 1, T(I), 1, 32 * (I - 1), 1, T(I), 5,
     &                   MPI_COMM_WORLD, IERR)
20       CONTINUE
         CALL MPI_ACCEPT(A, 0, 1, 5, MPI_COMM_WORLD, 0, IERR)
      ELSE
         CALL MPI_ACCEPT(B, 736, 1, 5, MPI_COMM_WORLD, 23, IERR)
         BAD = 0
         DO 30 I = 1, 23
            SIZE = 8
            IF (T(I) .NE. MPI_AINT)
     &         CALL MPI_TYPE_SIZE(T(I), SIZE, IERR)
            IF (B(SIZE,I) .NE. A(SIZE)) BAD = BAD + 1
            IF (B(SIZE+1,I) .EQ. A(SIZE+1)) BAD = BAD + 1
30       CONTINUE
         CALL SAYS(BAD .EQ. 0, 'a PUT of every datatype of mpif.h')
      END IF
      END
