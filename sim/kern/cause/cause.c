/* A chain of counted nodes, and what each rank did last. */
#include "kern/cause/cause.h"

#include <math.h>

enum { ENOUGH = 1 << 9, A_RANK = 8 }; /* to explain waits: of a lock's, a turn of each rank */
static unsigned longest = ENOUGH;

struct doing {
    op_site site, about, woke_in;
    double woke_s;
    const struct kern_cause *by;  /* that woke it */
    const struct kern_cause *act; /* made last */
    int waited_for;
    const struct kern_spent *spent; /* NULL: nobody counts it */
    struct kern_spent then;         /* when it woke */
    const struct kern_parts *paid;  /* NULL: not kept */
    struct kern_parts *paid_then;
    /* the graph: the latest date of its own, and what it had paid then */
    kern_date date;
    double date_s;
    struct kern_parts *paid_at_date;
    struct kern_spent spent_at_date;
};
static GArray *doing; /* by rank */
static const struct kern_cause *handled;
static kern_date handled_date, next_date;
/* Whose bytes the event that is set next is behind, and when; until_s 0: nobody's. */
static struct {
    int rank;
    double from_s, until_s;
} queued;

/* Nodes that a chain is kept for at least. */
static unsigned reach(void) { return MAX(longest, A_RANK * (doing ? doing->len : 0)); }

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
        g_free(cause->parts);
        g_free(cause->gone);
        g_free((void *)cause);
        cause = before;
    }
}

void kern_cause_parts(const struct kern_cause *at, double until_s, struct kern_parts *sum)
{
    for (; at; at = at->before) {
        const double whole_s = at->to_s - at->from_s, part_s = fmax(0, until_s - at->from_s);
        if (whole_s > 0) kern_parts_join(sum, at->parts, fmin(1, part_s / whole_s));
        kern_parts_join(sum, at->gone, 1);
        until_s = fmin(until_s, at->from_s);
    }
}

/* So many nodes further back nothing is known any more, but of what parts it was. */
static void cut(const struct kern_cause *cause)
{
    for (unsigned i = 0; cause && i < reach(); i++) cause = cause->before;
    if (!cause) return;
    const struct kern_cause *before = cause->before;
    if (kern_parts_on && before) {
        const struct kern_parts none = {0};
        struct kern_parts sum = {0};
        kern_cause_parts(before, cause->from_s, &sum);
        ((struct kern_cause *)cause)->gone = kern_parts_since(&sum, &none, HUGE_VAL);
    }
    ((struct kern_cause *)cause)->before = NULL;
    kern_cause_unref(before);
}

static const struct kern_cause *node(struct kern_cause is, const struct kern_cause *before)
{
    is.refs = 1;
    is.depth = before ? before->depth + 1 : 0;
    is.before = kern_cause_ref(before);
    const struct kern_cause *made = g_memdup2(&is, sizeof is);
    if (before && !before->cut && is.depth % reach() == reach() - 1) {
        ((struct kern_cause *)before)->cut = true; /* once for all that it leads to */
        cut(made);
    }
    return made;
}

static struct kern_spent spent_since(const struct doing *d)
{
    if (!d->spent) return (struct kern_spent){0, 0, 0};
    return (struct kern_spent){d->spent->compute_s - d->then.compute_s,
                               d->spent->memory_s - d->then.memory_s,
                               d->spent->service_s - d->then.service_s};
}

static struct kern_parts_list *parts_since(const struct doing *d, double now_s)
{
    return d->paid ? kern_parts_since(d->paid, d->paid_then, now_s - d->woke_s) : NULL;
}

/* ---- the graph ------------------------------------------------------------------------------- */

/* The rank's own time until then. */
static kern_date own_until(int rank, double until_s, kern_date also)
{
    const struct doing *d = doing_of(rank);
    const double length_s = fmax(0, until_s - d->date_s);
    struct kern_parts_list *parts =
        d->paid ? kern_parts_since(d->paid, d->paid_at_date, length_s) : NULL;
    const kern_date date = kern_graph_add(&(struct kern_graph_step){
        .after = d->date, .also = also, .length_s = length_s, .parts = parts, .rank = rank});
    g_free(parts);
    return date;
}

/* Until when it would have been busy by itself: what it serviced while it waited is no more than it
 * took. */
