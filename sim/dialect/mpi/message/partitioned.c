/* Partitioned messages (MPI-4.0 4.2). One goes as a whole when its last partition is ready, with a
 * tag that no program has: "partitioned communication operations can only match" each other, those
 * of the same peer and tag in the order in which they were made.
 */
#include "dialect/mpi/message/again.h"
#include "dialect/mpi/message/matched.h"

/* Tags of partitioned messages are less than TAGS. Messages of one peer and tag are numbered by
 * their channel, which comes again after CHANNELS of them. */
enum { TAGS = 1 << 20, CHANNELS = (1 << 10) - 1 };

/* ---- making one ------------------------------------------------------------------------------ */

/* How many of this rank's were made before it to or from the same peer with the same tag. */
static int channel(struct world_rank *r, const struct dialect_again *a)
{
    struct dialect_rank *state = dialect_rank(r);
    const struct dialect_comm *comm = dialect_comm_find(r, a->comm);
    const void *where = comm ? (const void *)comm->ranks : a->comm;
    g_autofree char *name = g_strdup_printf("%p %d %d %d %d", where, comm ? comm->number : -1,
                                            a->root, a->tag, a->send != NULL);
    if (!state->channels)
        state->channels = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    const int before = GPOINTER_TO_INT(g_hash_table_lookup(state->channels, name));
    g_hash_table_replace(state->channels, g_steal_pointer(&name), GINT_TO_POINTER(before + 1));
    return before;
}

static int most_tag(void)
{
    int *value, found = 0;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, (void *)&value, &found);
    return found ? MIN(*value, TAGS - 1) : TAGS - 1;
}

/* An error class, which has been told. */
static int wrong(struct world_rank *r, const char *call, const struct dialect_again *a,
                 MPI_Count count)
{
    const int most = most_tag();
    if (a->partitions < 0)
        return dialect_error(r, a->comm, call, MPI_ERR_ARG, "%d partitions", a->partitions);
    if (count < 0 || (a->partitions > 0 && count > INT32_MAX / a->partitions))
        return dialect_error(r, a->comm, call, MPI_ERR_COUNT,
                             "%d partitions of %lld elements: accepted are 0 to 2147483647 of all",
                             a->partitions, (long long)count);
    if (a->tag < 0 || a->tag > most)
        return dialect_error(r, a->comm, call, MPI_ERR_TAG, "tag %d is not between 0 and %d",
                             a->tag, most);
    if (a->root < 0 && a->root != MPI_PROC_NULL)
        return dialect_error(r, a->comm, call, MPI_ERR_RANK, "there is no rank %d", a->root);
    return MPI_SUCCESS;
}

static int make(const char *call, struct dialect_again *a, MPI_Count count, MPI_Request *request)
{
    struct world_rank *r = world_enter(call, a->pc);
    if (!r) return MPI_ERR_OTHER;
    int code = wrong(r, call, a, count);
    if (code == MPI_SUCCESS) {
        dialect_partitioned();
        const int each = a->send ? a->partitions : 0;
        a->parts = g_malloc0(sizeof *a->parts + (size_t)each * sizeof *a->parts->ready);
        a->beyond = DIALECT_BEYOND + channel(r, a) % CHANNELS * TAGS;
        a->count = a->partitions * (int)count;
        code = dialect_again_make(call, a, request);
        if (code != MPI_SUCCESS) g_free(a->parts);
    }
    world_leave(r);
    return code;
}

/* ---- the rounds ------------------------------------------------------------------------------ */

static int query(void *extra, MPI_Status *status) { return (void)extra, (void)status, MPI_SUCCESS; }
static int release(void *extra) { return (void)extra, MPI_SUCCESS; }
static int cancel(void *extra, int complete) { return (void)extra, (void)complete, MPI_SUCCESS; }

static int send(const struct dialect_again *a, MPI_Request *request)
{
    return MPI_Isend(a->send, a->count, a->type, a->root, a->beyond + a->tag, a->comm, request);
}

/* Until the last is ready, a request stands there that nobody has completed. */
static int begin_send(const struct dialect_again *a, MPI_Request *request)
{
    a->parts->left = a->partitions;
    memset(a->parts->ready, 0, (size_t)a->partitions * sizeof *a->parts->ready);
    return a->partitions ? MPI_Grequest_start(query, release, cancel, NULL, request)
                         : send(a, request);
}

static int receive(const struct dialect_again *a, MPI_Request *request)
{
    struct world_rank *r = world_here();
    MPI_Comm comm = a->comm;
    MPI_Message message;
    int source = a->root, code = MPI_SUCCESS;
    const int shift = dialect_across(r, &comm, "MPI_Start", NULL, &source, &code);
    if (shift < 0) return code;
    if (dialect_aside(r, comm, source, a->beyond + a->tag, shift, &message))
        return MPI_Imrecv(a->to, a->count, a->type, &message, request);
    return MPI_Irecv(a->to, a->count, a->type, a->root, a->beyond + a->tag, a->comm, request);
}

static int begin_receive(const struct dialect_again *a, MPI_Request *request)
{
    const int code = receive(a, request);
    struct dialect_pending *p =
        code == MPI_SUCCESS ? dialect_pending_of(world_here(), *request) : NULL;
    if (p) p->beyond = a->beyond;
    return code;
}

