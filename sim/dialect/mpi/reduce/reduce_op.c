/* Operations of the program's own: their functions, kept beside SMPI's handles, for accumulates
 * (type_register.h). */
#include "dialect/mpi/hooks/hooks.h"
#include "dialect/mpi/reduce/reduce.h"

#include "world/access/access.h"

static GHashTable *known; /* MPI_Op -> struct dialect_reduce_op; all ranks */

struct dialect_reduce_op *dialect_reduce_op_find(MPI_Op op)
{
    return known ? g_hash_table_lookup(known, op) : NULL;
}

bool dialect_reduce_op_predefined(MPI_Op op)
{
    const MPI_Op handle[] = {MPI_MAX,    MPI_MIN,    MPI_SUM,     MPI_PROD, MPI_LAND,
                             MPI_BAND,   MPI_LOR,    MPI_BOR,     MPI_LXOR, MPI_BXOR,
                             MPI_MAXLOC, MPI_MINLOC, MPI_REPLACE, MPI_NO_OP};
    for (size_t i = 0; i < G_N_ELEMENTS(handle); i++)
        if (op == handle[i]) return true;
    return false;
}

void dialect_reduce_op_unref(struct dialect_reduce_op *op)
{
    if (--op->refs == 0) g_free(op);
}

int MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    DIALECT_AWAY;
    if (!known) known = g_hash_table_new(NULL, NULL);
    struct dialect_reduce_op *made = g_new(struct dialect_reduce_op, 1);
    const struct world_rank *r = world_here();
    *made = (struct dialect_reduce_op){
        .function = function, .rank = r ? r->rank : -1, .commutes = commute, .refs = 1};
    int code = PMPI_Op_create(dialect_called_function(made), commute, op);
    if (code != MPI_SUCCESS) {
        dialect_called_over(made);
        g_free(made);
        return dialect_refused(world_here(), MPI_COMM_NULL, __func__, code);
    }
    made->handle = *op;
    g_hash_table_insert(known, *op, made);
    return MPI_SUCCESS;
}

static int free_op(MPI_Op *op)
{
    struct dialect_reduce_op *own = dialect_reduce_op_find(*op);
    DIALECT_AWAY;
    if (own) {
        g_hash_table_remove(known, *op);
        dialect_called_over(own);
    }
    int code = PMPI_Op_free(op);
    if (own) dialect_reduce_op_unref(own);
    return code;
}

static void free_last(void *handle)
{
    MPI_Op op = handle;
    free_op(&op);
}

int MPI_Op_free(MPI_Op *op)
{
    DIALECT_NO_NULL(op, MPI_ERR_OP);
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    struct dialect_reduce_op *own = dialect_reduce_op_find(*op);
    struct dialect_beside by;
    const char *kept = own ? dialect_kept(world_here(), own, &by) : NULL;
    if (kept) return dialect_kept_error(__func__, DIALECT_PC, MPI_COMM_NULL, MPI_ERR_OP, kept, &by);
    if (own && dialect_held_frees(world_here(), *op, free_last)) {
        *op = MPI_OP_NULL;
        return MPI_SUCCESS;
    }
    const int code = free_op(op);
    return code == MPI_SUCCESS ? code
                               : dialect_refused(world_here(), MPI_COMM_NULL, __func__, code);
}

/* ---- in an accumulate ------------------------------------------------------------------------ */

void dialect_argument_free(void *argument)
{
    struct dialect_argument *a = argument;
    if (a->element) dialect_type_unref(a->element);
    g_free(a);
}

struct application {
    MPI_User_function *function;
    void *in, *inout;
    int count;
    MPI_Datatype type;
    MPI_Fint number; /* of the datatype, for a function in Fortran; 0: it is C's */
};

static void apply(void *data)
{
    struct application *a = data;
    a->function(a->in, a->inout, &a->count, a->number ? (void *)&a->number : (void *)&a->type);
}

/* In the context of the rank that makes the call. */
static void apply_here(struct application *a, uint64_t bytes, void *left, void *right)
{
    struct world_rank *r = world_here();
    const uintptr_t in = (uintptr_t)left, inout = (uintptr_t)right;
    const struct world_argument arguments[2] = {{in, in + bytes}, {inout, inout + bytes}};
    if (r) world_callback_begin(r, arguments);
    apply(a);
    if (r) world_callback_end(r);
}

/* Packed elements are laid out as their datatype says, in memory of their own, as for MPI_Reduce.
 * rank: in its context, whoever calls; negative: in the caller's. */
static double apply_packed(struct application *a, const struct dialect_type *element, int rank,
                           const void *in, void *inout)
{
    struct dialect_layout map;
    double cost_s = 0;
    dialect_layout_init(&map, element, a->count);
    int64_t low = MIN(map.layout.low, element->lb) & -16; /* as aligned as malloc's memory */
    int64_t high = MAX(map.layout.high, element->lb + a->count * element->extent);
    g_autofree char *left = g_malloc0((gsize)(high - low)), *right = g_malloc0((gsize)(high - low));
    a->in = left - low;
    a->inout = right - low;
    op_unpack(&map.layout, a->in, in);
    op_unpack(&map.layout, a->inout, inout);
    if (rank < 0)
        apply_here(a, (uint64_t)(high - low), left, right);
    else
        cost_s = world_run_detached(rank, apply, a);
    op_pack(&map.layout, a->inout, inout);
    dialect_layout_clear(&map);
    return cost_s;
}

static struct application application(MPI_User_function *function, bool fortran,
                                      const struct dialect_type *element, uint64_t bytes)
{
    return (struct application){.function = function,
                                .count = (int)(bytes / element->one.bytes),
                                .type = element->handle,
                                .number = fortran ? PMPI_Type_c2f(element->handle) : 0};
}

double dialect_combine_user(const void *in, void *inout, uint64_t bytes, const void *arg)
{
    const struct dialect_argument *arguments = arg;
    struct application a =
        application(arguments->function, arguments->fortran, arguments->element, bytes);
    return apply_packed(&a, arguments->element, arguments->rank, in, inout);
}

void dialect_reduce_packed(const struct dialect_reduce_op *op, const struct dialect_type *element,
                           const void *in, void *inout, uint64_t bytes)
{
    struct application a = application(op->function, op->fortran, element, bytes);
    apply_packed(&a, element, -1, in, inout);
}
