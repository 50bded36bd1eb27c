/* Watching: references of the program to memory that PUT/ACCEPT forbids it meanwhile
 * ("Non-conformance").
 *
 * The hooks' fast filters answer for lines they know; a watched line is taken out of them after
 * each access, so that the next one is asked about here. What a library loads and stores for the
 * program counts as the program's.
 */
#include "sync/guard/guard.h"
#include "base/ranges/ranges.h"
#include "check/check.h"
#include "findings/findings.h"

#include <string.h>

struct sync_guard {
    struct base_range range; /* from the first byte to the last one; its owner: cpu */
    uint64_t times;          /* added so often, alike */
    struct mem_cpu *cpu;
    GArray *span; /* struct span: what of it is watched, in order */
    const char *rule, *call;
    op_site site;
    uint64_t number;
};

int sync_guards;

static struct base_ranges *guards;

static uint64_t owner_of(const struct mem_cpu *cpu) { return (uint64_t)(uintptr_t)cpu; }

struct span {
    uintptr_t addr, end;
};

static int by_address(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    return (x->addr > y->addr) - (x->addr < y->addr);
}

/* A datatype's pieces in order of their addresses, those that meet made one: what lies between them
 * is not watched. */
static GArray *spans_of(uintptr_t addr, const struct op_layout *layout)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(struct span));
    for (uint32_t i = 0; i < layout->pieces; i++) {
        const struct op_piece *p = &layout->piece[i];
        struct span span = {addr + (uintptr_t)p->offset, addr + (uintptr_t)p->offset + p->bytes};
        g_array_append_val(all, span);
    }
    g_array_sort(all, by_address);
    guint kept = 0;
    for (guint i = 1; i < all->len; i++) {
        struct span *last = &g_array_index(all, struct span, kept),
                    *next = &g_array_index(all, struct span, i);
        if (next->addr <= last->end)
            last->end = MAX(last->end, next->end);
        else
            g_array_index(all, struct span, ++kept) = *next;
    }
    g_array_set_size(all, MIN(all->len, kept + 1));
    return all;
}

static bool same_spans(const GArray *a, const GArray *b)
{
    return a->len == b->len && memcmp(a->data, b->data, a->len * sizeof(struct span)) == 0;
}

/* Looks for one that is like `fresh`. */
struct alike {
    const struct sync_guard *fresh;
    struct sync_guard *found;
};

static bool is_alike(struct base_range *range, void *data)
{
    struct alike *alike = data;
    struct sync_guard *guard = (struct sync_guard *)range;
    const struct sync_guard *fresh = alike->fresh;
    if (!guard->number && guard->site == fresh->site && guard->call == fresh->call &&
        guard->rule == fresh->rule && same_spans(guard->span, fresh->span))
        alike->found = guard;
    return alike->found != NULL;
}

/* One that a loop issues again and again for the same bytes is watched once; the check has a number
 * for each. */
static struct sync_guard *again(const struct sync_guard *fresh)
{
    struct alike alike = {.fresh = fresh};
    if (fresh->number) return NULL;
    base_ranges_each(guards, fresh->range.owner, fresh->range.base, fresh->range.base + 1, is_alike,
                     &alike);
    if (alike.found) alike.found->times++;
    return alike.found;
}

struct sync_guard *sync_guard_add(struct mem_cpu *cpu, uintptr_t addr,
                                  const struct op_layout *layout, const char *rule,
                                  const char *call, op_site site, uint64_t number)
{
    if (layout->bytes == 0) return NULL;
    if (!guards) guards = base_ranges_new();
    GArray *span = spans_of(addr, layout);
    struct sync_guard fresh = {.range = {.base = g_array_index(span, struct span, 0).addr,
                                         .end = g_array_index(span, struct span, span->len - 1).end,
                                         .owner = owner_of(cpu)},
                               .times = 1,
                               .cpu = cpu,
                               .span = span,
                               .rule = rule,
                               .call = call,
                               .site = site,
                               .number = number};
    mem_watched = ++sync_guards;
    struct sync_guard *guard = again(&fresh);
    if (guard) {
        g_array_free(span, TRUE);
        return guard;
    }
    guard = g_memdup2(&fresh, sizeof fresh);
    base_ranges_add(guards, &guard->range);
    return guard;
}

