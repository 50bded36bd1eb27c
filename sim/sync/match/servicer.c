/* Servicers: ACCEPT, OFFER, their collective forms and AVAIL (PUT/ACCEPT proposal, "Completion").
 *
 * "An ACCEPT operation will complete if and only if all of the PUT requests issued by the process
 * executing the ACCEPT, and having the same tag and comm, have been fully serviced and the ACCEPT
 * has serviced exactly count PUT requests." The m-th ACCEPTC belongs to the m-th round of its tag:
 * "having each process count the number of requests destined for each target, and then at
 * completion of the ACCEPTC or OFFERC, totalling these counts across all processors (logn time) and
 * broadcasting the resultant vector to all processors (logn time)". Requests carry their round, so
 * that a fast process's next ones wait for the next servicer.
 */
#include "sync/match/match.h"
#include "findings/findings.h"

#include <math.h>

static struct sync_part *part_of(const struct sync_servicer *s)
{
    return &s->match->part[s->member];
}

static struct serve_proc *proc_of(const struct sync_servicer *s) { return part_of(s)->proc; }

/* The one kind of a collective servicer. */
static enum sync_kind kind_of(const struct sync_servicer *s)
{
    return s->want.kinds & 1u << SYNC_PUTC ? SYNC_PUTC : SYNC_GETC;
}

static bool is_collective(const struct sync_servicer *s)
{
    return s->want.kinds & (1u << SYNC_PUTC | 1u << SYNC_GETC);
}

/* This process's own requests that the servicer answers for, kind by kind; an AVAIL's are both,
 * whichever it serviced. */
#define FOR_OWN(s, own)                                                                            \
    for (int kind_ = 0; kind_ < SYNC_KINDS; kind_++)                                               \
        for (struct sync_own *own = (s)->own_kinds & 1u << kind_                                   \
                                        ? sync_own_of((s)->match, (s)->member, (s)->want.tag,      \
                                                      (enum sync_kind)kind_, (s)->round, false)    \
                                        : NULL;                                                    \
             own; own = NULL)

/* ---- posting --------------------------------------------------------------------------------- */

static void charge(struct serve_proc *me, double seconds) { serve_memory(me, seconds); }

/* Memory has what the processor stored, and the processor none of it in its caches. */
static void flush(struct serve_proc *me, uintptr_t addr, uint64_t bytes)
{
    charge(me, mem_publish(me->cpu, addr, bytes, serve_now(me)));
    charge(me, mem_refresh(me->cpu, addr, bytes, serve_now(me)));
}

void sync_match_memory(struct serve_proc *me, void *base, uint64_t bytes, bool there)
{
    mem_pool(me->cpu, (uintptr_t)base, bytes, there);
}

struct sync_servicer *sync_match_post(struct sync_match *match, int member, struct serve_proc *me,
                                      const struct sync_service *want)
{
    struct sync_part *part = &match->part[member];
    struct sync_servicer *s = g_new0(struct sync_servicer, 1);
    *s = (struct sync_servicer){
        .match = match, .member = member, .segment = -1, .want = *want, .own_kinds = want->kinds};
    if (is_collective(s)) {
        s->round = sync_round_number(part->posted, want->tag, kind_of(s));
        sync_round_next(part->posted, want->tag, kind_of(s));
    }
    if (want->bytes > 0) {
        s->segment =
            op_segment_add(me->rank, (uintptr_t)want->base, want->bytes, "the end of that call");
        g_autofree char *name = g_strdup_printf("range of %s, tag %d", want->call, want->tag);
        op_segment_name(s->segment, name);
        mem_segment_add(me->memory, s->segment, (uintptr_t)want->base, want->bytes);
        mem_segment_lend(me->memory, s->segment);
        flush(me, (uintptr_t)want->base, want->bytes);
        const struct op_piece all = {0, want->bytes};
        const struct op_layout layout = {&all, 1, want->bytes, 0, (int64_t)want->bytes};
        s->watch = sync_watch_add(me->cpu, (uintptr_t)want->base, &layout,
                                  "PUT/ACCEPT: Non-conformance (servicer's range)", want->call,
                                  want->site);
    }
    serve_pay(me);
    g_queue_push_tail(&part->servicers, s);
    sync_match_advance(match, member, kern_now());
    return s;
}

/* ---- completing ------------------------------------------------------------------------------ */

static bool own_serviced(const struct sync_servicer *s)
{
    FOR_OWN(s, own) if (own->set.outstanding > 0) return false;
    return true;
}

