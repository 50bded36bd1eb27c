C     An agent of the second kind, in the language of its author: an
C     IAVAIL runs on each of five windows all the time, and is begun
C     again when it has serviced a PUT or a GET; an IRECV in the same
C     list waits for the control message (D. C. DiNucci, "3rd-party
C     comm in PUT/ACCEPT proposal using custom agents", 1996).
C
C     Rank 0 is the agent. Each other rank, a client, puts its cells
C     in pieces (holds, and a PUT at last), gets its neighbour's when
C     all have put, and compares.
C        agent_avail [rounds, 4] [holds before a put, 2] [cells, 64]
      PROGRAM AGENTS
      INCLUDE 'mpif.h'
      INTEGER RANK, RANKS, ROUNDS, HOLDS, CELLS, CLNTS, COLOUR, IERR
      INTEGER NUMBER
      EXTERNAL NUMBER
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, RANKS, IERR)
      ROUNDS = NUMBER(1, 4)
      HOLDS = NUMBER(2, 2)
      CELLS = NUMBER(3, 64)
      IF (RANKS .LT. 2 .OR. ROUNDS .LT. 1 .OR. HOLDS .LT. 0 .OR.
     &    CELLS .LT. 1 .OR. (HOLDS + 1) * CELLS .GT. 4096 .OR.
     &    (RANKS - 1) * (HOLDS + 1) * CELLS .GT. 16384) THEN
         IF (RANK .EQ. 0) WRITE (0, *) 'usage: agent_avail [rounds, 4]',
     &      ' [holds, 2] [cells a piece, 64], 2 ranks or more,',
     &      ' 16384 cells in all'
         CALL MPI_FINALIZE(IERR)
         STOP 2
      END IF
      COLOUR = 0
      IF (RANK .EQ. 0) COLOUR = 1
      CALL MPI_COMM_SPLIT(MPI_COMM_WORLD, COLOUR, RANK, CLNTS, IERR)
      IF (RANK .EQ. 0) THEN
         CALL AGENT((RANKS - 1) * (HOLDS + 1) * CELLS)
      ELSE
         CALL CLIENT(CLNTS, RANK - 1, RANKS - 1, ROUNDS, HOLDS, CELLS)
      END IF
      CALL MPI_COMM_FREE(CLNTS, IERR)
      CALL MPI_FINALIZE(IERR)
      END

C     The I-th argument, or a default.
      INTEGER FUNCTION NUMBER(I, USUAL)
      INTEGER I, USUAL
      CHARACTER*16 WORD
      NUMBER = USUAL
      CALL GETARG(I, WORD)
      IF (WORD .EQ. ' ') RETURN
      READ (WORD, *, ERR=10) NUMBER
      RETURN
10    NUMBER = -1
      END

      SUBROUTINE AGENT(LENGTH)
      INCLUDE 'mpif.h'
      INTEGER LENGTH, SIZE, I, INDEX, IERR, NOTHNG
      INTEGER IAVREQS(6), STATUS(MPI_STATUS_SIZE)
      INTEGER STATES(MPI_STATUS_SIZE,5)
      INTEGER BASE(16384,5)
      COMMON /WINDOW/ BASE
      SIZE = 4 * LENGTH

C     Start up IAVAILs on five windows, each identified by a tag

      DO 10 I = 1, 5
         CALL MPI_IAVAIL(BASE(1,I), SIZE, 4, I, MPI_COMM_WORLD,
     &                   IAVREQS(I), IERR)
10    CONTINUE
      CALL MPI_IRECV(NOTHNG, 0, MPI_INTEGER, MPI_ANY_SOURCE, 1000,
     &               MPI_COMM_WORLD, IAVREQS(6), IERR)
20    CONTINUE

C     Wait for something to happen

      CALL MPI_WAITANY(6, IAVREQS, INDEX, STATUS, IERR)
      IF (INDEX .EQ. 6) GOTO 30

C     Re-initialize that "window"

      CALL MPI_IAVAIL(BASE(1,INDEX), SIZE, 4, INDEX, MPI_COMM_WORLD,
     &                IAVREQS(INDEX), IERR)
      GOTO 20

C     Time to die

30    CONTINUE
      DO 40 I = 1, 5
         CALL MPI_CANCEL(IAVREQS(I), IERR)
