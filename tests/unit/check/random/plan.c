/* Makes a plan, phase by phase. In a phase each word of each window is left alone, put to by one
 * rank, read by any, changed by any with one atomic operation, or its owner's own; a
 * synchronisation ends the phase. With chaos an access may go anywhere. */
#include "check/random/plan.h"

#include <string.h>

enum { RANKS = RANKS_OF_PLAN, FLAGS = 2, COMMON = PLAN_WORDS - FLAGS }; /* words for AWAIT */
enum mode { ALONE, PUT_TO, READ, ADDED_TO, OWN, LOCKED, MODES };

/* The phase under way. */
struct phase {
    struct plan *plan;
    bool chaos;
    enum mode mode[RANKS][PLAN_WORDS];
    int by[RANKS][PLAN_WORDS];
    int busy[RANKS]; /* buffers that operations of the phase have */
};

static int meetings, flags;

unsigned plan_draw(uint64_t *state, unsigned n)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*state >> 33) % n;
}

static unsigned draw(struct phase *p, unsigned n) { return plan_draw(&p->plan->state, n); }

static int add(struct phase *p, int rank, struct plan_step step)
{
    if (step.words == 0) step.words = 1;
    p->plan->step[rank][p->plan->steps[rank]] = step;
    return p->plan->steps[rank]++;
}

static void everybody(struct phase *p, struct plan_step step)
{
    step.meeting = ++meetings;
    for (int r = 0; r < RANKS; r++) add(p, r, step);
}

static int removable(struct phase *p) { return ++p->plan->removables; }

static void meet(struct phase *p, bool can_go)
{
    everybody(p, (struct plan_step){.kind = PLAN_COLLECTIVE,
                                    .flow = PLAN_ALL,
                                    .removable = can_go ? removable(p) : 0});
}

static void begin(struct phase *p, bool locked)
{
    for (int r = 0; r < RANKS; r++)
        for (int w = 0; w < PLAN_WORDS; w++) {
            p->mode[r][w] = w >= COMMON ? ALONE : draw(p, locked ? MODES : LOCKED);
            p->by[r][w] = (int)draw(p, RANKS);
        }
    memset(p->busy, 0, sizeof p->busy);
}

/* ---- accesses -------------------------------------------------------------------------------- */

static enum plan_kind atomic(struct phase *p)
{
    static const enum plan_kind kind[] = {PLAN_ADD, PLAN_ADD, PLAN_FETCH_ADD, PLAN_FETCH,
                                          PLAN_SWAP};
    return kind[draw(p, 5)];
}

static int buffer(struct phase *p, int rank)
{
    if (p->chaos && draw(p, 6) == 0) return (int)draw(p, PLAN_BUFFERS);
    return p->busy[rank] < PLAN_BUFFERS ? p->busy[rank]++ : -1;
}

/* One operation that the phase allows, if there is one at the word drawn. exclusive: an epoch that
 * nobody else has at once. Returns its step; -1: none. */
static int operate(struct phase *p, int rank, int target, bool exclusive, bool request)
{
    int word = (int)draw(p, COMMON);
    bool anything = p->chaos && draw(p, 2) == 0;
    enum mode mode = anything ? (enum mode)draw(p, MODES) : p->mode[target][word];
    struct plan_step step = {.target = target, .word = word, .request = request};
    switch (mode) {
    case PUT_TO:
        if (p->by[target][word] != rank && !anything) return -1;
        p->mode[target][word] = ALONE; /* once in an epoch */
        step.kind = PLAN_PUT;
        break;
    case READ: step.kind = PLAN_GET; break;
    case ADDED_TO:
        step.kind = anything && draw(p, 3) == 0 ? (draw(p, 2) ? PLAN_REPLACE : PLAN_FETCH_REPLACE)
                                                : atomic(p);
        break;
    case LOCKED:
        if (!exclusive && !anything) return -1;
        step.kind = draw(p, 2) ? PLAN_PUT : PLAN_GET;
        break;
    default: return -1;
    }
    bool wide = word + 1 < COMMON && p->mode[target][word + 1] == mode && draw(p, 3) == 0;
    if (wide && (mode == READ || anything) && step.kind <= PLAN_GET) step.words = 2;
    if (step.kind >= PLAN_ADD) step.request = false;
    step.buffer = buffer(p, rank);
    return step.buffer < 0 ? -1 : add(p, rank, step);
}