/* The servicer, and before it, if it is collective, those of earlier rounds that this process has
 * not ended yet. */
#define FOR_ROUNDS(s, other)                                                                       \
    for (GList *at_ = part_of(s)->servicers.head; at_; at_ = at_->data == (s) ? NULL : at_->next)  \
        for (struct sync_servicer *other = at_->data; other && same_rounds(other, s); other = NULL)

static bool same_rounds(const struct sync_servicer *a, const struct sync_servicer *b)
{
    return a == b ||
           (is_collective(a) && a->want.tag == b->want.tag && a->own_kinds == b->own_kinds);
}

bool sync_servicer_done(const struct sync_servicer *s)
{
    if (s->pending > 0) return false;
    if (is_collective(s)) {
        const struct sync_round *round = sync_round_of(s->match, s->want.tag, kind_of(s), s->round);
        if (!s->told || !round->known || s->serviced < (uint64_t)round->total[s->member])
            return false;
    } else if (s->serviced < s->want.count)
        return false;
    FOR_ROUNDS(s, one) if (!own_serviced(one)) return false;
    return true;
}

static void known(void *data, double at_s)
{
    (void)at_s;
    struct sync_round *round = data;
    struct sync_match *match = round->match;
    round->known = true;
    for (int i = 0; i < match->members; i++) sync_match_settle_all(match, i);
    /* Whoever wakes up may end the round. */
    for (int i = 0; i < match->members; i++) kern_gate_open(match->part[i].proc->gate);
}

/* This process's counts of the round go into the total; requests from now on belong to the next
 * one. */
static void tell(struct sync_servicer *s)
{
    struct sync_match *match = s->match;
    enum sync_kind kind = kind_of(s);
    if (s->told) return;
    s->told = true;
    struct sync_round *round = sync_round_of(match, s->want.tag, kind, s->round);
    sync_round_next(part_of(s)->asked, s->want.tag, kind);
    FOR_OWN(s, own) for (int i = 0; i < match->members; i++) round->total[i] += own->to[i];
    if (++round->told == match->members)
        kern_at(kern_now() + move_total(match->move, match->members), known, round);
}

static void begin_trying(struct sync_servicer *s)
{
    if (s->trying) return;
    s->trying = true;
    sync_match_hurry(s);
    sync_match_advance(s->match, s->member, kern_now());
}

/* A round is agreed upon after those before it, even if the program waits for it first. */
static void agree(struct sync_servicer *s)
{
    FOR_ROUNDS(s, one)
    {
        tell(one);
        begin_trying(one);
    }
}

bool sync_servicer_try(struct sync_servicer *s, bool wait)
{
    serve_completing(proc_of(s), true);
    if (wait && is_collective(s)) agree(s);
    begin_trying(s);
    return sync_servicer_done(s);
}

void sync_servicer_rest(struct sync_servicer *s) { s->trying = false; }

static bool done(void *data) { return sync_servicer_done(data); }

void sync_servicer_wait(struct sync_servicer *s)
{
    sync_servicer_try(s, true);
    serve_wait(proc_of(s), done, s);
}

/* ---- ending ---------------------------------------------------------------------------------- */

static void leave_round(struct sync_servicer *s)
{
    struct sync_round *round = sync_round_of(s->match, s->want.tag, kind_of(s), s->round);
    if (++round->left == s->match->members)
        sync_round_forget(s->match, s->want.tag, kind_of(s), s->round);
}

/* A line that lies partly outside the range may have come back into the cache by references to the
 * neighbours (false sharing): it goes again, and the report says so. */
static void flush_edge(struct sync_servicer *s, uintptr_t addr)
{
    struct serve_proc *me = proc_of(s);
    int last = mem_levels(me->cpu) - 1;
    if (last < 0) return;
    uint64_t before = mem_cache_count(me->cpu, last).flushed_lines;
    charge(me, mem_refresh(me->cpu, addr, 1, serve_now(me)));
    if (mem_cache_count(me->cpu, last).flushed_lines == before) return;
    findings_note(&(struct findings_note){.kind = FINDINGS_NOTE_EDGE,
                                          .rank = me->rank,
                                          .time_s = serve_now(me),
                                          .segment = s->segment,
                                          .offset = addr - (uintptr_t)s->want.base,
                                          .site = s->want.site});
}

/* The neighbours' bytes are written back first. Words that they share with the range may have to be
 * written again. */