40    CONTINUE
      CALL MPI_WAITALL(5, IAVREQS, STATES, IERR)
      END

      INTEGER FUNCTION VALUE(WHO, ROUND, I)
      INTEGER WHO, ROUND, I
      VALUE = 1000000 * WHO + 10000 * ROUND + I
      END

      SUBROUTINE CLIENT(CLNTS, ME, OTHERS, ROUNDS, HOLDS, CELLS)
      INCLUDE 'mpif.h'
      INTEGER CLNTS, ME, OTHERS, ROUNDS, HOLDS, CELLS
      INTEGER ROUND, I, K, N, AT, TAG, NEXT, WRONG, ALL, IERR, NOTHNG
      INTEGER MINE(4096), THEIRS(4096), VALUE
      DOUBLE PRECISION START, PUTS, GETS
      CHARACTER*5 VERDCT
      EXTERNAL VALUE
      COMMON /CELLS/ MINE, THEIRS
      N = (HOLDS + 1) * CELLS
      NEXT = MOD(ME + 1, OTHERS)
      WRONG = 0
      PUTS = 0
      GETS = 0
      DO 60 ROUND = 0, ROUNDS - 1
         TAG = 1 + MOD(ROUND, 5)
         DO 10 I = 1, N
            MINE(I) = VALUE(ME, ROUND, I)
            THEIRS(I) = -1
10       CONTINUE
         START = MPI_WTIME()
         DO 20 K = 0, HOLDS
            I = 1 + K * CELLS
            AT = ME * N + K * CELLS
            IF (K .LT. HOLDS) THEN
               CALL MPI_PUTHOLD(MINE(I), CELLS, MPI_INTEGER, 0, AT,
     &              CELLS, MPI_INTEGER, TAG, MPI_COMM_WORLD, IERR)
            ELSE
               CALL MPI_PUT(MINE(I), CELLS, MPI_INTEGER, 0, AT,
     &              CELLS, MPI_INTEGER, TAG, MPI_COMM_WORLD, IERR)
            END IF
20       CONTINUE
         CALL MPI_ACCEPT(NOTHNG, 0, 1, TAG, MPI_COMM_WORLD, 0, IERR)
         PUTS = PUTS + (MPI_WTIME() - START)
         CALL MPI_BARRIER(CLNTS, IERR)
         START = MPI_WTIME()
         DO 30 K = 0, HOLDS
            I = 1 + K * CELLS
            AT = NEXT * N + K * CELLS
            IF (K .LT. HOLDS) THEN
               CALL MPI_GETHOLD(THEIRS(I), CELLS, MPI_INTEGER, 0, AT,
     &              CELLS, MPI_INTEGER, TAG, MPI_COMM_WORLD, IERR)
            ELSE
               CALL MPI_GET(THEIRS(I), CELLS, MPI_INTEGER, 0, AT,
     &              CELLS, MPI_INTEGER, TAG, MPI_COMM_WORLD, IERR)
            END IF
30       CONTINUE
         CALL MPI_OFFER(NOTHNG, 0, 1, TAG, MPI_COMM_WORLD, 0, IERR)
         GETS = GETS + (MPI_WTIME() - START)
         DO 40 I = 1, N
            IF (THEIRS(I) .NE. VALUE(NEXT, ROUND, I)) WRONG = WRONG + 1
40       CONTINUE
         CALL MPI_BARRIER(CLNTS, IERR)
60    CONTINUE
      CALL MPI_ALLREDUCE(WRONG, ALL, 1, MPI_INTEGER, MPI_SUM, CLNTS,
     &                   IERR)
      IF (ME .EQ. 0) THEN
         VERDCT = 'ok'
         IF (ALL .NE. 0) VERDCT = 'WRONG'
         WRITE (*, 70) OTHERS, HOLDS, CELLS, PUTS / ROUNDS * 1E6,
     &      GETS / ROUNDS * 1E6, TRIM(VERDCT)
70       FORMAT ('agent_avail.f: ', I0, ' clients, ', I0, ' holds of ',
     &           I0, ' cells before each: put ', F0.3, ' us, get ',
     &           F0.3, ' us: ', A)
         CALL MPI_SEND(NOTHNG, 0, MPI_INTEGER, 0, 1000,
     &                 MPI_COMM_WORLD, IERR)
      END IF
      IF (ALL .NE. 0) STOP 1
      END
