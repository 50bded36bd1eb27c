/* check, inside: pairs that are watched, and the one that is forced into order. Not a door. */
#ifndef CHECK_WATCHED_H
#define CHECK_WATCHED_H

#include "check/parts.h"

/* Bytes of a side's operation: where they are in what it carries, and in what the side reads. */
struct check_carries {
    uint64_t packed, at, bytes;
};
struct check_watched {
    struct check_seen seen;
    bool fixed; /* which occurrence is meant is known */
    uint64_t times[2];
    uint64_t number[2]; /* of an operation; 0: none */
    GArray *carries[2]; /* struct check_carries */
    uint64_t moment[2];
    bool done[2];
    uint32_t own[2]; /* their ranks' clocks */
    bool gone;       /* the window's memory is */
    /* of a side that reads: its rank's next write of the bytes, that write's moment, and whether it
     * conflicts with the other side; again: it read them before that */
    uint64_t back[2];
    bool again[2], contested[2];
    const uint8_t *load; /* what the load under way reads; NULL: none */
    uint64_t loads;      /* bytes */
    int loader;
};
extern GPtrArray *check_watches; /* struct check_watched */
struct check_forced {
    struct check_watched *pair; /* NULL: none is forced */
    int side;                   /* that its rank has come to, and not asked about; -1: none */
    bool passing, ready, hopeless;
};
extern struct check_forced check_forced;
bool check_kind_writes(enum check_kind kind);

#endif
