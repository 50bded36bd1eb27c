/* Servicing, as a process asks for it: ACCEPT, OFFER, their collective forms and AVAIL (PUT/ACCEPT
 * proposal, "Completion").
 *
 * "An ACCEPT operation will complete if and only if all of the PUT requests issued by the process
 * executing the ACCEPT, and having the same tag and comm, have been fully serviced and the ACCEPT
 * has serviced exactly count PUT requests." The m-th ACCEPTC belongs to the m-th round of its tag:
 * "having each process count the number of requests destined for each target, and then at
 * completion of the ACCEPTC or OFFERC, totalling these counts across all processors (logn time) and
 * broadcasting the resultant vector to all processors (logn time)". Requests carry their round, so
 * that a fast process's next ones wait for the next servicer.
 */
#include "move/control/control.h"
#include "serve/request/request.h"
#include "sync/match/servicer.h"
#include "mem/segment/segment.h"

#include "findings/findings.h"

/* ---- posting --------------------------------------------------------------------------------- */

void sync_match_memory(struct serve_proc *me, void *base, uint64_t bytes, bool there)
{
    mem_pool(me->cpu, (uintptr_t)base, bytes, there);
}

static unsigned takes(const struct sync_servicer *s)
{
    return s->want.kinds & (1u << SYNC_PUT | 1u << SYNC_PUTC);
}

static bool both_kinds(const struct sync_servicer *s)
{
    return takes(s) && takes(s) != s->want.kinds;
}

static void note_both(const struct sync_servicer *before, const struct sync_servicer *now, int rank)
{
    g_autofree char *what = g_strdup_printf(
        "the range of this %s overlaps that of a %s which is not complete. What a GET fetches from "
        "there depends on which request is serviced first",
        now->want.call, before->want.call);
    findings_violation_note(
        &(struct findings_violation){.rule = "PUT/ACCEPT: Non-conformance (two servicers)",
                                     .message = what,
                                     .call = now->want.call,
                                     .rank = rank,
                                     .time_s = kern_now(),
                                     .site = now->want.site,
                                     .other_rank = rank,
                                     .other_call = before->want.call,
                                     .other_site = before->want.site});
}

static bool contradicts(struct base_range *range, void *data)
{
    const struct sync_servicer *s = data,
                               *other =
                                   (const struct sync_servicer *)((const char *)range -
                                                                  G_STRUCT_OFFSET(
                                                                      struct sync_servicer, range));
    if (!s->want.number && !both_kinds(other) && !both_kinds(s) && !takes(other) != !takes(s) &&
        !sync_servicer_done(other))
        note_both(other, s, sync_proc_of(s)->rank);
    return false;
}

/* One servicer has what PUTs bring, another offers the same bytes to GETs, at once. AVAIL does both
 * by itself, one after the other. */
static void offer(struct sync_servicer *s)
{
    const uintptr_t base = (uintptr_t)s->want.base, end = base + s->want.bytes;
    const uint64_t owner = (uint64_t)s->member;
    base_ranges_each(s->match->offered, owner, base, end, contradicts, s);
    s->range = (struct base_range){.base = base, .end = end, .owner = owner};
    base_ranges_add(s->match->offered, &s->range);
}

struct sync_servicer *sync_match_post(struct sync_match *match, int member, struct serve_proc *me,
                                      const struct sync_service *want)
{
    struct sync_part *part = &match->part[member];
    struct sync_servicer *s = g_new0(struct sync_servicer, 1);
    *s = (struct sync_servicer){
        .match = match, .member = member, .segment = -1, .want = *want, .own_kinds = want->kinds};
    if (sync_is_collective(s)) {
        s->round = sync_round_number(part->posted, want->tag, sync_kind_of(s));
        sync_round_next(part->posted, want->tag, sync_kind_of(s));
    }
    if (want->bytes > 0) {
        s->segment =
            op_segment_add(me->rank, (uintptr_t)want->base, want->bytes, "the end of that call");
        g_autofree char *name = g_strdup_printf("range of %s, tag %d", want->call, want->tag);
        op_segment_name(s->segment, name);
        mem_segment_add(me->memory, s->segment, (uintptr_t)want->base, want->bytes);
        mem_segment_protect(me->memory, s->segment);
        sync_range_flush(me, (uintptr_t)want->base, want->bytes);
        const struct op_piece all = {0, want->bytes};
        const struct op_layout layout = {&all, 1, want->bytes, 0, (int64_t)want->bytes};
        s->guard = sync_guard_add(me->cpu, (uintptr_t)want->base, &layout,
                                  "PUT/ACCEPT: Non-conformance (servicer's range)", want->call,
                                  want->site, want->number);
        offer(s);
    }
    serve_pay(me);
    s->posted.data = s->of_tag.data = s;
    g_queue_push_tail_link(&part->servicers, &s->posted);
    g_queue_push_tail_link(&sync_tag_of(part, want->tag)->servicers, &s->of_tag);
    sync_match_take(s);
    sync_match_advance(match, member, kern_now());
    return s;
}

