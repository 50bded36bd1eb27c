/* Findings: one for each pair of lines that conflict, with how often. */
#include "check/frame.h"
#include "check/moment.h"
#include "check/pair.h"
#include "check/parts.h"
#include "check/words.h"

enum { MET = 16 };

/* One side of an occurrence, and when it was; see check_use. */
struct came {
    uint64_t number, moment;
    const struct check_actor *actor;
};

/* A finding, and the epochs whose ends are known only later. */
struct noted {
    struct check_finding finding; /* first */
    struct check_epoch *first, *then;
    int met;
    struct came came[2 * MET]; /* two an occurrence, of the first ones */
};
static GPtrArray *findings; /* struct noted */
static GHashTable *by_key;

const char *check_epoch_name(const struct check_epoch *epoch)
{
    switch (epoch->kind) {
    case CHECK_FENCED: return "fence epoch";
    case CHECK_STARTED: return "start epoch";
    case CHECK_LOCKED_ALL: return "lock_all epoch";
    case CHECK_REQUESTED: return "request";
    case CHECK_SERVICED: return "servicing call";
    case CHECK_LOCKED: return epoch->exclusive ? "exclusive lock" : "shared lock";
    }
    g_assert_not_reached();
}

static struct check_epoch *epoch_of(const struct check_use *use)
{
    if (use->flight && use->flight->epoch) return use->flight->epoch;
    return use->holds && use->holds->n > 0 ? use->holds->hold[use->holds->n - 1] : NULL;
}

static struct check_side side_of(const struct check_use *use)
{
    const struct check_actor *a = use->actor;
    struct check_side side = {
        .rank = a->rank, .kind = a->kind, .call = a->call, .site = a->site, .writes = a->writes};
    const struct check_epoch *epoch = epoch_of(use);
    if (!epoch) return side;
    side.epoch = check_epoch_name(epoch);
    side.opened = epoch->opened;
    return side;
}

/* The places are a pair whichever came first, and whichever ranks they are. */
struct key {
    const char *rule; /* by its address: static storage */
    op_site site[2];
    int class, kind[2];
};

static struct key key_of(const struct check_finding *f)
{
    const struct check_side *a = &f->first, *b = &f->then;
    if (b->site < a->site || (b->site == a->site && b->kind < a->kind)) a = &f->then, b = &f->first;
    return (struct key){f->rule, {a->site, b->site}, (int)f->class, {(int)a->kind, (int)b->kind}};
}

static guint key_hash(const void *data)
{
    const struct key *key = data;
    uint64_t h = key->site[0] * UINT64_C(0x9e3779b97f4a7c15) ^ key->site[1];
    h = h * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)key->kind[0] * 31 + (uint64_t)key->kind[1];
    return (guint)(h >> 32);
}

static gboolean key_equal(const void *x, const void *y)
{
    const struct key *a = x, *b = y;
    return a->rule == b->rule && a->class == b->class && a->site[0] == b->site[0] &&
           a->site[1] == b->site[1] && a->kind[0] == b->kind[0] && a->kind[1] == b->kind[1];
}

static void noted_free(void *data)
{
    struct noted *noted = data;
    check_epoch_unref(noted->first);
    check_epoch_unref(noted->then);
    g_free(noted);
}

static struct check_finding *fold(const struct check_finding *fresh, struct check_epoch *first,
                                  struct check_epoch *then)
{
    if (!findings) {
        findings = g_ptr_array_new_with_free_func(noted_free);
        by_key = g_hash_table_new_full(key_hash, key_equal, g_free, NULL);
    }
    const struct key key = key_of(fresh);
    struct check_finding *known = g_hash_table_lookup(by_key, &key);
    if (!known) {
        struct noted *noted = g_new(struct noted, 1);
        *noted = (struct noted){
            .finding = *fresh, .first = check_epoch_ref(first), .then = check_epoch_ref(then)};
        known = &noted->finding;
        g_ptr_array_add(findings, noted);
        g_hash_table_insert(by_key, g_memdup2(&key, sizeof key), known);
    }
    known->count++;
    return known;
}

/* Where the bytes are; of a window, if its member has one piece of memory. */
static uintptr_t address(const struct check_at *at)
{
    if (!at->win) return at->offset;
    for (int i = 0; at->bytes > 0 && at->win->member && i < at->win->members; i++) {
        const struct check_part *part = at->win->member[i].parts;
        if (at->win->member[i].rank == at->owner && part && !part->next)
            return part->base + at->offset;
    }
    return 0;
}

/* In the proposal's words, where the window is a get/put communicator's. */
static void reword(struct check_finding *f)
{
    f->rule = "SHMALLOC: MPI_BARRIER";
    f->sentence = "When called with a get/put communicator, MPI_BARRIER() will block until all "
                  "pending remote operations on that communicator have completed.";
    f->cure = "let MPI_Barrier on the get/put communicator come between the two";
}

