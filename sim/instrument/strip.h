/* instrument, inside: rounds of a loop that do what the round before did. Not a door.
 *
 * A round of which every access hits the first level changes nothing but counts, and in which order
 * the lines of a set were used (mem/cache/filter.h, mem/access/held.h). While the accesses stay in
 * the lines of such a round, the next ones are the same: they hit, and leave the same order. So
 * they can go on in a copy of the loop's block that asks nothing, and be charged when that is left.
 */
#ifndef INSTRUMENT_STRIP_H
#define INSTRUMENT_STRIP_H

#include "instrument/describe.h"
#include "instrument/make.h"

/* ---- stride.cc ---- */

/* Names times numbers, and a number. */
struct sum {
    std::vector<std::pair<tree, HOST_WIDE_INT>> terms;
    HOST_WIDE_INT constant;
};
/* Where an access is when a round begins, and how many bytes further in the next one. */
struct stride {
    sum at;
    HOST_WIDE_INT bytes, step;
};
/* The accesses of a loop whose only block this is that are not where they were in the round before.
 * False: there is none, or one of which it is not known, or that moves by more bytes than those. */
bool stride_find(basic_block bb, const std::vector<touch> &touches, HOST_WIDE_INT step_most,
                 std::vector<stride> *to);
/* For how many rounds are they all in the lines of the round before? gcond, the last of the
 * statements: for at least two. */
tree stride_rounds(making &m, const std::vector<stride> &strides);

#endif
