/* check, inside: accesses of which nothing needs to be recorded. Not a door. */
#ifndef CHECK_AGAIN_H
#define CHECK_AGAIN_H

#include "check/parts.h"

/* Of an access that touches no other page. known: what its line of code touched of the page lately
 * (check_recent); NULL: not known. One that was seen is counted. */
enum check_again check_recorded(struct check_page *page, struct check_record *known, int rank,
                                uintptr_t addr, uint64_t bytes);
void check_agains_open(void);

#endif