static void flush_edges(struct sync_servicer *s)
{
    struct serve_proc *me = proc_of(s);
    uintptr_t base = (uintptr_t)s->want.base, end = base + s->want.bytes,
              line = (uintptr_t)1 << me->cpu->line_shift;
    charge(me, mem_publish(me->cpu, base, s->want.bytes, serve_now(me)));
    charge(me, mem_segment_mend(me->memory, s->segment));
    if (base % line) flush_edge(s, base);
    if (end % line && (!(base % line) || end / line != base / line)) flush_edge(s, end - 1);
}

/* Gone from the list; its range is private memory again. */
static void withdraw(struct sync_servicer *s)
{
    g_queue_remove(&part_of(s)->servicers, s);
    sync_watch_remove(s->watch);
    if (s->segment >= 0) mem_segment_remove(proc_of(s)->memory, s->segment);
    if (is_collective(s)) leave_round(s);
}

/* "...between that operation and the following ACCEPT operation": the origin buffers are the
 * program's again. */
static void release_own(struct sync_servicer *s, GString **error)
{
    FOR_OWN(s, own)
    {
        for (struct sync_watch *w; (w = g_queue_pop_head(&own->watched));) sync_watch_remove(w);
        if (!own->error) continue;
        if (!*error) *error = g_string_new(NULL);
        g_string_append_printf(*error, "%s%s", (*error)->len ? "; " : "", own->error->str);
        g_string_free(own->error, TRUE);
        own->error = NULL;
    }
}

char *sync_servicer_end(struct sync_servicer *s)
{
    struct serve_proc *me = proc_of(s);
    double until_s = s->last_s;
    FOR_ROUNDS(s, one) FOR_OWN(one, own) until_s = fmax(until_s, own->set.last_s);
    serve_wait_until(me, until_s);
    if (s->segment >= 0) {
        flush_edges(s);
        serve_pay(me);
    }
    FOR_ROUNDS(s, one) release_own(one, &s->error);
    withdraw(s);
    char *error = s->error ? g_string_free(s->error, FALSE) : NULL;
    g_free(s);
    return error;
}

bool sync_servicer_cancel(struct sync_servicer *s)
{
    if (s->any || is_collective(s)) return false;
    withdraw(s);
    g_free(s);
    return true;
}

void sync_servicer_detach(struct sync_servicer *s)
{
    if (is_collective(s)) agree(s);
    /* what waits may begin, and be done at once; only then may it end by itself */
    begin_trying(s);
    s->detached = true;
    sync_match_settle(s);
}

/* Nobody waits for a detached one: it ends in an event, and memory and the processor agree on its
 * range by then. */
void sync_match_settle(struct sync_servicer *s)
{
    if (!s->detached || !sync_servicer_done(s)) return;
    if (s->segment >= 0) flush(proc_of(s), (uintptr_t)s->want.base, s->want.bytes);
    release_own(s, &s->error);
    withdraw(s);
    if (s->error) g_string_free(s->error, TRUE);
    g_free(s);
}

void sync_match_settle_all(struct sync_match *match, int member)
{
    for (GList *at = match->part[member].servicers.head, *next; at; at = next) {
        next = at->next;
        sync_match_settle(at->data);
    }
}

const char *sync_servicer_call(const struct sync_servicer *s) { return s->want.call; }

/* ---- sleeping -------------------------------------------------------------------------------- */

struct nap {
    struct serve_proc *me;
    double until_s;
    bool (*ready)(void *data);
    void *data;
    int refs;
};

static void nap_over(void *data, double at_s)
{
    (void)at_s;
    struct nap *nap = data;
    if (nap->me) kern_gate_open(nap->me->gate);
    if (--nap->refs == 0) g_free(nap);
}

static bool awake(void *data)
{
    const struct nap *nap = data;
    return kern_now() >= nap->until_s - 1e-12 || nap->ready(nap->data);
}

void sync_match_sleep(struct serve_proc *me, double until_s, bool (*ready)(void *data), void *data)
{
    struct nap *nap = g_new(struct nap, 1);
    *nap = (struct nap){me, until_s, ready, data, 2};
    if (until_s < HUGE_VAL)
        kern_at(fmax(until_s, kern_now()), nap_over, nap);
    else
        nap->refs--;
    serve_wait(me, awake, nap);
    nap->me = NULL;
    if (--nap->refs == 0) g_free(nap);
}

void sync_match_polled(struct serve_proc *me)
{
    serve_compute(me, me->mach->mpi_test);
    serve_pay(me);
}
