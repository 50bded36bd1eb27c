/* Matching: requests on their way to servicers (PUT/ACCEPT proposal, "Requesting", "Matching",
 * "Servicing").
 *
 * A request queues at its target in order of arrival. "Multiple PUT requests issued from the same
 * process and with identical comm, tag, and target_rank arguments will be serviced in the order in
 * which they are issued": messages of a pair do not overtake, the queue is searched from its head,
 * and a request begins only when the one before it from there is fully serviced.
 */
#include "move/servicing/servicing.h"
#include "sync/match/state.h"
#include "check/check.h"
#include "findings/findings.h"

#include <math.h>

static bool wants(const struct sync_servicer *s, const struct sync_issue *issue)
{
    if (s->want.tag != issue->ask.tag || !(s->want.kinds & 1u << issue->ask.kind)) return false;
    if (sync_collective(issue->ask.kind)) return s->round == issue->round;
    return s->taken < s->want.count;
}

static void take(struct sync_servicer *s, struct sync_issue *issue)
{
    issue->servicer = s;
    /* "it will subsequently only satisfy" requests of that kind */
    s->want.kinds = 1u << issue->ask.kind;
    s->any = true;
    s->pending++;
    if (!issue->ask.hold) s->taken++;
}

static void match_one(struct sync_part *part, struct sync_issue *issue)
{
    for (GList *at = sync_tag_of(part, issue->ask.tag)->servicers.head; at && !issue->servicer;
         at = at->next)
        if (wants(at->data, issue)) take(at->data, issue);
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
                        " bytes + %" G_GINT64_FORMAT ", size %" G_GUINT64_FORMAT
                        ". Cure: offer all that the request reaches, or another displacement",
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

/* The first of an order that is not busy could be next, if it has a servicer. */
static void offer_next(struct sync_part *part, const struct sync_order *order)
{
    struct sync_issue *first = g_queue_peek_head((GQueue *)&order->waiting);
    if (order->busy || !first || !first->servicer) return;
    GList *at = part->next.tail;
    while (at && ((const struct sync_issue *)at->data)->arrival > first->arrival) at = at->prev;
    g_queue_insert_after(&part->next, at, first);
}

/* What is without a servicer stays so until one is posted. */
void sync_match_take(struct sync_servicer *s)
{
    struct sync_part *part = &s->match->part[s->member];
    GQueue *unmatched = &sync_tag_of(part, s->want.tag)->unmatched;
    for (GList *at = unmatched->head, *next; at; at = next) {
        struct sync_issue *issue = at->data;
        next = at->next;
        if (!wants(s, issue)) continue;
        take(s, issue);
        g_queue_delete_link(unmatched, at);
        if (g_queue_peek_head(&issue->order->waiting) == issue) offer_next(part, issue->order);
    }
}

/* May it begin? Where servicing is delayed, not before its servicer, or that of one behind it,
 * tries to complete. */
static bool may_begin(const struct sync_part *part, const struct sync_issue *issue)
{
    return !part->proc->delayed || issue->due || tries(issue->servicer);
}

/* Two servicers of one tag, the second waited for first: its requests' turn comes only after the
 * first one's, which may not be put off any longer. */
static void hurry_before(const struct sync_issue *behind)
{
    for (GList *at = behind->order->waiting.head; at && at->data != behind; at = at->next)
        ((struct sync_issue *)at->data)->due = true;
}

void sync_match_hurry(struct sync_servicer *s)
{
    struct sync_part *part = &s->match->part[s->member];
    for (GList *at = part->arrived.tail; part->proc->delayed && at; at = at->prev) {
        const struct sync_issue *issue = at->data;
        if (issue->servicer == s && !issue->due) hurry_before(issue);
    }
}

static void begin(struct sync_issue *issue, double at_s)
{
    issue->order->busy = true;
    place_at(issue, at_s);
}

/* The first that can begin, taken out of the queue; NULL: none. */
static struct sync_issue *take_ready(struct sync_part *part)
{
    GList *at = part->next.head;
    while (at && !may_begin(part, at->data)) at = at->next;
    if (!at) return NULL;
    struct sync_issue *issue = at->data;
    g_queue_delete_link(&part->next, at);
    g_queue_delete_link(&part->arrived, issue->queued);
    g_queue_pop_head(&issue->order->waiting);
    return issue;
}

void sync_match_advance(struct sync_match *match, int member, double at_s)
{
    struct sync_part *part = &match->part[member];
    for (struct sync_issue *issue; (issue = take_ready(part));) {
        begin(issue, at_s);
        move_service(issue->transfer, at_s); /* others may run meanwhile, and change the queue */
    }
}

bool sync_match_place(struct move_transfer *t, double at_s)
{
    struct sync_issue *issue = t->request;
    struct sync_part *part = &issue->match->part[issue->target];
    struct sync_order *order = sync_order_of(part, issue->origin, issue->ask.tag, issue->ask.kind);
    issue->arrived_s = at_s;
    issue->arrival = part->arrivals++;
    issue->order = order;
    match_one(part, issue);
    /* Behind one of its order that waits for its turn, it waits too. */
    if (order->waiting.length == 0 && !order->busy && issue->servicer && may_begin(part, issue)) {
        begin(issue, at_s);
        return true;
    }
    g_queue_push_tail(&part->arrived, issue);
    issue->queued = part->arrived.tail;
    g_queue_push_tail(&order->waiting, issue);
    if (!issue->servicer)
        g_queue_push_tail(&sync_tag_of(part, issue->ask.tag)->unmatched, issue);
    else if (order->waiting.length == 1)
        offer_next(part, order);
    if (part->proc->delayed && issue->servicer && tries(issue->servicer)) {
        hurry_before(issue);
        sync_match_advance(issue->match, issue->target, at_s);
    }
    kern_gate_open(part->proc->gate); /* it may be probing */
    return false;
}

static void forget_issued(GPtrArray *issued, const struct sync_issue *issue)
{
    struct sync_issue *last = issued->pdata[issued->len - 1];
    last->issued_at = issue->issued_at;
    g_ptr_array_remove_index_fast(issued, issue->issued_at);
}

void sync_match_served(struct move_transfer *t, double at_s)
{
    struct sync_issue *issue = t->request;
    struct sync_match *match = issue->match;
    struct sync_part *part = &match->part[issue->target];
    struct sync_servicer *s = issue->servicer;
    int target = issue->target;
    if (s->want.number && sync_reads(issue->ask.kind))
        check_fetched(s->want.number, t->op.to.addr, &t->op.to.layout, t->bytes);
    issue->order->busy = false;
    offer_next(part, issue->order);
    forget_issued(match->part[issue->origin].issued, issue);
    s->pending--;
    if (!issue->ask.hold) s->serviced++;
    s->last_s = fmax(s->last_s, at_s);
    if (kern_graph_on) kern_cause_also(&s->came, kern_rank(), kern_now(), at_s);
    g_free(issue);
    sync_servicer_retire(s);
    sync_match_advance(match, target, at_s);
    kern_gate_open(part->proc->gate);
}
