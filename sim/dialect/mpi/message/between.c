/* Collectives between the two groups of an intercommunicator, as exchanges along its bridge: a
 * message from each rank that gives to each that takes, no trees. Reductions are made within a
 * group; its first rank gives the result.
 */
#include "dialect/mpi/message/between.h"

int dialect_between_dup(struct world_rank *r, MPI_Comm comm, MPI_Comm *made)
{
    int code = dialect_inter_dup(r, comm, made);
    return code == MPI_SUCCESS ? code : dialect_refused(r, comm, "MPI_Comm_dup", code);
}

int dialect_between_split(struct world_rank *r, MPI_Comm comm, int colour, int key, MPI_Comm *made)
{
    int code = dialect_inter_split(r, comm, colour, key, made);
    return code == MPI_SUCCESS ? code : dialect_refused(r, comm, "MPI_Comm_split", code);
}

int dialect_between_create(struct world_rank *r, MPI_Comm comm, MPI_Group group, MPI_Comm *made)
{
    int rank = MPI_UNDEFINED, code = PMPI_Group_rank(group, &rank);
    const bool in = rank != MPI_UNDEFINED;
    if (code == MPI_SUCCESS)
        code = dialect_inter_split(r, comm, in ? 0 : MPI_UNDEFINED, in ? rank : 0, made);
    return code == MPI_SUCCESS ? code : dialect_refused(r, comm, "MPI_Comm_create", code);
}

static const struct dialect_inter *inter_of(const struct dialect_between *b)
{
    return dialect_inter_of(b->rank, b->comm);
}

static int exchange(const struct dialect_between *b, const struct dialect_block *out, int outs,
                    const struct dialect_block *in, int ins)
{
    struct dialect_call call = {
        .rank = b->rank, .name = b->call, .comm = inter_of(b)->bridge, .request = b->request};
    int code = dialect_exchange(&call, &(struct dialect_exchange){out, in, outs, ins});
    if (code == MPI_SUCCESS) return code;
    return dialect_error(b->rank, b->comm, b->call, code,
                         "the blocks do not agree, or a count or datatype is none");
}

/* One for each rank of the remote group. Free it. */
static struct dialect_block *each(const struct dialect_between *b,
                                  const struct dialect_blocks *blocks)
{
    const struct dialect_inter *inter = inter_of(b);
    struct dialect_block *all = g_new(struct dialect_block, inter->remote_members);
    for (int i = 0; i < inter->remote_members; i++)
        all[i] = dialect_block_of(blocks, i, inter->first + i);
    return all;
}

/* ---- with a root ----------------------------------------------------------------------------- */

/* give: from the root to the remote group; else the other way. `many` are the root's blocks, `one`
 * is that of a rank of the other group. */
static int rooted(const struct dialect_between *b, bool give, const struct dialect_blocks *many,
                  const struct dialect_blocks *one)
{
    const struct dialect_inter *inter = inter_of(b);
    if (b->root == MPI_PROC_NULL) return exchange(b, NULL, 0, NULL, 0);
    if (b->root == MPI_ROOT) {
        g_autofree struct dialect_block *all = each(b, many);
        return give ? exchange(b, all, inter->remote_members, NULL, 0)
                    : exchange(b, NULL, 0, all, inter->remote_members);
    }
    if (b->root < 0 || b->root >= inter->remote_members)
        return dialect_error(b->rank, b->comm, b->call, MPI_ERR_ROOT,
                             "the root is MPI_ROOT, MPI_PROC_NULL, or a rank of the remote group");
    const struct dialect_block mine = dialect_block_of(one, 0, inter->first + b->root);
    return give ? exchange(b, NULL, 0, &mine, 1) : exchange(b, &mine, 1, NULL, 0);
}

int dialect_between_bcast(const struct dialect_between *b, void *buf, int count, MPI_Datatype type)
{
    const struct dialect_blocks all = {.buf = buf, .count = count, .type = type, .same = true};
    return rooted(b, true, &all, &all);
}