static void local(struct phase *p, int rank)
{
    int word = (int)draw(p, COMMON);
    bool anything = p->chaos && draw(p, 2) == 0;
    enum mode mode = p->mode[rank][word];
    if (anything || mode == OWN)
        add(p, rank, (struct plan_step){.kind = draw(p, 2) ? PLAN_LOAD : PLAN_STORE, .word = word});
    else if (mode == READ)
        add(p, rank, (struct plan_step){.kind = PLAN_LOAD, .word = word});
}

/* What the program does with buffers of operations that are complete. */
static void use_buffers(struct phase *p, int rank)
{
    int slot = (int)draw(p, PLAN_BUFFERS * 2);
    enum plan_kind kind = draw(p, 2) ? PLAN_PRIVATE_LOAD : PLAN_PRIVATE_STORE;
    add(p, rank, (struct plan_step){.kind = kind, .buffer = slot});
}

static void maybe_use_buffers(struct phase *p, int rank)
{
    if (p->chaos && draw(p, 5) == 0) use_buffers(p, rank);
}

/* A few accesses of that rank to members of `targets`. */
static void accesses(struct phase *p, int rank, unsigned targets, bool locals)
{
    for (unsigned n = 1 + draw(p, p->chaos ? 6 : 3); n > 0; n--) {
        int target = (int)draw(p, RANKS);
        if (locals && draw(p, 3) == 0)
            local(p, rank);
        else if (targets >> target & 1)
            operate(p, rank, target, false, false);
        maybe_use_buffers(p, rank);
    }
}

static void end(struct phase *p)
{
    for (int r = 0; r < RANKS; r++)
        if (draw(p, 2)) use_buffers(p, r);
}

/* ---- phases ---------------------------------------------------------------------------------- */

static void fences(struct phase *p)
{
    everybody(p, (struct plan_step){.kind = PLAN_FENCE});
    for (int n = 0; n < 2; n++) {
        begin(p, false);
        for (int r = 0; r < RANKS; r++) accesses(p, r, ~0U, true);
        everybody(p, (struct plan_step){.kind = PLAN_FENCE, .removable = n ? 0 : removable(p)});
        end(p);
    }
}

static void posts(struct phase *p)
{
    unsigned origins = 1 + draw(p, (1U << RANKS) - 1), targets = 1 + draw(p, (1U << RANKS) - 1);
    begin(p, false);
    for (int r = 0; r < RANKS; r++) {
        if (targets >> r & 1) add(p, r, (struct plan_step){.kind = PLAN_POST, .group = origins});
        if (draw(p, 2)) local(p, r);
        if (origins >> r & 1) {
            add(p, r, (struct plan_step){.kind = PLAN_START, .group = targets});
            accesses(p, r, targets, false);
            add(p, r, (struct plan_step){.kind = PLAN_COMPLETE});
        }
        if (p->chaos && draw(p, 2)) local(p, r);
        if (targets >> r & 1) add(p, r, (struct plan_step){.kind = PLAN_WAIT});
        if (draw(p, 2)) local(p, r);
    }
    meet(p, true);
    end(p);
}

