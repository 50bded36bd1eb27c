/* Findings: one for each pair of lines that conflict, with how often; and the sentences that go
 * with each rule. Numbers of sections: MPI-2 chapter 11 (the one-sided chapter), unless another
 * standard is named. */
#include "check/frame.h"
#include "check/moment.h"
#include "check/pair.h"
#include "check/parts.h"

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

static const char own_buffer[] =
    "a process should not access the local buffer of a get operation until the operation is "
    "complete, and should not update the local buffer of a put or accumulate operation until that "
    "operation is complete";

/* A row a rule. Sentences are those of MPI-2 11.7; of other sections only the number is given. */
static const struct {
    enum check_class class;
    const char *rule, *sentence, *why, *cure;
} word[CHECK_RULES] = {
    [CHECK_RULE_TARGET] =
        {CHECK_ERROR, "MPI-2 11.7 rule 2",
         "A location in a window must not be accessed as a target of an RMA operation once an "
         "update to that location has started, until the update becomes visible in the public "
         "window copy.",
         "nothing completes the first at the target before the second starts",
         "complete the first (fence, complete and wait, unlock or flush) and let its origin's next "
         "message, barrier or fence come before the second. Or use accumulates of one operation "
         "and datatype"},
    [CHECK_RULE_LOCAL] =
        {CHECK_ERROR, "MPI-2 11.7 rule 1",
         "A location in a window must not be accessed locally once an update to that location has "
         "started, until the update becomes visible in the private window copy in process memory.",
         "no synchronisation orders the operation's completion and the local access",
         "end the operation's epoch (fence, complete and wait, or unlock or flush and then a "
         "message or barrier) between the two"},
    [CHECK_RULE_STORE] =
        {CHECK_ERROR, "MPI-2 11.7 rule 3",
         "A put or accumulate must not access a target window once a local update or a put or "
         "accumulate update to another (overlapping) target window have started on a location in "
         "the target window, until the update becomes visible in the public copy of the window.",
         "no synchronisation orders the store and the operation's completion",
         "put a fence, or post, or a message or barrier after the operation is complete, between "
         "the two"},
    [CHECK_RULE_READ] =
        {CHECK_ERROR, "MPI-2 11.7 rule 2",
         "A location in a window must not be accessed as a target of an RMA operation once an "
         "update to that location has started, until the update becomes visible in the public "
         "window copy.",
         "no synchronisation orders the store and the operation that reads",
         "put a fence, or post, or a message or barrier after the operation is complete, between "
         "the two"},
    [CHECK_RULE_BUFFER] =
        {CHECK_ERROR, "MPI-2 11.7", own_buffer, "the operation is not complete at its origin",
         "complete it there first: fence, complete, unlock, flush or flush_local, or wait for its "
         "request"},
    [CHECK_RULE_MESSAGE] = {CHECK_ERROR, "MPI-3.1 3.7.2", "",
                            "the nonblocking call has the buffer, and is not complete",
                            "wait for its request first"},
    [CHECK_RULE_DIRECT] =
        {CHECK_ERROR, "MPI-3.1 11.7", "", "no synchronisation orders the two",
         "put MPI_Win_sync, a barrier or message, and MPI_Win_sync between the two; or use atomic "
         "operations"},
    [CHECK_RULE_UNSYNCED] =
        {CHECK_SEPARATE, "MPI-3.1 11.5.4", "",
         "a message or barrier orders the two, but no call of both sides, as MPI_Win_sync, makes "
         "them consistent",
         "call MPI_Win_sync before the synchronisation in the one process and after it in the "
         "other"},
    [CHECK_RULE_STALE] =
        {CHECK_SEPARATE, "MPI-2 11.7 rule 1",
         "A location in a window must not be accessed locally once an update to that location has "
         "started, until the update becomes visible in the private window copy in process memory.",
         "the operation is complete, but no call of the target has made its private copy agree",
         "let the target call MPI_Win_sync, MPI_Win_fence, MPI_Win_wait or MPI_Win_lock on its own "
         "part before the access"},
    [CHECK_RULE_LATE] =
        {CHECK_SEPARATE, "MPI-2 11.7 rule 2",
         "A location in a window must not be accessed as a target of an RMA operation once an "
         "update to that location has started, until the update becomes visible in the public "
         "window copy.",
         "the store comes first, but no call of its process has published it",
         "let the process that stores call MPI_Win_sync, MPI_Win_fence, MPI_Win_post or "
         "MPI_Win_unlock on its own part before the synchronisation that orders the two"},
    [CHECK_RULE_DISJOINT] =
        {CHECK_SEPARATE, "MPI-2 11.7 rule 3",
         "In both cases, the restriction applies to operations even if they access disjoint "
         "locations in the window.",
         "the window is stored to and updated by an operation in one epoch",
         "store in another epoch, or in another window"},
    [CHECK_RULE_POLL] =
        {CHECK_SEPARATE, "MPI-2 11.7 rule 1",
         "A location in a window must not be accessed locally once an update to that location has "
         "started, until the update becomes visible in the private window copy in process memory.",
         "the load polls for the operation's value",
         "poll with MPI_Fetch_and_op and MPI_NO_OP, or wait for a message"},
    [CHECK_RULE_NOPRECEDE] =
        {CHECK_ERROR, "MPI-2 11.4.4, MPI_MODE_NOPRECEDE", "",
         "it asserts that no operation was issued since the fence before, and this one was",
         "leave MPI_MODE_NOPRECEDE out"},
    [CHECK_RULE_NOSTORE] = {CHECK_ERROR, "MPI-2 11.4.4, MPI_MODE_NOSTORE", "",
                            "it asserts that the window was not stored to since the last "
                            "synchronisation, and it was here",
                            "leave MPI_MODE_NOSTORE out"},
    [CHECK_RULE_NOPUT] = {CHECK_ERROR, "MPI-2 11.4.4, MPI_MODE_NOPUT", "",
                          "it asserts that no operation updates the window until the next "
                          "synchronisation, and this one does",
                          "leave MPI_MODE_NOPUT out"},
    [CHECK_RULE_NOCHECK_LOCK] = {CHECK_ERROR, "MPI-2 11.4.4, MPI_MODE_NOCHECK", "",
                                 "the two locks conflict and are held at once",
                                 "leave MPI_MODE_NOCHECK out"},
    [CHECK_RULE_NOCHECK_START] =
        {CHECK_ERROR, "MPI-2 11.4.4, MPI_MODE_NOCHECK", "",
         "no synchronisation orders the target's post before this start",
         "let a message or barrier come between post and start, or leave MPI_MODE_NOCHECK out"},
    [CHECK_RULE_TWICE] = {CHECK_ERROR, "MPI-2 11.3.1, 11.3.2", "",
                          "the datatype of what it writes names some bytes twice",
                          "let the datatype name each byte once"},
    [CHECK_RULE_DETACHED] =
        {CHECK_ERROR, "MPI-3.1 11.2.4", "",
         "the memory is detached, and nothing orders the operation's completion before that",
         "complete it, and let a message or barrier come between the two"},
    [CHECK_RULE_FREED] = {CHECK_ERROR, "MPI-2 11.7", own_buffer,
                          "the memory is freed before the operation is complete",
                          "complete it first"},
    [CHECK_RULE_RETURNED] =
        {CHECK_ERROR, "MPI-2 11.7", own_buffer,
         "the function whose variable it is has returned before the operation is complete",
         "complete it before the function returns, or let the buffer be allocated or static"},
    [CHECK_RULE_RETURNED_MESSAGE] =
        {CHECK_ERROR, "MPI-3.1 3.7.2", "",
         "the function whose variable it is has returned, and the nonblocking call is not complete",
         "wait for its request before the function returns, or let the buffer be static"},
    [CHECK_RULE_FREED_WINDOW] = {CHECK_ERROR, "MPI-3.1 11.2.5", "",
                                 "the memory is freed while a window has it",
                                 "free, or detach from, the window first"},
    [CHECK_RULE_UNRELEASED] = {CHECK_ERROR, "MPI-2 11.4.3", "",
                               "the program ends with the lock held", "unlock it"},
    [CHECK_RULE_INCOMPLETE] =
        {CHECK_ERROR, "MPI-2 11.7",
         "An RMA operation is completed at the origin by the ensuing call to MPI_WIN_COMPLETE, "
         "MPI_WIN_FENCE or MPI_WIN_UNLOCK that synchronizes this access at the origin.",
         "the program ends before such a call", "end its epoch"},
    [CHECK_RULE_UNFREED] = {CHECK_NOTE, "MPI-3.1 8.7", "",
                            "the program ends and the window is not freed", "call MPI_Win_free"},
    [CHECK_RULE_LAST_UPDATE] = {CHECK_NOTE, "MPI-3.1 11.3.4, MPI_REPLACE", "",
                                "both are allowed at once, and whose value stays depends on timing",
                                "if one of the two is meant to stay, order them"},
    [CHECK_RULE_LAST_LOCK] =
        {CHECK_NOTE, "MPI-2 11.4.3", "",
         "the locks exclude each other in either order, neither epoch reads the bytes before it "
         "writes them, and whose value stays depends on timing",
         "if one of the two is meant to stay, order them"},
};