static double busy_until(const struct doing *d, double ready_s)
{
    const struct kern_spent *now = d->spent, *then = &d->spent_at_date;
    if (!now) return ready_s;
    return fmin(ready_s, d->date_s + now->compute_s - then->compute_s + now->memory_s -
                             then->memory_s + now->service_s - then->service_s);
}

/* Its own time goes on from there. */
static void go_on_from(int rank, kern_date date, double now_s)
{
    struct doing *d = doing_of(rank);
    d->date = date;
    d->date_s = now_s;
    if (d->paid) *d->paid_at_date = *d->paid;
    if (d->spent) d->spent_at_date = *d->spent;
}

/* One that is set by a rank for when it has done what it owes comes after its own time until then.
 */
static kern_date set_by(const struct kern_cause *here, double *now_s)
{
    if (!here || here->what != KERN_ACT || *now_s <= here->to_s) {
        *now_s = here ? here->to_s : 0;
        return !here ? 0 : here == handled ? handled_date : here->date;
    }
    const kern_date date = own_until(here->rank, *now_s, 0);
    go_on_from(here->rank, date, *now_s);
    return date;
}

static kern_date event_date(const struct kern_cause *here, double now_s, double at_s,
                            const struct kern_parts_list *parts)
{
    const kern_date next = next_date;
    next_date = 0;
    if (next || !kern_graph_on) return next;
    const kern_date after = set_by(here, &now_s);
    return kern_graph_add(&(struct kern_graph_step){
        .after = after, .length_s = at_s - now_s, .parts = parts, .rank = -1});
}

kern_date kern_cause_date(int rank, double now_s, double then_s)
{
    if (!kern_graph_on) return 0;
    const struct kern_cause *here = kern_cause_here(rank, now_s);
    kern_date date = rank < 0 ? handled_date : here->date;
    kern_cause_unref(here);
    if (then_s <= now_s) return date;
    struct kern_parts noted = {0};
    kern_parts_noted(&noted);
    struct kern_parts_list *parts = kern_parts_take(then_s - now_s, rank, now_s);
    kern_parts_more(&noted);
    date = kern_graph_add(&(struct kern_graph_step){
        .after = date, .length_s = then_s - now_s, .parts = parts, .rank = -1});
    g_free(parts);
    return date;
}

void kern_cause_also(kern_date *all, int rank, double now_s, double then_s)
{
    if (kern_graph_on) *all = kern_graph_later(*all, kern_cause_date(rank, now_s, then_s));
}

void kern_cause_after(int rank, double now_s, kern_date all)
{
    if (!kern_graph_on || !all) return;
    if (rank < 0) {
        handled_date = kern_graph_later(handled_date, all);
        return;
    }
    struct doing *d = doing_of(rank);
    go_on_from(rank, own_until(rank, now_s, all), now_s);
    if (d->act && d->act->to_s == now_s) ((struct kern_cause *)d->act)->date = d->date;
}

void kern_cause_met(int rank, double now_s, double ready_s, const struct kern_cause *by)
{
    if (!kern_graph_on) return;
    const double busy_s = busy_until(doing_of(rank), ready_s);
    go_on_from(rank, own_until(rank, busy_s, by ? by->date : 0), fmax(now_s, busy_s));
}

void kern_cause_next(kern_date date) { next_date = date; }

void kern_cause_behind(int rank, double from_s, double until_s)
{
    queued.rank = rank;
    queued.from_s = from_s;
    queued.until_s = until_s > from_s ? until_s : 0;
}

/* ---- the door -------------------------------------------------------------------------------- */

static struct kern_parts_list *share_of(const struct kern_parts_list *list, double share)
{
    if (!list) return NULL;
    struct kern_parts_list *part =
        g_memdup2(list, sizeof *list + (gsize)list->parts * sizeof list->part[0]);
    for (int i = 0; i < part->parts; i++) part->part[i].time_s *= share;
    return part;
}

/* An event of which a stretch was spent behind others' bytes: a node for each part that has a
 * length, of the parts of the whole as much as its length. */
