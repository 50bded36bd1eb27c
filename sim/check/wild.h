/* check, inside: receives from any source. Not a door. */
#ifndef CHECK_WILD_H
#define CHECK_WILD_H

#include "check/clock.h"

/* Those of one rank on one communicator, of one tag or of any. */
struct check_wild;
struct check_wild *check_wild_new(int rank, int tag, op_site site);
/* Another of that tag begins there; false: they are of another tag. */
bool check_wild_begins(struct check_wild *wild, int tag, op_site site);
bool check_wild_accepts(const struct check_wild *wild, int tag);
/* Another one accepts the same messages: what each took counts as what it had to take. */
void check_wild_mix(struct check_wild *wild);
/* A message that they may take; returns its number. Takes a reference. */
guint check_wild_mail(struct check_wild *wild, struct check_clock *sent);
/* A receive that names its source has it. */
void check_wild_named(struct check_wild *wild, guint number);
/* One of them has it. False: the receiver is behind it as behind any message. */
bool check_wild_take(struct check_wild *wild, guint number);
/* The call of the last one of that rank, before its clock was that; 0: none. */
op_site check_wild_site(int rank, uint32_t clock);
/* At the end: raises what somebody surely is behind by what those receives surely had taken whose
 * ends it is behind. */
void check_wild_close_over(uint32_t *sure);
void check_wilds_open(int ranks);
void check_wilds_close(void);

#endif
