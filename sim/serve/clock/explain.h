/* Why a wait ended when it did; private to clock. */
#ifndef SERVE_EXPLAIN_H
#define SERVE_EXPLAIN_H

#include "serve/clock/clock.h"

/* What an event's time is to who waits for it. */
enum profile_cause serve_cause_of(enum kern_what what);
/* Counts the stretches of a wait that `by` ended, each with its cause; what is left has none. Of
 * all of it the rank serviced others for serviced_s, and did not wait: each stretch is so much
 * shorter. */
void serve_explain(const struct serve_proc *proc, enum profile_cause whose, double from_s,
                   double until_s, double serviced_s, const struct kern_cause *by);

#endif
