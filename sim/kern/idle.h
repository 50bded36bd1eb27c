/* Until when each rank does nothing, as far as that is known. Left out: what SMPI waits for; a rank
 * inside it may act at any time. */
#ifndef KERN_IDLE_H
#define KERN_IDLE_H

void kern_idle_begin(int ranks); /* all of them act */
/* HUGE_VAL: until its gate is opened, or it has ended; -HUGE_VAL: it acts. rank < 0: nobody's. */
void kern_idle(int rank, double until_s);
double kern_idle_least(int but); /* of the other ranks */

#endif
