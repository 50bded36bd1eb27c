/* Threads and parallel regions of a program, which run unseen. */
#ifndef WORLD_THREAD_H
#define WORLD_THREAD_H

#include "base/base.h"

/* The rank starts some at pc. */
void world_threads_started(int threads, uintptr_t pc);
/* Its parallel region begins, or ends: meanwhile nothing that it does is seen. */
void world_region(bool begins);
/* MPI was called where no rank is seen: by a thread? Then that is kept. Any thread may call this.
 */
void world_refuse_thread(const char *call, uintptr_t pc);
/* Says what has been kept. Tables of lines and messages are the ranks' thread's alone. */
void world_say_refused(void);
extern int world_refusals; /* not said yet; read and written by several threads */
static inline void world_say_threads(void)
{
    if (G_UNLIKELY(__atomic_load_n(&world_refusals, __ATOMIC_ACQUIRE))) world_say_refused();
}

#endif
