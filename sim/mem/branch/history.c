/* history: what came before this branch decides. Beside a counter a branch there are tables for
 * longer and longer pasts, each entry with a tag; the longest that knows the past predicts, as in
 * TAGE.
 *
 * A branch that has gone one way QUIET times in a row is expected to go on so, and asks nobody: it
 * stays out of the pasts, which are those of branches that are in doubt; when it goes the other way
 * that is predicted wrongly. A machine says how many outcomes the tables have room for
 * (cpu.branch_outcomes); one that is known takes about two entries. 16,384 entries of 21 bits are
 * of the size for which such predictors are compared (64 KB: Championship Branch Prediction, CBP-5,
 * 2016). Left out: what else a core of the 2020s may have (counters of long loops, statistical
 * correctors, pasts of many hundreds). */
#include "mem/branch/branch.h"

enum { TABLES = 4, LONGEST = TABLES - 1, QUIET = 31 };
/* A geometric series from 4 to 128 outcomes: what predictors use are 100 to 200 (Seznec, Analysis
 * of the O-GEHL branch predictor, ISCA 2005). A loop's outcomes say little but how often it went
 * round: a short past of them comes again at other places. */
#define LAST(n) ((UINT64_C(1) << (n)) - 1)
static const uint64_t past_mask[TABLES] = {LAST(4), LAST(13), LAST(40), UINT64_MAX};

/* Of an entry: a counter, from 4 on against the static guess; above it, 0 to 3, how often it was
 * right where a shorter past was wrong. */
enum { COUNTER = 7, USEFUL_SHIFT = 3, USEFUL_ONE = 1 << USEFUL_SHIFT, STATES = 4 << USEFUL_SHIFT };
struct tagged {
    uint16_t tag;
    uint8_t state;
};
struct mem_branch_history {
    uint64_t past, older; /* the last outcomes, the latest in bit 0; the 64 before them */
    /* What follows a counter of a branch, and a state, looked up: outcomes in doubt are what a host
     * predicts no better, and would be in doubt of each question again. */
    uint8_t base_next[2][MEM_BRANCH_QUIET];      /* by outcome */
    uint8_t next[2][2][STATES], said[2][STATES]; /* by other, outcome; by other */
    int entries_log2;                            /* of a table */
    struct tagged *table[TABLES];
};

/* Where a table has the branch with this past: the index in the highest bits, the tag amid. */
static inline uint64_t mixed_of(uint64_t past, uint64_t older, int table, uint64_t number)
{
    uint64_t mixed = (past & past_mask[table]) * UINT64_C(0x9e3779b97f4a7c15) ^ number;
    /* not folded onto the past, where outcomes that alternate would cancel each other */
    if (table == LONGEST) mixed ^= older * UINT64_C(0xff51afd7ed558ccd);
    return mixed * UINT64_C(0xbf58476d1ce4e5b9);
}
static inline struct tagged *entry_of(struct mem_branch_history *h, int table, uint64_t mixed)
{
    return &h->table[table][mixed >> (64 - h->entries_log2)];
}
static inline uint16_t tag_of(uint64_t mixed) { return (uint16_t)(mixed >> 32 | 1); }

static inline uint8_t moved(uint8_t counter, bool up, uint8_t most)
{
    return (uint8_t)(up ? MIN(counter + 1, most) : MAX(counter, 1) - 1);
}

/* ---- the counter of a branch: bits 0 and 1; above them, how often in a row it went one way ----
 */

static inline bool base_expects(uint8_t entry) { return (entry & 3) >= 2; }
static uint8_t base_after(uint8_t entry, bool against)
{
    uint8_t counter = entry & 3, run = entry >> 2;
    run = base_expects(entry) == against && (counter == 0 || counter == 3) ? run + 1 : 0;
    counter = moved(counter, against, 3);
    return run >= QUIET ? mem_branch_quiet(against) : (uint8_t)(run << 2 | counter);
}

/* ---- the longer pasts ------------------------------------------------------------------------ */

