/* The datatype constructors and queries of MPI-2 chapter 4: each is one shape. */
#include "dialect/mpi/type/compose.h"

#include <limits.h>
#include <string.h>

static int refuse(const char *call, int class, const char *what)
{
    return dialect_error(world_here(), MPI_COMM_NULL, call, class, "%s", what);
}

/* ---- blocks of one type ---------------------------------------------------------------------- */

/* Blocks at displacements: `displacement` in extents of the old type, or `address` in bytes; the
 * other is NULL. Lengths are `lengths`, or `length` each where that is NULL. */
struct blocks {
    const char *call;
    int combiner, count, length;
    const int *lengths, *displacement;
    const MPI_Aint *address;
};

/* A datatype's pieces are laid out one by one, whatever their pattern. */
static int check_pieces(const struct blocks *b, const struct dialect_type *old)
{
    const uint64_t most = UINT64_C(1) << 26, one = old->one.pieces;
    const bool dense = dialect_type_dense(old);
    uint64_t pieces = 0;
    for (int i = 0; i < b->count && pieces <= most; i++)
        pieces += dense ? 1 : one * (uint64_t)(b->lengths ? b->lengths[i] : b->length);
    if (pieces <= most) return MPI_SUCCESS;
    return refuse(b->call, MPI_ERR_OTHER,
                  "Sidewinder lays out the pieces of a datatype one by one, at most 67108864");
}

static int check_blocks(const struct blocks *b, const struct dialect_type *old)
{
    if (world_unseen_here()) return MPI_ERR_OTHER; /* in a thread */
    if (!old) return refuse(b->call, MPI_ERR_TYPE, "the old type is an invalid datatype handle");
    if (b->count < 0) return refuse(b->call, MPI_ERR_COUNT, "the count is negative");
    for (int i = 0; i < b->count; i++)
        if ((b->lengths ? b->lengths[i] : b->length) < 0)
            return refuse(b->call, MPI_ERR_ARG, "a block length is negative");
    return check_pieces(b, old);
}

static int make_blocks(const struct blocks *b, MPI_Datatype old_type, MPI_Datatype *newtype)
{
    struct dialect_type *old = dialect_type_find(old_type);
    int wrong = check_blocks(b, old);
    if (wrong) return wrong;
    int lengths = b->lengths ? b->count : 1;
    struct dialect_made *made = dialect_made_new(
        b->combiner, 1 + lengths + (b->displacement ? b->count : 0), b->address ? b->count : 0, 1);
    int *integer = dialect_made_integers(made);
    *integer++ = b->count;
    for (int i = 0; i < lengths; i++) *integer++ = b->lengths ? b->lengths[i] : b->length;
    dialect_made_types(made)[0] = old_type;
    struct dialect_shape shape;
    dialect_shape_init(&shape);
    for (int i = 0; i < b->count; i++) {
        int64_t at = b->address ? b->address[i] : b->displacement[i] * old->extent;
        if (b->address)
            dialect_made_addresses(made)[i] = b->address[i];
        else
            *integer++ = b->displacement[i];
        dialect_shape_add(&shape, old, b->lengths ? b->lengths[i] : b->length, at);
    }
    *newtype = dialect_shape_end(&shape, made)->handle;
    return MPI_SUCCESS;
}

static int make_indexed(const char *call, int count, const int *lengths, const int *displs,
                        MPI_Datatype old, MPI_Datatype *new)
{
    return make_blocks(
        &(struct blocks){call, MPI_COMBINER_INDEXED, count, 0, lengths, displs, NULL}, old, new);
}

static int make_hindexed(const char *call, int count, const int *lengths, const MPI_Aint *displs,
                         MPI_Datatype old, MPI_Datatype *new)
{
    return make_blocks(
        &(struct blocks){call, MPI_COMBINER_HINDEXED, count, 0, lengths, NULL, displs}, old, new);
}

int MPI_Type_indexed(int count, const int *blocklens, const int *indices, MPI_Datatype old_type,
                     MPI_Datatype *newtype)
{
    return make_indexed(__func__, count, blocklens, indices, old_type, newtype);
}

int MPI_Type_create_indexed(int count, const int *blocklens, const int *indices,
                            MPI_Datatype old_type, MPI_Datatype *newtype)
{
    return make_indexed(__func__, count, blocklens, indices, old_type, newtype);
}

int MPI_Type_hindexed(int count, const int *blocklens, const MPI_Aint *indices,
                      MPI_Datatype old_type, MPI_Datatype *newtype)
{
    return make_hindexed(__func__, count, blocklens, indices, old_type, newtype);
}

