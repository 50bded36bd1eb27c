# Read before every Fortran file of `sidewinder f77 --dialect shmalloc`: a call of MPI_PUT in it is one of SHM_PUT, and
# so on, as <mpi.h> beside this file does for C. Objects compiled without the dialect keep MPI's meaning.
	.set mpi_shmalloc_, shm_shmalloc_
	.set mpi_get_, shm_get_
	.set mpi_put_, shm_put_
