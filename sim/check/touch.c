/* One access against all that is remembered of its bytes. */
#include "check/touch.h"
#include "check/copy.h"
#include "check/doubt.h"
#include "check/frame.h"

static bool visible_there(const struct check_record *record, const struct check_now *now,
                          const struct check_part *part, enum check_rule *rule)
{
    const struct check_use *before = &record->use;
    const struct check_actor *a = before->actor, *b = now->use.actor;
    const struct check_window *win = part->win;
    if (check_remote(a->kind) && !check_remote(b->kind)) {
        const struct check_member *owner = &win->member[part->win_rank];
        *rule = CHECK_RULE_STALE;
        return win->shared || a->win != win || !check_writes(a) || b->rank != owner->rank ||
               check_sees(owner, a->rank, check_done(before));
    }
    if (!check_remote(a->kind) && check_remote(b->kind)) {
        const struct check_member *owner = &win->member[part->win_rank];
        *rule = CHECK_RULE_LATE;
        return win->shared || b->win != win || !check_writes(a) || a->rank != owner->rank ||
               check_published(owner, check_done(before)) <= check_clock_of(b->rank)[a->rank] ||
               (now->behind &&
                check_published(owner, check_done(before)) <= now->behind->of[a->rank]);
    }
    if (!win->shared || check_remote(a->kind) || !check_writes(a) || a->rank == b->rank)
        return true;
    *rule = CHECK_RULE_UNSYNCED;
    const struct check_member *from = check_member_of(win, a->rank),
                              *to = check_member_of(win, b->rank);
    return !from || !to || check_sees(to, a->rank, check_published(from, check_done(before)));
}

/* The byte's part of the window that the two access; of any, if neither does by an operation. */
static const struct check_part *part_of(const struct check_page *page, const struct check_actor *a,
                                        const struct check_actor *b, uintptr_t addr)
{
    for (guint i = 0; i < page->parts->len; i++) {
        const struct check_part *part = page->parts->pdata[i];
        if (addr - part->base < part->bytes && (part->win == a->win || part->win == b->win))
            return part;
    }
    return check_part_at(page, addr, -1);
}

static struct check_at place(const struct check_page *page, const struct check_actor *a,
                             const struct check_actor *b, uint32_t first, uint32_t bytes)
{
    uintptr_t addr = (page->number << CHECK_PAGE_BITS) + first;
    const struct check_part *part = part_of(page, a, b, addr);
    if (!part) return (struct check_at){NULL, b->rank, addr, bytes};
    return (struct check_at){part->win, part->rank, addr - part->base, bytes};
}

/* Did the line load the byte before the MPI_Win_sync that was the rank's last call, and behind its
 * last other call? */
static bool loads_again(const struct check_page *page, const struct check_use *use, uint32_t byte)
{
    const struct check_rank *rank = check_rank(use->actor->rank);
    for (guint i = 0; rank->synced && i < page->records->len; i++) {
        const struct check_record *record = page->records->pdata[i];
        if (record->use.actor == use->actor && record->use.moment > rank->moved_at &&
            record->use.moment < rank->synced_at && check_bits_have(&record->bits, byte, 1))
            return true;
    }
    return false;
}

/* A load of a word that an operation updates is polling if the same line loads it again, or got
 * what an atomic wrote, and MPI_Win_sync is all that the rank calls in between. */
static void note_load(const struct check_page *page, const struct check_record *record,
                      const struct check_now *now, const struct check_at *at, uint32_t byte)
{
    enum { WORDS = 64 }; /* nobody polls more */
    const bool later = check_local(now->use.actor->kind);
    const uintptr_t addr = (page->number << CHECK_PAGE_BITS) + byte;
    struct check_rank *rank = check_rank(later ? now->use.actor->rank : record->use.actor->rank);
    const struct check_poll fresh = {
        .finding = check_note(CHECK_RULE_POLL, &record->use, &now->use, at, now->time_s),
        .addr = addr,
        .syncs = rank->syncs,
        .polled = later && loads_again(page, &now->use, byte)};
    struct check_poll *poll = NULL;
    for (guint i = 0; i < rank->polls->len && !poll; i++) {
        struct check_poll *known = &g_array_index(rank->polls, struct check_poll, i);
        if (known->finding == fresh.finding && known->addr == addr) poll = known;
    }
    if (!poll && rank->polls->len >= WORDS) {
        check_note_again(fresh.finding);
        return;
    }
    if (!poll) {
        g_array_append_val(rank->polls, fresh);
        poll = &g_array_index(rank->polls, struct check_poll, rank->polls->len - 1);
    }
    if (later && poll->times > 0 && poll->syncs < rank->syncs) poll->polled = true;
    poll->syncs = rank->syncs;
    poll->times++;
    rank->took = later && check_accumulates(record->use.actor->kind);
}

