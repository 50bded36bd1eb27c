/* judged: a function of the program's that SimGrid's MPI calls to reduce may load and store a
 * window beside its arguments. For the check it is registered by one of these, which say where its
 * arguments are. Left out: a rank's ninth operation at a time, whose function is registered
 * as it is. */
#include "dialect/mpi/reduce/reduce.h"

#include "check/check.h"
#include "world/access/access.h"

enum { SLOTS = 8 };
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
    world_callback(r, arguments);
    op->function(in, inout, n, type);
    world_callback(r, NULL);
}

#define CALL(i)                                                                                    \
    static void call_##i(void *in, void *inout, int *n, MPI_Datatype *type)                        \
    {                                                                                              \
        call(i, in, inout, n, type);                                                               \
    }
CALL(0)
CALL(1)
CALL(2)
CALL(3)
CALL(4)
CALL(5)
CALL(6)
CALL(7)

static MPI_User_function *const calls[SLOTS] = {call_0, call_1, call_2, call_3,
                                                call_4, call_5, call_6, call_7};

MPI_User_function *dialect_judged_function(struct dialect_reduce_op *op)
{
    if (!check_on || op->rank < 0) return op->function;
    struct slots *slots = slots_of(op->rank);
    int slot = 0;
    while (slot < SLOTS && slots->op[slot]) slot++;
    if (slot == SLOTS) return op->function;
    slots->op[slot] = op;
    return calls[slot];
}

void dialect_judged_over(const struct dialect_reduce_op *op)
{
    if (!check_on || op->rank < 0) return;
    struct slots *slots = slots_of(op->rank);
    for (int i = 0; i < SLOTS; i++)
        if (slots->op[i] == op) slots->op[i] = NULL;
}