static struct check_finding filled(enum check_rule rule, const struct check_at *at, double time_s)
{
    struct check_finding finding = {.class = check_word[rule].class,
                                    .rule = check_word[rule].rule,
                                    .sentence = check_word[rule].sentence,
                                    .why = check_word[rule].why,
                                    .cure = check_word[rule].cure,
                                    .window = at->win ? at->win->number : -1,
                                    .owner = at->owner,
                                    .addr = address(at),
                                    .offset = at->offset,
                                    .bytes = at->bytes,
                                    .time_s = time_s};
    bool accesses = rule == CHECK_RULE_TARGET || rule == CHECK_RULE_LOCAL ||
                    rule == CHECK_RULE_STORE || rule == CHECK_RULE_READ || rule == CHECK_RULE_POLL;
    if (at->win && at->win->info & CHECK_STRICT && accesses) reword(&finding);
    return finding;
}

static struct came came(const struct check_use *use)
{
    return use->flight ? (struct came){use->number, 0, use->actor}
                       : (struct came){0, use->moment, use->actor};
}

/* Which of the two came first will be known. */
static void ask(struct check_finding *finding, const struct came came[2])
{
    struct noted *noted = (struct noted *)finding;
    for (int i = 0; i < 2 && noted->met < MET; i++) {
        struct came *one = &noted->came[2 * noted->met + i];
        *one = came[i];
        if (one->number && !one->moment) check_moment_ask(one->number, &one->moment);
    }
    noted->met = MIN(noted->met + 1, MET);
}

struct check_finding *check_note(enum check_rule rule, const struct check_use *before,
                                 const struct check_use *now, const struct check_at *at,
                                 double time_s)
{
    if (check_pairing) check_pair_noted(before->actor, now->actor);
    struct check_finding fresh = filled(rule, at, time_s);
    if (!at->win) check_frame_stack(before, at->offset, &fresh.stack);
    fresh.first = side_of(before);
    fresh.then = side_of(now);
    struct check_finding *finding = fold(&fresh, epoch_of(before), epoch_of(now));
    ask(finding, (struct came[2]){came(before), came(now)});
    return finding;
}

void check_note_receive(struct check_finding *finding, op_site receive)
{
    if (finding->count > 1) return; /* it is one without that, perhaps */
    finding->why = "had the receive taken another message, nothing would order the two";
    finding->cure = "name the source, or look at the status, or receive what all have sent before";
    finding->receive = receive;
}

void check_note_call(enum check_rule rule, int rank, const char *call, op_site site,
                     const struct check_use *other, const struct check_at *at, double time_s)
{
    struct check_finding fresh = filled(rule, at, time_s);
    fresh.then = (struct check_side){.rank = rank, .kind = CHECK_KINDS, .call = call, .site = site};
    fresh.first = other ? side_of(other) : fresh.then;
    if (other && !at->win) check_frame_stack(other, at->offset, &fresh.stack);
    fold(&fresh, other ? epoch_of(other) : NULL, NULL);
}

void check_note_again(struct check_finding *finding)
{
    struct check_finding fresh = *finding;
    fresh.class = check_word[CHECK_RULE_LOCAL].class;
    fresh.why = check_word[CHECK_RULE_LOCAL].why;
    if (finding->rule == check_word[CHECK_RULE_POLL].rule) {
        fresh.rule = check_word[CHECK_RULE_LOCAL].rule;
        fresh.sentence = check_word[CHECK_RULE_LOCAL].sentence;
        fresh.cure = check_word[CHECK_RULE_LOCAL].cure;
    }
    fresh.count = 0;
    const struct noted *noted = (const struct noted *)finding;
    struct check_finding *again = fold(&fresh, noted->first, noted->then);
    ask(again, noted->came);
    finding->count--;
}

const char *check_class_name(enum check_class class)
{
    static const char *const name[] = {"note", "separate", "error"};
    return name[class];
}

size_t check_findings(void) { return findings ? findings->len : 0; }

static void order(struct noted *noted)
{
    struct check_finding *f = &noted->finding;
    const struct came *last = NULL;
    for (int i = 0; i < 2 * noted->met; i++) {
        const struct came *one = &noted->came[i];
        if (one->moment == 0) return;
        if (one->actor->writes && (!last || one->moment > last->moment)) last = one;
    }
    if (!last) return;
    f->first_came = noted->came[0].moment < noted->came[1].moment ? 1 : -1;
    f->last_rank = last->actor->rank;
    f->last_site = last->actor->site;
}

const struct check_finding *check_finding_get(size_t i)
{
    struct noted *noted = findings->pdata[i];
    if (noted->first) noted->finding.first.closed = noted->first->closed;
    if (noted->then) noted->finding.then.closed = noted->then->closed;
    order(noted);
    noted->finding.name = check_window_name(noted->finding.window);
    return &noted->finding;
}

void check_findings_close(void)
{
    g_clear_pointer(&findings, g_ptr_array_unref);
    g_clear_pointer(&by_key, g_hash_table_unref);
}
