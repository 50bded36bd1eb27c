/* A servicer from its first request to its end: when it is done, and what ending takes. */
#include "sync/match/servicer.h"
#include "mem/agent/agent.h"
#include "mem/counters/counters.h"
#include "mem/segment/segment.h"

#include "findings/findings.h"

#include <math.h>

static void charge(struct serve_proc *me, double seconds) { serve_memory(me, seconds); }

/* Memory has what the processor stored, and the processor none of it in its caches. */
void sync_range_flush(struct serve_proc *me, uintptr_t addr, uint64_t bytes)
{
    charge(me, mem_publish(me->cpu, addr, bytes, serve_now(me)));
    charge(me, mem_refresh(me->cpu, addr, bytes, serve_now(me)));
}

/* ---- done ------------------------------------------------------------------------------------ */

static bool own_serviced(const struct sync_servicer *s)
{
    FOR_OWN(s, own) if (own->set.outstanding > 0) return false;
    return true;
}

bool sync_servicer_done(const struct sync_servicer *s)
{
    if (s->pending > 0) return false;
    if (sync_is_collective(s)) {
        const struct sync_round *round =
            sync_round_of(s->match, s->want.tag, sync_kind_of(s), s->round);
        if (!s->contributed || !round->known || s->serviced < (uint64_t)round->total[s->member])
            return false;
    } else if (s->serviced < s->want.count)
        return false;
    FOR_ROUNDS(s, one) if (!own_serviced(one)) return false;
    return true;
}

/* ---- ending ---------------------------------------------------------------------------------- */

static void leave_round(struct sync_servicer *s)
{
    sync_own_forget(s->match, s->member, s->want.tag, sync_kind_of(s), s->round);
    struct sync_round *round = sync_round_of(s->match, s->want.tag, sync_kind_of(s), s->round);
    if (++round->left == s->match->members)
        sync_round_forget(s->match, s->want.tag, sync_kind_of(s), s->round);
}

/* A line that lies partly outside the range may have come back into the cache by references to the
 * neighbours (false sharing): it goes again, and the report says so. */
static void flush_edge(struct sync_servicer *s, uintptr_t addr)
{
    struct serve_proc *me = sync_proc_of(s);
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
    struct serve_proc *me = sync_proc_of(s);
    uintptr_t base = (uintptr_t)s->want.base, end = base + s->want.bytes,
              line = (uintptr_t)1 << me->cpu->filter.line_shift;
    charge(me, mem_publish(me->cpu, base, s->want.bytes, serve_now(me)));
    charge(me, mem_segment_restore(me->memory, s->segment));
    if (base % line) flush_edge(s, base);
    if (end % line && (!(base % line) || end / line != base / line)) flush_edge(s, end - 1);
}

/* Gone from the list; its range is private memory again. */
static void withdraw(struct sync_servicer *s, op_site at)
{
    g_queue_unlink(&sync_part_of(s)->servicers, &s->posted);
    g_queue_unlink(&sync_tag_of(sync_part_of(s), s->want.tag)->servicers, &s->of_tag);
    if (s->segment >= 0) base_ranges_remove(s->match->offered, &s->range);
    sync_guard_remove(s->guard, at);
    if (s->segment >= 0)
        charge(sync_proc_of(s), mem_segment_remove(sync_proc_of(s)->memory, s->segment));
    if (sync_is_collective(s)) leave_round(s);
}

/* "...between that operation and the following ACCEPT operation": the origin buffers are the
 * program's again. */
static void release_own(struct sync_servicer *s, GString **error, op_site at)
{
    FOR_OWN(s, own)
    {
        for (struct sync_guard *w; (w = g_queue_pop_head(&own->guarded));) sync_guard_remove(w, at);
        if (!own->error) continue;
        if (!*error) *error = g_string_new(NULL);
        g_string_append_printf(*error, "%s%s", (*error)->len ? "; " : "", own->error->str);
        g_string_free(own->error, TRUE);
        own->error = NULL;
    }
}

char *sync_servicer_end(struct sync_servicer *s, op_site at)
{
    struct serve_proc *me = sync_proc_of(s);
    double until_s = s->last_s;
    kern_date came = s->came;
    FOR_ROUNDS(s, one)
    FOR_OWN(one, own)
    {
        until_s = fmax(until_s, own->set.last_s);
        came = kern_graph_later(came, own->set.completed);
    }
    serve_wait_until(me, KERN_NETWORK, until_s, came);
    if (s->segment >= 0) {
        flush_edges(s);
        serve_pay(me);
    }
    FOR_ROUNDS(s, one) release_own(one, &s->error, at);
    withdraw(s, at);
    char *error = s->error ? g_string_free(s->error, FALSE) : NULL;
    g_free(s);
    return error;
}

bool sync_servicer_cancel(struct sync_servicer *s)
{
    if (s->any || sync_is_collective(s)) return false;
    withdraw(s, 0);
    g_free(s);
    return true;
}

/* Nobody waits for a detached one: it ends in an event, and memory and the processor agree on its
 * range by then. */
void sync_servicer_retire(struct sync_servicer *s)
{
    if (s->state != SYNC_DETACHED || !sync_servicer_done(s)) return;
    if (s->segment >= 0) sync_range_flush(sync_proc_of(s), (uintptr_t)s->want.base, s->want.bytes);
    release_own(s, &s->error, 0);
    withdraw(s, 0);
    if (s->error) g_string_free(s->error, TRUE);
    g_free(s);
}

void sync_servicers_retire(struct sync_match *match, int member, int tag)
{
    struct sync_tag *those = sync_tag_of(&match->part[member], tag);
    for (GList *at = those->servicers.head, *next; at; at = next) {
        next = at->next;
        sync_servicer_retire(at->data);
    }
}

const char *sync_servicer_call(const struct sync_servicer *s) { return s->want.call; }
