/* A rank's state in the dialects, and the line that a binding for Fortran notes. */
#include "dialect/mpi/call/call.h"

uintptr_t dialect_fortran_pc;
bool dialect_profiled;

struct dialect_rank *dialect_rank(struct world_rank *rank)
{
    if (!rank->dialect) rank->dialect = g_new0(struct dialect_rank, 1);
    return rank->dialect;
}

void *dialect_own(struct world_rank *rank, const char *dialect)
{
    const struct dialect_rank *state = dialect_rank(rank);
    return state->own ? g_hash_table_lookup(state->own, dialect) : NULL;
}

void *dialect_own_keep(struct world_rank *rank, const char *dialect, void *own)
{
    struct dialect_rank *state = dialect_rank(rank);
    if (!state->own) state->own = g_hash_table_new(g_str_hash, g_str_equal);
    g_hash_table_insert(state->own, (void *)(uintptr_t)dialect, own);
    return own;
}
