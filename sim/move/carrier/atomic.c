/* atomic: where read-modify-writes of one target's memory wait for each other.
 *
 * An interface that does arithmetic on a word has ni.atomic_units units; 8-byte words are dealt out
 * to them by address, and a unit does one at a time, in order of arrival (RDMA interfaces hold an
 * internal lock that some bits of the address choose: Wang, Lu and Shu, Sherman, SIGMOD 2022).
 * Other accumulates hold a lock: one for each rank's memory, taken by an atomic swap and given in
 * the order of the first swaps. Left out: the traffic of the losers' further swaps, and the time
 * from the unlock to the next of them. */
#include "move/carrier/atomic.h"

enum { WORD_BYTES = 8 };

struct lock;
struct waiter {
    struct serve_proc *proc;
    struct lock *lock;
    bool granted;
    struct waiter *next;
};
struct lock {
    bool held;
    double since_s, held_s; /* taken; held before, in all */
    uint64_t times;
    struct waiter *first, *last;
};
/* One unit of an interface. */
struct unit {
    double free_s, busy_s; /* from when on; for how long so far */
    uint64_t last;         /* the operation that had it last: its number */
};
struct move_atomics {
    struct unit *unit; /* ni.atomic_units a rank */
    struct lock *lock; /* by rank */
    uint64_t operations;
};

static struct move_atomics *atomics_of(struct move *move)
{
    if (!move->atomics) {
        const gsize units = (gsize)move->ranks * (gsize)move->mach->ni_atomic_units;
        move->atomics = g_new0(struct move_atomics, 1);
        move->atomics->unit = g_new0(struct unit, units);
        move->atomics->lock = g_new0(struct lock, move->ranks);
    }
    return move->atomics;
}

void move_atomics_free(struct move *move)
{
    if (!move->atomics) return;
    g_free(move->atomics->unit);
    g_free(move->atomics->lock);
    g_free(move->atomics);
}

static struct unit *unit_of(const struct move_transfer *t, uintptr_t addr)
{
    const uint64_t units = (uint64_t)t->move->mach->ni_atomic_units;
    return &atomics_of(t->move)
                ->unit[(uint64_t)t->target->node * units + addr / WORD_BYTES % units];
}

double move_atomic_units(const struct move_transfer *t, double arrived_s, double takes_s)
{
    const struct op_layout *layout = &t->op.to.layout;
    const uint64_t units = (uint64_t)t->move->mach->ni_atomic_units;
    const uint64_t number = ++atomics_of(t->move)->operations;
    double begin_s = arrived_s;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < layout->pieces; i++) {
            const uintptr_t first = t->op.to.addr + (uintptr_t)layout->piece[i].offset,
                            end = first + MIN(layout->piece[i].bytes, units * WORD_BYTES);
            for (uintptr_t addr = first - first % WORD_BYTES; addr < end; addr += WORD_BYTES) {
                struct unit *unit = unit_of(t, addr);
                if (pass == 0) {
                    begin_s = fmax(begin_s, unit->free_s);
                    continue;
                }
                if (unit->last != number) unit->busy_s += takes_s;
                unit->last = number;
                unit->free_s = begin_s + takes_s;
            }
        }
    return begin_s + takes_s;
}

/* ---- the lock -------------------------------------------------------------------------------- */

static struct lock *lock_of(const struct move_transfer *t)
{
    return &atomics_of(t->move)->lock[t->target->rank];
}

static bool is_granted(void *data)
{
    const struct waiter *waiter = data;
    return waiter->granted;
}

static void take(struct lock *lock, struct waiter *waiter)
{
    waiter->granted = !lock->held;
    if (waiter->granted) {
        lock->held = true;
        lock->since_s = kern_now();
    } else if (lock->last) {
        lock->last = lock->last->next = waiter;
    } else {
        lock->first = lock->last = waiter;
    }
    lock->times++;
}

static void swapped(void *data, double at_s)
{
    struct waiter *waiter = data;
    (void)at_s;
    take(waiter->lock, waiter);
    if (waiter->granted) kern_gate_open(waiter->proc->gate);
}

/* Of those that swap at one date the lower rank is first, whoever ran ahead. */
void move_atomic_lock(const struct move_transfer *t)
{
    struct waiter waiter = {.proc = t->origin, .lock = lock_of(t)};
    serve_pay(t->origin);
    if (kern_alone_until(t->origin->rank) > kern_now()) {
        take(waiter.lock, &waiter);
        if (waiter.granted) return;
    } else {
        kern_at_turn(kern_now(), 1 + t->origin->rank, KERN_ATOMIC, swapped, &waiter);
    }
    serve_wait(t->origin, PROFILE_ATOMIC, is_granted, &waiter);
}

/* It passes to the next without being free in between. */
static void released(void *data, double at_s)
{
    struct lock *lock = data;
    struct waiter *next = lock->first;
    lock->held_s += at_s - lock->since_s;
    lock->since_s = at_s;
    lock->held = next != NULL;
    if (!next) return;
    lock->first = next->next;
    if (!lock->first) lock->last = NULL;
    next->granted = true;
    kern_gate_open(next->proc->gate);
}

void move_atomic_unlock(const struct move_transfer *t, double at_s)
{
    kern_at(at_s, KERN_ATOMIC, t->target->rank, released, lock_of(t));
}

/* ---- what they were used for ----------------------------------------------------------------- */

bool move_atomic_use(const struct move *move, int node, int i, struct base_use *use)
{
    const int units = (int)move->mach->ni_atomic_units;
    const struct unit *unit = move->atomics ? &move->atomics->unit[node * units + i] : NULL;
    if (!unit || unit->busy_s <= 0) return false;
    *use = (struct base_use){.busy_s = unit->busy_s};
    g_snprintf(use->name, sizeof use->name, "atomic unit %d of node %d", i, node);
    return true;
}

bool move_lock_use(const struct move *move, int rank, struct base_use *use)
{
    const struct lock *lock = move->atomics ? &move->atomics->lock[rank] : NULL;
    if (!lock || lock->times == 0) return false;
    *use = (struct base_use){.messages = lock->times, .busy_s = lock->held_s};
    g_snprintf(use->name, sizeof use->name, "lock of accumulates of rank %d", rank);
    return true;
}
