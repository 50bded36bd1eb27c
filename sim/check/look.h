/* check, inside: what the program has to look at before it knows. Not a door. */
#ifndef CHECK_LOOK_H
#define CHECK_LOOK_H

#include "check/clock.h"

/* The rank is behind the clock from now on; within a test that succeeded, from when the program
 * looks at what the test returned. */
void check_learn(int rank, struct check_clock *clock);
bool check_learns_later(int rank); /* it is within one */
/* Within such a test: the request counts as complete from then on. False: there is none. */
bool check_learn_later(int rank, uint64_t request);
/* The rank took a message from any source: it is behind the clock once the program looks at what
 * check_watch shows. Takes the clock. */
void check_look_for(int rank, struct check_clock *clock);
/* What the rank just took, or tested, is known once it looks there; too many places: others count
 * as looked at. */
void check_look_place(int rank, uintptr_t addr, uint64_t bytes, GArray *requests);
/* Such an access; true: the next one near there is to be recorded too. The requests that it
 * completes are appended to `requests`. */
bool check_looks(int rank, uintptr_t addr, uint64_t bytes, enum check_kind kind, GArray *requests);
/* Does the rank look for anything? Asked at once: does any? */
extern uint32_t check_looked_for; /* at so many places */
bool check_looking_for(int rank);
static inline bool check_looking(int rank)
{
    return check_looked_for > 0 && check_looking_for(rank);
}
/* As if it had looked at all that tests returned. */
void check_look_at_tests(int rank, GArray *requests);
void check_looks_open(int ranks, bool all_seen);
void check_looks_close(void);

#endif
