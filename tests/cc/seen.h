/* What the tests of seen loads and stores share: a window that is a union, and how a way to store
 * or to load is checked. */
#ifndef SEEN_H
#define SEEN_H

#define _GNU_SOURCE
#include <mpi.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct three {
    int a, b, c;
};
struct pair {
    double re, im;
};
struct one {
    long x;
};
struct big {
    char byte[300];
};
struct bits {
    unsigned a : 3, b : 13;
};
struct __attribute__((packed)) odd {
    char c;
    double d;
    int i;
};

static union {
    unsigned char byte[4096];
    struct three three[16];
    struct pair pair[16];
    struct one one[16];
    struct big big[8];
    struct bits bits[16];
    struct odd odd[16];
    double real[64];
    int number[64];
    char text[4096];
    _Atomic int atomic[16];
    _Atomic long atomic_long[16];
    volatile long quiet[16];
    int (*call)(void);
} *w;
static int rank;
static MPI_Win win;
static unsigned char from[4096], expected[4096];

static volatile int opaque = 1;

static void say(const char *what, int yes) { printf("%s %s\n", yes ? "ok:" : "FAILED:", what); }

/* Whole lines of another use of the cache pass, so that window lines are fetched again. */
static void forget(void)
{
    static volatile char much[1 << 16];
    for (int i = 0; i < (int)sizeof much; i += 8) much[i] = much[i];
}

typedef void (*action)(void);

/* Rank 0 runs `store` on its window; rank 1 must get what rank 0's own loads say. */
static void stored(const char *what, action store)
{
    if (rank == 0) {
        for (int i = 0; i < (int)sizeof *w; i++) w->byte[i] = (unsigned char)i;
        forget();
    }
    MPI_Win_fence(0, win);
    if (rank == 0) {
        store();
        forget();
    }
    MPI_Win_fence(0, win);
    if (rank == 1) MPI_Get(from, sizeof from, MPI_BYTE, 0, 0, sizeof from, MPI_BYTE, win);
    MPI_Win_fence(0, win);
    /* The truth: the same stores into memory that is in no window. */
    if (rank == 1) {
        void *keep = w;
        for (int i = 0; i < (int)sizeof expected; i++) expected[i] = (unsigned char)i;
        w = (void *)expected;
        store();
        w = keep;
        int same = memcmp(from, expected, sizeof from) == 0, changed = 0;
        for (int i = 0; i < (int)sizeof expected; i++) changed |= expected[i] != (unsigned char)i;
        say(what, same && changed);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 1 puts; rank 0, which had the lines in its cache, must load the new bytes after the fence.
 */
static void loaded(const char *what, int (*load)(void))
{
    int before = 0;
    if (rank == 0) {
        memset(w, 0, sizeof *w);
        before = load();
    }
    MPI_Win_fence(0, win);
    if (rank == 1) {
        for (int i = 0; i < (int)sizeof from; i++) from[i] = (unsigned char)("abcdefg"[i % 7]);
        from[100] = 0;
        MPI_Put(from, sizeof from, MPI_BYTE, 0, 0, sizeof from, MPI_BYTE, win);
    }
    MPI_Win_fence(0, win);
    if (rank == 0) {
        void *keep = w;
        int after = load();
        for (int i = 0; i < (int)sizeof expected; i++)
            expected[i] = (unsigned char)("abcdefg"[i % 7]);
        expected[100] = 0;
        w = (void *)expected;
        say(what, after == load() && after != before);
        w = keep;
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

#endif
