/* What a rank that waits for a message hears of those that are sent to it. A message has come when
 * its first byte is there; SMPI has it from when it is sent. */
#include "sync/heard/heard.h"
#include "sync/machine/machine.h"

#include <math.h>
#include <string.h>

enum { POLLS = 64 }; /* without asking, for messages that nobody hears of */
#define NEVER UINT64_MAX

struct heard {
    struct serve_proc *proc;
    int waiting;          /* calls of it that wait for a message */
    uint64_t come;        /* while one waited */
    uint64_t sent, taken; /* to it, and received by it */
    double last_s;        /* the last of those is there */
    struct {
        struct sync_sought is;
        uint64_t sent;  /* by then */
        uint32_t polls; /* since */
    } none;             /* what was looked for last, and not found */
    uint32_t tests;     /* since SMPI was asked */
};
static struct heard *heard; /* by rank, of these carriers */
static const struct move *carriers;

static struct heard *heard_by(int rank)
{
    if (carriers != sync_move()) {
        carriers = sync_move();
        g_free(heard);
        heard = g_new0(struct heard, carriers->ranks);
        for (int i = 0; i < carriers->ranks; i++) heard[i].none.sent = NEVER;
    }
    heard[rank].proc = carriers->proc[rank];
    return &heard[rank];
}

static void come(void *data, double at_s)
{
    (void)at_s;
    struct heard *h = data;
    h->come++;
    kern_gate_open(h->proc->gate);
}

/* SMPI charges the sender net.fetch by the bytes alone, which is right where a node has one rank
 * (but for what that sends to itself). Where it has several, what goes to another node is charged
 * here. */
static double fetched(struct serve_proc *me, int to, uint64_t bytes)
{
    const struct mach *m = me->mach;
    if (mach_node_ranks(m) == 1) return bytes > m->net_short_bytes ? m->net_fetch : 0;
    const double fetch_s = move_fetch(carriers, me->rank, to, bytes);
    serve_charge(me, &m->net_fetch, fetch_s);
    return 0;
}

void sync_message_leaves(struct serve_proc *me, int to, uint64_t bytes)
{
    struct heard *h = heard_by(to);
    const double smpi_s = me->mach->send_s + fetched(me, to, bytes);
    const double there_s = serve_now(me) + smpi_s + move_latency(carriers, me->rank, to);
    h->sent++;
    h->last_s = fmax(h->last_s, there_s);
    if (h->waiting) kern_at(there_s, KERN_NETWORK, -1, come, h);
}

void sync_message_await(struct serve_proc *me, bool begin)
{
    heard_by(me->rank)->waiting += begin ? 1 : -1;
}

uint64_t sync_message_come(const struct serve_proc *me) { return heard_by(me->rank)->come; }

void sync_message_taken(struct serve_proc *me) { heard_by(me->rank)->taken++; }

bool sync_message_with_nobody(const void *request) { return kern_with_nobody(request); }
bool sync_message_queued(const void *request) { return kern_queued(request, sync_move()->ranks); }

double sync_message_last(const struct serve_proc *me) { return heard_by(me->rank)->last_s; }

bool sync_message_none_due(struct serve_proc *me, int tests)
{
    struct heard *h = heard_by(me->rank);
    const double tests_s = tests * me->mach->mpi_test;
    if (h->sent != h->taken || h->tests++ == POLLS || !serve_alone(me, tests_s)) {
        h->tests = 0;
        return false;
    }
    serve_ahead(me, tests_s);
    serve_part(me, &me->mach->mpi_test, tests_s);
    return true;
}

bool sync_message_none(struct serve_proc *me, const struct sync_sought *sought)
{
    struct heard *h = heard_by(me->rank);
    if (h->none.sent != h->sent || memcmp(&h->none.is, sought, sizeof *sought) != 0 ||
        h->none.polls++ == POLLS)
        return false;
    if (serve_alone(me, me->mach->mpi_test)) {
        serve_ahead(me, me->mach->mpi_test);
        serve_part(me, &me->mach->mpi_test, me->mach->mpi_test);
        return true;
    }
    serve_charge(me, &me->mach->mpi_test, me->mach->mpi_test);
    serve_pay(me);
    return h->none.sent == h->sent;
}

void sync_message_not_found(struct serve_proc *me, const struct sync_sought *sought)
{
    struct heard *h = heard_by(me->rank);
    h->none.is = *sought;
    h->none.sent = kern_now() < h->last_s ? NEVER : h->sent;
    h->none.polls = 0;
}
