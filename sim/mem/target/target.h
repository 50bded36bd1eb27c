/* target: how a processor predicts where a switch, a computed goto or a call through a pointer
 * goes. Members: one file and one line of models.def each.
 *
 * As of branches (mem/branch): instrumented code looks into an entry of a processor's table, which
 * a number picks. Where that holds the target, it was predicted, and nothing changes; else it asks
 * here. A target is a number of 32 bits: of a switch its way, of others the lower half of their
 * address; 0 is none.
 *
 * Left out: returns (predicted right, as by a stack of them), calls of functions in shared
 * libraries, which go to one place.
 */
#ifndef MEM_TARGET_TARGET_H
#define MEM_TARGET_TARGET_H

#include "mem/branch/branch.h"

enum { MEM_TARGETS = 256 }; /* entries; a power of two */
/* Of what is asked, beside the entry: it is a call; the target is an address. */
enum { MEM_TARGET_CALL = 1 << 30, MEM_TARGET_ADDRESS = 1 << 29 };

struct mem_target_model;
struct mem_target_history;
/* A processor's, beside its entries. */
struct mem_targets {
    const struct mem_target_model *model; /* NULL: of no processor */
    struct mem_target_history *history;   /* NULL: the model has none */
    struct mem_branch_past *past;         /* that of its branches, if they have one; else `own` */
    struct mem_branch_past own;
    bool calls; /* where calls go is part of the past */
};
/* What is about to go there. */
struct mem_target {
    uint32_t number; /* its entry's */
    uint32_t to;
    uint32_t place; /* the same, wherever the program lies */
    bool call;
};

struct mem_target_model {
    const char *name; /* value of cpu.target_predictor */
    const char *doc;  /* one sentence */
    const char *source;
    /* what it keeps, with room for so many targets; NULL: nothing */
    struct mem_target_history *(*begin)(uint32_t targets);
    void (*end)(struct mem_target_history *history);
    /* Was it predicted wrongly? Learns from it. */
    bool (*wrong)(struct mem_targets *t, uint32_t *entry, struct mem_target target);
};
const struct mem_target_model *mem_target_find(const char *name); /* NULL: none of that name */
const struct mem_target_model *const *mem_target_all(size_t *n);
/* targets: cpu.branch_targets; calls: cpu.call_targets. `t` and `branches` stay where they are. */
void mem_targets_init(struct mem_targets *t, const struct mem_target_model *model, uint32_t targets,
                      bool calls, struct mem_branches *branches);
void mem_targets_clear(struct mem_targets *t);

#endif
