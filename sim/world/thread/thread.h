/* Threads and parallel regions of a program, which run unseen. */
#ifndef WORLD_THREAD_H
#define WORLD_THREAD_H

#include "base/base.h"

/* The rank starts some at pc. */
void world_threads_started(int threads, uintptr_t pc);
/* Its parallel region begins, or ends: meanwhile nothing that it does is seen. */
void world_region(bool begins);
/* MPI was called where no rank is seen: by a thread? Then says so. */
void world_refuse_thread(const char *call, uintptr_t pc);

#endif
