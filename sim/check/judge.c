/* The judge: of two accesses, which rule do they break by touching the same bytes, and are they
 * ordered, or kept apart by locks? */
#include "check/parts.h"

struct check_when check_when(const struct check_use *use)
{
    const struct check_flight *flight = use->flight;
    if (flight && flight->epoch && flight->epoch->kind == CHECK_STARTED &&
        check_remote(use->actor->kind) && check_writes(use->actor))
        return (struct check_when){flight->waiter, flight->waited ? flight->waited : UINT32_MAX};
    return (struct check_when){use->actor->rank, check_done(use)};
}

bool check_ordered(const struct check_use *before, const struct check_now *now)
{
    const struct check_when when = check_when(before);
    return when.clock <= check_clock_of(now->use.actor->rank)[when.rank] ||
           (now->behind && when.clock <= now->behind->of[when.rank]);
}

bool check_sure(const struct check_use *before, const struct check_now *now)
{
    const struct check_when when = check_when(before);
    return when.clock <= check_clock_sure(now->use.actor->rank)[when.rank] ||
           (now->behind && when.clock <= check_clock_sure_of(now->behind)[when.rank]);
}

static bool exclude(const struct check_epoch *a, const struct check_epoch *b)
{
    return a != b && a->win == b->win && !a->nocheck && !b->nocheck &&
           (a->exclusive || b->exclusive) &&
           (a->target == b->target || a->target < 0 || b->target < 0);
}

/* Is it complete when the lock is released? */
static bool inside(const struct check_use *use, const struct check_epoch *epoch)
{
    if (epoch->released) return check_done(use) <= epoch->released;
    return !use->flight || use->flight->done || use->flight->epoch == epoch;
}

bool check_excluded(const struct check_use *before, const struct check_now *now,
                    struct check_exclusion *by)
{
    const struct check_holds *a = before->holds, *b = now->use.holds;
    for (int i = 0; a && b && i < a->n; i++)
        for (int k = 0; k < b->n; k++) {
            struct check_epoch *earlier = a->hold[i];
            if (!exclude(earlier, b->hold[k]) || !inside(before, earlier)) continue;
            *by = (struct check_exclusion){earlier, b->hold[k]};
            return true;
        }
    return false;
}

static bool fetches(const struct check_actor *actor) { return actor->kind == CHECK_FETCH; }

/* Those of one origin: as accumulate_ordering says, by default all, of one datatype (MPI-3.1
 * 11.7.2). */
static bool ordered_accumulates(const struct check_actor *a, const struct check_actor *b)
{
    unsigned lacks = a->win->info;
    return !(fetches(a) && fetches(b) && lacks & CHECK_NO_RAR) &&
           !(a->writes && fetches(b) && lacks & CHECK_NO_RAW) &&
           !(fetches(a) && b->writes && lacks & CHECK_NO_WAR) &&
           !(a->writes && b->writes && lacks & CHECK_NO_WAW);
}

/* MPI-2 11.7 rule 2; accumulate_ops: of two, the same operation or none (MPI-3.1 11.2.1); a swap
 * goes with all, as in MPI-3.1's example of a lock. */
static bool concurrent_accumulates(const struct check_actor *a, const struct check_actor *b)
{
    if (!check_accumulates(a->kind) || !check_accumulates(b->kind)) return false;
    if (a->win != b->win) return false;
    if (a->type != b->type) return false;
    if (a->rank == b->rank && ordered_accumulates(a, b)) return true;
    if (a->op == b->op || a->swap || b->swap) return true;
    return !(a->win->info & CHECK_SAME_OP) && (a->no_op || b->no_op);
}

/* "a put followed by a get (within the same communicator) will do the right thing" */
static bool strictly_ordered(const struct check_actor *a, const struct check_actor *b)
{
    return a->rank == b->rank && a->win == b->win && a->win->info & CHECK_STRICT;
}

static bool atomic(enum check_kind kind)
{
    return kind >= CHECK_ATOMIC_LOAD && kind <= CHECK_ATOMIC_CHANGE;
}

/* The earlier one has the memory until a servicing call ends. Local references "are not permitted",
 * loads included. */
static enum check_rule lent_conflict(const struct check_actor *a, const struct check_actor *b)
{
    if (a->rank != b->rank || !check_lent(a->kind)) return CHECK_FINE;
    bool request = a->kind == CHECK_REQUEST_READ || a->kind == CHECK_REQUEST_WRITE;
    if (!check_lent(b->kind))
        return check_remote(b->kind) ? CHECK_FINE : request ? CHECK_RULE_ORIGIN : CHECK_RULE_RANGE;
    return (a->kind == CHECK_OFFERED && b->kind == CHECK_ACCEPTED) ||
                   (a->kind == CHECK_ACCEPTED && b->kind == CHECK_OFFERED)
               ? CHECK_RULE_SERVICERS
               : CHECK_FINE;
}

enum check_rule check_conflict(const struct check_actor *a, const struct check_actor *b)
{
    if (check_lent(a->kind) || check_lent(b->kind)) return lent_conflict(a, b);
    bool a_writes = check_writes(a), b_writes = check_writes(b);
    if (!a_writes && !b_writes) return CHECK_FINE;
    bool a_buffer = check_buffer_kind(a->kind), b_buffer = check_buffer_kind(b->kind);
    if (a->rank == b->rank && (a_buffer || b_buffer)) return CHECK_RULE_BUFFER;
    bool a_remote = check_remote(a->kind), b_remote = check_remote(b->kind);
    if (a_remote && b_remote)
        return concurrent_accumulates(a, b) || strictly_ordered(a, b) ? CHECK_FINE
                                                                      : CHECK_RULE_TARGET;
    if (!a_remote && !b_remote && a->rank == b->rank) return CHECK_RULE_MESSAGE;
    if (!a_remote && !b_remote)
        return atomic(a->kind) && atomic(b->kind) ? CHECK_FINE : CHECK_RULE_DIRECT;
    bool remote_writes = a_remote ? a_writes : b_writes,
         local_writes = a_remote ? b_writes : a_writes;
    if (!remote_writes) return CHECK_RULE_READ;
    return local_writes ? CHECK_RULE_STORE : CHECK_RULE_LOCAL;
}
