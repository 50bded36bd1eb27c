/* MPI_X_c of MPI-4: messages, windows and datatypes. */
#include "dialect/mpi/large.h"

int dialect_large_refuse(const char *call, uintptr_t pc, MPI_Comm comm)
{
    struct world_rank *r = world_enter(call, pc);
    if (!r) return MPI_ERR_OTHER;
    int code =
        dialect_error(r, comm, call, MPI_ERR_COUNT, "counts beyond 2147483647 are not simulated");
    world_leave(r);
    return code;
}

int MPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dst, int tag,
               MPI_Comm comm)
{
    LARGE(comm, count);
    HERE;
    return MPI_Send(buf, (int)count, datatype, dst, tag, comm);
}

int MPI_Recv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int src, int tag, MPI_Comm comm,
               MPI_Status *status)
{
    LARGE(comm, count);
    HERE;
    return MPI_Recv(buf, (int)count, datatype, src, tag, comm, status);
}

int MPI_Isend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dst, int tag,
                MPI_Comm comm, MPI_Request *request)
{
    LARGE(comm, count);
    HERE;
    return MPI_Isend(buf, (int)count, datatype, dst, tag, comm, request);
}

int MPI_Irecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, int src, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    LARGE(comm, count);
    HERE;
    return MPI_Irecv(buf, (int)count, datatype, src, tag, comm, request);
}

int MPI_Ssend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                MPI_Comm comm)
{
    LARGE(comm, count);
    HERE;
    return MPI_Ssend(buf, (int)count, datatype, dest, tag, comm);
}

int MPI_Rsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                MPI_Comm comm)
{
    LARGE(comm, count);
    HERE;
    return MPI_Rsend(buf, (int)count, datatype, dest, tag, comm);
}

int MPI_Bsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                MPI_Comm comm)
{
    LARGE(comm, count);
    HERE;
    return MPI_Bsend(buf, (int)count, datatype, dest, tag, comm);
}

int MPI_Issend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                 MPI_Comm comm, MPI_Request *request)
{
    LARGE(comm, count);
    HERE;
    return MPI_Issend(buf, (int)count, datatype, dest, tag, comm, request);
}

int MPI_Irsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                 MPI_Comm comm, MPI_Request *request)
{
    LARGE(comm, count);
    HERE;
    return MPI_Irsend(buf, (int)count, datatype, dest, tag, comm, request);
}

int MPI_Ibsend_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                 MPI_Comm comm, MPI_Request *request)
{
    LARGE(comm, count);
    HERE;
    return MPI_Ibsend(buf, (int)count, datatype, dest, tag, comm, request);
}

int MPI_Sendrecv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dst,
                   int sendtag, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int src,
                   int recvtag, MPI_Comm comm, MPI_Status *status)
{
    LARGE(comm, sendcount, recvcount);
    HERE;
    return MPI_Sendrecv(sendbuf, (int)sendcount, sendtype, dst, sendtag, recvbuf, (int)recvcount,
                        recvtype, src, recvtag, comm, status);
}

int MPI_Sendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype datatype, int dst, int sendtag,
                           int src, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    LARGE(comm, count);
    HERE;
    return MPI_Sendrecv_replace(buf, (int)count, datatype, dst, sendtag, src, recvtag, comm,
                                status);
}

int MPI_Send_init_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dst, int tag,
                    MPI_Comm comm, MPI_Request *request)
{
    LARGE(comm, count);
    HERE;
    return MPI_Send_init(buf, (int)count, datatype, dst, tag, comm, request);
}

int MPI_Recv_init_c(void *buf, MPI_Count count, MPI_Datatype datatype, int src, int tag,
                    MPI_Comm comm, MPI_Request *request)
{
    LARGE(comm, count);
    HERE;
    return MPI_Recv_init(buf, (int)count, datatype, src, tag, comm, request);
}

int MPI_Put_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
              int target_rank, MPI_Aint target_disp, MPI_Count target_count,
              MPI_Datatype target_datatype, MPI_Win win)
{
    LARGE(MPI_COMM_NULL, origin_count, target_count);
    HERE;
    return MPI_Put(origin_addr, (int)origin_count, origin_datatype, target_rank, target_disp,
                   (int)target_count, target_datatype, win);
}

int MPI_Get_c(void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
              int target_rank, MPI_Aint target_disp, MPI_Count target_count,
              MPI_Datatype target_datatype, MPI_Win win)
{
    LARGE(MPI_COMM_NULL, origin_count, target_count);
    HERE;
    return MPI_Get(origin_addr, (int)origin_count, origin_datatype, target_rank, target_disp,
                   (int)target_count, target_datatype, win);
}

int MPI_Accumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
                     int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                     MPI_Datatype target_datatype, MPI_Op op, MPI_Win win)
{
    LARGE(MPI_COMM_NULL, origin_count, target_count);
    HERE;
    return MPI_Accumulate(origin_addr, (int)origin_count, origin_datatype, target_rank, target_disp,
                          (int)target_count, target_datatype, op, win);
}