int MPI_Type_create_hindexed(int count, const int *blocklens, const MPI_Aint *indices,
                             MPI_Datatype old_type, MPI_Datatype *newtype)
{
    return make_hindexed(__func__, count, blocklens, indices, old_type, newtype);
}

int MPI_Type_create_indexed_block(int count, int blocklength, const int *indices,
                                  MPI_Datatype old_type, MPI_Datatype *newtype)
{
    struct blocks b = {__func__, MPI_COMBINER_INDEXED_BLOCK, count, blocklength, NULL, indices,
                       NULL};
    return make_blocks(&b, old_type, newtype);
}

int MPI_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint *indices,
                                   MPI_Datatype old_type, MPI_Datatype *newtype)
{
    struct blocks b = {__func__, MPI_COMBINER_HINDEXED_BLOCK, count, blocklength, NULL, NULL,
                       indices};
    return make_blocks(&b, old_type, newtype);
}

/* ---- regular blocks -------------------------------------------------------------------------- */

static int make_vector(const char *call, int combiner, int count, int blocklen, MPI_Aint stride,
                       MPI_Datatype old_type, MPI_Datatype *newtype)
{
    struct dialect_type *old = dialect_type_find(old_type);
    const bool whole = combiner == MPI_COMBINER_CONTIGUOUS; /* one block */
    struct blocks b = {
        call, combiner, whole && count > 0 ? 1 : count, whole ? count : blocklen, NULL, NULL, NULL};
    int wrong = check_blocks(&b, old);
    if (wrong) return wrong;
    bool bytes = combiner == MPI_COMBINER_HVECTOR;
    struct dialect_made *made = combiner == MPI_COMBINER_CONTIGUOUS
                                    ? dialect_made_new(combiner, 1, 0, 1)
                                    : dialect_made_new(combiner, bytes ? 2 : 3, bytes, 1);
    int *integer = dialect_made_integers(made);
    integer[0] = count;
    if (combiner != MPI_COMBINER_CONTIGUOUS) {
        integer[1] = blocklen;
        if (bytes)
            dialect_made_addresses(made)[0] = stride;
        else
            integer[2] = (int)stride;
    }
    dialect_made_types(made)[0] = old_type;
    struct dialect_shape shape;
    dialect_shape_init(&shape);
    if (combiner == MPI_COMBINER_CONTIGUOUS)
        dialect_shape_add(&shape, old, count, 0);
    else
        for (int i = 0; i < count; i++)
            dialect_shape_add(&shape, old, blocklen, i * (bytes ? stride : stride * old->extent));
    *newtype = dialect_shape_end(&shape, made)->handle;
    return MPI_SUCCESS;
}

int MPI_Type_contiguous(int count, MPI_Datatype old_type, MPI_Datatype *newtype)
{
    return make_vector(__func__, MPI_COMBINER_CONTIGUOUS, count, 1, 1, old_type, newtype);
}

int MPI_Type_vector(int count, int blocklen, int stride, MPI_Datatype old_type,
                    MPI_Datatype *newtype)
{
    return make_vector(__func__, MPI_COMBINER_VECTOR, count, blocklen, stride, old_type, newtype);
}

int MPI_Type_hvector(int count, int blocklen, MPI_Aint stride, MPI_Datatype old_type,
                     MPI_Datatype *newtype)
{
    return make_vector(__func__, MPI_COMBINER_HVECTOR, count, blocklen, stride, old_type, newtype);
}

int MPI_Type_create_hvector(int count, int blocklen, MPI_Aint stride, MPI_Datatype old_type,
                            MPI_Datatype *newtype)
{
    return make_vector(__func__, MPI_COMBINER_HVECTOR, count, blocklen, stride, old_type, newtype);
}

/* ---- several types, other bounds, copies ----------------------------------------------------- */

static int make_struct(const char *call, int count, const int *blocklens, const MPI_Aint *indices,
                       const MPI_Datatype *old_types, MPI_Datatype *newtype)
{
    if (world_unseen_here()) return MPI_ERR_OTHER; /* in a thread */
    if (count < 0) return refuse(call, MPI_ERR_COUNT, "the count is negative");
    for (int i = 0; i < count; i++) {
        if (blocklens[i] < 0) return refuse(call, MPI_ERR_ARG, "a block length is negative");
        if (!dialect_type_find(old_types[i]))
            return refuse(call, MPI_ERR_TYPE, "the old type is an invalid datatype handle");
    }
    struct dialect_made *made = dialect_made_new(MPI_COMBINER_STRUCT, count + 1, count, count);
    dialect_made_integers(made)[0] = count;
    struct dialect_shape shape;
    dialect_shape_init(&shape);
    for (int i = 0; i < count; i++) {
        dialect_made_integers(made)[i + 1] = blocklens[i];
        dialect_made_addresses(made)[i] = indices[i];
        dialect_made_types(made)[i] = old_types[i];
        dialect_shape_add(&shape, dialect_type_find(old_types[i]), blocklens[i], indices[i]);
    }
    *newtype = dialect_shape_end(&shape, made)->handle;
    return MPI_SUCCESS;
}

