C     mpif.h: common blocks, equivalence, entries, statement functions, arithmetic IF, implied loops.
      PROGRAM OLD
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER RANK, IERR, WIN, WHICH, I, J, K, REQ
      INTEGER STATUS(MPI_STATUS_SIZE)
      INTEGER W(32), V(8), R(8), A(4), B(4), SEEN
      INTEGER(KIND=MPI_ADDRESS_KIND) N, AT
      LOGICAL RACE, FLAG
      CHARACTER*8 HOW, NUMBER
      CHARACTER*20 LINE
      REAL X(8)
      COMMON /WINDOW/ W
      COMMON /SHARED/ V, R, SEEN
      COMMON /REALS/ A, LINE
      EQUIVALENCE (X(1), A(1))
      INTEGER DOUBLE, S
      DOUBLE(S) = 2 * V(S)
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      CALL GETARG(1, HOW)
      CALL GETARG(2, NUMBER)
      RACE = HOW .EQ. 'race'
      READ (NUMBER, *) WHICH
      N = 128
      CALL MPI_WIN_CREATE(W, N, 4, MPI_INFO_NULL, MPI_COMM_WORLD,
     +                    WIN, IERR)
      DO 10 I = 1, 32
         W(I) = I
 10   CONTINUE
      DO 11 I = 1, 8
         V(I) = I
         R(I) = 0
 11   CONTINUE
      A(1) = 1
      CALL MPI_WIN_FENCE(0, WIN, IERR)
      GO TO (100, 200, 300, 400, 500, 600, 700, 800), WHICH
C     statement function loads the buffer of a get
 100  AT = 3
      IF (RANK .EQ. 0) CALL MPI_GET(V(3), 1, MPI_INTEGER, 2, AT, 1,         !1:1
     +                              MPI_INTEGER, WIN, IERR)
      IF (.NOT. RACE) CALL MPI_WIN_FENCE(0, WIN, IERR)
      IF (RANK .EQ. 0) SEEN = DOUBLE(3)                                     !1:2
      CALL MPI_WIN_FENCE(0, WIN, IERR)
      GO TO 900
C     equivalence: the real is the integer that is put
 200  AT = 0
      IF (RANK .EQ. 0) CALL MPI_PUT(A(1), 1, MPI_INTEGER, 2, AT, 1,         !2:1
     +                              MPI_INTEGER, WIN, IERR)
      IF (.NOT. RACE) CALL MPI_WIN_FENCE(0, WIN, IERR)
      X(1) = 2.5                                                            !2:2
      CALL MPI_WIN_FENCE(0, WIN, IERR)
      SEEN = A(1)
      GO TO 900
C     the common block is the window, and another routine loads it
 300  AT = 7
      IF (RANK .EQ. 1) CALL MPI_PUT(V, 2, MPI_INTEGER, 2, AT, 2,            !3:1
     +                              MPI_INTEGER, WIN, IERR)
      IF (.NOT. RACE) CALL MPI_WIN_FENCE(0, WIN, IERR)
      IF (RANK .EQ. 2) CALL LOOKS
      CALL MPI_WIN_FENCE(0, WIN, IERR)
      GO TO 900
C     arithmetic IF on the fetched number
 400  CALL MPI_WIN_LOCK(MPI_LOCK_SHARED, 2, 0, WIN, IERR)
      AT = 1
      CALL MPI_FETCH_AND_OP(V(1), R(1), MPI_INTEGER, 2, AT, MPI_SUM,        !4:1
     +                      WIN, IERR)
      IF (.NOT. RACE) CALL MPI_WIN_FLUSH(2, WIN, IERR)
      IF (R(1)) 410, 420, 420                                               !4:2
 410  SEEN = 1
 420  CALL MPI_WIN_UNLOCK(2, WIN, IERR)
      GO TO 900
C     implied loop writes the buffer out
 500  CALL MPI_WIN_LOCK(MPI_LOCK_SHARED, 2, 0, WIN, IERR)
      AT = 4
      CALL MPI_GET(R(2), 3, MPI_INTEGER, 2, AT, 3, MPI_INTEGER, WIN,        !5:1
     +             IERR)
      IF (.NOT. RACE) CALL MPI_WIN_FLUSH(2, WIN, IERR)
      WRITE (LINE, '(4I4)') (R(I), I = 1, 7, 2)                             !5:2
      CALL MPI_WIN_UNLOCK(2, WIN, IERR)
      GO TO 900
C     an entry stores what is put
 600  CALL MPI_WIN_LOCK_ALL(0, WIN, IERR)
      AT = 9
      IF (RANK .EQ. 0) CALL MPI_RPUT(V(5), 1, MPI_INTEGER, 2, AT, 1,        !6:1
     +                               MPI_INTEGER, WIN, REQ, IERR)
      IF (RANK .EQ. 0 .AND. .NOT. RACE) CALL MPI_WAIT(REQ, STATUS, IERR)
      CALL SETS(5)
      IF (RANK .EQ. 0 .AND. RACE) CALL MPI_WAIT(REQ, STATUS, IERR)
      CALL MPI_WIN_UNLOCK_ALL(WIN, IERR)
      GO TO 900
C     nested loops of which one meets the put
 700  AT = 10
      IF (RANK .EQ. 0) CALL MPI_ACCUMULATE(V, 1, MPI_INTEGER, 2, AT, 1,     !7:1
     +                            MPI_INTEGER, MPI_SUM, WIN, IERR)
      K = 1
      IF (RACE) K = 0
      IF (RANK .EQ. 2 .AND. K .EQ. 1) CALL MPI_WIN_FENCE(0, WIN, IERR)
      IF (RANK .NE. 2 .AND. K .EQ. 1) CALL MPI_WIN_FENCE(0, WIN, IERR)
      DO 710 I = 1, 3
      DO 710 J = 1, 3
         IF (RANK .EQ. 2) W(I * 4 + J - 2) = 0                              !7:2
 710  CONTINUE
      CALL MPI_WIN_FENCE(0, WIN, IERR)
      GO TO 900
C     a copy of a character string in the window's memory
 800  AT = 0
      IF (RANK .EQ. 0) CALL MPI_GET(LINE(3:), 4, MPI_CHARACTER, 2, AT,          !8:1
     +                              4, MPI_CHARACTER, WIN, IERR)
      IF (.NOT. RACE) CALL MPI_WIN_FENCE(0, WIN, IERR)
      IF (RANK .EQ. 0) LINE(6:8) = 'abc'                                     !8:2
      CALL MPI_WIN_FENCE(0, WIN, IERR)
 900  CALL MPI_BARRIER(MPI_COMM_WORLD, IERR)
      CALL MPI_WIN_FREE(WIN, IERR)
      CALL MPI_FINALIZE(IERR)
      END
      SUBROUTINE LOOKS
      INTEGER W(32), V(8), R(8), SEEN
      COMMON /WINDOW/ W
      COMMON /SHARED/ V, R, SEEN
      SEEN = W(8) + W(10)                                                   !3:2
      END
      SUBROUTINE NOTHING(I)
      INTEGER I, V(8), R(8), SEEN
      COMMON /SHARED/ V, R, SEEN
      SEEN = I
      RETURN
      ENTRY SETS(I)
      V(I) = 77                                                             !6:2
      END
