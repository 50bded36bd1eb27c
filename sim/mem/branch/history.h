/* history: what is asked at each branch in doubt: the tables of pasts (history.c), looked up from
 * the longest past on. In place, so that a branch is asked about in one function. */
#ifndef MEM_BRANCH_HISTORY_H
#define MEM_BRANCH_HISTORY_H

#include "mem/branch/branch.h"

enum { TABLES = 4, LONGEST = TABLES - 1 };
/* Of an entry: a counter, from 4 on against the static guess. */
enum { STATES = 8 };
/* Of what follows a state: it was predicted; a new entry knew other than without it. */
enum { SAID = 128, NEW_KNEW = 64 };
/* Is a new entry asked? As long as new ones have lately been right where the shorter past was wrong
 * as often as not: where outcomes come again they are (USE_ALT_ON_NA in TAGE: Seznec and Michaud
 * 2006, 3.2). And which table a new one goes to, by lot, whatever it puts out. Always into the
 * shortest past, two that meet there would put each other out for ever, beside tables that are
 * empty. Nor is what has been of use kept from new ones, as in TAGE: a Zen 4 learns all of 52,000
 * random outcomes in ten rounds and few of 118,000 in forty, where such a predictor learns most of
 * these. */
struct mem_branch_news {
    int32_t trust;
    uint32_t lot;
};
enum { TRUST_MOST = 7 };
/* Without a branch, which a host would predict as badly as the program's. */
static inline void mem_branch_learn_trust(struct mem_branch_news *news, bool knew, bool right)
{
    news->trust = CLAMP(news->trust + knew * (2 * right - 1), -TRUST_MOST - 1, TRUST_MOST);
}
/* One of the tables from the first on: that one time in two, the next one in four ... */
static inline int mem_branch_draw(struct mem_branch_news *news, int first)
{
    news->lot = news->lot * UINT32_C(1664525) + UINT32_C(1013904223); /* Numerical Recipes */
    return MIN(first + __builtin_clz(news->lot | 1), LONGEST);
}
struct mem_branch_tagged {
    uint16_t tag;
    uint8_t state;
};
struct mem_branch_history {
    struct mem_branch_past past;
    uint32_t shift; /* 64 less log2 of the entries of a table */
    struct mem_branch_tagged *table[TABLES];
    struct mem_branch_news news;
    /* Of ways that overlap: executions that wait for one of the other way, above 0 what those that
     * give still give */
    int8_t alone[MEM_BRANCHES];
    /* What follows a counter of a branch, and a state, looked up: outcomes in doubt are what a host
     * predicts no better, and would be in doubt of each question again. */
    uint8_t base_next[2][MEM_BRANCH_QUIET]; /* by outcome */
    uint8_t next[2][2][2][STATES];          /* by trust, other, outcome; SAID, NEW_KNEW */
};

/* Where a table has the branch with this past: the index in the highest bits, the tag amid. A
 * geometric series from 4 to 128 outcomes: what predictors use are 100 to 200 (Seznec, Analysis of
 * the O-GEHL branch predictor, ISCA 2005). A loop's outcomes say little but how often it went
 * round: a short past of them comes again at other places. */
static inline uint64_t mem_branch_mixed(const struct mem_branch_past *past, int table,
                                        uint32_t number)
{
    static const uint8_t outcomes[TABLES] = {4, 13, 40, 64};
    const uint64_t mask = ~UINT64_C(0) >> (64 - outcomes[table]);
    uint64_t mixed = (past->latest & mask) * UINT64_C(0x9e3779b97f4a7c15) ^
                     number * UINT64_C(0xd6e8feb86659fd93);
    /* not folded onto the past, where outcomes that alternate would cancel each other */
    if (table == LONGEST) mixed ^= past->older * UINT64_C(0xff51afd7ed558ccd);
    return mixed * UINT64_C(0xbf58476d1ce4e5b9);
}
static inline struct mem_branch_tagged *mem_branch_entry(const struct mem_branch_history *h,
                                                         int table, uint64_t mixed)
{
    return &h->table[table][mixed >> h->shift];
}
static inline uint16_t mem_branch_tag(uint64_t mixed) { return (uint16_t)(mixed >> 32 | 1); }
static inline bool mem_branch_expects(uint8_t state) { return state >= 4; }

/* history.c: it was predicted wrongly. A longer past, from table `first` on, may know better. */
void mem_branch_allocate(struct mem_branch_history *h, uint32_t number, int first, bool against);

/* Was the outcome predicted wrongly, by what is known of its past? Learns from it. */
static inline __attribute__((always_inline)) bool
mem_branch_doubted(struct mem_branch_history *h, uint8_t *entry, uint32_t number, bool against)
{
    const uint8_t counter = *entry;
    bool predicted = counter >> 1 & 1;
    *entry = h->base_next[against][counter];
    int first = 0; /* of those that know more than the longest known past */
#pragma GCC unroll 4
    for (int t = TABLES - 1; t >= 0; t--) {
        const uint64_t mixed = mem_branch_mixed(&h->past, t, number);
        struct mem_branch_tagged *e = mem_branch_entry(h, t, mixed);
        if (e->tag != mem_branch_tag(mixed)) continue;
        bool other = predicted;
#pragma GCC unroll 4
        for (int u = t - 1; u >= 0; u--) {
            const uint64_t shorter = mem_branch_mixed(&h->past, u, number);
            const struct mem_branch_tagged *next = mem_branch_entry(h, u, shorter);
            if (next->tag != mem_branch_tag(shorter)) continue;
            other = mem_branch_expects(next->state);
            break;
        }
        const uint8_t step = h->next[h->news.trust >= 0][other][against][e->state];
        mem_branch_learn_trust(&h->news, step & NEW_KNEW, other != against);
        e->state = step & (STATES - 1);
        predicted = step & SAID;
        first = t + 1;
        break;
    }
    if (predicted == against) return false;
    mem_branch_allocate(h, number, first, against);
    return true;
}
static inline __attribute__((always_inline)) bool
mem_branch_history_wrong(struct mem_branch_history *h, uint8_t *entry, uint32_t number,
                         bool against)
{
    bool wrong = true;
    if (__builtin_expect(*entry < MEM_BRANCH_QUIET, 1))
        wrong = mem_branch_doubted(h, entry, number, against);
    else /* it goes the other way */
        *entry = against ? 1 : 2;
    h->past.older = h->past.older << 1 | h->past.latest >> 63;
    h->past.latest = h->past.latest << 1 | against;
    return wrong;
}

/* How many executions that overlap are there with one more? */
static inline uint32_t mem_branch_pairs(int8_t *alone, struct mem_branch_ways ways, bool against)
{
    const int32_t before = *alone, window = ways.window;
    if (against != ways.against) {
        *alone = (int8_t)MAX(before - 1, -window);
        return before > 0;
    }
    *alone = (int8_t)MIN(before + ways.gives, window);
    return (uint32_t)CLAMP(-before, 0, ways.gives);
}

#endif
