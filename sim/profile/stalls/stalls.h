/* profile/stalls: what one place of the program waited for caches, bus and memory, for the bytes of
 * one object. Rows are made by profile; mem adds to those whose place it knows. */
#ifndef PROFILE_STALLS_H
#define PROFILE_STALLS_H

#include "base/base.h"
#include "op/op.h"

enum { PROFILE_LEVELS = 4 }; /* of caches; what lies behind counts with the fourth */

struct profile_object; /* profile/objects */

struct profile_stall {
    op_site site;
    const struct profile_object *object; /* NULL: at no address, or nobody knows */
    /* profile's: of the place's rows the next and the first, and in that the last asked for */
    struct profile_stall *next, *first, *recent;
    uint64_t loads, stores; /* that waited */
    int64_t load_ticks, store_ticks;
    uint64_t missed[PROFILE_LEVELS]; /* lines, whether or not it waited for them */
    bool store;                      /* stores have missed them */
    uint64_t pages;                  /* translations fetched */
    uint64_t around; /* reads of memory for stores of less than the processor stores */
    /* what a library computed on its words, or the program asked to be charged (sw_compute) */
    int64_t work_ticks;
    double service_s; /* servicing that took the processor meanwhile */
};

#endif
