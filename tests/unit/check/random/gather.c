/* Random programs with receives from any source: rank 0 gathers messages of others, who access
 * words before they send, and accesses words in between; what it knows it may pass on. Nothing but
 * messages and barriers orders, so that of all orders only the one of messages matters. */
#include "check/random/plan.h"

#include <string.h>

enum { RANKS = RANKS_OF_PLAN, WORDS = 2, ROUNDS = 2 };

static void add(struct plan *plan, int rank, struct plan_step step)
{
    if (step.words == 0) step.words = 1;
    plan->step[rank][plan->steps[rank]++] = step;
}

static unsigned draw(struct plan *plan, unsigned n) { return plan_draw(&plan->state, n); }

/* One complete operation. */
static void operate(struct plan *plan, int rank)
{
    int target = 2 + (int)draw(plan, 2), word = (int)draw(plan, WORDS);
    add(plan, rank,
        (struct plan_step){.kind = draw(plan, 2) ? PLAN_PUT : PLAN_GET,
                           .target = target,
                           .word = word,
                           .buffer = 1 + (int)draw(plan, 3)});
    add(plan, rank, (struct plan_step){.kind = PLAN_FLUSH, .target = target});
}

static void message(struct plan *plan, int from, int to)
{
    add(plan, from, (struct plan_step){.kind = PLAN_SEND, .target = to});
    add(plan, to, (struct plan_step){.kind = PLAN_RECEIVE, .target = from, .buffer = 4});
}

/* The others send to rank 0, some of them behind another. Returns how many messages. */
static int send(struct plan *plan)
{
    int sent = 0;
    for (int r = 1; r < RANKS; r++) {
        if (r > 1 && draw(plan, 4) == 0) message(plan, r - 1, r);
        if (draw(plan, 3)) operate(plan, r);
        for (unsigned n = draw(plan, 5); n > 2; n--, sent++)
            add(plan, r, (struct plan_step){.kind = PLAN_SEND, .target = 0});
        if (draw(plan, 3) == 0) continue;
        add(plan, r, (struct plan_step){.kind = PLAN_SEND, .target = 0});
        sent++;
    }
    return sent;
}

static void receive(struct plan *plan, int messages)
{
    for (; messages > 0; messages--) {
        add(plan, 0, (struct plan_step){.kind = PLAN_RECEIVE, .target = -1, .buffer = 5});
        if (draw(plan, 3) == 0) operate(plan, 0);
    }
}

void plan_gather(struct plan *plan, uint64_t seed)
{
    memset(plan, 0, sizeof *plan);
    plan->state = seed * 2 + 1;
    for (int r = 0; r < RANKS; r++)
        add(plan, r, (struct plan_step){.kind = PLAN_LOCK, .target = -1});
    for (int round = 1; round <= ROUNDS; round++) {
        receive(plan, send(plan));
        int knows = 1 + (int)draw(plan, RANKS - 1);
        if (draw(plan, 2)) message(plan, 0, knows);
        operate(plan, draw(plan, 2) ? knows : 0);
        bool meet = draw(plan, 2);
        for (int r = 0; meet && r < RANKS; r++)
            add(plan, r, (struct plan_step){.kind = PLAN_COLLECTIVE, .meeting = round});
    }
    for (int r = 0; r < RANKS; r++)
        add(plan, r, (struct plan_step){.kind = PLAN_UNLOCK, .target = -1});
}
