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
    /* of a sample of misses: how many there are, and how many lie as far from the one before as
     * that from the one before it; where the last one was, and how far from the one before */
    uint64_t steps, alike;
    uintptr_t at, step;
    uint64_t pages;  /* translations fetched */
    uint64_t around; /* reads of memory for stores of less than the processor stores */
    /* what a library computed on its words, or the program asked to be charged (sw_compute) */
    int64_t work_ticks;
    uint64_t wrong;     /* branches that were predicted wrongly: the rest of the row's work */
    int64_t spun_ticks; /* loads of the same bytes again and again, no store or miss in between */
    double service_s;   /* servicing that took the processor meanwhile */
};

/* The access to that address misses the first level. Of 64 of them four in a row are looked at. */
static inline void profile_missed(struct profile_stall *row, uintptr_t addr)
{
    row->missed[0]++;
    if (__builtin_expect((row->missed[0] & 60) != 0, 1)) return;
    const uintptr_t step = addr - row->at;
    const bool third = row->missed[0] & 2;
    row->steps += third;
    row->alike += third && step == row->step;
    row->at = addr;
    row->step = step;
}

#endif