int MPI_Get_accumulate_c(const void *origin_addr, MPI_Count origin_count,
                         MPI_Datatype origin_datatype, void *result_addr, MPI_Count result_count,
                         MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                         MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
                         MPI_Win win)
{
    LARGE(MPI_COMM_NULL, origin_count, result_count, target_count);
    HERE;
    return MPI_Get_accumulate(origin_addr, (int)origin_count, origin_datatype, result_addr,
                              (int)result_count, result_datatype, target_rank, target_disp,
                              (int)target_count, target_datatype, op, win);
}

int MPI_Rput_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
               int target_rank, MPI_Aint target_disp, MPI_Count target_count,
               MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request)
{
    LARGE(MPI_COMM_NULL, origin_count, target_count);
    HERE;
    return MPI_Rput(origin_addr, (int)origin_count, origin_datatype, target_rank, target_disp,
                    (int)target_count, target_datatype, win, request);
}

int MPI_Rget_c(void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
               int target_rank, MPI_Aint target_disp, MPI_Count target_count,
               MPI_Datatype target_datatype, MPI_Win win, MPI_Request *request)
{
    LARGE(MPI_COMM_NULL, origin_count, target_count);
    HERE;
    return MPI_Rget(origin_addr, (int)origin_count, origin_datatype, target_rank, target_disp,
                    (int)target_count, target_datatype, win, request);
}

int MPI_Raccumulate_c(const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
                      int target_rank, MPI_Aint target_disp, MPI_Count target_count,
                      MPI_Datatype target_datatype, MPI_Op op, MPI_Win win, MPI_Request *request)
{
    LARGE(MPI_COMM_NULL, origin_count, target_count);
    HERE;
    return MPI_Raccumulate(origin_addr, (int)origin_count, origin_datatype, target_rank,
                           target_disp, (int)target_count, target_datatype, op, win, request);
}

int MPI_Rget_accumulate_c(const void *origin_addr, MPI_Count origin_count,
                          MPI_Datatype origin_datatype, void *result_addr, MPI_Count result_count,
                          MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
                          MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
                          MPI_Win win, MPI_Request *request)
{
    LARGE(MPI_COMM_NULL, origin_count, result_count, target_count);
    HERE;
    return MPI_Rget_accumulate(origin_addr, (int)origin_count, origin_datatype, result_addr,
                               (int)result_count, result_datatype, target_rank, target_disp,
                               (int)target_count, target_datatype, op, win, request);
}

int MPI_Win_create_c(void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm,
                     MPI_Win *win)
{
    LARGE(comm, disp_unit);
    HERE;
    return MPI_Win_create(base, size, (int)disp_unit, info, comm, win);
}

int MPI_Win_allocate_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *base,
                       MPI_Win *win)
{
    LARGE(comm, disp_unit);
    HERE;
    return MPI_Win_allocate(size, (int)disp_unit, info, comm, base, win);
}

int MPI_Win_allocate_shared_c(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm,
                              void *base, MPI_Win *win)
{
    LARGE(comm, disp_unit);
    HERE;
    return MPI_Win_allocate_shared(size, (int)disp_unit, info, comm, base, win);
}

int MPI_Win_shared_query_c(MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit,
                           void *baseptr)
{
    int unit = 0;
    HERE;
    const int code = MPI_Win_shared_query(win, rank, size, &unit, baseptr);
    if (disp_unit) *disp_unit = unit;
    return code;
}

int MPI_Type_contiguous_c(MPI_Count count, MPI_Datatype old_type, MPI_Datatype *newtype)
{
    LARGE(MPI_COMM_NULL, count);
    HERE;
    return MPI_Type_contiguous((int)count, old_type, newtype);
}

int MPI_Type_vector_c(MPI_Count count, MPI_Count blocklen, MPI_Count stride, MPI_Datatype old_type,
                      MPI_Datatype *newtype)
{
    LARGE(MPI_COMM_NULL, count, blocklen, stride);
    HERE;
    return MPI_Type_vector((int)count, (int)blocklen, (int)stride, old_type, newtype);
}

int MPI_Type_create_hvector_c(MPI_Count count, MPI_Count blocklen, MPI_Count stride,
                              MPI_Datatype old_type, MPI_Datatype *newtype)
{
    LARGE(MPI_COMM_NULL, count, blocklen);
    HERE;
    return MPI_Type_create_hvector((int)count, (int)blocklen, (MPI_Aint)stride, old_type, newtype);
}

/* ---- what is asked of a datatype or a status ------------------------------------------------- */

int MPI_Type_size_c(MPI_Datatype datatype, MPI_Count *size)
{
    HERE;
    return MPI_Type_size_x(datatype, size);
}

#define EXTENT(name)                                                                               \
    int MPI_Type_get_##name##_c(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)           \
    {                                                                                              \
        MPI_Aint low = 0, all = 0;                                                                 \
        HERE;                                                                                      \
        const int code = MPI_Type_get_##name(datatype, &low, &all);                                \
        if (lb) *lb = low;                                                                         \
        if (extent) *extent = all;                                                                 \
        return code;                                                                               \
    }
EXTENT(extent)
EXTENT(true_extent)

int MPI_Get_elements_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *elements)
{
    HERE;
    return MPI_Get_elements_x((MPI_Status *)status, datatype, elements);
}

int MPI_Get_count_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    int some = 0;
    HERE;
    const int code = MPI_Get_count(status, datatype, &some);
    if (count) *count = some;
    return code;
}
