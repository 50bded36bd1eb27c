/* check, inside: calls that all members of a group make. Not a door. */
#ifndef CHECK_MEET_H
#define CHECK_MEET_H

#include "check/clock.h"

struct check_meeting *check_meeting_new(int members, enum check_flow flow, int root);
void check_meeting_arrive(struct check_meeting *meeting, int rank, int comm_rank);
/* The rank is behind whom it must be behind; true: it is the last, and the meeting is gone. */
bool check_meeting_leave(struct check_meeting *meeting, int rank, int comm_rank);
void check_meeting_free(void *meeting); /* one that not all have left */
/* The rank leaves, behind nobody. */
bool check_meeting_pass(struct check_meeting *meeting);
/* What those who have arrived did before; NULL: nobody has. */
const struct check_clock *check_meeting_clock(const struct check_meeting *meeting);

void check_orders_open(int ranks);
void check_orders_close(void);

#endif
