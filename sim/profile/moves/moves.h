/* profile/moves: the cache lines of segments that moved between the caches of a coherent node, and
 * which places of the program moved them. Filled by mem, for each access that took a line from
 * another processor's cache or the copies out of others'. */
#ifndef PROFILE_MOVES_H
#define PROFILE_MOVES_H

#include "base/base.h"
#include "op/op.h"

/* One place from which one rank moved the line, by loads or by stores. */
struct profile_mover {
    int rank;
    bool store;
    op_site site;
    uint64_t parts; /* bit i: it touched 64th i of the line */
    uint64_t moves;
    int64_t ticks; /* that the accesses took longer than hits */
};
struct profile_moved {
    const void *node;
    uint64_t line;  /* its number there */
    int segment;    /* id; -1: not known */
    int64_t offset; /* of the line's first byte in the segment */
    uint64_t bytes; /* of the line */
    double first_s; /* when it moved first */
    uint64_t moves;
    int64_t ticks;
    GArray *mover; /* struct profile_mover */
};
/* The line's row; NULL: there is none yet. */
struct profile_moved *profile_moved_row(const void *node, uint64_t line);
/* Makes it: node, line, segment, offset, bytes and first_s are taken. NULL: there are too many
 * (16,384, the first to move); their moves are counted nowhere. */
struct profile_moved *profile_moved_new(const struct profile_moved *row);
/* An access moved the line: rank, store and site are those of `mover`, of which nothing else is
 * read; it touched `bytes` bytes from `from` of the line on. */
void profile_move(struct profile_moved *row, const struct profile_mover *mover, uint64_t from,
                  uint64_t bytes, int64_t ticks);
/* The processor waited for such a move that it had gone on behind. */
void profile_move_waited(struct profile_moved *row, const struct profile_mover *mover,
                         int64_t ticks);
size_t profile_moves(void);
const struct profile_moved *profile_moved_at(size_t i); /* in order of first occurrence */
void profile_moves_clear(void);

#endif
