/* The verdict of the check, as violations for the report: one for each pair of source lines. */
#include "check/check.h"
#include "findings/findings.h"
#include "report/source/source.h"
#include "world/block/block.h"
#include "world/build.h"
#include "world/pair/pair.h"
#include "world/place/place.h"

#include <string.h>

static const char *what(const struct check_side *side)
{
    static const char *const name[CHECK_KINDS] = {[CHECK_LOAD] = "load",
                                                  [CHECK_STORE] = "store",
                                                  [CHECK_ATOMIC_LOAD] = "atomic load",
                                                  [CHECK_RELAXED_LOAD] = "relaxed atomic load",
                                                  [CHECK_RELAXED_STORE] = "relaxed atomic store",
                                                  [CHECK_ATOMIC_STORE] = "atomic store",
                                                  [CHECK_ATOMIC_CHANGE] = "atomic operation"};
    return side->call ? side->call : name[side->kind];
}

/* "rank 1's MPI_Put at halo.c:14 (inlined from 'step' at halo.c:40)" */
static char *act(const struct check_side *side)
{
    const char *part = side->kind == CHECK_BUFFER_READ    ? " (its origin buffer)"
                       : side->kind == CHECK_BUFFER_WRITE ? " (the buffer it fills)"
                                                          : "";
    g_autofree char *inlined = report_inlined(world_one.description.program, side->site);
    return g_strdup_printf("rank %d's %s at %s%s%s%s%s", side->rank, what(side),
                           world_place(side->site), *inlined ? " (" : "", inlined,
                           *inlined ? ")" : "", part);
}

/* "; rank 1: exclusive lock from x.c:12 to x.c:19"; nothing without an epoch. */
static char *epoch(const struct check_side *side)
{
    if (!side->epoch) return g_strdup("");
    g_autofree char *from = g_strdup(world_place(side->opened));
    if (!side->closed)
        return g_strdup_printf(" Rank %d: %s from %s, still open.", side->rank, side->epoch, from);
    return g_strdup_printf(" Rank %d: %s from %s to %s.", side->rank, side->epoch, from,
                           world_place(side->closed));
}

/* ", of the block allocated at halo.c:12, from byte 16" */
static char *block(uintptr_t addr)
{
    uint64_t at = 0, bytes;
    op_site site = addr ? world_block_at(addr, &at, &bytes) : 0;
    if (!site) return g_strdup("");
    const char *place = world_place(site);
    if (at == 0) return g_strdup_printf(", of the block allocated at %s", place);
    return g_strdup_printf(", of the block allocated at %s, from byte %" G_GUINT64_FORMAT, place,
                           (guint64)at);
}

/* ", 'board' from byte 16"; where no static variable of the program is, of the heap's block. */
static char *variable(const struct check_finding *f)
{
    int rank = f->owner < 0 ? f->then.rank : f->owner;
    uintptr_t base = world_one.state[rank].rank.proc->cpu->code_base;
    uint64_t at = 0, all = 0;
    g_autofree char *name =
        f->addr >= base && base > 0
            ? report_variable(world_one.description.program, f->addr - base, &at, &all)
            : NULL;
    if (!name && f->stack.pointer)
        name = report_local(world_one.description.program, f->first.site, f->stack.pointer,
                            f->stack.base, f->addr, &at);
    if (!name) return block(f->addr);
    if (at == 0) return g_strdup_printf(", '%s'", name);
    return g_strdup_printf(", '%s' from byte %" G_GUINT64_FORMAT, name, (guint64)at);
}

/* "window 2", "window 2 'ghosts'" */
static char *window(const struct check_finding *f)
{
    return f->name && *f->name ? g_strdup_printf("window %d '%s'", f->window, f->name)
                               : g_strdup_printf("window %d", f->window);
}

static char *bytes(const struct check_finding *f)
{
    g_autofree char *where = variable(f), *win = window(f);
    if (f->window < 0)
        return g_strdup_printf("%" G_GUINT64_FORMAT " byte%s of rank %d's own memory%s",
                               (guint64)f->bytes, f->bytes == 1 ? "" : "s", f->then.rank, where);
    if (f->bytes == 0) return g_strdup_printf("%s of rank %d", win, f->owner);
    return g_strdup_printf(
        "%" G_GUINT64_FORMAT " byte%s at offset %" G_GUINT64_FORMAT " of %s of rank %d%s",
        (guint64)f->bytes, f->bytes == 1 ? "" : "s", (guint64)f->offset, win, f->owner, where);
}

/* " (at x.c:14)" */
static char *receive(const struct check_finding *f)
{
    return f->receive ? g_strdup_printf(" (it is at %s)", world_place(f->receive)) : g_strdup("");
}

static char *message(const struct check_finding *f)
{
    g_autofree char *first = act(&f->first), *then = act(&f->then), *memory = bytes(f),
                    *one = epoch(&f->first), *other = epoch(&f->then), *taken = receive(f);
    /* a call by itself */
    bool alone = f->first.site == f->then.site && f->first.rank == f->then.rank &&
                 f->first.kind == CHECK_KINDS;
    bool call = f->then.kind == CHECK_KINDS;
    g_autofree char *both = alone ? g_strdup_printf("%s (%s)", then, memory)
                            : call
                                ? g_strdup_printf("%s after %s (%s)", then, first, memory)
                                : g_strdup_printf("%s and %s conflict (%s)", first, then, memory);
    bool same = f->first.rank == f->then.rank && strcmp(one, other) == 0;
    return g_strdup_printf("%s: %s%s.%s%s%s%s%s Cure: %s.", both, f->why, taken, one,
                           same ? "" : other, *f->sentence ? " \"" : "", f->sentence,
                           *f->sentence ? "\"" : "", f->cure);
}