static const struct kern_cause *in_three(struct kern_cause whole, const struct kern_cause *here,
                                         double from_s, double until_s)
{
    const double date_s[] = {whole.from_s, from_s, until_s, whole.to_s};
    const struct kern_cause *made = kern_cause_ref(here);
    for (int i = 0; i < 3; i++) {
        struct kern_cause part = whole;
        const bool behind = i == 1;
        if (date_s[i + 1] <= date_s[i]) continue;
        part.from_s = date_s[i];
        part.to_s = date_s[i + 1];
        part.what = behind ? KERN_INTERFACE : whole.what;
        part.rank = behind ? queued.rank : whole.rank;
        part.parts = share_of(whole.parts, (part.to_s - part.from_s) / (whole.to_s - whole.from_s));
        const struct kern_cause *before = made;
        made = node(part, before);
        kern_cause_unref(before);
    }
    g_free(whole.parts);
    return made;
}

const struct kern_cause *kern_cause_here(int rank, double now_s)
{
    if (rank < 0) return kern_cause_ref(handled);
    struct doing *d = doing_of(rank);
    const struct kern_cause *act = d->act;
    if (!act || act->to_s != now_s || act->site != d->site || act->about != d->about) {
        kern_cause_unref(act);
        d->act = node((struct kern_cause){.what = KERN_ACT,
                                          .rank = rank,
                                          .from = d->woke_in,
                                          .site = d->site,
                                          .about = d->about,
                                          .waited_for = d->waited_for,
                                          .date = kern_graph_on ? own_until(rank, now_s, 0) : 0,
                                          .from_s = d->woke_s,
                                          .to_s = now_s,
                                          .spent = spent_since(d),
                                          .parts = parts_since(d, now_s)},
                      d->by);
    }
    return kern_cause_ref(d->act);
}

const struct kern_cause *kern_cause_event(const struct kern_cause *here, enum kern_what what,
                                          int rank, double now_s, double at_s)
{
    const int rank_here = here && here->what == KERN_ACT ? here->rank : -1;
    struct kern_parts_list *parts = kern_parts_take(at_s - now_s, rank_here, now_s);
    const struct kern_cause whole = {.what = what,
                                     .rank = rank,
                                     .waited_for = -1,
                                     .date = event_date(here, now_s, at_s, parts),
                                     .from_s = now_s,
                                     .to_s = at_s,
                                     .parts = parts};
    const double from_s = fmax(queued.from_s, now_s), until_s = fmin(queued.until_s, at_s);
    queued.until_s = 0;
    return until_s > from_s ? in_three(whole, here, from_s, until_s) : node(whole, here);
}

void kern_cause_handle(const struct kern_cause *event)
{
    handled = event;
    handled_date = event ? event->date : 0;
}

void kern_cause_begin(int rank, const struct kern_spent *spent, const struct kern_parts *paid)
{
    struct doing *d = doing_of(rank);
    d->spent = spent;
    d->paid = paid;
    if (!paid) return;
    d->paid_then = g_new0(struct kern_parts, 1);
    d->paid_at_date = g_new0(struct kern_parts, 1);
}

void kern_cause_site(int rank, op_site site, op_site about)
{
    struct doing *d = doing_of(rank);
    d->site = site;
    d->about = about;
}

void kern_cause_woke(int rank, double now_s, double ready_s, const struct kern_cause *by,
                     int waited_for)
{
    struct doing *d = doing_of(rank);
    kern_cause_met(rank, now_s, ready_s, by);
    kern_cause_ref(by);
    kern_cause_unref(d->by);
    kern_cause_unref(d->act);
    d->woke_in = d->site;
    d->woke_s = now_s;
    d->by = by;
    d->act = NULL;
    d->waited_for = waited_for;
    if (d->spent) d->then = *d->spent;
    if (d->paid) *d->paid_then = *d->paid;
}

void kern_cause_longest(unsigned nodes) { longest = nodes; }

void kern_cause_clear(void)
{
    for (guint i = 0; doing && i < doing->len; i++) {
        struct doing *d = &g_array_index(doing, struct doing, i);
        kern_cause_unref(d->by);
        kern_cause_unref(d->act);
        g_free(d->paid_then);
        g_free(d->paid_at_date);
    }
    if (doing) g_array_free(doing, TRUE);
    doing = NULL;
    handled = NULL;
    queued.until_s = 0;
    longest = ENOUGH;
    kern_parts_clear();
}