static void one_lock(struct phase *p, int rank)
{
    int target = (int)draw(p, RANKS), group = removable(p);
    bool exclusive = draw(p, 3) > 0;
    add(p, rank,
        (struct plan_step){.kind = PLAN_LOCK,
                           .target = target,
                           .exclusive = exclusive,
                           .removable = exclusive ? group : 0});
    for (unsigned n = draw(p, p->chaos ? 6 : 3); n > 0; n--) {
        int step = operate(p, rank, target, exclusive, draw(p, 3) == 0);
        if (step < 0) continue;
        if (p->plan->step[rank][step].request)
            add(p, rank, (struct plan_step){.kind = PLAN_REQUEST_WAIT, .of = step});
        add(p, rank, (struct plan_step){.kind = PLAN_FLUSH, .target = target});
    }
    if (target == rank) {
        int word = (int)draw(p, COMMON);
        if (p->mode[rank][word] == LOCKED && exclusive)
            add(p, rank,
                (struct plan_step){.kind = draw(p, 2) ? PLAN_LOAD : PLAN_STORE, .word = word});
    }
    maybe_use_buffers(p, rank);
    add(p, rank, (struct plan_step){.kind = PLAN_UNLOCK, .target = target});
}

static void locks(struct phase *p)
{
    begin(p, true);
    for (int r = 0; r < RANKS; r++)
        for (unsigned n = draw(p, 3); n > 0; n--) one_lock(p, r);
    meet(p, true);
    end(p);
}

static void lock_all(struct phase *p)
{
    for (int r = 0; r < RANKS; r++) add(p, r, (struct plan_step){.kind = PLAN_LOCK, .target = -1});
}

static void unlock_all(struct phase *p)
{
    for (int r = 0; r < RANKS; r++)
        add(p, r, (struct plan_step){.kind = PLAN_UNLOCK, .target = -1});
}

/* Operations, the ends of their requests, and a flush. */
static void one_flush(struct phase *p, int rank)
{
    int target = (int)draw(p, RANKS), request[6], requests = 0;
    for (unsigned n = draw(p, p->chaos ? 6 : 3); n > 0; n--) {
        int step = operate(p, rank, target, false, draw(p, 3) == 0);
        if (step >= 0 && p->plan->step[rank][step].request) request[requests++] = step;
    }
    for (int i = 0; i < requests; i++)
        add(p, rank, (struct plan_step){.kind = PLAN_REQUEST_WAIT, .of = request[i]});
    if (requests > 0 || (p->chaos && draw(p, 3) == 0)) maybe_use_buffers(p, rank);
    if (draw(p, 2)) local(p, rank);
    int all = draw(p, 2) ? target : -1;
    add(p, rank, (struct plan_step){.kind = PLAN_FLUSH, .target = all, .removable = removable(p)});
}

static void flushes(struct phase *p)
{
    lock_all(p);
    for (unsigned n = 1 + draw(p, 2); n > 0; n--) {
        begin(p, false);
        for (int r = 0; r < RANKS; r++) one_flush(p, r);
        meet(p, true);
        end(p);
    }
    unlock_all(p);
    meet(p, true);
}

/* Ranks come to one word one after the other: each sends to the next. */
static void messages(struct phase *p)
{
    int first = (int)draw(p, RANKS), target = (int)draw(p, RANKS), word = (int)draw(p, COMMON);
    lock_all(p);
    for (int n = 0; n < RANKS - 1; n++) {
        int rank = (first + n) % RANKS, next = (rank + 1) % RANKS;
        enum plan_kind kind = draw(p, 2) ? PLAN_PUT : PLAN_GET;
        add(p, rank, (struct plan_step){.kind = kind, .target = target, .word = word, .buffer = n});
        add(p, rank,
            (struct plan_step){.kind = draw(p, 6) ? PLAN_FLUSH : PLAN_FLUSH_LOCAL,
                               .target = target,
                               .removable = removable(p)});
        if (!p->chaos) p->plan->step[rank][p->plan->steps[rank] - 1].kind = PLAN_FLUSH;
        int group = removable(p);
        add(p, rank,
            (struct plan_step){
                .kind = PLAN_SEND, .target = next, .buffer = PLAN_BUFFERS - 1, .removable = group});
        add(p, next,
            (struct plan_step){.kind = PLAN_RECEIVE,
                               .target = rank,
                               .buffer = PLAN_BUFFERS - 2,
                               .removable = group});
    }
    unlock_all(p);
    meet(p, false);
}

