/* profile/stalls: what one place of the program waited for caches, bus and memory, for the bytes of
 * one object. Rows are made by profile; mem adds to those whose place it knows. */
#ifndef PROFILE_STALLS_H
#define PROFILE_STALLS_H

#include "base/base.h"
#include "op/op.h"

/* A line has so many bytes at least; what is missed again after more misses is not looked at. */
enum { PROFILE_LINE = 32, PROFILE_SOON = 1024 };
enum { PROFILE_LOOKS = 4 };
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
    uint64_t look;   /* from how many misses on they are looked at: beside what counts each */
    uint64_t copied; /* of those of the first level: by copies of a library */
    bool store;      /* stores have missed them */
    /* of a sample of misses: how many there are, and how many lie as far from the one before as
     * that from the one before it; where the last one was, and how far from the one before */
    uint64_t steps, alike;
    uintptr_t at, step;
    uintptr_t usual; /* the step that they had last when it was alike */
    int looked, of;  /* how many of the misses that are looked at have been, and of which rank */
    /* of the sample: an address, and the number of its miss; how many such addresses there were,
     * how often their lines were missed again, and after how many misses, together */
    uintptr_t kept;
    uint64_t kept_at, keeps, again, until;
    uint64_t pages;  /* translations fetched */
    uint64_t around; /* reads of memory for stores of less than the processor stores */
    /* what a library computed on its words, or the program asked to be charged (sw_compute) */
    int64_t work_ticks;
    uint64_t wrong; /* branches that were predicted wrongly, and what they took */
    int64_t wrong_ticks;
    int64_t spun_ticks; /* loads of the same bytes again and again, no store or miss in between */
    double service_s;   /* servicing that took the processor meanwhile */
};

/* The access of that rank to that address misses the first level. Of some 64 of them four of one
 * rank in a row are looked at: what several ranks do in turn lies as far apart as their memory. */
void profile_look(struct profile_stall *row, int rank, uintptr_t addr);
/* Where nothing comes behind it, what calls it saves no registers for the look. */
static inline void profile_missed(struct profile_stall *row, int rank, uintptr_t addr)
{
    if (__builtin_expect(++row->missed[0] >= row->look, 0)) profile_look(row, rank, addr);
}

#endif
