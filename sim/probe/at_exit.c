/* at_exit: what a rank has asked to be done when it exits (atexit, static objects of C++) is done
 * by the rank, at its date, while MPI can still be called; not by C's library when the whole run
 * has ended. Left out: on_exit, and what threads of the program register. */
#include "probe/stand_ins.h"

#include <stdlib.h>

struct handler {
    void (*run)(void *data);
    void *data;
};
static GArray **of_rank; /* struct handler; NULL: none */

/* C's own, which keeps what belongs to no rank. */
int __cxa_atexit(void (*run)(void *), void *data, void *object);

int probe_at_exit(void (*run)(void *data), void *data, void *object)
{
    const struct world_rank *rank = world_here();
    if (!rank || world_is_child()) return __cxa_atexit(run, data, object);
    if (!of_rank) of_rank = g_new0(GArray *, world_ranks());
    if (!of_rank[rank->rank])
        of_rank[rank->rank] = g_array_new(FALSE, FALSE, sizeof(struct handler));
    const struct handler handler = {run, data};
    g_array_append_val(of_rank[rank->rank], handler);
    return 0;
}

/* The last one first; one may register others, or exit itself: then the rest go on from there. */
void probe_at_exit_run(void)
{
    const struct world_rank *rank = world_here();
    if (!rank || !of_rank || !of_rank[rank->rank]) return;
    GArray *handlers = of_rank[rank->rank];
    while (handlers->len) {
        const struct handler last = g_array_index(handlers, struct handler, handlers->len - 1);
        g_array_set_size(handlers, handlers->len - 1);
        last.run(last.data);
    }
}