/* ---- completing ------------------------------------------------------------------------------ */

static void known(void *data, double at_s)
{
    (void)at_s;
    struct sync_round *round = data;
    struct sync_match *match = round->match;
    round->known = true;
    for (int i = 0; i < match->members; i++) sync_servicers_retire(match, i, round->tag);
    /* Whoever wakes up may end the round. */
    for (int i = 0; i < match->members; i++) kern_gate_open(match->part[i].proc->gate);
}

static struct sync_round *round_of(const struct sync_servicer *s)
{
    return sync_round_of(s->match, s->want.tag, sync_kind_of(s), s->round);
}

/* This process's counts of the round go into the total; requests from now on belong to the next
 * one. */
static void contribute(struct sync_servicer *s)
{
    struct sync_match *match = s->match;
    if (s->contributed) return;
    s->contributed = true;
    struct sync_round *round = round_of(s);
    sync_round_next(sync_part_of(s)->asked, s->want.tag, sync_kind_of(s));
    FOR_OWN(s, own) for (int i = 0; i < match->members; i++) round->total[i] += own->to[i];
    if (++round->contributed == match->members)
        kern_at(kern_now() + move_total(match->move, match->members), KERN_COLLECTIVE, -1, known,
                round);
}

static void become(struct sync_servicer *s, enum sync_servicer_state state)
{
    static const struct base_state states[] = {
        [SYNC_POSTED] = {"posted", 1 << SYNC_TRYING},
        [SYNC_TRYING] = {"trying", 1 << SYNC_POSTED | 1 << SYNC_DETACHED},
        [SYNC_DETACHED] = {"detached", 0},
    };
    s->state =
        (enum sync_servicer_state)base_state_next("servicer", states, (int)s->state, (int)state);
}

static void begin_trying(struct sync_servicer *s)
{
    if (s->state != SYNC_POSTED) return;
    become(s, SYNC_TRYING);
    sync_match_hurry(s);
    sync_match_advance(s->match, s->member, kern_now());
}

/* Rounds are reduced in their order, even if the program waits for it first. */
static void reduce_counts(struct sync_servicer *s)
{
    FOR_ROUNDS(s, one)
    {
        contribute(one);
        begin_trying(one);
    }
}

bool sync_servicer_try(struct sync_servicer *s, bool wait)
{
    serve_completing(sync_proc_of(s), true);
    if (wait && sync_is_collective(s)) reduce_counts(s);
    begin_trying(s);
    return sync_servicer_done(s);
}

void sync_servicer_rest(struct sync_servicer *s)
{
    if (s->state == SYNC_TRYING) become(s, SYNC_POSTED);
}

/* ---- waiting --------------------------------------------------------------------------------- */

static struct sync_servicer *one_posted(const struct sync_part *part)
{
    for (GList *at = part->servicers.head; at; at = at->next) {
        struct sync_servicer *s = at->data;
        if (s->state == SYNC_POSTED && sync_is_collective(s)) return s;
    }
    return NULL;
}

/* Every process of the communicator waits for a collective servicer, and none of them for one that
 * all have given their counts for. */
static bool stuck(const struct sync_match *match)
{
    for (int i = 0; i < match->members; i++) {
        const struct sync_servicer *s = match->part[i].awaited;
        if (!s || round_of(s)->contributed == match->members) return false;
    }
    return true;
}

/* "...then m total ACCEPTCs and IACCEPTCs with the same tag and communicator have completed (or
 * will complete) in each of the other processes": processes that wait for theirs in different
 * orders give the counts of all that they have posted. */
static void give_all(struct sync_match *match)
{
    for (int i = 0; i < match->members; i++)
        for (GList *at = match->part[i].servicers.head; at; at = at->next)
            if (sync_is_collective(at->data)) contribute(at->data);
    /* they may be serviced at once, and wake their processes */
    for (int i = 0; i < match->members; i++)
        for (struct sync_servicer *s; (s = one_posted(&match->part[i]));) begin_trying(s);
}

static bool done(void *data) { return sync_servicer_done(data); }

void sync_servicer_wait(struct sync_servicer *s)
{
    struct sync_part *part = sync_part_of(s);
    sync_servicer_try(s, true);
    part->awaited = sync_is_collective(s) ? s : NULL;
    if (stuck(s->match)) give_all(s->match);
    serve_wait(part->proc, PROFILE_PARTNER, done, s);
    part->awaited = NULL;
}

void sync_servicer_detach(struct sync_servicer *s)
{
    if (sync_is_collective(s)) reduce_counts(s);
    /* what waits may begin, and be done at once; only then may it end by itself */
    begin_trying(s);
    become(s, SYNC_DETACHED);
    sync_servicer_retire(s);
}
