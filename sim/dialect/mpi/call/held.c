/* Handles that requests hold. "Any operation pending (at the time of the deallocate) that involves
 * this object will complete normally; the object will be deallocated afterwards" (MPI-3.1 2.5.1).
 * So the program may free an operation or a communicator, and then complete a reduction, or start a
 * persistent collective again. */
#include "dialect/mpi/call/call.h"

struct dialect_held {
    GHashTable *of; /* the rank's, by handle */
    void *handle;
    int requests;
    void (*free)(void *handle); /* the program has freed it; NULL: it has not */
};

struct dialect_held *dialect_held_by(struct world_rank *rank, void *handle)
{
    struct dialect_rank *state = dialect_rank(rank);
    if (!state->held) state->held = g_hash_table_new(NULL, NULL);
    struct dialect_held *held = g_hash_table_lookup(state->held, handle);
    if (!held) {
        held = g_new(struct dialect_held, 1);
        *held = (struct dialect_held){.of = state->held, .handle = handle};
        g_hash_table_insert(state->held, handle, held);
    }
    held->requests++;
    return held;
}

void dialect_held_over(struct dialect_held *held)
{
    if (!held || --held->requests > 0) return;
    g_hash_table_remove(held->of, held->handle);
    if (held->free) held->free(held->handle);
    g_free(held);
}

bool dialect_held_frees(struct world_rank *rank, void *handle, void (*free)(void *handle))
{
    GHashTable *of = rank ? dialect_rank(rank)->held : NULL;
    struct dialect_held *held = of ? g_hash_table_lookup(of, handle) : NULL;
    if (held) held->free = free;
    return held != NULL;
}
