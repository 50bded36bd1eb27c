/* history: what came before decides. Beside the last target of each there are tables for longer and
 * longer pasts, each entry with a tag and a target; the longest that knows the past predicts, as in
 * ITTAGE.
 *
 * The past is that of the outcomes of branches in doubt (mem/branch), if they have one, and of
 * targets, a few bits of each. What has had one target QUIET times in a row is expected to go on
 * so, and stays out of the past, as branches do (mem/branch/history.c). One target that is known
 * takes about two entries. */
#include "mem/target/target.h"

#include "mem/branch/history.h"

enum { QUIET = 31, TARGET_BITS = 4, SURE = 3 };
struct tagged {
    uint32_t target;
    uint16_t tag;
    uint8_t sure; /* 0 to SURE */
};
struct mem_target_history {
    uint32_t shift; /* 64 less log2 of the entries of a table */
    struct tagged *table[TABLES];
    struct mem_branch_news news;
    struct {
        uint32_t last; /* 0: it has had no other target than that of its entry */
        uint32_t run;  /* how often in a row */
    } base[MEM_TARGETS];
};

static struct mem_target_history *begin(uint32_t targets)
{
    struct mem_target_history *h = g_new0(struct mem_target_history, 1);
    const unsigned entries_log2 = (unsigned)g_bit_storage(targets) - 2;
    h->shift = 64 - entries_log2;
    for (int t = 0; t < TABLES; t++) h->table[t] = g_new0(struct tagged, 1 << entries_log2);
    return h;
}

static void end(struct mem_target_history *h)
{
    for (int t = 0; t < TABLES; t++) g_free(h->table[t]);
    g_free(h);
}

/* What the past up to table `below` knows, and where; else what it was last. */
static struct tagged *longest(const struct mem_targets *t, uint32_t number, int *below)
{
    while (--*below >= 0) {
        const uint64_t mixed = mem_branch_mixed(t->past, *below, number);
        struct tagged *e = &t->history->table[*below][mixed >> t->history->shift];
        if (e->tag == mem_branch_tag(mixed)) return e;
    }
    return NULL;
}

static void allocate(struct mem_targets *t, uint32_t number, int first, uint32_t to)
{
    if (first > LONGEST) return;
    const int i = mem_branch_draw(&t->history->news, first);
    const uint64_t mixed = mem_branch_mixed(t->past, i, number);
    t->history->table[i][mixed >> t->history->shift] =
        (struct tagged){.target = to, .tag = mem_branch_tag(mixed)};
}

static void learn(struct tagged *e, uint32_t to)
{
    if (e->target == to)
        e->sure = (uint8_t)MIN(e->sure + 1, SURE);
    else if (e->sure > 0)
        e->sure--;
    else
        e->target = to;
}

/* An entry that has not been right yet is not asked where such entries lately were not; what a
 * shorter past knows then learns, too. */
static bool doubted(struct mem_targets *t, uint32_t number, uint32_t to)
{
    int at = TABLES;
    struct tagged *e = longest(t, number, &at), *shorter = NULL;
    const uint32_t last = t->history->base[number].last;
    uint32_t predicted = last;
    if (e) {
        int below = at;
        shorter = longest(t, number, &below);
        const uint32_t other = shorter ? shorter->target : last;
        const bool asked = e->sure > 0 || t->history->news.trust >= 0;
        mem_branch_learn_trust(&t->history->news, e->sure == 0 && e->target != other,
                               e->target == to);
        predicted = asked ? e->target : other;
        learn(e, to);
        if (shorter && !asked) learn(shorter, to);
    }
    if (predicted == to) return false;
    allocate(t, number, at + 1, to);
    return true;
}

static void remember(struct mem_targets *t, struct mem_target target)
{
    if (target.call && !t->calls) return;
    const uint32_t bits = target.place * UINT32_C(0x9e3779b1) >> (32 - TARGET_BITS);
    t->past->older = t->past->older << TARGET_BITS | t->past->latest >> (64 - TARGET_BITS);
    t->past->latest = t->past->latest << TARGET_BITS | bits;
}

static bool wrong(struct mem_targets *t, uint32_t *entry, struct mem_target target)
{
    struct mem_target_history *h = t->history;
    const uint32_t last = h->base[target.number].last;
    bool is_wrong = true;
    if (*entry == 0 && last == 0) { /* never seen */
        *entry = target.to;
        return true;
    }
    if (*entry == 0)
        is_wrong = doubted(t, target.number, target.to);
    else /* it went one way */
        allocate(t, target.number, 0, target.to);
    *entry = 0;
    h->base[target.number].run = target.to == last ? h->base[target.number].run + 1 : 0;
    h->base[target.number].last = target.to;
    if (h->base[target.number].run >= QUIET) *entry = target.to;
    remember(t, target);
    return is_wrong;
}

const struct mem_target_model mem_target_history = {
    .name = "history",
    .doc = "The longest known past of outcomes and targets says where it goes.",
    .source = "Seznec and Michaud, A case for (partially) tagged geometric history length branch "
              "prediction, JILP 2006",
    .begin = begin,
    .end = end,
    .wrong = wrong,
};