/* Data, then a flag that another rank waits for. */
static void flag(struct phase *p)
{
    if (flags == FLAGS) {
        messages(p);
        return;
    }
    int writer = (int)draw(p, RANKS), reader = (writer + 1 + (int)draw(p, RANKS - 1)) % RANKS;
    int target = (int)draw(p, RANKS), word = (int)draw(p, COMMON), at = COMMON + flags++;
    lock_all(p);
    add(p, writer, (struct plan_step){.kind = PLAN_PUT, .target = target, .word = word});
    add(p, writer,
        (struct plan_step){.kind = PLAN_FLUSH, .target = target, .removable = removable(p)});
    add(p, writer,
        (struct plan_step){.kind = PLAN_REPLACE,
                           .target = target,
                           .word = at,
                           .buffer = -1,
                           .meeting = ++meetings});
    add(p, writer, (struct plan_step){.kind = PLAN_FLUSH, .target = target});
    add(p, reader,
        (struct plan_step){.kind = PLAN_AWAIT,
                           .target = target,
                           .word = at,
                           .buffer = 2,
                           .meeting = meetings,
                           .removable = removable(p)});
    add(p, reader,
        (struct plan_step){.kind = PLAN_GET, .target = target, .word = word, .buffer = 3});
    unlock_all(p);
    meet(p, false);
}

/* The root, or the others, before a collective; the others behind it. */
static void collective(struct phase *p)
{
    enum plan_flow flow = (enum plan_flow)draw(p, 4);
    int root = (int)draw(p, RANKS), target = (int)draw(p, RANKS), word = (int)draw(p, COMMON);
    int before = flow == PLAN_UPWARD ? 0 : flow == PLAN_TO_ROOT ? (root + 1) % RANKS : root;
    int after = flow == PLAN_UPWARD    ? 1 + (int)draw(p, RANKS - 1)
                : flow == PLAN_TO_ROOT ? root
                                       : (root + 1) % RANKS;
    if (p->chaos && draw(p, 2)) before = (int)draw(p, RANKS), after = (int)draw(p, RANKS);
    lock_all(p);
    add(p, before, (struct plan_step){.kind = PLAN_PUT, .target = target, .word = word});
    add(p, before,
        (struct plan_step){.kind = PLAN_FLUSH, .target = target, .removable = removable(p)});
    everybody(p,
              (struct plan_step){
                  .kind = PLAN_COLLECTIVE, .flow = flow, .root = root, .removable = removable(p)});
    add(p, after,
        (struct plan_step){
            .kind = draw(p, 2) ? PLAN_PUT : PLAN_GET, .target = target, .word = word, .buffer = 1});
    unlock_all(p);
    meet(p, false);
}

void plan_make(struct plan *plan, uint64_t seed, bool chaos)
{
    static void (*const phase[])(struct phase *) = {fences,  posts,    locks, locks,
                                                    flushes, messages, flag,  collective};
    memset(plan, 0, sizeof *plan);
    plan->state = seed * 2 + 1;
    for (int i = 0; i < 5; i++) plan_draw(&plan->state, 2);
    struct phase p = {.plan = plan, .chaos = chaos};
    meetings = flags = 0;
    for (unsigned n = 1 + draw(&p, 3); n > 0; n--) phase[draw(&p, 8)](&p);
}

/* A lock without its exclusion is a shared one. */
bool plan_remove(struct plan *plan, int which)
{
    bool found = false;
    for (int r = 0; r < RANKS; r++) {
        int kept = 0, now[PLAN_STEPS];
        for (int s = 0; s < plan->steps[r]; s++) {
            struct plan_step step = plan->step[r][s];
            bool this = step.removable == which;
            found |= this;
            if (this && step.kind == PLAN_LOCK) step.exclusive = false;
            if (this && step.kind != PLAN_LOCK) continue;
            now[s] = kept;
            if (step.kind == PLAN_REQUEST_WAIT) step.of = now[step.of];
            plan->step[r][kept++] = step;
        }
        plan->steps[r] = kept;
    }
    return found;
}
