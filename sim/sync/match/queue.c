/* Matching: requests on their way to servicers (PUT/ACCEPT proposal, "Requesting", "Matching",
 * "Servicing").
 *
 * A request queues at its target in order of arrival. "Multiple PUT requests issued from the same
 * process and with identical comm, tag, and target_rank arguments will be serviced in the order in
 * which they are issued": messages of a pair do not overtake, the queue is searched from its head,
 * and a request begins only when the one before it from there is fully serviced.
 */
#include "sync/match/match.h"

#include <math.h>

struct sync_match *sync_matches;

/* ---- tables ---------------------------------------------------------------------------------- */

struct key {
    int tag, kind, other;
};

static guint key_hash(const void *a)
{
    const struct key *k = a;
    return (guint)k->tag * 2654435761u ^ (guint)k->other * 40503u ^ (guint)k->kind;
}

static gboolean key_equal(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    return x->tag == y->tag && x->kind == y->kind && x->other == y->other;
}

static GHashTable *table(GDestroyNotify destroy)
{
    return g_hash_table_new_full(key_hash, key_equal, g_free, destroy);
}

static void *key_new(int tag, enum sync_kind kind, int other)
{
    struct key *k = g_new(struct key, 1);
    *k = (struct key){tag, kind, other};
    return k;
}

static void own_free(void *data)
{
    struct sync_own *own = data;
    for (struct sync_watch *w; (w = g_queue_pop_head(&own->watched));) sync_watch_remove(w);
    if (own->error) g_string_free(own->error, TRUE);
    g_free(own->to);
    g_free(own);
}

static void round_free(void *data)
{
    struct sync_round *round = data;
    g_free(round->total);
    g_free(round);
}

/* The last of a process's requests is serviced: that may be what a freed servicer still waited for.
 */
static void own_emptied(struct move_set *set, double at_s)
{
    const struct sync_own *own =
        (const struct sync_own *)((const char *)set - G_STRUCT_OFFSET(struct sync_own, set));
    (void)at_s;
    sync_match_settle_all(own->match, own->member);
}

struct sync_own *sync_own_of(struct sync_match *match, int member, int tag, enum sync_kind kind,
                             int round, bool make)
{
    struct sync_part *part = &match->part[member];
    const struct key key = {tag, kind, round};
    struct sync_own *own = g_hash_table_lookup(part->own, &key);
    if (own || !make) return own;
    own = g_new0(struct sync_own, 1);
    *own = (struct sync_own){.match = match,
                             .member = member,
                             .tag = tag,
                             .kind = kind,
                             .round = round,
                             .set = {.origin = part->proc, .emptied = own_emptied}};
    if (sync_collective(kind)) own->to = g_new0(int32_t, match->members);
    g_queue_init(&own->watched);
    g_hash_table_insert(part->own, key_new(tag, kind, round), own);
    return own;
}

struct sync_round *sync_round_of(struct sync_match *match, int tag, enum sync_kind kind, int number)
{
    const struct key key = {tag, kind, number};
    struct sync_round *round = g_hash_table_lookup(match->rounds, &key);
    if (round) return round;
    round = g_new0(struct sync_round, 1);
    round->match = match;
    round->total = g_new0(int32_t, match->members);
    g_hash_table_insert(match->rounds, key_new(tag, kind, number), round);
    return round;
}

void sync_round_forget(struct sync_match *match, int tag, enum sync_kind kind, int number)
{
    const struct key key = {tag, kind, number};
    g_hash_table_remove(match->rounds, &key);
}

int sync_round_number(GHashTable *rounds, int tag, enum sync_kind kind)
{
    const struct key key = {tag, kind, 0};
    return GPOINTER_TO_INT(g_hash_table_lookup(rounds, &key));
}

void sync_round_next(GHashTable *rounds, int tag, enum sync_kind kind)
{
    int number = sync_round_number(rounds, tag, kind);
    g_hash_table_replace(rounds, key_new(tag, kind, 0), GINT_TO_POINTER(number + 1));
}

/* ---- life ------------------------------------------------------------------------------------ */

