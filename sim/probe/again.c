/* again: what a library or a stand-in has stored is announced and stored once more. A store has to
 * follow its announcement, which may bring the line, older bytes, from memory. */
#include "probe/access.h"

void probe_store_again(void *at, size_t n, uintptr_t pc)
{
    void *kept = probe_active() && n > 0 ? g_memdup2(at, n) : NULL;
    if (!kept) return;
    probe_deliver(at, kept, n, pc);
    g_free(kept);
}

void probe_stored(void *to, size_t n, uintptr_t pc)
{
    if (to && n > 0 && probe_of_segments(to))
        probe_store_again(to, n, pc);
    else
        probe_report(to, n, CHECK_STORE, pc);
}
