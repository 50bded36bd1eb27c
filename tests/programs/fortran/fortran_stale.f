C     Rank 0 puts into rank 1's window; rank 1 loads after a barrier,
C     which is not a synchronisation of the window (MPI-2 11.12).
      PROGRAM STALE
      INCLUDE 'mpif.h'
      INTEGER IERR, RANK, WIN, X, ONE
      INTEGER(KIND=MPI_ADDRESS_KIND) BYTES, DISP
      COMMON /WINDOW/ X
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, RANK, IERR)
      X = 0
      ONE = 1
      BYTES = 4
      DISP = 0
      CALL MPI_WIN_CREATE(X, BYTES, 4, MPI_INFO_NULL, MPI_COMM_WORLD,
     &                    WIN, IERR)
      IF (RANK .EQ. 1) PRINT *, 'BEFORE', X
      CALL MPI_BARRIER(MPI_COMM_WORLD, IERR)
      IF (RANK .EQ. 0) THEN
         CALL MPI_WIN_LOCK(MPI_LOCK_EXCLUSIVE, 1, 0, WIN, IERR)
         CALL MPI_PUT(ONE, 1, MPI_INTEGER, 1, DISP, 1, MPI_INTEGER,
     &                WIN, IERR)
         CALL MPI_WIN_UNLOCK(1, WIN, IERR)
      END IF
      CALL MPI_BARRIER(MPI_COMM_WORLD, IERR)
      IF (RANK .EQ. 1) THEN
         IF (X .EQ. 0) PRINT *, 'STALE'
         IF (X .NE. 0) PRINT *, 'FRESH'
         CALL MPI_WIN_LOCK(MPI_LOCK_EXCLUSIVE, 1, 0, WIN, IERR)
         PRINT *, 'LOCKED', X
         CALL MPI_WIN_UNLOCK(1, WIN, IERR)
      END IF
      CALL MPI_WIN_FREE(WIN, IERR)
      CALL MPI_FINALIZE(IERR)
      END
