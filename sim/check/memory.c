/* Memory goes: what is detached, freed or a returned function's while an operation or a window
 * still has it. */
#include "check/copy.h"
#include "check/frame.h"
#include "check/parts.h"

/* The end of one piece of memory. */
struct going {
    enum check_rule rule; /* broken by operations in flight */
    int rank;
    const char *call;
    op_site site;
    double time_s;
};

static bool still_used(const struct going *g, const struct check_record *record)
{
    const struct check_use *use = &record->use;
    if (!use->flight) return false;
    const struct check_actor gone = {.rank = g->rank, .kind = CHECK_CALL_STORE};
    const struct check_now now = {.use = {.actor = &gone}};
    return !check_ordered(use, &now);
}

static bool leave_page(const struct going *g, uintptr_t addr, uint32_t bytes)
{
    struct check_page *page = check_page_find(addr);
    uint32_t from = addr & (CHECK_PAGE - 1), first;
    bool used = false;
    for (guint i = page ? page->records->len : 0; i-- > 0;) {
        const struct check_record *record = page->records->pdata[i];
        uint32_t both = check_bits_overlap(&record->bits, from, bytes, &first);
        if (both == 0 || !still_used(g, record)) continue;
        uintptr_t at = (page->number << CHECK_PAGE_BITS) + first;
        const struct check_part *part = check_part_at(page, at, -1);
        const struct check_at where = {part ? part->win : NULL, g->rank, part ? at - part->base : 0,
                                       both};
        check_note_call(g->rule, g->rank, g->call, g->site, &record->use, &where, g->time_s);
        check_record_take(page, i, from, bytes);
        used = true;
    }
    return used;
}

/* Was it still used? */
static bool leave(const struct going *g, uintptr_t addr, uint64_t bytes)
{
    bool used = false;
    for (uintptr_t at = addr, next; at < addr + bytes; at = next) {
        next = MIN((at | (CHECK_PAGE - 1)) + 1, addr + bytes);
        used |= leave_page(g, at, (uint32_t)(next - at));
    }
    return used;
}

void check_detach(const void *key, int win_rank, uintptr_t base, op_site site, double time_s)
{
    struct check_member *m = &check_window_find(key)->member[win_rank];
    const struct going g = {CHECK_RULE_DETACHED, m->rank, "MPI_Win_detach", site, time_s};
    for (struct check_part *part = m->parts; part; part = part->next) {
        if (part->base != base) continue;
        leave(&g, base, part->bytes);
        struct check_part gone = *part;
        gone.call = g.call;
        gone.site = site;
        check_array_add(&m->detached, &gone, sizeof gone);
        check_part_remove(m, part);
        return;
    }
}

/* A window still has it. */
static void note_lent(const struct going *g, const struct check_part *part)
{
    const struct check_actor lent = {
        .rank = part->rank, .kind = CHECK_KINDS, .site = part->site, .call = part->call};
    const struct check_use use = {.actor = check_actor(&lent)};
    const struct check_at where = {part->win, g->rank, 0, part->bytes};
    check_note_call(CHECK_RULE_FREED_WINDOW, g->rank, g->call, g->site, &use, &where, g->time_s);
}

bool check_freed(int rank, uintptr_t addr, uint64_t bytes, const char *call, op_site site,
                 double time_s)
{
    const struct going g = {CHECK_RULE_FREED, rank, call, site, time_s};
    check_copy_known(rank, addr, bytes);
    const bool used = leave(&g, addr, bytes);
    for (uintptr_t at = addr; at < addr + bytes; at = (at | (CHECK_PAGE - 1)) + 1) {
        const struct check_page *page = check_page_find(at);
        for (guint i = 0; page && i < page->parts->len; i++) {
            const struct check_part *part = page->parts->pdata[i];
            if (part->rank != rank || part->base >= addr + bytes ||
                addr >= part->base + part->bytes)
                continue;
            note_lent(&g, part);
            return true;
        }
    }
    return used;
}

void check_unwound(int rank, uintptr_t low, const char *call, op_site site, double time_s)
{
    const struct check_use *use;
    struct check_at at = {.owner = rank};
    while ((use = check_frame_below(rank, low, &at.offset, &at.bytes))) {
        check_note_call(check_local(use->actor->kind) ? CHECK_RULE_RETURNED_MESSAGE
                                                      : CHECK_RULE_RETURNED,
                        rank, call, site, use, &at, time_s);
        const struct check_use gone = *use;
        check_frame_reported(&gone, at.offset, at.bytes);
    }
}