/* It was predicted wrongly: a longer past, from table `first` on, may know better. */
static void allocate(struct mem_branch_history *h, const uint64_t *mixed, int first, bool against)
{
    for (int t = first; t < TABLES; t++) {
        struct tagged *e = entry_of(h, t, mixed[t]);
        if (e->state < USEFUL_ONE) {
            *e = (struct tagged){tag_of(mixed[t]), against ? 4 : 3};
            return;
        }
        e->state -= USEFUL_ONE;
    }
}

/* What the longest known past predicts; other: what is predicted without it. One that has not
 * proved useful is not asked while it is in doubt. */
static inline bool expects(uint8_t state) { return (state & COUNTER) >= 4; }
static bool says(uint8_t state, bool other)
{
    return state == 3 || state == 4 ? other : expects(state);
}
/* It learns. */
static uint8_t state_after(uint8_t state, bool other, bool against)
{
    uint8_t useful = state >> USEFUL_SHIFT;
    if (expects(state) != other) useful = moved(useful, expects(state) == against, 3);
    return (uint8_t)(useful << USEFUL_SHIFT | moved(state & COUNTER, against, COUNTER));
}

static struct mem_branch_history *begin(uint32_t outcomes)
{
    struct mem_branch_history *h = g_new0(struct mem_branch_history, 1);
    h->entries_log2 = (int)g_bit_storage(outcomes) - 2;
    for (int t = 0; t < TABLES; t++)
        h->table[t] = g_malloc0(sizeof(struct tagged) << h->entries_log2);
    for (int against = 0; against < 2; against++)
        for (int entry = 0; entry < MEM_BRANCH_QUIET; entry++)
            h->base_next[against][entry] = base_after((uint8_t)entry, against);
    for (int other = 0; other < 2; other++)
        for (int state = 0; state < STATES; state++) {
            h->said[other][state] = says((uint8_t)state, other);
            for (int against = 0; against < 2; against++)
                h->next[other][against][state] = state_after((uint8_t)state, other, against);
        }
    return h;
}

static void end(struct mem_branch_history *h)
{
    for (int t = 0; t < TABLES; t++) g_free(h->table[t]);
    g_free(h);
}

static bool wrong(struct mem_branches *p, uint8_t *entry, struct mem_branch branch)
{
    struct mem_branch_history *h = p->history;
    const bool against = branch.against;
    const uint64_t past = h->past, older = h->older,
                   number = branch.number * UINT64_C(0xd6e8feb86659fd93);
    h->past = past << 1 | against;
    h->older = older << 1 | past >> 63;
    if (*entry >= MEM_BRANCH_QUIET) { /* and goes the other way */
        *entry = against ? 1 : 2;
        return true;
    }
    uint64_t mixed[TABLES];
    bool predicted = base_expects(*entry);
    *entry = h->base_next[against][*entry];
    struct tagged *longest = NULL, *next = NULL;
    int first = 0; /* of those that know more than the longest known past */
#pragma GCC unroll 4
    for (int t = TABLES - 1; t >= 0; t--) {
        mixed[t] = mixed_of(past, older, t, number);
        struct tagged *e = entry_of(h, t, mixed[t]);
        if (e->tag != tag_of(mixed[t])) continue;
        if (longest) {
            next = e;
            break;
        }
        longest = e, first = t + 1;
    }
    if (longest) {
        const bool other = next ? expects(next->state) : predicted;
        const uint8_t state = longest->state;
        longest->state = h->next[other][against][state];
        predicted = h->said[other][state];
    }
    if (predicted != against) allocate(h, mixed, first, against);
    return predicted != against;
}

const struct mem_branch_model mem_branch_history = {
    .name = "history",
    .doc = "The longest known past of outcomes says where a branch goes.",
    .source = "Seznec and Michaud, A case for (partially) tagged geometric history length branch "
              "prediction, JILP 2006",
    .begin = begin,
    .end = end,
    .wrong = wrong,
};
