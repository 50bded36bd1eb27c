/* history: what came before this branch decides. Beside a counter a branch there are tables for
 * longer and longer pasts, each entry with a tag; the longest that knows the past predicts, as in
 * TAGE.
 *
 * A branch that has gone one way QUIET times in a row is expected to go on so, and asks nobody: it
 * stays out of the pasts, which are those of branches that are in doubt; when it goes the other way
 * that is predicted wrongly. The tables, of 21 bits an entry, are of the size for which such
 * predictors are compared (64 KB: Championship Branch Prediction, CBP-5, 2016). Left out: what else
 * a core of the 2020s may have (counters of long loops, statistical correctors, longer pasts). */
#include "mem/branch/branch.h"

enum { TABLES = 4, ENTRIES_LOG2 = 12, QUIET = 31 };
/* of the past */
#define LAST(n) ((UINT64_C(1) << (n)) - 1)
static const uint64_t past_mask[TABLES] = {LAST(4), LAST(10), LAST(22), LAST(48)};

struct tagged {
    uint16_t tag;
    uint8_t counter; /* 0 to 7: from 4 on, against the static guess */
    uint8_t useful;  /* 0 to 3: it was right where a shorter past was wrong */
};
struct mem_branch_history {
    uint64_t past; /* the last outcomes, the latest in bit 0 */
    struct tagged table[TABLES][1 << ENTRIES_LOG2];
};

/* Where a table has the branch with this past: the index in the highest bits, the tag amid. */
static inline uint64_t mixed_of(uint64_t past, int table, uint64_t number)
{
    return ((past & past_mask[table]) * UINT64_C(0x9e3779b97f4a7c15) ^ number) *
           UINT64_C(0xbf58476d1ce4e5b9);
}
static inline struct tagged *entry_of(struct mem_branch_history *h, int table, uint64_t mixed)
{
    return &h->table[table][mixed >> (64 - ENTRIES_LOG2)];
}
static inline uint16_t tag_of(uint64_t mixed) { return (uint16_t)(mixed >> 32 | 1); }

static inline uint8_t moved(uint8_t counter, bool up, uint8_t most)
{
    return (uint8_t)(up ? MIN(counter + 1, most) : MAX(counter, 1) - 1);
}

/* ---- the counter of a branch: bits 0 and 1; above them, how often in a row it went one way ----
 */

static bool base_learns(uint8_t *entry, bool against)
{
    uint8_t counter = *entry & 3, run = *entry >> 2;
    bool expected = counter >= 2;
    run = expected == against && (counter == 0 || counter == 3) ? run + 1 : 0;
    counter = moved(counter, against, 3);
    *entry = run >= QUIET ? mem_branch_quiet(against) : (uint8_t)(run << 2 | counter);
    return expected;
}

/* ---- the longer pasts ------------------------------------------------------------------------ */

/* It was predicted wrongly: a longer past, from table `first` on, may know better. */
static void allocate(struct mem_branch_history *h, const uint64_t *mixed, int first, bool against)
{
    for (int t = first; t < TABLES; t++) {
        struct tagged *e = entry_of(h, t, mixed[t]);
        if (e->useful == 0) {
            *e = (struct tagged){tag_of(mixed[t]), against ? 4 : 3, 0};
            return;
        }
        e->useful--;
    }
}

/* The entry of the longest known past learns; returns what was predicted. other: without it. */
static inline bool longest_learns(struct tagged *e, bool other, bool against)
{
    bool expected = e->counter >= 4, weak = (e->counter == 3 || e->counter == 4) && e->useful == 0;
    if (expected != other) e->useful = moved(e->useful, expected == against, 3);
    e->counter = moved(e->counter, against, 7);
    return weak ? other : expected;
}

static bool wrong(struct mem_branches *p, uint8_t *entry, struct mem_branch branch)
{
    struct mem_branch_history *h = p->history;
    const bool against = branch.against;
    const uint64_t past = h->past, number = branch.number * UINT64_C(0xd6e8feb86659fd93);
    h->past = past << 1 | against;
    if (*entry >= MEM_BRANCH_QUIET) { /* and goes the other way */
        *entry = against ? 1 : 2;
        return true;
    }
    uint64_t mixed[TABLES];
    const bool base = base_learns(entry, against);
    struct tagged *longest = NULL, *next = NULL;
    int first = 0; /* of those that know more than the longest known past */
#pragma GCC unroll 4
    for (int t = TABLES - 1; t >= 0; t--) {
        mixed[t] = mixed_of(past, t, number);
        struct tagged *e = entry_of(h, t, mixed[t]);
        if (e->tag != tag_of(mixed[t])) continue;
        if (longest) {
            next = e;
            break;
        }
        longest = e, first = t + 1;
    }
    bool predicted = base;
    if (longest) {
        bool other = next ? next->counter >= 4 : base;
        predicted = longest_learns(longest, other, against);
    }
    if (predicted != against) allocate(h, mixed, first, against);
    return predicted != against;
}

const struct mem_branch_model mem_branch_history = {
    .name = "history",
    .doc = "The longest known past of outcomes says where a branch goes.",
    .source = "Seznec and Michaud, A case for (partially) tagged geometric history length branch "
              "prediction, JILP 2006",
    .history_bytes = sizeof(struct mem_branch_history),
    .wrong = wrong,
};