static bool may_poll(enum check_rule rule, const struct check_record *record,
                     const struct check_now *now, uint32_t bytes)
{
    const struct check_actor *a = record->use.actor, *b = now->use.actor;
    return rule == CHECK_RULE_LOCAL && bytes <= 8 &&
           (a->kind == CHECK_LOAD || b->kind == CHECK_LOAD);
}

/* Do they whenever they touch the same bytes? Local accesses of one rank follow each other, but
 * what a nonblocking message reads or writes is the message's until it is complete. */
static bool may_conflict(const struct check_use *before, const struct check_use *use)
{
    const struct check_actor *a = before->actor, *b = use->actor;
    if (check_lent(a->kind) || check_lent(b->kind))
        return before->flight && !before->flight->done && check_conflict(a, b) != CHECK_FINE;
    if (!a->writes && !b->writes) return false;
    if (a->rank != b->rank || !check_local(a->kind) || !check_local(b->kind)) return true;
    return before->flight && !before->flight->done && before->flight != use->flight;
}

/* One that makes what the others wrote visible to the process's own loads, as of its grant. */
static bool own_lock(const struct check_epoch *lock)
{
    return lock->win->shared || lock->target < 0 ||
           lock->win->member[lock->target].rank == lock->rank;
}

/* Locks keep the two apart. What is read under the later lock was written under the earlier one:
 * the reader is behind its end. */
static void carry(const struct check_use *before, const struct check_now *now,
                  const struct check_exclusion *by)
{
    const struct check_actor *a = before->actor, *b = now->use.actor;
    bool a_reads = !check_writes(a) || a->kind == CHECK_FETCH,
         b_reads = !check_writes(b) || b->kind == CHECK_FETCH;
    if (check_writes(b) && a_reads && before->flight) check_flight_reads(before->flight, by->now);
    if (!check_writes(a) || !b_reads) return;
    if (now->use.flight) {
        check_flight_reads(now->use.flight, by->before);
    } else if (by->before->over) {
        const struct check_stamp release = check_epoch_stamp(by->before);
        check_clock_join_stamp(b->rank, &release);
        if (own_lock(by->now)) check_view(check_member_of(by->now->win, b->rank), &release);
    }
}

/* Which of two values stays is left open, not what is done with the old one. */
static bool replace_both(const struct check_actor *a, const struct check_actor *b)
{
    return a->kind == CHECK_ACCUMULATE && b->kind == CHECK_ACCUMULATE && a->replace && b->replace &&
           a->rank != b->rank;
}

/* The later one has read what the earlier one's origin did when it called it, or afterwards: an
 * atomic that found a lock free, say. Those of one origin to one place stay in order. */
static bool seen(const struct check_use *before, const struct check_now *now)
{
    const int rank = before->actor->rank;
    return check_clock_of(now->use.actor->rank)[rank] >= before->begun ||
           (now->behind && now->behind->of[rank] >= before->begun);
}

static bool under(const struct check_holds *holds, const struct check_epoch *epoch)
{
    for (int i = 0; holds && i < holds->n; i++)
        if (holds->hold[i] == epoch) return true;
    return false;
}

/* The actor writes the byte, and has not read it under that lock, as far as that is known. */
static bool blind(const struct check_page *page, const struct check_actor *actor,
                  const struct check_epoch *epoch, uint32_t byte)
{
    if (!actor->writes || actor->kind == CHECK_FETCH || epoch->forgot) return false;
    for (guint i = 0; i < page->records->len; i++) {
        const struct check_record *record = page->records->pdata[i];
        const struct check_actor *other = record->use.actor;
        if (other->rank == actor->rank && (!other->writes || other->kind == CHECK_FETCH) &&
            under(record->use.holds, epoch) && check_bits_have(&record->bits, byte, 1))
            return false;
    }
    return true;
}