int MPI_Type_struct(int count, const int *blocklens, const MPI_Aint *indices,
                    const MPI_Datatype *old_types, MPI_Datatype *newtype)
{
    return make_struct(__func__, count, blocklens, indices, old_types, newtype);
}

int MPI_Type_create_struct(int count, const int *blocklens, const MPI_Aint *indices,
                           const MPI_Datatype *old_types, MPI_Datatype *newtype)
{
    return make_struct(__func__, count, blocklens, indices, old_types, newtype);
}

static struct dialect_type *resized(const struct dialect_type *old, int64_t lb, int64_t extent,
                                    MPI_Datatype copy, struct dialect_made *made)
{
    struct dialect_shape shape;
    dialect_shape_init(&shape);
    dialect_shape_add(&shape, old, 1, 0);
    shape.copy = copy;
    shape.any_lb = shape.any_ub = shape.type.lb_fixed = shape.type.ub_fixed = true;
    shape.type.lb = lb;
    shape.type.extent = lb + extent;
    return dialect_shape_end(&shape, made);
}

int MPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent,
                            MPI_Datatype *newtype)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    struct dialect_type *old = dialect_type_find(oldtype);
    if (!old) return refuse(__func__, MPI_ERR_TYPE, "the old type is an invalid datatype handle");
    struct dialect_made *made = dialect_made_new(MPI_COMBINER_RESIZED, 0, 2, 1);
    dialect_made_addresses(made)[0] = lb;
    dialect_made_addresses(made)[1] = extent;
    dialect_made_types(made)[0] = oldtype;
    *newtype = resized(old, lb, extent, MPI_DATATYPE_NULL, made)->handle;
    return MPI_SUCCESS;
}

/* SMPI copies the attributes, and reduces copies of predefined types. */
int MPI_Type_dup(MPI_Datatype datatype, MPI_Datatype *newtype)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    struct dialect_type *old = dialect_type_find(datatype);
    if (!old) return refuse(__func__, MPI_ERR_TYPE, "invalid datatype handle");
    MPI_Datatype copy = MPI_DATATYPE_NULL;
    int code = dialect_type_copy(datatype, &copy);
    if (code != MPI_SUCCESS) {
        *newtype = MPI_DATATYPE_NULL;
        return dialect_refused(world_here(), MPI_COMM_NULL, __func__, code);
    }
    struct dialect_made *made = dialect_made_new(MPI_COMBINER_DUP, 0, 0, 1);
    dialect_made_types(made)[0] = datatype;
    struct dialect_type *type = resized(old, old->lb, old->extent, copy, made);
    type->lb_fixed = old->lb_fixed;
    type->ub_fixed = old->ub_fixed;
    type->committed = old->committed;
    *newtype = type->handle;
    return MPI_SUCCESS;
}

/* ---- pieces of arrays ------------------------------------------------------------------------ */

/* The elements of a global array that `index[d]` lists in each dimension, in the local array's
 * storage order. */
static struct dialect_type *make_grid(const struct dialect_type *old, int ndims, const int *sizes,
                                      GArray **index, int order, struct dialect_made *made)
{
    struct dialect_shape shape;
    dialect_shape_init(&shape);
    int64_t stride[ndims], all = 1, elements = 1;
    int by_speed[ndims]; /* dimensions, the fastest first */
    for (int i = 0; i < ndims; i++) {
        int d = by_speed[i] = order == MPI_ORDER_FORTRAN ? i : ndims - 1 - i;
        stride[d] = all;
        all *= sizes[d];
        elements *= index[d]->len;
    }
    guint at[ndims];
    memset(at, 0, sizeof at);
    for (int64_t n = 0; n < elements; n++) {
        int64_t element = 0;
        for (int d = 0; d < ndims; d++) element += stride[d] * g_array_index(index[d], int, at[d]);
        dialect_shape_add(&shape, old, 1, element * old->extent);
        for (int i = 0; i < ndims && ++at[by_speed[i]] == index[by_speed[i]]->len; i++)
            at[by_speed[i]] = 0;
    }
    for (int d = 0; d < ndims; d++) g_array_free(index[d], TRUE);
    shape.any_lb = shape.any_ub = shape.type.lb_fixed = shape.type.ub_fixed = true;
    shape.type.lb = 0;
    shape.type.extent = all * old->extent;
    return dialect_shape_end(&shape, made);
}

