/* MPI_Isendrecv (MPI-4.0 3.9): a receive, and a send that has to be complete before it. */
#include "dialect/mpi/message/pending.h"

#include <limits.h>

/* copy: what is sent, when the program's buffer is received into; NULL: nothing. */
static int together(const char *call, uintptr_t pc, const void *out, int sent,
                    MPI_Datatype sent_type, int to, int sendtag, void *in, int count,
                    MPI_Datatype type, int from, int recvtag, MPI_Comm comm, char *copy,
                    MPI_Request *request)
{
    if (!request) {
        g_free(copy);
        return dialect_null(call, pc, comm, MPI_ERR_REQUEST, "request");
    }
    struct world_rank *r = world_enter(call, pc);
    DIALECT_NO_THREAD(r);
    MPI_Request send;
    dialect_fortran_pc = pc;
    int code = MPI_Irecv(in, count, type, from, recvtag, comm, request);
    if (code == MPI_SUCCESS) {
        dialect_fortran_pc = pc;
        code = MPI_Isend(out, sent, sent_type, to, sendtag, comm, &send);
    }
    struct dialect_pending *p = code == MPI_SUCCESS ? dialect_pending_of(r, *request) : NULL;
    if (p) {
        p->before = send;
        p->copy = copy;
    } else
        g_free(copy);
    if (r) world_leave(r);
    return code;
}

int MPI_Isendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                  void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                  MPI_Comm comm, MPI_Request *request)
{
    return together(__func__, DIALECT_PC, sendbuf, sendcount, sendtype, dest, sendtag, recvbuf,
                    recvcount, recvtype, source, recvtag, comm, NULL, request);
}

int MPI_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag,
                          int source, int recvtag, MPI_Comm comm, MPI_Request *request)
{
    const uintptr_t pc = DIALECT_PC;
    const struct dialect_type *type = count > 0 ? dialect_type_find(datatype) : NULL;
    struct dialect_layout map;
    if (!type)
        return together(__func__, pc, buf, count, datatype, dest, sendtag, buf, count, datatype,
                        source, recvtag, comm, NULL, request);
    dialect_layout_init(&map, type, count);
    const uint64_t bytes = map.layout.bytes;
    char *copy = bytes <= INT_MAX ? g_malloc(bytes + 1) : NULL;
    if (copy) op_pack(&map.layout, dialect_address(buf), copy);
    dialect_layout_clear(&map);
    if (!copy)
        return dialect_error(world_here(), comm, __func__, MPI_ERR_COUNT,
                             "more than 2^31 - 1 bytes");
    return together(__func__, pc, copy, (int)bytes, MPI_BYTE, dest, sendtag, buf, count, datatype,
                    source, recvtag, comm, copy, request);
}

bool dialect_before_over(struct dialect_pending *p, bool wait)
{
    int flag = wait;
    if (!p || p->before == MPI_REQUEST_NULL) return true;
    if (wait)
        MPI_Wait(&p->before, MPI_STATUS_IGNORE);
    else
        MPI_Test(&p->before, &flag, MPI_STATUS_IGNORE);
    return flag;
}