static void against(const struct check_page *page, const struct check_record *record,
                    const struct check_now *now, uint32_t from, uint32_t bytes)
{
    const struct check_actor *a = record->use.actor, *b = now->use.actor;
    uint32_t first = 0;
    uint32_t both = check_bits_overlap(&record->bits, from, bytes, &first);
    enum check_rule rule = both > 0 ? check_conflict(a, b) : CHECK_FINE, conflict = rule;
    struct check_exclusion by;
    if (rule == CHECK_FINE) { /* atomic operations */
        if (both > 0 && check_excluded(&record->use, now, &by))
            carry(&record->use, now, &by);
        else if (both > 0 && replace_both(a, b) && !seen(&record->use, now)) {
            const struct check_at at = place(page, a, b, first, both);
            check_note(CHECK_RULE_LAST_UPDATE, &record->use, &now->use, &at, now->time_s);
        }
        return;
    }
    struct check_at at = place(page, a, b, first, both);
    if (check_ordered(&record->use, now)) {
        const struct check_part *part =
            part_of(page, a, b, (page->number << CHECK_PAGE_BITS) + first);
        if (!check_sure(&record->use, now) && !check_excluded(&record->use, now, &by))
            check_doubt(conflict, &record->use, now, &at);
        if (part && !visible_there(record, now, part, &rule))
            check_note(rule, &record->use, &now->use, &at, now->time_s);
    } else if (check_excluded(&record->use, now, &by)) {
        if (blind(page, a, by.before, first) && blind(page, b, by.now, first))
            check_note(CHECK_RULE_LAST_LOCK, &record->use, &now->use, &at, now->time_s);
        carry(&record->use, now, &by);
    } else if (may_poll(rule, record, now, both))
        note_load(page, record, now, &at, first);
    else {
        check_note(rule, &record->use, &now->use, &at, now->time_s);
        uintptr_t addr = (page->number << CHECK_PAGE_BITS) + first;
        if (rule == CHECK_RULE_BUFFER) check_frame_reported(&record->use, addr, both);
    }
}

/* ---- store and update of one window, whatever their bytes ------------------------------------ */

static void keep(GArray **list, const struct check_use *use)
{
    enum { LINES = 16 };
    const GArray *uses = *list;
    struct check_use *slot = NULL;
    for (guint i = 0; i < uses->len && !slot; i++)
        if (g_array_index(uses, struct check_use, i).actor == use->actor)
            slot = &g_array_index(uses, struct check_use, i);
    if (!slot && uses->len >= LINES) slot = &g_array_index(uses, struct check_use, 0);
    check_flight_ref(use->flight);
    check_holds_ref(use->holds);
    if (slot) {
        check_flight_unref(slot->flight);
        check_holds_unref(slot->holds);
        *slot = *use;
    } else
        check_array_add(list, use, sizeof *use);
}

static bool agreed(const struct check_member *owner, const struct check_use *before,
                   const struct check_now *now)
{
    int rank = before->actor->rank;
    if (!check_ordered(before, now)) return false;
    if (check_remote(before->actor->kind)) return check_sees(owner, rank, check_done(before));
    uint32_t visible = check_published(owner, check_done(before));
    return visible <= check_clock_of(now->use.actor->rank)[rank] ||
           (now->behind && visible <= now->behind->of[rank]);
}

static void disjoint(const struct check_part *part, const struct check_now *now)
{
    struct check_member *owner = &part->win->member[part->win_rank];
    const struct check_actor *b = now->use.actor;
    bool remote = check_remote(b->kind);
    if (part->win->shared || part->win->info & CHECK_STRICT || !check_writes(b) ||
        b->kind == CHECK_BUFFER_READ || check_lent(b->kind))
        return;
    if (remote ? b->win != part->win : b->rank != owner->rank) return;
    keep(remote ? &owner->updates : &owner->stores, &now->use);
    const GArray *others = remote ? owner->stores : owner->updates;
    for (guint i = 0; i < others->len; i++) {
        const struct check_use *before = &g_array_index(others, struct check_use, i);
        struct check_exclusion by;
        if (agreed(owner, before, now) || check_excluded(before, now, &by)) continue;
        const struct check_at at = {part->win, part->rank, 0, 0};
        check_note(CHECK_RULE_DISJOINT, before, &now->use, &at, now->time_s);
    }
}

/* ---- one page -------------------------------------------------------------------------------- */

/* Where the line's record is, or may be put: one of four places. */
static struct check_record **recent_slot(struct check_page *page, int rank, enum check_kind kind,
                                         op_site site)
{
    enum { PLACES = 4, SETS = CHECK_RECENT / PLACES };
    struct check_record **first =
        &page->recent[(site * UINT64_C(0x9e3779b97f4a7c15) >> 32) % SETS * PLACES];
    for (int i = 0; i < PLACES; i++) {
        if (!first[i]) return &first[i];
        const struct check_actor *actor = first[i]->use.actor;
        if (actor->site == site && actor->kind == kind && actor->rank == rank) return &first[i];
    }
    return &first[site % PLACES];
}

