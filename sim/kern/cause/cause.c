/* A chain of counted nodes, and what each rank did last. */
#include "kern/cause/cause.h"

/* Longer chains are cut: a wait that so many events led to is explained as far as that. */
enum { LONGEST = 1 << 14 };

struct doing {
    op_site site;
    double woke_s;
    const struct kern_cause *by;  /* that woke it */
    const struct kern_cause *act; /* made last */
    int waited_for;
};
static GArray *doing; /* by rank */
static const struct kern_cause *handled;

static struct doing *doing_of(int rank)
{
    if (!doing) doing = g_array_new(FALSE, FALSE, sizeof(struct doing));
    const struct doing fresh = {.waited_for = -1};
    while (doing->len <= (guint)rank) g_array_append_val(doing, fresh);
    return &g_array_index(doing, struct doing, rank);
}

const struct kern_cause *kern_cause_ref(const struct kern_cause *cause)
{
    if (cause) ((struct kern_cause *)cause)->refs++;
    return cause;
}

/* In a loop: chains are long. */
void kern_cause_unref(const struct kern_cause *cause)
{
    while (cause && --((struct kern_cause *)cause)->refs == 0) {
        const struct kern_cause *before = cause->before;
        g_free((void *)cause);
        cause = before;
    }
}

static const struct kern_cause *node(struct kern_cause is, const struct kern_cause *before)
{
    is.refs = 1;
    is.depth = before && before->depth < LONGEST ? before->depth + 1 : 0;
    is.before = is.depth ? kern_cause_ref(before) : NULL;
    return g_memdup2(&is, sizeof is);
}

const struct kern_cause *kern_cause_here(int rank, double now_s)
{
    if (rank < 0) return kern_cause_ref(handled);
    struct doing *d = doing_of(rank);
    if (!d->act || d->act->to_s != now_s || d->act->site != d->site) {
        kern_cause_unref(d->act);
        d->act = node((struct kern_cause){.what = KERN_ACT,
                                          .rank = rank,
                                          .site = d->site,
                                          .waited_for = d->waited_for,
                                          .from_s = d->woke_s,
                                          .to_s = now_s},
                      d->by);
    }
    return kern_cause_ref(d->act);
}

const struct kern_cause *kern_cause_event(const struct kern_cause *here, enum kern_what what,
                                          int rank, double now_s, double at_s)
{
    return node(
        (struct kern_cause){
            .what = what, .rank = rank, .waited_for = -1, .from_s = now_s, .to_s = at_s},
        here);
}

void kern_cause_handle(const struct kern_cause *event) { handled = event; }

void kern_cause_site(int rank, op_site site) { doing_of(rank)->site = site; }

void kern_cause_woke(int rank, double now_s, const struct kern_cause *by, int waited_for)
{
    struct doing *d = doing_of(rank);
    kern_cause_ref(by);
    kern_cause_unref(d->by);
    kern_cause_unref(d->act);
    *d = (struct doing){d->site, now_s, by, NULL, waited_for};
}

void kern_cause_clear(void)
{
    for (guint i = 0; doing && i < doing->len; i++) {
        struct doing *d = &g_array_index(doing, struct doing, i);
        kern_cause_unref(d->by);
        kern_cause_unref(d->act);
    }
    if (doing) g_array_free(doing, TRUE);
    doing = NULL;
    handled = NULL;
}
