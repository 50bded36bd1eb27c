/* turns: ranks that sleep, in the order of their dates, and of ranks where those are equal. A sleep
 * of SimGrid's is an action of a processor that its solver shares out, and actions of one date end
 * in no order that it promises. Here one timer stands for the first of all who sleep. While no
 * event lies between, one hands over to the next and the clock stands still. */
#ifndef KERN_TURNS_H
#define KERN_TURNS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif
/* That rank, which is the running actor, sleeps until then. */
void kern_turns_sleep(int rank, double until_s);
/* The same, or until it is the first of all who sleep while nothing else happens before
 * `nothing_s`: false. */
bool kern_turns_wait(int rank, double until_s, double nothing_s);
/* The rank, if it sleeps so, sleeps until its date. */
void kern_turns_firm(int rank);
/* The rank ends, wherever it is. */
void kern_turns_gone(int rank);
#ifdef __cplusplus
}
#endif

#endif
