/* Windows without epochs: SHMALLOC. Operations are always allowed. "I'm assuming strict ordering
 * between subsequent gets and puts" (E. Salo, MPI-2 mailing list, 31 October 1995): one process's
 * are performed in the order of its calls, on any machine, and a get returns what the puts before
 * it wrote. shmalloc.strict=0 leaves out one thing: a put does not wait for the process's puts to
 * other targets. */
#ifndef SYNC_DIRECT_H
#define SYNC_DIRECT_H

#include "move/transfer/transfer.h"
#include "sync/window/window.h"

/* makes it such a window; before the first joins, by any or all */
void sync_win_direct(struct sync_win *win);
/* Returns when the origin's buffer may be used again. */
void sync_direct_put(struct sync_win *win, int win_rank, struct serve_proc *me,
                     const struct move_op *op);
/* Returns when the data are in the buffer. */
void sync_direct_get(struct sync_win *win, int win_rank, struct serve_proc *me,
                     const struct move_op *op);
/* This member's puts are at their targets. */
void sync_direct_complete(struct sync_win *win, int win_rank, struct serve_proc *me);
/* All members' are, and all see them: what each has stored to its window is in memory, and loads of
 * it come from there. */
void sync_direct_barrier(struct sync_win *win, int win_rank, struct serve_proc *me);

#endif
