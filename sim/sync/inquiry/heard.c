/* What a rank that waits for a message hears of those that are sent to it. A message has come when
 * its first byte is there; SMPI has it from when it is sent. */
#include "sync/inquiry/inquiry.h"
#include "sync/machine/machine.h"

#include <math.h>

struct heard {
    struct serve_proc *proc;
    int waiting;   /* calls of it that wait for a message */
    uint64_t come; /* while one waited */
};
static struct heard *heard; /* by rank, of these carriers */
static const struct move *carriers;

static struct heard *heard_by(int rank)
{
    if (carriers != sync_move()) {
        carriers = sync_move();
        g_free(heard);
        heard = g_new0(struct heard, carriers->ranks);
    }
    heard[rank].proc = carriers->proc[rank];
    return &heard[rank];
}

static void come(void *data, double at_s)
{
    (void)at_s;
    struct heard *h = data;
    h->come++;
    kern_gate_open(h->proc->gate);
}

void sync_message_leaves(struct serve_proc *me, int to)
{
    struct heard *h = heard_by(to);
    if (!h->waiting) return;
    kern_at(serve_now(me) + me->mach->net_overhead_send + move_latency(carriers, me->rank, to),
            come, h);
}

void sync_message_await(struct serve_proc *me, bool begin)
{
    heard_by(me->rank)->waiting += begin ? 1 : -1;
}

uint64_t sync_message_come(const struct serve_proc *me) { return heard_by(me->rank)->come; }
