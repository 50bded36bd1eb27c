/* history: what came before this branch decides. Beside a counter a branch there are tables for
 * longer and longer pasts, each entry with a tag; the longest that knows the past predicts, as in
 * TAGE.
 *
 * A branch that has gone one way QUIET times in a row is expected to go on so, and asks nobody: it
 * stays out of the pasts, which are those of branches that are in doubt; when it goes the other way
 * that is predicted wrongly. A machine says how many outcomes the tables have room for
 * (cpu.branch_outcomes), an entry each: half of those that are random need none, as a shorter past
 * is right by chance, and some stand in several tables. 16,384 entries of 21 bits are of the size
 * for which such predictors are compared (64 KB: Championship Branch Prediction, CBP-5, 2016). Left
 * out: what else a core of the 2020s may have (counters of long loops, statistical correctors,
 * pasts of many hundreds). */
#include "mem/branch/history.h"

enum { QUIET = 31 };

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

void mem_branch_allocate(struct mem_branch_history *h, uint32_t number, int first, bool against)
{
    if (first > LONGEST) return;
    const int t = mem_branch_draw(&h->news, first);
    const uint64_t mixed = mem_branch_mixed(&h->past, t, number);
    *mem_branch_entry(h, t, mixed) =
        (struct mem_branch_tagged){mem_branch_tag(mixed), against ? 4 : 3};
}

/* Or in doubt. */
static bool is_new(uint8_t state) { return state == 3 || state == 4; }
/* What the longest known past predicts; other: what is predicted without it. */
static bool says(bool trust, uint8_t state, bool other)
{
    return trust || !is_new(state) ? mem_branch_expects(state) : other;
}
static struct mem_branch_history *begin(uint32_t outcomes)
{
    struct mem_branch_history *h = g_new0(struct mem_branch_history, 1);
    const unsigned entries_log2 = (unsigned)g_bit_storage(outcomes / TABLES) - 1;
    h->shift = 64 - entries_log2;
    for (int t = 0; t < TABLES; t++)
        h->table[t] = g_malloc0(sizeof(struct mem_branch_tagged) << entries_log2);
    for (int against = 0; against < 2; against++)
        for (int entry = 0; entry < MEM_BRANCH_QUIET; entry++)
            h->base_next[against][entry] = base_after((uint8_t)entry, against);
    for (int i = 0; i < 2 * 2 * 2 * STATES; i++) {
        const bool trust = i & 4 * STATES, other = i & 2 * STATES, against = i & STATES;
        const uint8_t state = i & (STATES - 1);
        const bool knew = is_new(state) && mem_branch_expects(state) != other;
        h->next[trust][other][against][state] =
            (uint8_t)(moved(state, against, STATES - 1) | (says(trust, state, other) ? SAID : 0) |
                      (knew ? NEW_KNEW : 0));
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
    return mem_branch_history_wrong(p->history, entry, branch.number, branch.against);
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
