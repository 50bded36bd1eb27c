/* Matching: requests on their way to servicers (PUT/ACCEPT proposal, "Requesting", "Matching",
 * "Servicing").
 *
 * A request queues at its target in order of arrival. "Multiple PUT requests issued from the same
 * process and with identical comm, tag, and target_rank arguments will be serviced in the order in
 * which they are issued": messages of a pair do not overtake, the queue is searched from its head,
 * and a request begins only when the one before it from there is fully serviced.
 */
#include "sync/match/state.h"
#include "findings/findings.h"

#include <math.h>

static bool wants(const struct sync_servicer *s, const struct sync_issue *issue)
{
    if (s->want.tag != issue->ask.tag || !(s->want.kinds & 1u << issue->ask.kind)) return false;
    if (sync_collective(issue->ask.kind)) return s->round == issue->round;
    return s->taken < s->want.count;
}

static void match_one(struct sync_part *part, struct sync_issue *issue)
{
    for (GList *at = part->servicers.head; at && !issue->servicer; at = at->next)
        if (wants(at->data, issue)) issue->servicer = at->data;
    struct sync_servicer *s = issue->servicer;
    if (!s) return;
    /* "it will subsequently only satisfy" requests of that kind */
    s->want.kinds = 1u << issue->ask.kind;
    s->any = true;
    s->pending++;
    if (!issue->ask.hold) s->taken++;
}

static G_GNUC_PRINTF(2, 3) void complain(GString **error, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (*error)
        g_string_append(*error, "; ");
    else
        *error = g_string_new(NULL);
    g_string_append_vprintf(*error, format, args);
    va_end(args);
}

/* Target location = base + target_disp * disp_unit of the servicer. What leaves its range is not
 * transferred at all. */
static void place_at(struct sync_issue *issue, double at_s)
{
    const struct sync_service *want = &issue->servicer->want;
    struct move_transfer *t = issue->transfer;
    int64_t offset, low, high;
    bool inside = !__builtin_mul_overflow(issue->ask.disp, want->disp_unit, &offset) &&
                  !__builtin_add_overflow(offset, t->op.to.layout.low, &low) &&
                  !__builtin_add_overflow(offset, t->op.to.layout.high, &high) && low >= 0 &&
                  (uint64_t)high <= want->bytes;
    if (inside || t->trail.bytes == 0) {
        t->op.to.addr = (uintptr_t)want->base + (uintptr_t)offset;
        return;
    }
    int64_t length = t->op.to.layout.high;
    move_cut(t);
    int origin = issue->match->part[issue->origin].proc->rank,
        target = issue->match->part[issue->target].proc->rank;
    const char *kind = sync_kind_name(issue->ask.kind, issue->ask.hold);
    g_autofree char *what =
        g_strdup_printf("the %s of rank %d with tag %d leaves the range that rank %d's %s offers: "
                        "displacement %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                        " bytes + %" G_GINT64_FORMAT ", size %" G_GUINT64_FORMAT,
                        kind, origin, issue->ask.tag, target, want->call, issue->ask.disp,
                        want->disp_unit, length, want->bytes);
    complain(&issue->own->error, "%s", what);
    complain(&issue->servicer->error, "%s", what);
    findings_violation_note(&(struct findings_violation){.rule = "PUT/ACCEPT: Servicing",
                                                         .message = what,
                                                         .rank = origin,
                                                         .time_s = at_s,
                                                         .site = t->trail.site,
                                                         .other_rank = target,
                                                         .other_call = want->call,
                                                         .other_site = want->site});
}

static bool tries(const struct sync_servicer *s) { return s->state != SYNC_POSTED; }

/* May it begin? Not before the one before it is done, nor, where servicing is delayed, before its
 * servicer, or that of one behind it, tries to complete. */
static bool ready(const struct sync_part *part, const struct sync_issue *issue)
{
    return issue->servicer && !sync_busy(part, issue) &&
           (!part->proc->delayed || issue->due || tries(issue->servicer));
}

static bool same_order(const struct sync_issue *a, const struct sync_issue *b)
{
    return a->origin == b->origin && a->ask.tag == b->ask.tag && a->ask.kind == b->ask.kind;
}

/* Two servicers of one tag, the second waited for first: its requests' turn comes only after the
 * first one's, which may not be put off any longer. */
static void hurry_before(struct sync_part *part, const struct sync_issue *behind)
{
    for (GList *at = part->arrived.head; at && at->data != behind; at = at->next) {
        struct sync_issue *issue = at->data;
        if (same_order(issue, behind)) issue->due = true;
    }
}

void sync_match_hurry(struct sync_servicer *s)
{
    struct sync_part *part = &s->match->part[s->member];
    for (GList *at = part->arrived.head; part->proc->delayed && at; at = at->next) {
        const struct sync_issue *issue = at->data;
        if (issue->servicer == s && !issue->due) hurry_before(part, issue);
    }
}

static void begin(struct sync_part *part, struct sync_issue *issue, double at_s)
{
    sync_busy_begin(part, issue);
    place_at(issue, at_s);
}

/* The first that can begin, taken out of the queue; NULL: none. */
static struct sync_issue *take_ready(struct sync_part *part)
{
    for (GList *at = part->arrived.head; at; at = at->next) {
        struct sync_issue *issue = at->data;
        if (!issue->servicer) match_one(part, issue);
        if (!ready(part, issue)) continue;
        g_queue_delete_link(&part->arrived, at);
        return issue;
    }
    return NULL;
}

void sync_match_advance(struct sync_match *match, int member, double at_s)
{
    struct sync_part *part = &match->part[member];
    for (struct sync_issue *issue; (issue = take_ready(part));) {
        begin(part, issue, at_s);
        move_service(issue->transfer, at_s); /* others may run meanwhile, and change the queue */
    }
}

bool sync_match_place(struct move_transfer *t, double at_s)
{
    struct sync_issue *issue = t->request;
    struct sync_part *part = &issue->match->part[issue->target];
    issue->arrived_s = at_s;
    match_one(part, issue);
    /* Behind one of the same origin, kind and tag that waits for its turn, it waits too. */
    bool first = true;
    for (GList *at = part->arrived.head; at && first; at = at->next)
        first = !same_order(at->data, issue);
    if (first && ready(part, issue)) {
        begin(part, issue, at_s);
        return true;
    }
    g_queue_push_tail(&part->arrived, issue);
    if (part->proc->delayed && issue->servicer && tries(issue->servicer)) {
        hurry_before(part, issue);
        sync_match_advance(issue->match, issue->target, at_s);
    }
    kern_gate_open(part->proc->gate); /* it may be probing */
    return false;
}

void sync_match_served(struct move_transfer *t, double at_s)
{
    struct sync_issue *issue = t->request;
    struct sync_match *match = issue->match;
    struct sync_part *part = &match->part[issue->target];
    struct sync_servicer *s = issue->servicer;
    int target = issue->target;
    sync_busy_end(part, issue);
    g_ptr_array_remove_fast(match->part[issue->origin].issued, issue);
    s->pending--;
    if (!issue->ask.hold) s->serviced++;
    s->last_s = fmax(s->last_s, at_s);
    g_free(issue);
    sync_servicer_retire(s);
    sync_match_advance(match, target, at_s);
    kern_gate_open(part->proc->gate);
}