int MPI_Type_create_subarray(int ndims, const int *sizes, const int *subsizes, const int *starts,
                             int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    struct dialect_type *old = dialect_type_find(oldtype);
    if (!old) return refuse(__func__, MPI_ERR_TYPE, "the old type is an invalid datatype handle");
    if (ndims < 1)
        return refuse(__func__, MPI_ERR_DIMS, "the number of dimensions is less than one");
    if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
        return refuse(__func__, MPI_ERR_ARG,
                      "the order is neither MPI_ORDER_C nor MPI_ORDER_FORTRAN");
    for (int d = 0; d < ndims; d++)
        if (sizes[d] < 1 || subsizes[d] < 1 || starts[d] < 0 || starts[d] > sizes[d] - subsizes[d])
            return refuse(__func__, MPI_ERR_ARG, "the subarray exceeds the array");
    struct dialect_made *made = dialect_made_new(MPI_COMBINER_SUBARRAY, 3 * ndims + 2, 0, 1);
    int *integer = dialect_made_integers(made);
    *integer++ = ndims;
    GArray *index[ndims];
    for (int d = 0; d < ndims; d++) {
        integer[d] = sizes[d];
        integer[ndims + d] = subsizes[d];
        integer[2 * ndims + d] = starts[d];
        index[d] = g_array_new(FALSE, FALSE, sizeof(int));
        for (int i = starts[d]; i < starts[d] + subsizes[d]; i++) g_array_append_val(index[d], i);
    }
    integer[3 * ndims] = order;
    dialect_made_types(made)[0] = oldtype;
    *newtype = make_grid(old, ndims, sizes, index, order, made)->handle;
    return MPI_SUCCESS;
}

/* Global indices of one dimension that process `coordinate` of `processes` owns (MPI-2 4.1.4). */
static GArray *owned(int size, int processes, int coordinate, int distribution, int argument)
{
    GArray *mine = g_array_new(FALSE, FALSE, sizeof(int));
    int block = argument;
    if (distribution == MPI_DISTRIBUTE_NONE)
        block = size;
    else if (argument == MPI_DISTRIBUTE_DFLT_DARG)
        block = distribution == MPI_DISTRIBUTE_CYCLIC ? 1 : (size + processes - 1) / processes;
    for (int64_t first = (int64_t)coordinate * block; first < size;
         first += (int64_t)block * processes)
        for (int i = (int)first; i < first + block && i < size; i++) g_array_append_val(mine, i);
    return mine;
}

int MPI_Type_create_darray(int size, int rank, int ndims, int *gsizes, int *distribs, int *dargs,
                           int *psizes, int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    struct dialect_type *old = dialect_type_find(oldtype);
    if (!old) return refuse(__func__, MPI_ERR_TYPE, "the old type is an invalid datatype handle");
    if (ndims < 1)
        return refuse(__func__, MPI_ERR_DIMS, "the number of dimensions is less than one");
    int64_t processes = 1;
    for (int d = 0; d < ndims; d++) {
        if (gsizes[d] < 1 || psizes[d] < 1 ||
            (distribs[d] == MPI_DISTRIBUTE_NONE && psizes[d] != 1))
            return refuse(__func__, MPI_ERR_ARG, "invalid sizes");
        if (dargs[d] != MPI_DISTRIBUTE_DFLT_DARG &&
            (dargs[d] < 1 ||
             (distribs[d] == MPI_DISTRIBUTE_BLOCK && (int64_t)dargs[d] * psizes[d] < gsizes[d])))
            return refuse(__func__, MPI_ERR_ARG, "invalid distribution argument");
        processes *= psizes[d];
    }
    if (processes != size || rank < 0 || rank >= size)
        return refuse(__func__, MPI_ERR_ARG,
                      "the process grid does not match the number of processes");
    struct dialect_made *made = dialect_made_new(MPI_COMBINER_DARRAY, 4 * ndims + 4, 0, 1);
    int *integer = dialect_made_integers(made);
    integer[0] = size, integer[1] = rank, integer[2] = ndims, integer[4 * ndims + 3] = order;
    dialect_made_types(made)[0] = oldtype;
    GArray *index[ndims];
    /* the process grid is row-major in both orders */
    for (int d = ndims - 1, left = rank; d >= 0; left /= psizes[d--]) {
        integer[3 + d] = gsizes[d], integer[3 + ndims + d] = distribs[d];
        integer[3 + 2 * ndims + d] = dargs[d], integer[3 + 3 * ndims + d] = psizes[d];
        index[d] = owned(gsizes[d], psizes[d], left % psizes[d], distribs[d], dargs[d]);
    }
    *newtype = make_grid(old, ndims, gsizes, index, order, made)->handle;
    return MPI_SUCCESS;
}
