/* called: a function of the program's that SimGrid's MPI calls to reduce computes on the rank's
 * processor, and may load and store a window beside its arguments. So it is registered by one of
 * these, which hand it the processor, and tell the check where its arguments are. Left out: a
 * rank's 17th operation at a time, whose function is registered as it is: what it computes takes no
 * time. */
#include "dialect/mpi/reduce/reduce.h"

#include "world/access/access.h"

enum { SLOTS = 16 };
struct slots {
    const struct dialect_reduce_op *op[SLOTS];
};
static GPtrArray *of_rank; /* struct slots, by rank */

static struct slots *slots_of(int rank)
{
    if (!of_rank) of_rank = g_ptr_array_new();
    while (of_rank->len <= (guint)rank) g_ptr_array_add(of_rank, g_new0(struct slots, 1));
    return of_rank->pdata[rank];
}

static struct world_argument argument(const void *at, int n, MPI_Datatype type)
{
    MPI_Aint lb = 0, extent = 0;
    PMPI_Type_get_extent(type, &lb, &extent);
    const uintptr_t from = (uintptr_t)at + (uintptr_t)lb;
    return (struct world_argument){from, from + (uintptr_t)n * (uintptr_t)extent};
}

static void call(int slot, void *in, void *inout, int *n, MPI_Datatype *type)
{
    struct world_rank *r = world_here();
    const struct dialect_reduce_op *op = slots_of(r->rank)->op[slot];
    const MPI_Datatype handle = op->fortran ? PMPI_Type_f2c(*(const MPI_Fint *)type) : *type;
    const struct world_argument arguments[2] = {argument(in, *n, handle),
                                                argument(inout, *n, handle)};
    world_callback_begin(r, arguments);
    op->function(in, inout, n, type);
    world_callback_end(r);
}

#define CALL(i)                                                                                    \
    static void call_##i(void *in, void *inout, int *n, MPI_Datatype *type)                        \
    {                                                                                              \
        call(i, in, inout, n, type);                                                               \
    }
#define NAME(i)    call_##i,
#define FIRST(of)  of(0) of(1) of(2) of(3) of(4) of(5) of(6) of(7)
#define SECOND(of) of(8) of(9) of(10) of(11) of(12) of(13) of(14) of(15)
FIRST(CALL)
SECOND(CALL)

static MPI_User_function *const calls[SLOTS] = {FIRST(NAME) SECOND(NAME)};

MPI_User_function *dialect_called_function(struct dialect_reduce_op *op)
{
    if (op->rank < 0) return op->function;
    struct slots *slots = slots_of(op->rank);
    int slot = 0;
    while (slot < SLOTS && slots->op[slot]) slot++;
    if (slot == SLOTS) return op->function;
    slots->op[slot] = op;
    return calls[slot];
}

void dialect_called_over(const struct dialect_reduce_op *op)
{
    if (op->rank < 0) return;
    struct slots *slots = slots_of(op->rank);
    for (int i = 0; i < SLOTS; i++)
        if (slots->op[i] == op) slots->op[i] = NULL;
}