int dialect_between_gather(const struct dialect_between *b, const struct dialect_blocks *give,
                           const struct dialect_blocks *take)
{
    return rooted(b, false, take, give);
}

int dialect_between_scatter(const struct dialect_between *b, const struct dialect_blocks *give,
                            const struct dialect_blocks *take)
{
    return rooted(b, true, give, take);
}

/* ---- of all ---------------------------------------------------------------------------------- */

int dialect_between_alltoall(const struct dialect_between *b, const struct dialect_blocks *give,
                             const struct dialect_blocks *take)
{
    const int ranks = inter_of(b)->remote_members;
    g_autofree struct dialect_block *out = each(b, give), *in = each(b, take);
    return exchange(b, out, ranks, in, ranks);
}

int dialect_between_allgather(const struct dialect_between *b, const struct dialect_blocks *give,
                              const struct dialect_blocks *take)
{
    struct dialect_blocks same = *give;
    same.same = true;
    return dialect_between_alltoall(b, &same, take);
}

/* ---- reductions ------------------------------------------------------------------------------ */

/* What a group has made, at its first rank. */
struct result {
    char *memory;
    struct dialect_blocks block;
};

static int reduced(const struct dialect_between *b, const void *send, int count,
                   MPI_Datatype handle, MPI_Op op, struct result *result)
{
    struct dialect_call call = {.rank = b->rank, .name = b->call, .comm = b->comm};
    const struct dialect_type *type = count >= 0 ? dialect_type_find(handle) : NULL;
    struct dialect_layout map;
    if (!type) return MPI_ERR_TYPE;
    dialect_layout_init(&map, type, count);
    result->memory = g_malloc0((size_t)(map.layout.high - map.layout.low) + 1);
    result->block = (struct dialect_blocks){
        .buf = result->memory - map.layout.low, .count = count, .type = handle, .same = true};
    dialect_layout_clear(&map);
    dialect_read(&call, send, count, handle);
    world_settle(b->rank);
    return PMPI_Reduce(send, (void *)result->block.buf, count, handle, op, 0, b->comm);
}

int dialect_between_reduce(const struct dialect_between *b, const void *send, void *to, int count,
                           MPI_Datatype type, MPI_Op op)
{
    const struct dialect_inter *inter = inter_of(b);
    const struct dialect_block from = {inter->first, to, count, type};
    struct result result = {0};
    int code = MPI_SUCCESS;
    if (b->root == MPI_ROOT) return exchange(b, NULL, 0, &from, 1);
    if (b->root == MPI_PROC_NULL) return exchange(b, NULL, 0, NULL, 0);
    if (b->root < 0 || b->root >= inter->remote_members)
        code = MPI_ERR_ROOT;
    else
        code = reduced(b, send, count, type, op, &result);
    if (code != MPI_SUCCESS)
        code = dialect_refused(b->rank, b->comm, b->call, code);
    else {
        const struct dialect_block mine =
            dialect_block_of(&result.block, 0, inter->first + b->root);
        code = exchange(b, &mine, dialect_rank_in(b->comm) == 0, NULL, 0);
    }
    g_free(result.memory);
    return code;
}

int dialect_between_allreduce(const struct dialect_between *b, const void *send, void *to,
                              int count, MPI_Datatype type, MPI_Op op)
{
    const struct dialect_inter *inter = inter_of(b);
    const struct dialect_block from = {inter->first, to, count, type};
    struct result result = {0};
    int code = reduced(b, send, count, type, op, &result);
    if (code != MPI_SUCCESS)
        code = dialect_refused(b->rank, b->comm, b->call, code);
    else {
        g_autofree struct dialect_block *all = each(b, &result.block);
        code =
            exchange(b, all, dialect_rank_in(b->comm) == 0 ? inter->remote_members : 0, &from, 1);
    }
    g_free(result.memory);
    return code;
}
