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

struct waiter {
    struct serve_proc *proc;
    bool granted;
    struct waiter *next;
};
struct lock {
    bool held;
    struct waiter *first, *last;
};
struct move_atomics {
    double *free_s;    /* when each unit is: ni.atomic_units a rank */
    struct lock *lock; /* by rank */
};

static struct move_atomics *atomics_of(struct move *move)
{
    if (!move->atomics) {
        move->atomics = g_new(struct move_atomics, 1);
        move->atomics->free_s =
            g_new0(double, (gsize)move->ranks *(gsize)move->mach->ni_atomic_units);
        move->atomics->lock = g_new0(struct lock, move->ranks);
    }
    return move->atomics;
}

void move_atomics_free(struct move *move)
{
    if (!move->atomics) return;
    g_free(move->atomics->free_s);
    g_free(move->atomics->lock);
    g_free(move->atomics);
}

static double *unit_of(const struct move_transfer *t, uintptr_t addr)
{
    const uint64_t units = (uint64_t)t->move->mach->ni_atomic_units;
    return &atomics_of(t->move)
                ->free_s[(uint64_t)t->target->node * units + addr / WORD_BYTES % units];
}

double move_atomic_units(const struct move_transfer *t, double arrived_s, double takes_s)
{
    const struct op_layout *layout = &t->op.to.layout;
    const uint64_t units = (uint64_t)t->move->mach->ni_atomic_units;
    double begin_s = arrived_s;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < layout->pieces; i++) {
            const uintptr_t first = t->op.to.addr + (uintptr_t)layout->piece[i].offset,
                            end = first + MIN(layout->piece[i].bytes, units * WORD_BYTES);
            for (uintptr_t addr = first - first % WORD_BYTES; addr < end; addr += WORD_BYTES) {
                double *free_s = unit_of(t, addr);
                if (pass == 0)
                    begin_s = fmax(begin_s, *free_s);
                else
                    *free_s = begin_s + takes_s;
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

void move_atomic_lock(const struct move_transfer *t)
{
    struct lock *lock = lock_of(t);
    struct waiter waiter = {.proc = t->origin};
    serve_pay(t->origin);
    if (lock->held) {
        if (lock->last)
            lock->last->next = &waiter;
        else
            lock->first = &waiter;
        lock->last = &waiter;
        serve_wait(t->origin, is_granted, &waiter);
    }
    lock->held = true;
}

/* It passes to the next without being free in between. */
static void released(void *data, double at_s)
{
    (void)at_s;
    struct lock *lock = data;
    struct waiter *next = lock->first;
    lock->held = next != NULL;
    if (!next) return;
    lock->first = next->next;
    if (!lock->first) lock->last = NULL;
    next->granted = true;
    kern_gate_open(next->proc->gate);
}

void move_atomic_unlock(const struct move_transfer *t, double at_s)
{
    kern_at(at_s, released, lock_of(t));
}