static const char *epoch_name(const struct check_epoch *epoch)
{
    switch (epoch->kind) {
    case CHECK_FENCED: return "fence epoch";
    case CHECK_STARTED: return "start epoch";
    case CHECK_LOCKED_ALL: return "lock_all epoch";
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
    side.epoch = epoch_name(epoch);
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
        const GPtrArray *parts = at->win->member[i].parts;
        if (at->win->member[i].rank == at->owner && parts->len == 1)
            return ((const struct check_part *)parts->pdata[0])->base + at->offset;
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
    struct check_finding finding = {.class = word[rule].class,
                                    .rule = word[rule].rule,
                                    .sentence = word[rule].sentence,
                                    .why = word[rule].why,
                                    .cure = word[rule].cure,
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
    ask(finding, (struct came[2]){{before->number, before->moment, before->actor},
                                  {now->number, now->moment, now->actor}});
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
    fresh.class = word[CHECK_RULE_LOCAL].class;
    fresh.why = word[CHECK_RULE_LOCAL].why;
    if (finding->rule == word[CHECK_RULE_POLL].rule) {
        fresh.rule = word[CHECK_RULE_LOCAL].rule;
        fresh.sentence = word[CHECK_RULE_LOCAL].sentence;
        fresh.cure = word[CHECK_RULE_LOCAL].cure;
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
