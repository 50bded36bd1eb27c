/* PUT/ACCEPT as its proposal writes it, in FORTRAN 77: PA_PUT, PA_ACCEPT and so on; `sidewinder f77 --dialect put_accept` makes
 * MPI_PUT one of them (include/dialect/put_accept/fortran.s).
 *
 * FORTRAN 77 has one kind of INTEGER, so sizes, displacements and counts are default integers. Where integers are stored lowest byte
 * first, a program may as well pass one of MPI_ADDRESS_KIND whose value a default integer can hold.
 */
#include "dialect/fortran/fortran.h"
#include "put_accept.h"

/* One binding: C's call with these arguments; the program's line is noted once they are translated. */
#define BINDING(name, call, list, ...)                 \
    DIALECT_BINDING void name(list, int *ierr);        \
    void name(list, int *ierr)                         \
    {                                                  \
        const uintptr_t pc = DIALECT_HERE;             \
        MPI_Comm its_comm = dialect_fortran_comm(*comm); \
        __VA_ARGS__                                    \
        dialect_fortran_pc = 0;                        \
    }
#define ARGS(...) __VA_ARGS__

#define REQUEST(name, call)                                                                                                     \
    BINDING(name, call,                                                                                                         \
            ARGS(void *origin_addr, int *origin_count, MPI_Fint *origin_datatype, int *target_rank, int *target_disp,           \
                 int *target_count, MPI_Fint *target_datatype, int *tag, MPI_Fint *comm),                                       \
            MPI_Datatype origin = dialect_fortran_datatype(*origin_datatype);                                                   \
            MPI_Datatype target = dialect_fortran_datatype(*target_datatype);                                                   \
            dialect_fortran_pc = pc;                                                                                            \
            *ierr = call(dialect_fortran_buffer(origin_addr), *origin_count, origin, *target_rank, *target_disp, *target_count, \
                         target, *tag, its_comm);)
REQUEST(pa_put_, PA_Put)
REQUEST(pa_puthold_, PA_Puthold)
REQUEST(pa_putc_, PA_Putc)
REQUEST(pa_get_, PA_Get)
REQUEST(pa_gethold_, PA_Gethold)
REQUEST(pa_getc_, PA_Getc)

#define RANGE void *base, int *size, int *disp_unit, int *tag, MPI_Fint *comm
#define SERVICE(name, call, list, ...) \
    BINDING(name, call, ARGS(list), dialect_fortran_pc = pc; *ierr = call(base, *size, *disp_unit, *tag, its_comm, ##__VA_ARGS__);)
#define SERVICE_LATER(name, call, list, ...)                                                             \
    BINDING(name, call, ARGS(list, MPI_Fint *request), MPI_Request its_request = MPI_REQUEST_NULL;       \
            dialect_fortran_pc = pc; *ierr = call(base, *size, *disp_unit, *tag, its_comm, ##__VA_ARGS__, &its_request); \
            *request = dialect_fortran_number_request(its_request);)
SERVICE(pa_accept_, PA_Accept, ARGS(RANGE, int *count), *count)
SERVICE(pa_offer_, PA_Offer, ARGS(RANGE, int *count), *count)
SERVICE(pa_acceptc_, PA_Acceptc, RANGE)
SERVICE(pa_offerc_, PA_Offerc, RANGE)
SERVICE(pa_avail_, PA_Avail, RANGE)
SERVICE_LATER(pa_iaccept_, PA_Iaccept, ARGS(RANGE, int *count), *count)
SERVICE_LATER(pa_ioffer_, PA_Ioffer, ARGS(RANGE, int *count), *count)
SERVICE_LATER(pa_iacceptc_, PA_Iacceptc, RANGE)
SERVICE_LATER(pa_iofferc_, PA_Iofferc, RANGE)
SERVICE_LATER(pa_iavail_, PA_Iavail, RANGE)

BINDING(pa_probe_, PA_Probe, ARGS(int *source, int *tag, MPI_Fint *comm, MPI_Status *status),
        if ((char *)status == mpi_status_ignore_) status = MPI_STATUS_IGNORE;
        dialect_fortran_pc = pc; *ierr = PA_Probe(*source, *tag, its_comm, status);)

/* base: where the address goes, as of MPI_ALLOC_MEM (MPI-2 4.11); to free: the memory itself. */
DIALECT_BINDING void pa_rma_malloc_(void *base, int *size, int *ierr);
void pa_rma_malloc_(void *base, int *size, int *ierr) { *ierr = PA_Rma_malloc(base, *size); }
DIALECT_BINDING void pa_rma_free_(void *base, int *ierr);
void pa_rma_free_(void *base, int *ierr) { *ierr = PA_Rma_free(base); }
