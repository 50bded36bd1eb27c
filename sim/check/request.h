/* check, inside: requests, and the numbers of operations. Not a door. */
#ifndef CHECK_REQUEST_H
#define CHECK_REQUEST_H

#include "check/parts.h"

uint64_t check_number(void); /* of the next operation or request, from 1 */
/* An operation has a request of its own. */
void check_request_new(uint64_t number, struct check_flight *remote, struct check_flight *local,
                       const struct check_actor *operation);
/* The test that the rank makes has waited for an exposure epoch: the rank knows once it looks at
 * what that returned. False: at once. */
bool check_wait_later(const struct check_window *win, const struct check_member *m);
/* The rank's operations whose requests it has neither waited for nor tested. */
void check_note_requests(int rank, const char *name, op_site site, double time_s);
void check_requests_open(void);
void check_requests_close(void);

#endif
