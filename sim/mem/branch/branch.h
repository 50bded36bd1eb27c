/* branch: how a processor predicts which way branches go. Members: one file and one line of
 * models.def each.
 *
 * Instrumented code knows of each branch that it asks about the outcome that a static guess expects
 * (backward taken, forward not), and keeps an entry of a processor's table for it: a number of the
 * branch picks it, so that two branches may share one. As long as the entry says that one outcome
 * changes nothing and was predicted, code that has this outcome goes on (probe/in_line); else it
 * asks here.
 *
 * Left out: targets (mem/target; calls and returns are predicted right), updates that come late,
 * what is fetched on the wrong way.
 */
#ifndef MEM_BRANCH_BRANCH_H
#define MEM_BRANCH_BRANCH_H

#include "base/base.h"

enum { MEM_BRANCHES = 4096 }; /* entries; a power of two */
/* Of an entry: 0 at first; below this the model's own; this plus an outcome: that outcome is
 * predicted, and comes without a change. */
enum { MEM_BRANCH_QUIET = 128 };

/* What came before: the last outcomes, the latest in bit 0, and the 64 before them. */
struct mem_branch_past {
    uint64_t latest, older;
};

struct mem_branch_model;
/* Of what is asked about a branch: its entry, and this if it goes backward when taken; if it leaves
 * its loop by the outcome that is expected, or by the other. */
enum {
    MEM_BRANCH_BACKWARD = 1 << 30,
    MEM_BRANCH_ENDS = 1 << 29,
    MEM_BRANCH_ENDS_AGAINST = 1 << 28
};
/* Of a predictor that knows nothing but a branch's entry: what the entry is after an outcome, and
 * was that predicted wrongly? [backward][against][entry] */
enum { MEM_BRANCH_WRONG = 256 };
struct mem_branch_steps {
    uint16_t step[2][2][256];
};
/* A processor's, beside its entries. */
struct mem_branches {
    const struct mem_branch_model *model; /* NULL: of no processor */
    const struct mem_branch_steps *steps; /* NULL: the model has a history */
    uint64_t mispredicted;
    struct mem_branch_history *history; /* NULL: the model has none */
    const void *loop;       /* site of the loop of two one behind the other that was left last */
    uint64_t in_window;     /* ticks: what that had in the window then */
    const void *left;       /* site of the branch by which a loop was left, if not as predicted */
    uint64_t wrong_before;  /* mispredicted, when a loop was left last, */
    uint64_t wrong_earlier; /* and the one before it */
};
/* Of a branch whose two ways overlap where they come in turn: an execution of the way that gives
 * lets so many of the other, in the window, each take less (cpu: struct cpu_ways). */
struct mem_branch_ways {
    uint16_t saved; /* each, in parts of so many ticks; 0: nothing */
    uint8_t gives;
    uint8_t window : 7;
    uint8_t against : 1; /* which way gives */
};
enum { MEM_BRANCH_WAYS_PART = 256 };
_Static_assert(sizeof(struct mem_branch_ways) == 4, "in the place of a slack");
/* A branch that is about to go one way. */
struct mem_branch {
    uint32_t number; /* its entry's */
    bool against;    /* what a static guess expects */
    bool backward;   /* the way it goes when taken */
};

struct mem_branch_model {
    const char *name; /* value of cpu.predictor */
    const char *doc;  /* one sentence */
    const char *source;
    /* what it keeps beside a processor's entries, with room for so many outcomes; NULL: nothing */
    struct mem_branch_history *(*begin)(uint32_t outcomes);
    void (*end)(struct mem_branch_history *history);
    /* branches at the end of a loop that counts: predicted wrongly each time it is left */
    uint32_t loop_end;
    /* Was the outcome predicted wrongly? Learns from it. */
    bool (*wrong)(struct mem_branches *p, uint8_t *entry, struct mem_branch branch);
};
const struct mem_branch_model *mem_branch_find(const char *name); /* NULL: none of that name */
const struct mem_branch_model *const *mem_branch_all(size_t *n);
/* outcomes: cpu.branch_outcomes */
void mem_branches_init(struct mem_branches *p, const struct mem_branch_model *model,
                       uint32_t outcomes);
void mem_branches_clear(struct mem_branches *p);

/* An entry that says nothing but that the outcome is expected. */
static inline uint8_t mem_branch_quiet(bool against)
{
    return (uint8_t)(MEM_BRANCH_QUIET + against);
}

#endif
