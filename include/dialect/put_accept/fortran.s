# Read before every Fortran file of `sidewinder f77 --dialect put_accept`: a call of MPI_PUT in it is one of PA_PUT, and
# so on, as <mpi.h> beside this file does for C. Objects compiled without the dialect keep MPI's meaning.
	.set mpi_rma_malloc_, pa_rma_malloc_
	.set mpi_rma_free_, pa_rma_free_
	.set mpi_put_, pa_put_
	.set mpi_puthold_, pa_puthold_
	.set mpi_putc_, pa_putc_
	.set mpi_get_, pa_get_
	.set mpi_gethold_, pa_gethold_
	.set mpi_getc_, pa_getc_
	.set mpi_accept_, pa_accept_
	.set mpi_iaccept_, pa_iaccept_
	.set mpi_acceptc_, pa_acceptc_
	.set mpi_iacceptc_, pa_iacceptc_
	.set mpi_offer_, pa_offer_
	.set mpi_ioffer_, pa_ioffer_
	.set mpi_offerc_, pa_offerc_
	.set mpi_iofferc_, pa_iofferc_
	.set mpi_avail_, pa_avail_
	.set mpi_iavail_, pa_iavail_
	.set mpi_probe_, pa_probe_
