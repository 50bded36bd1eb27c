/* check, inside: the host's memory for what is remembered of a page. Not a door. */
#ifndef CHECK_ROOM_H
#define CHECK_ROOM_H

#include "check/parts.h"

/* For a record; it is empty. */
struct check_record *check_room_take(void);
void check_room_return(struct check_record *record);
/* Bytes that the record takes; those that its flight and lock do, if they were not counted yet. */
size_t check_room_of(const struct check_record *record);
size_t check_room_beside(const struct check_use *use);
/* Counts those of the page's records again. */
void check_room_count(struct check_page *page);
/* Is there room for so many more? Records and values together may take 15 times what windows have
 * of the page, or 30 KiB. */
bool check_room_for(const struct check_page *page, size_t more);
size_t check_room_values(const struct check_page *page); /* that values alone may take */
void check_rooms_open(void);
void check_rooms_close(void);

#endif
