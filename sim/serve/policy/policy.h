/* Servicing policies: when a target's processor services a request, and what that costs it.
 *
 * `ni` needs no processor, `polling` waits until the target is inside MPI, `interrupt` and `thread`
 * take the processor from the target's computation (von Eicken et al., Active Messages, ISCA 1992;
 * numbers and their sources: the machine's file).
 */
#ifndef SERVE_POLICY_H
#define SERVE_POLICY_H

#include "base/base.h"
#include "mach/mach.h"

/* What a policy may look at. */
struct serve_state {
    /* the target is inside MPI (and, with serve.when = completion, in a call that completes) */
    bool inside;
    bool awake; /* the request before has just been serviced */
    /* the earliest the processor can service it: arrived, and done with the one before */
    double now_s;
};
struct serve_policy {
    const char *name; /* value of serve.policy */
    const char *doc;  /* one sentence */
    bool processor;   /* does the target's processor do the work? */
    bool polls;       /* when it looks by itself: its own work takes turns with others' */
    /* When the work begins, seconds; HUGE_VAL: not before the target enters MPI. Pure. */
    double (*begin)(const struct mach *m, const struct serve_state *state);
    /* The machine's number that makes begin late, and extra; NULL: none. */
    const double *(*number)(const struct mach *m);
    /* What the processor loses on top of the work itself. Pure. */
    double (*extra)(const struct mach *m, const struct serve_state *state);
    /* Of extra, what passes when no request waits any more; meanwhile none is serviced. NULL: none.
     */
    double (*back)(const struct mach *m);
};
const struct serve_policy *serve_find(const char *name);
const struct serve_policy *const *serve_all(size_t *n);

/* the family's list */
#define SERVE_POLICY(name) extern const struct serve_policy serve_##name;
#include "serve/policy/models.def"
#undef SERVE_POLICY

#endif
