/* Stand-ins for further sources of randomness: what getentropy gives (random.c), the same in each
 * run. Linked from an archive, into programs that call one of them.
 *
 * Left out: what is read from /dev/urandom and /dev/random, and the processor's own instructions
 * (rdrand, rdseed) where a program has them itself. */
#include "program/program.h"

#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

STAND_IN ssize_t getrandom(void *to, size_t n, unsigned flags)
{
    (void)flags;
    return getentropy(to, n) == 0 ? (ssize_t)n : -1;
}

static uint32_t word(void)
{
    uint32_t number;
    getentropy(&number, sizeof number);
    return number;
}

/* glibc's, since 2.36. */
STAND_IN uint32_t arc4random(void) { return word(); }
STAND_IN void arc4random_buf(void *to, size_t n) { getentropy(to, n); }
STAND_IN uint32_t arc4random_uniform(uint32_t below)
{
    return below ? (uint32_t)((uint64_t)word() * below >> 32) : 0; /* Lemire, TOMACS 29 (2019) */
}

/* std::random_device's, of libstdc++. */
STAND_IN unsigned _ZNSt13random_device9_M_getvalEv(void *device);
STAND_IN unsigned _ZNSt13random_device9_M_getvalEv(void *device)
{
    (void)device;
    return word();
}
