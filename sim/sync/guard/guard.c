/* Watching: references of the program to memory that PUT/ACCEPT forbids it meanwhile
 * ("Non-conformance").
 *
 * The hooks' fast filters answer for lines they know; a watched line is taken out of them after
 * each access, so that the next one is asked about here. What a library loads and stores for the
 * program counts as the program's.
 */
#include "sync/guard/guard.h"
#include "check/check.h"
#include "findings/findings.h"

struct sync_guard {
    guint at; /* its place among the guards */
    struct mem_cpu *cpu;
    uintptr_t addr, end; /* from the first byte to the last one */
    GArray *span;        /* struct span: what of it is watched, in order */
    const char *rule, *call;
    op_site site;
    uint64_t number;
};

int sync_guards;

/* What is looked at of each, side by side: a program may have thousands. */
struct range {
    struct mem_cpu *cpu;
    uintptr_t addr, end;
    struct sync_guard *guard;
};
static GArray *guards;
static struct range *nth(guint i) { return &g_array_index(guards, struct range, i); }

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

struct sync_guard *sync_guard_add(struct mem_cpu *cpu, uintptr_t addr,
                                  const struct op_layout *layout, const char *rule,
                                  const char *call, op_site site, uint64_t number)
{
    if (layout->bytes == 0) return NULL;
    struct sync_guard *guard = g_new(struct sync_guard, 1);
    GArray *span = spans_of(addr, layout);
    if (!guards) guards = g_array_new(FALSE, FALSE, sizeof(struct range));
    *guard = (struct sync_guard){.at = guards->len,
                                 .cpu = cpu,
                                 .addr = g_array_index(span, struct span, 0).addr,
                                 .end = g_array_index(span, struct span, span->len - 1).end,
                                 .span = span,
                                 .rule = rule,
                                 .call = call,
                                 .site = site,
                                 .number = number};
    const struct range range = {cpu, guard->addr, guard->end, guard};
    g_array_append_val(guards, range);
    mem_watched = ++sync_guards;
    return guard;
}

static void forget(struct sync_guard *guard)
{
    nth(guards->len - 1)->guard->at = guard->at;
    g_array_remove_index_fast(guards, guard->at);
    mem_watched = --sync_guards;
    g_array_free(guard->span, TRUE);
    g_free(guard);
}

void sync_guard_remove(struct sync_guard *guard, op_site at)
{
    if (!guard) return;
    if (guard->number && check_on) check_given_back(guard->number, at);
    forget(guard);
}

/* Their processors are gone. */
void sync_guards_clear(void)
{
    while (guards && guards->len > 0) forget(nth(guards->len - 1)->guard);
}

/* More lines than filters: all of them. */
void sync_guard_filters(const struct sync_guard *guard)
{
    struct mem_cpu *cpu = guard->cpu;
    uint64_t first = (uint64_t)guard->addr >> cpu->filter.line_shift,
             last = (uint64_t)(guard->end - 1) >> cpu->filter.line_shift;
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

void sync_guard_check(struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes, op_site site,
                      double time_s)
{
    uintptr_t line = ((uintptr_t)1 << cpu->filter.line_shift) - 1, low = addr & ~line,
              high = (addr + bytes + line) & ~line;
    for (guint i = 0; i < guards->len; i++) {
        if (nth(i)->cpu != cpu || high <= nth(i)->addr || nth(i)->end <= low) continue;
        const struct sync_guard *guard = nth(i)->guard;
        if (touches(guard, addr, addr + bytes)) note(guard, MAX(addr, guard->addr), site, time_s);
        for (uintptr_t at = low; at < high; at += line + 1) {
            uint64_t slot = (uint64_t)at >> cpu->filter.line_shift & (MEM_FILTER - 1);
            cpu->filter.load_ok[slot] = cpu->filter.store_ok[slot] = ~UINT64_C(0);
        }
    }
}