static void forget(struct sync_guard *guard)
{
    base_ranges_remove(guards, &guard->range);
    g_array_free(guard->span, TRUE);
    g_free(guard);
}

void sync_guard_remove(struct sync_guard *guard, op_site at)
{
    if (!guard) return;
    if (guard->number && check_on) check_given_back(guard->number, at);
    mem_watched = --sync_guards;
    if (--guard->times == 0) forget(guard);
}

/* Their processors are gone. */
void sync_guards_clear(void)
{
    for (struct base_range *range; (range = base_ranges_one(guards));)
        forget((struct sync_guard *)range);
    mem_watched = sync_guards = 0;
}

/* More lines than filters: all of them. */
void sync_guard_filters(const struct sync_guard *guard)
{
    struct mem_cpu *cpu = guard->cpu;
    uint64_t first = (uint64_t)guard->range.base >> cpu->filter.line_shift,
             last = (uint64_t)(guard->range.end - 1) >> cpu->filter.line_shift;
    for (uint64_t line = first; line <= last && line < first + MEM_FILTER; line++)
        cpu->filter.load_ok[line & (MEM_FILTER - 1)] =
            cpu->filter.store_ok[line & (MEM_FILTER - 1)] = ~UINT64_C(0);
}

static void note(const struct sync_guard *guard, uintptr_t addr, op_site site, double time_s)
{
    if (guard->number) return;
    g_autofree char *what = g_strdup_printf("the program touched memory that belongs to a %s until "
                                            "the matching servicing call is complete",
                                            guard->call);
    findings_violation_note(&(struct findings_violation){.rule = guard->rule,
                                                         .message = what,
                                                         .rank = guard->cpu->rank,
                                                         .time_s = time_s,
                                                         .site = site,
                                                         .addr = addr,
                                                         .other_rank = guard->cpu->rank,
                                                         .other_call = guard->call,
                                                         .other_site = guard->site});
}

static bool touches(const struct sync_guard *guard, uintptr_t addr, uintptr_t end)
{
    /* the first span that ends behind addr is in [low, high] */
    guint low = 0, high = guard->span->len;
    while (low < high) {
        guint middle = (low + high) / 2;
        if (g_array_index(guard->span, struct span, middle).end > addr)
            high = middle;
        else
            low = middle + 1;
    }
    return low < guard->span->len && g_array_index(guard->span, struct span, low).addr < end;
}

/* An access, and the lines that it lies in. */
struct look {
    struct mem_cpu *cpu;
    uintptr_t addr, end, low, high;
    op_site site;
    double time_s;
};

static bool look_at(struct base_range *range, void *data)
{
    const struct look *look = data;
    const struct sync_guard *guard = (const struct sync_guard *)range;
    struct mem_filter *filter = &look->cpu->filter;
    if (touches(guard, look->addr, look->end))
        note(guard, MAX(look->addr, range->base), look->site, look->time_s);
    for (uintptr_t at = look->low; at < look->high; at += (uintptr_t)1 << filter->line_shift) {
        uint64_t slot = (uint64_t)at >> filter->line_shift & (MEM_FILTER - 1);
        filter->load_ok[slot] = filter->store_ok[slot] = ~UINT64_C(0);
    }
    return false;
}

void sync_guard_check(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, op_site site,
                      double time_s)
{
    uintptr_t line = ((uintptr_t)1 << cpu->filter.line_shift) - 1;
    struct look look = {cpu,  addr,  addr + bytes, addr & ~line, (addr + bytes + line) & ~line,
                        site, time_s};
    base_ranges_each(guards, owner_of(cpu), look.low, look.high, look_at, &look);
}