/* What the order in which the two came on this machine did to the bytes; NULL: not known. */
static char *effect(const struct check_finding *f)
{
    const struct check_side *early = f->first_came > 0 ? &f->first : &f->then,
                            *late = f->first_came > 0 ? &f->then : &f->first;
    if (f->first_came == 0 || f->class == CHECK_NOTE) return NULL;
    if (!late->writes) return g_strdup("new value read");
    if (!early->writes) return g_strdup("old value read");
    if (late->rank != early->rank) return g_strdup_printf("rank %d's comes last", f->last_rank);
    if (late->site == early->site) return NULL;
    return g_strdup_printf("%s comes last", world_place(f->last_site));
}

/* The lines, whichever came first. */
static char *lines_of(const struct check_finding *f)
{
    g_autofree char *a = g_strdup(world_place(f->first.site)),
                    *b = g_strdup(world_place(f->then.site));
    bool turned = strcmp(a, b) > 0;
    return g_strdup_printf("%s|%s", turned ? b : a, turned ? a : b);
}

static void note(const struct check_finding *f, uint64_t count)
{
    const struct check_pair both = check_pair_of(f);
    bool accesses = f->first.kind < CHECK_KINDS && f->then.kind < CHECK_KINDS && f->bytes > 0;
    g_autofree char *text = message(f), *did = effect(f),
                    *pair = accesses ? check_pair_text(&both) : NULL;
    findings_violation_note(&(struct findings_violation){.rule = f->rule,
                                                         .message = text,
                                                         .class = check_class_name(f->class),
                                                         .call = what(&f->then),
                                                         .rank = f->then.rank,
                                                         .time_s = f->time_s,
                                                         .site = f->then.site,
                                                         .other_rank = f->first.rank,
                                                         .other_call = what(&f->first),
                                                         .other_site = f->first.site,
                                                         .effect = did,
                                                         .pair = pair,
                                                         .count = count});
}

/* Lines that conflict are said once, by the worst they do. */
static void note_class(enum check_class class, GHashTable *said)
{
    g_autoptr(GHashTable) here = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autoptr(GPtrArray) order = g_ptr_array_new();
    for (size_t i = 0; i < check_findings(); i++) {
        const struct check_finding *f = check_finding_get(i);
        if (f->class != class || f->count == 0) continue;
        g_autofree char *lines = lines_of(f);
        if (g_hash_table_contains(said, lines)) continue;
        uint64_t *count = g_hash_table_lookup(here, lines);
        if (!count) {
            g_hash_table_insert(here, g_strdup(lines), count = g_new0(uint64_t, 1));
            g_ptr_array_add(order, (void *)(uintptr_t)f);
        }
        *count += f->count;
    }
    for (guint i = 0; i < order->len; i++) {
        char *lines = lines_of(order->pdata[i]);
        const uint64_t *count = g_hash_table_lookup(here, lines);
        note(order->pdata[i], *count);
        g_hash_table_add(said, lines);
    }
}

/* Ranks that wait for ever: the first of them, and one that waits at another line. */
static void note_deadlock(const struct report_run *run)
{
    const struct report_rank *first = NULL, *other = NULL;
    for (int i = 0; i < run->ranks; i++) {
        const struct report_rank *rank = &run->rank[i];
        if (rank->finished) continue;
        if (!first)
            first = rank;
        else if (!other || (other->site == first->site && rank->site != first->site))
            other = rank;
    }
    if (!first) return;
    g_autofree char *text =
        g_strdup_printf("rank %d waits for ever in %s at %s", (int)(first - run->rank),
                        first->call ? first->call : "the program", world_place(first->site));
    findings_violation_note(&(struct findings_violation){
        .rule = "deadlock",
        .message = text,
        .call = first->call,
        .rank = (int)(first - run->rank),
        .time_s = run->time_s,
        .site = first->site,
        .other_rank = other ? (int)(other - run->rank) : -1,
        .other_call = other ? other->call : NULL,
        .other_site = other ? other->site : 0,
    });
}

bool world_verdict(const struct world_description *d, struct report_run *run)
{
    if (!check_on) return false;
    if (run->end == REPORT_DEADLOCK) note_deadlock(run);
    check_end();
    g_autoptr(GHashTable) said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    size_t before = findings_violation_count();
    note_class(CHECK_ERROR, said);
    size_t errors = findings_violation_count() - before;
    note_class(CHECK_SEPARATE, said);
    size_t separate = findings_violation_count() - before - errors;
    note_class(CHECK_NOTE, said);
    size_t notes = findings_violation_count() - before - errors - separate;
    struct check_totals totals = check_totals();
    bool unified = !d->rules || strcmp(d->rules, "unified") == 0;
    run->check = (struct report_check){.on = true,
                                       .rules = d->rules ? d->rules : "unified",
                                       .accesses = totals.accesses,
                                       .epochs = totals.epochs,
                                       .coarse_bytes = totals.coarse_bytes,
                                       .folded_bytes = totals.folded_bytes,
                                       .errors = errors,
                                       .separate = separate,
                                       .notes = notes};
    run->check.pair = world_pairs_seen(&run->check.pairs);
    return before + errors + (unified ? 0 : separate) > 0; /* before: those of calls */
}
