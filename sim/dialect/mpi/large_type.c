/* MPI_X_c of MPI-4: constructors of datatypes that have arrays of counts, and packed messages. */
#include "dialect/mpi/large.h"

#define NOWHERE       MPI_COMM_NULL
#define COUNTED(name) LARGE_OF(NOWHERE, name, (int)count)
/* in bytes */
static const MPI_Aint *addresses(const MPI_Count *bytes)
{
    G_STATIC_ASSERT(sizeof(MPI_Aint) == sizeof(MPI_Count));
    return (const MPI_Aint *)bytes;
}

int MPI_Type_indexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                       const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                       MPI_Datatype *newtype)
{
    LARGE(NOWHERE, count);
    COUNTED(array_of_blocklengths);
    COUNTED(array_of_displacements);
    HERE;
    return MPI_Type_indexed((int)count, array_of_blocklengths_int, array_of_displacements_int,
                            oldtype, newtype);
}

int MPI_Type_create_indexed_block_c(MPI_Count count, MPI_Count blocklength,
                                    const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                    MPI_Datatype *newtype)
{
    LARGE(NOWHERE, count, blocklength);
    COUNTED(array_of_displacements);
    HERE;
    return MPI_Type_create_indexed_block((int)count, (int)blocklength, array_of_displacements_int,
                                         oldtype, newtype);
}

int MPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                               const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                               MPI_Datatype *newtype)
{
    LARGE(NOWHERE, count);
    COUNTED(array_of_blocklengths);
    HERE;
    return MPI_Type_create_hindexed((int)count, array_of_blocklengths_int,
                                    addresses(array_of_displacements), oldtype, newtype);
}

int MPI_Type_create_hindexed_block_c(MPI_Count count, MPI_Count blocklength,
                                     const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                     MPI_Datatype *newtype)
{
    LARGE(NOWHERE, count, blocklength);
    HERE;
    return MPI_Type_create_hindexed_block((int)count, (int)blocklength,
                                          addresses(array_of_displacements), oldtype, newtype);
}

int MPI_Type_create_struct_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                             const MPI_Count array_of_displacements[],
                             const MPI_Datatype array_of_types[], MPI_Datatype *newtype)
{
    LARGE(NOWHERE, count);
    COUNTED(array_of_blocklengths);
    HERE;
    return MPI_Type_create_struct((int)count, array_of_blocklengths_int,
                                  addresses(array_of_displacements), array_of_types, newtype);
}

int MPI_Type_create_subarray_c(int ndims, const MPI_Count array_of_sizes[],
                               const MPI_Count array_of_subsizes[],
                               const MPI_Count array_of_starts[], int order, MPI_Datatype oldtype,
                               MPI_Datatype *newtype)
{
    LARGE_OF(NOWHERE, array_of_sizes, ndims);
    LARGE_OF(NOWHERE, array_of_subsizes, ndims);
    LARGE_OF(NOWHERE, array_of_starts, ndims);
    HERE;
    return MPI_Type_create_subarray(ndims, array_of_sizes_int, array_of_subsizes_int,
                                    array_of_starts_int, order, oldtype, newtype);
}

int MPI_Type_create_darray_c(int size, int rank, int ndims, const MPI_Count array_of_gsizes[],
                             const int array_of_distribs[], const int array_of_dargs[],
                             const int array_of_psizes[], int order, MPI_Datatype oldtype,
                             MPI_Datatype *newtype)
{
    LARGE_OF(NOWHERE, array_of_gsizes, ndims);
    HERE;
    return MPI_Type_create_darray(size, rank, ndims, array_of_gsizes_int, (int *)array_of_distribs,
                                  (int *)array_of_dargs, (int *)array_of_psizes, order, oldtype,
                                  newtype);
}

/* None of these counts was large. */
int MPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count *num_integers,
                            MPI_Count *num_addresses, MPI_Count *num_large_counts,
                            MPI_Count *num_datatypes, int *combiner)
{
    int integers = 0, places = 0, types = 0;
    HERE;
    const int code = MPI_Type_get_envelope(datatype, &integers, &places, &types, combiner);
    *num_integers = integers, *num_addresses = places, *num_datatypes = types;
    *num_large_counts = 0;
    return code;
}

/* ---- packed ---------------------------------------------------------------------------------- */

int MPI_Pack_c(const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf,
               MPI_Count outsize, MPI_Count *position, MPI_Comm comm)
{
    DIALECT_NO_NULL(position, MPI_ERR_ARG);
    LARGE(comm, incount, outsize, *position);
    int at = (int)*position;
    HERE;
    const int code = MPI_Pack(inbuf, (int)incount, datatype, outbuf, (int)outsize, &at, comm);
    *position = at;
    return code;
}

int MPI_Unpack_c(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf,
                 MPI_Count outcount, MPI_Datatype datatype, MPI_Comm comm)
{
    DIALECT_NO_NULL(position, MPI_ERR_ARG);
    LARGE(comm, insize, outcount, *position);
    int at = (int)*position;
    HERE;
    const int code = MPI_Unpack(inbuf, (int)insize, &at, outbuf, (int)outcount, datatype, comm);
    *position = at;
    return code;
}

int MPI_Pack_size_c(MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count *size)
{
    DIALECT_NO_NULL(size, MPI_ERR_ARG);
    LARGE(comm, incount);
    int bytes = 0;
    HERE;
    const int code = MPI_Pack_size((int)incount, datatype, comm, &bytes);
    *size = bytes;
    return code;
}

int MPI_Pack_external_c(const char datarep[], const void *inbuf, MPI_Count incount,
                        MPI_Datatype datatype, void *outbuf, MPI_Count outsize, MPI_Count *position)
{
    DIALECT_NO_NULL(position, MPI_ERR_ARG);
    LARGE(NOWHERE, incount);
    MPI_Aint at = *position;
    HERE;
    const int code = MPI_Pack_external((char *)datarep, (void *)inbuf, (int)incount, datatype,
                                       outbuf, outsize, &at);
    *position = at;
    return code;
}

int MPI_Unpack_external_c(const char datarep[], const void *inbuf, MPI_Count insize,
                          MPI_Count *position, void *outbuf, MPI_Count outcount,
                          MPI_Datatype datatype)
{
    DIALECT_NO_NULL(position, MPI_ERR_ARG);
    LARGE(NOWHERE, outcount);
    MPI_Aint at = *position;
    HERE;
    const int code = MPI_Unpack_external((char *)datarep, (void *)inbuf, insize, &at, outbuf,
                                         (int)outcount, datatype);
    *position = at;
    return code;
}

int MPI_Pack_external_size_c(const char datarep[], MPI_Count incount, MPI_Datatype datatype,
                             MPI_Count *size)
{
    DIALECT_NO_NULL(size, MPI_ERR_ARG);
    LARGE(NOWHERE, incount);
    MPI_Aint bytes = 0;
    HERE;
    const int code = MPI_Pack_external_size((char *)datarep, (int)incount, datatype, &bytes);
    *size = bytes;
    return code;
}

int MPI_Buffer_attach_c(void *buffer, MPI_Count size)
{
    LARGE(NOWHERE, size);
    HERE;
    return MPI_Buffer_attach(buffer, (int)size);
}

int MPI_Buffer_detach_c(void *buffer_addr, MPI_Count *size)
{
    DIALECT_NO_NULL(size, MPI_ERR_ARG);
    int bytes = 0;
    HERE;
    const int code = MPI_Buffer_detach(buffer_addr, &bytes);
    *size = bytes;
    return code;
}
