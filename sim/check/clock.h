/* check, inside: vector clocks. Not a door. */
#ifndef CHECK_CLOCK_H
#define CHECK_CLOCK_H

#include "check/check.h"

/* A clock as it was once; shared by who refers to it. wide: it has two halves (clock.c). */
struct check_clock {
    int refs;
    bool wide;
    uint32_t of[];
};
/* The rank's clock now. */
const uint32_t *check_clock_of(int rank);
/* The same, of what it is behind whichever messages receives from any source take; of a clock. */
const uint32_t *check_clock_sure(int rank);
const uint32_t *check_clock_sure_of(const struct check_clock *clock);
extern struct check_clocks {
    int width;     /* of a clock: ranks, or twice as many */
    uint32_t *now; /* [rank][width] */
    /* How often has something changed that tells an access of the rank's from one like it, of the
     * same time? */
    uint32_t *changes;
} check_clocks;
static inline void check_changed(int rank) { check_clocks.changes[rank]++; }
void check_all_changed(void);
static inline uint32_t check_clock_own(int rank)
{
    return check_clocks.now[(size_t)rank * ((size_t)check_clocks.width + 1)];
}
/* A new reference to the rank's clock as it is. The rank's next accesses are later than it: what is
 * ordered behind the snapshot is not behind them. */
struct check_clock *check_clock_release(int rank);
struct check_clock *check_clock_peek(int rank); /* the same, and nothing changes for the rank */
/* The rank's clock at one time, with its own component apart: until the rank comes to know of
 * others, all of them share the rest. */
struct check_stamp {
    struct check_clock *clock; /* NULL: nothing */
    int rank;                  /* -1: the clock is all */
    uint32_t own;
};
/* As release. The caller gives it back by check_clock_unref. */
struct check_stamp check_clock_stamp(int rank);
void check_clock_join_stamp(int rank, const struct check_stamp *stamp);
void check_clock_merge_stamp(struct check_clock **sum, const struct check_stamp *more);
/* As release, without a snapshot: returns the clock that stands for what came before. */
uint32_t check_clock_tick(int rank);
size_t check_clock_bytes(void); /* that one takes */
/* May there be more? All together may take four times the memory of windows, or 1 MiB. */
bool check_clocks_fit(void);
void check_clocks_allow(int64_t window_bytes);
struct check_clock *check_clock_ref(struct check_clock *clock);
void check_clock_unref(struct check_clock *clock); /* NULL: nothing */
/* The rank is behind it from now on; NULL: nothing. It may keep a reference. */
void check_clock_join(int rank, struct check_clock *clock);
/* A new reference to what the rank is behind, whatever its own component is. */
struct check_clock *check_clock_shared(int rank);
/* It is behind it as things happened, and need not be. */
void check_clock_join_unsure(int rank, const struct check_clock *clock);
/* *sum is behind `more` too; takes no reference. */
void check_clock_merge(struct check_clock **sum, const struct check_clock *more);
/* Everybody is behind it. known: what all ranks are behind, of that rank. */
void check_clock_everybody(const struct check_clock *clock);
uint32_t check_clock_known(int rank);
bool check_clock_old(const struct check_clock *clock); /* everybody is behind it */
/* *sum is behind `more` too, whoever else has it. */
void check_clock_raise(struct check_clock *sum, const struct check_stamp *more);
uint32_t check_clock_meetings(void); /* how often everybody was */

void check_clocks_open(int ranks);
void check_clocks_close(void);

#endif