struct check_record *check_recent(struct check_page *page, int rank, enum check_kind kind,
                                  op_site site)
{
    struct check_record *known = page->recent ? *recent_slot(page, rank, kind, site) : NULL;
    if (!known) return NULL;
    const struct check_actor *actor = known->use.actor;
    return actor->site == site && actor->kind == kind && actor->rank == rank ? known : NULL;
}

static void remember(struct check_page *page, const struct check_actor *actor,
                     struct check_record *record)
{
    if (!page->recent) page->recent = g_new0(struct check_record *, CHECK_RECENT);
    struct check_record **slot = recent_slot(page, actor->rank, actor->kind, actor->site);
    if (*slot && *slot != record) check_page_changed(page);
    *slot = record;
}

/* Beside the windows: what a call is given or gives is not there twice, so that nobody asks again.
 */
static bool beside(const struct check_page *page, const struct check_actor *actor, uint32_t from,
                   uint32_t bytes)
{
    const uintptr_t addr = (page->number << CHECK_PAGE_BITS) + from;
    if (page->parts->len > 0 && !actor->call) return false;
    for (guint i = 0; i < page->parts->len; i++) {
        const struct check_part *part = page->parts->pdata[i];
        if (addr < part->base + part->bytes && part->base < addr + bytes) return false;
    }
    return true;
}

static void touch_page(struct check_page *page, const struct check_now *now, uint32_t from,
                       uint32_t bytes)
{
    const struct check_use *use = &now->use;
    bool local = check_local(use->actor->kind) && !use->flight;
    struct check_record *known =
        local ? check_recent(page, use->actor->rank, use->actor->kind, use->actor->site) : NULL;
    bool same = known && known->use.actor == use->actor && known->use.clock == use->clock &&
                known->use.holds == use->holds;
    if (!check_page_judged(page) || (same && check_bits_have(&known->bits, from, bytes))) return;
    const bool blank = page->parts->len > 0 && check_page_blank(page, from, bytes);
    for (guint i = blank ? 0 : page->records->len; i-- > 0;) {
        struct check_record *record = page->records->pdata[i];
        if (page->parts->len == 0 && record->use.flight && record->use.flight->done)
            check_record_drop(page, i); /* a private buffer, free again */
        else if (!check_bits_apart(&record->bits, from, bytes) && may_conflict(&record->use, use))
            against(page, record, now, from, bytes);
    }
    if (local && beside(page, use->actor, from, bytes)) return;
    if (same && check_record_more(page, known, from, bytes)) return;
    struct check_record *record = check_record_add(page, use, from, bytes);
    if (local) remember(page, use->actor, record);
    uintptr_t addr = (page->number << CHECK_PAGE_BITS) + from;
    for (guint i = 0; i < page->parts->len; i++) {
        const struct check_part *part = page->parts->pdata[i];
        if (addr < part->base + part->bytes && part->base < addr + bytes) disjoint(part, now);
    }
}

void check_touch(const struct check_now *now, uintptr_t addr, uint64_t bytes)
{
    while (bytes > 0) {
        uint32_t from = addr & (CHECK_PAGE - 1);
        uint32_t piece = (uint32_t)MIN(bytes, (uint64_t)(CHECK_PAGE - from));
        bool local = check_local(now->use.actor->kind) && !now->use.flight;
        struct check_page *page = local ? check_page_find(addr) : check_page_make(addr);
        if (page) touch_page(page, now, from, piece);
        addr += piece;
        bytes -= piece;
    }
}

void check_touch_there(struct check_now *now, struct check_actor actor, enum check_kind kind,
                       const struct check_buffer *buffer)
{
    actor.kind = kind;
    now->use.actor = check_actor(&actor);
    for (uint32_t i = 0; buffer->layout && i < buffer->layout->pieces; i++)
        check_touch(now, buffer->addr + (uintptr_t)buffer->layout->piece[i].offset,
                    buffer->layout->piece[i].bytes);
}

void check_touch_own(struct check_now *now, struct check_actor actor, enum check_kind kind,
                     const struct check_buffer *buffer, const struct check_stack *stack)
{
    if (!buffer->layout || buffer->layout->bytes == 0) return;
    check_touch_there(now, actor, kind, buffer);
    if (check_writes(now->use.actor)) {
        check_copy_known(actor.rank, buffer->addr + (uintptr_t)buffer->layout->low,
                         (uint64_t)(buffer->layout->high - buffer->layout->low));
        check_copy_fills(&now->use, buffer);
    } else {
        check_copy_keep(&now->use, buffer, stack);
    }
    check_frame_buffer(stack, &now->use, buffer->addr + (uintptr_t)buffer->layout->low,
                       buffer->layout->bytes);
}
