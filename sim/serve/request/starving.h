/* A processor that services others' requests and does not come to compute. Private to
 * serve/request. */
#ifndef SERVE_STARVING_H
#define SERVE_STARVING_H

#include "serve/request/request.h"

/* A request is about to take the processor from what it computes, now. */
void serve_interrupted(struct serve_proc *proc, double now_s);
/* A request of `from` has arrived; in its event. NULL: nobody knows whose it is. */
void serve_asked(struct serve_proc *proc, struct serve_proc *from);

#endif