struct sync_match *sync_match_new(int members, const int *world_rank)
{
    struct move *move = sync_way();
    struct sync_match *match = g_new0(struct sync_match, 1);
    match->move = move;
    match->members = members;
    match->part = g_new0(struct sync_part, members);
    match->rounds = table(round_free);
    for (int i = 0; i < members; i++) {
        struct sync_part *part = &match->part[i];
        part->proc = move->proc[world_rank[i]];
        part->issued = g_ptr_array_new();
        part->busy = table(NULL);
        part->own = table(own_free);
        part->asked = table(NULL);
        part->posted = table(NULL);
        g_queue_init(&part->arrived);
        g_queue_init(&part->messages);
        g_queue_init(&part->servicers);
    }
    match->next = sync_matches;
    sync_matches = match;
    return match;
}

void sync_match_free(struct sync_match *match)
{
    struct sync_match **link = &sync_matches;
    while (*link && *link != match) link = &(*link)->next;
    if (*link) *link = match->next;
    for (int i = 0; i < match->members; i++) {
        struct sync_part *part = &match->part[i];
        for (guint k = 0; k < part->issued->len; k++) {
            struct sync_issue *issue = part->issued->pdata[k];
            if (issue->arrived_s >= 0 && !issue->servicer) move_drop(issue->op);
            g_free(issue);
        }
        for (struct sync_servicer *s; (s = g_queue_pop_head(&part->servicers));) {
            sync_watch_remove(s->watch);
            if (s->error) g_string_free(s->error, TRUE);
            g_free(s);
        }
        g_queue_clear(&part->arrived);
        g_queue_clear_full(&part->messages, g_free);
        g_ptr_array_free(part->issued, TRUE);
        g_hash_table_destroy(part->busy);
        g_hash_table_destroy(part->own);
        g_hash_table_destroy(part->asked);
        g_hash_table_destroy(part->posted);
    }
    g_hash_table_destroy(match->rounds);
    g_free(match->part);
    g_free(match);
}

int sync_match_members(const struct sync_match *match) { return match->members; }

const char *sync_kind_name(enum sync_kind kind, bool hold)
{
    static const char *const name[SYNC_KINDS][2] = {
        {"PUT", "PUTHOLD"}, {"GET", "GETHOLD"}, {"PUTC", "PUTC"}, {"GETC", "GETC"}};
    return name[kind][hold];
}

/* ---- matching -------------------------------------------------------------------------------- */

static bool wants(const struct sync_servicer *s, const struct sync_issue *issue)
{
    if (s->want.tag != issue->tag || !(s->want.kinds & 1u << issue->kind)) return false;
    if (sync_collective(issue->kind)) return s->round == issue->round;
    return s->taken < s->want.count;
}

static void match_one(struct sync_part *part, struct sync_issue *issue)
{
    for (GList *at = part->servicers.head; at && !issue->servicer; at = at->next)
        if (wants(at->data, issue)) issue->servicer = at->data;
    struct sync_servicer *s = issue->servicer;
    if (!s) return;
    /* "it will subsequently only satisfy" requests of that kind */
    s->want.kinds = 1u << issue->kind;
    s->any = true;
    s->pending++;
    if (!issue->hold) s->taken++;
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
    struct move_op *op = issue->op;
    int64_t offset, low, high;
    bool inside = !__builtin_mul_overflow(issue->disp, want->disp_unit, &offset) &&
                  !__builtin_add_overflow(offset, op->to.layout.low, &low) &&
                  !__builtin_add_overflow(offset, op->to.layout.high, &high) && low >= 0 &&
                  (uint64_t)high <= want->bytes;
    if (inside || op->trail.bytes == 0) {
        op->to.addr = (uintptr_t)want->base + (uintptr_t)offset;
        return;
    }
    int64_t length = op->to.layout.high;
    move_op_cut(op);
    int origin = issue->match->part[issue->origin].proc->rank,
        target = issue->match->part[issue->target].proc->rank;
    const char *kind = sync_kind_name(issue->kind, issue->hold);
    g_autofree char *what =
        g_strdup_printf("the %s of rank %d with tag %d leaves the range that rank %d's %s offers: "
                        "displacement %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT
                        " bytes + %" G_GINT64_FORMAT ", size %" G_GUINT64_FORMAT,
                        kind, origin, issue->tag, target, want->call, issue->disp, want->disp_unit,
                        length, want->bytes);
    complain(&issue->own->error, "%s", what);
    complain(&issue->servicer->error, "%s", what);
    op_violation_note(&(struct op_violation){.rule = "PUT/ACCEPT: Servicing",
                                             .message = what,
                                             .rank = origin,
                                             .time_s = at_s,
                                             .site = op->trail.site,
                                             .other_rank = target,
                                             .other_call = want->call,
                                             .other_site = want->site});
}