int MPI_Psend_init(const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype,
                   int dest, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    static const char empty;
    struct dialect_again a = {.go = begin_send,
                              .pc = DIALECT_PC,
                              .send = buf ? buf : &empty,
                              .partitions = partitions,
                              .type = datatype,
                              .root = dest,
                              .tag = tag,
                              .comm = comm};
    (void)info;
    return make(__func__, &a, count, request);
}

int MPI_Precv_init(void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source,
                   int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    struct dialect_again a = {.go = begin_receive,
                              .pc = DIALECT_PC,
                              .to = buf,
                              .partitions = partitions,
                              .type = datatype,
                              .root = source,
                              .tag = tag,
                              .comm = comm};
    (void)info;
    return make(__func__, &a, count, request);
}

/* ---- partitions ------------------------------------------------------------------------------ */

/* For the check: the partition is loaded from now on. Once all are ready their message holds them.
 */
static void hold(struct world_rank *r, const char *call, const struct dialect_again *a, int i)
{
    const struct dialect_type *type = check_on ? a->held[0] : NULL;
    const int each = a->count / a->partitions;
    struct dialect_layout map;
    if (!type || each == 0 || a->root == MPI_PROC_NULL) return;
    dialect_layout_init(&map, type, each);
    a->parts->held = dialect_hold(r, call, (const char *)a->send + i * each * type->extent,
                                  &map.layout, CHECK_CALL_LOAD, a->parts->held);
    dialect_layout_clear(&map);
}
static void hold_no_more(struct world_rank *r, const struct dialect_again *a)
{
    if (a->parts->held) dialect_requested(r, a->parts->held);
    a->parts->held = 0;
}

static int mark(struct world_rank *r, const char *call, const struct dialect_again *a, int i)
{
    if (i < 0 || i >= a->partitions)
        return dialect_error(r, a->comm, call, MPI_ERR_ARG, "partition %d of %d", i, a->partitions);
    if (a->send && a->parts->ready[i])
        return dialect_error(r, a->comm, call, MPI_ERR_ARG, "partition %d is ready already", i);
    if (!a->send) return MPI_SUCCESS;
    hold(r, call, a, i);
    a->parts->ready[i] = true;
    a->parts->left--;
    return MPI_SUCCESS;
}

/* So many partitions: those of the list; NULL: from the first one on. */
static int ready(const char *call, uintptr_t pc, const int *list, int first, int n,
                 MPI_Request request)
{
    struct world_rank *r = world_enter(call, pc);
    if (!r) return MPI_ERR_OTHER;
    struct dialect_pending *p = dialect_pending_of(r, request);
    const struct dialect_again *a = p ? p->again : NULL;
    int code = MPI_SUCCESS;
    if (!a || !a->parts || !a->send)
        code = dialect_error(r, MPI_COMM_NULL, call, MPI_ERR_REQUEST,
                             "it was not made by MPI_Psend_init");
    else if (p->inner == MPI_REQUEST_NULL || a->parts->left == 0)
        code = dialect_error(r, a->comm, call, MPI_ERR_REQUEST,
                             "it has not been started since its last partition was ready");
    for (int i = 0; code == MPI_SUCCESS && i < n; i++)
        code = mark(r, call, a, list ? list[i] : first + i);
    if (code == MPI_SUCCESS && a->parts->left == 0) {
        MPI_Grequest_complete(p->inner);
        MPI_Wait(&p->inner, MPI_STATUS_IGNORE);
        dialect_fortran_pc = pc;
        code = send(a, &p->inner);
        hold_no_more(r, a);
    }
    world_leave(r);
    return code;
}

int MPI_Pready(int partition, MPI_Request request)
{
    return ready(__func__, DIALECT_PC, NULL, partition, 1, request);
}

int MPI_Pready_range(int partition_low, int partition_high, MPI_Request request)
{
    return ready(__func__, DIALECT_PC, NULL, partition_low, partition_high - partition_low + 1,
                 request);
}

int MPI_Pready_list(int length, const int array_of_partitions[], MPI_Request request)
{
    return ready(__func__, DIALECT_PC, array_of_partitions, 0, length, request);
}

/* All have arrived, or none. */
int MPI_Parrived(MPI_Request request, int partition, int *flag)
{
    DIALECT_NO_NULL(flag, MPI_ERR_ARG);
    struct world_rank *r = world_enter_polling(__func__, DIALECT_PC, false);
    if (!r) return MPI_ERR_OTHER;
    const struct dialect_pending *p = dialect_pending_of(r, request);
    int code = MPI_SUCCESS;
    if (request != MPI_REQUEST_NULL && (!p || !p->again || !p->again->parts || p->again->send))
        code = dialect_error(r, MPI_COMM_NULL, __func__, MPI_ERR_REQUEST,
                             "it was not made by MPI_Precv_init");
    else if (p)
        code = mark(r, __func__, p->again, partition);
    *flag = 1;
    if (code == MPI_SUCCESS && p && p->inner != MPI_REQUEST_NULL) {
        dialect_fortran_pc = DIALECT_PC;
        code = MPI_Request_get_status(request, flag, MPI_STATUS_IGNORE);
    }
    world_leave(r);
    return code;
}