static bool is_busy(const struct sync_part *part, const struct sync_issue *issue)
{
    const struct key key = {issue->tag, issue->kind, issue->origin};
    return g_hash_table_contains(part->busy, &key);
}

static bool tries(const struct sync_servicer *s) { return s->trying || s->detached; }

/* May it begin? Not before the one before it is done, nor, where servicing is delayed, before its
 * servicer, or that of one behind it, tries to complete. */
static bool ready(const struct sync_part *part, const struct sync_issue *issue)
{
    return issue->servicer && !is_busy(part, issue) &&
           (!part->proc->delayed || issue->due || tries(issue->servicer));
}

static bool same_order(const struct sync_issue *a, const struct sync_issue *b)
{
    return a->origin == b->origin && a->tag == b->tag && a->kind == b->kind;
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
    g_hash_table_add(part->busy, key_new(issue->tag, issue->kind, issue->origin));
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
        move_service(issue->op, at_s); /* others may run meanwhile, and change the queue */
    }
}

static bool place(struct move_op *op, double at_s)
{
    struct sync_issue *issue = op->request;
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

static void served(struct move_op *op, double at_s)
{
    struct sync_issue *issue = op->request;
    struct sync_match *match = issue->match;
    struct sync_part *part = &match->part[issue->target];
    struct sync_servicer *s = issue->servicer;
    const struct key key = {issue->tag, issue->kind, issue->origin};
    int target = issue->target;
    g_hash_table_remove(part->busy, &key);
    g_ptr_array_remove_fast(match->part[issue->origin].issued, issue);
    s->pending--;
    if (!issue->hold) s->serviced++;
    s->last_s = fmax(s->last_s, at_s);
    g_free(issue);
    sync_match_settle(s);
    sync_match_advance(match, target, at_s);
    kern_gate_open(part->proc->gate);
}

/* ---- requesting ------------------------------------------------------------------------------ */

void sync_match_ask(struct sync_match *match, int member, struct serve_proc *me,
                    const struct sync_ask *ask)
{
    struct sync_part *part = &match->part[member];
    serve_completing(me, false);
    struct sync_issue *issue = g_new0(struct sync_issue, 1);
    int round =
        sync_collective(ask->kind) ? sync_round_number(part->asked, ask->tag, ask->kind) : 0;
    *issue = (struct sync_issue){.match = match,
                                 .origin = member,
                                 .target = ask->target,
                                 .tag = ask->tag,
                                 .round = round,
                                 .kind = ask->kind,
                                 .hold = ask->hold,
                                 .disp = ask->disp,
                                 .number = part->sent++,
                                 .arrived_s = -1};
    issue->own = sync_own_of(match, member, ask->tag, ask->kind, round, true);
    if (issue->own->to) issue->own->to[ask->target]++;
    bool writes = ask->kind == SYNC_PUT || ask->kind == SYNC_PUTC;
    struct move_op *op = move_op_new(match->move, writes ? OP_PUT : OP_GET, me->rank,
                                     match->part[ask->target].proc->rank, ask->target_layout.bytes);
    issue->op = op;
    op->trail.call = ask->call;
    op->trail.site = ask->site;
    op->trail.at_s[OP_CALLED] = serve_now(me);
    move_op_side(&op->from, &op->inline_piece[0], ask->origin_addr, &ask->origin_layout);
    move_op_side(&op->to, &op->inline_piece[1], NULL, &ask->target_layout);
    op->described = ask->described;
    op->set = &issue->own->set;
    op->place = place;
    op->served = served;
    op->request = issue;
    g_ptr_array_add(part->issued, issue);
    struct sync_watch *watch =
        sync_watch_add(me->cpu, (uintptr_t)ask->origin_addr, &ask->origin_layout,
                       "PUT/ACCEPT: Non-conformance (origin buffer)", ask->call, ask->site);
    if (watch) g_queue_push_tail(&issue->own->watched, watch);
    move_start(op); /* the request may be serviced, and gone, when it returns */
    if (watch) sync_watch_filters(watch);
}
