/* Threads that pass a baton: at any time one of them runs. */
#include "kern_fake/kern_fake.h"

#include "kern/event.h"

#include <math.h>

struct actor {
    int rank;
    GThread *thread;
    GCond turn;
    bool runs, ended;
    void (*body)(int rank, void *data);
    void *data;
};
struct kern_gate {
    struct actor *waiter;
    const struct kern_cause *cause;
    kern_date came;
};

static GMutex baton;
static GCond all_over;
static bool over, handling; /* nothing is left to happen; an event is being handled */
static struct actor *next;  /* to whom an event gave the baton; NULL: to nobody */
static struct kern_events events;
static double now_s;
static struct kern_route only_route = {1e-6, 1e9};
static GPrivate self_key;

double kern_now(void) { return now_s; }

double kern_alone_until(int me)
{
    (void)me;
    const struct kern_event *first = kern_events_first(&events);
    return first ? first->time_s : HUGE_VAL;
}

int kern_rank(void)
{
    struct actor *self = g_private_get(&self_key);
    return self && !handling ? self->rank : -1;
}

/* ---- the baton: all with the mutex held ------------------------------------------------------ */

static void resume(void *data, double time_s)
{
    (void)time_s;
    next = data;
}

/* Whoever has nothing to do handles events until one of them resumes a rank, often himself: no
 * thread is woken for that. */
static void pass_on(const struct actor *self)
{
    handling = true;
    for (next = NULL; !next && kern_events_first(&events);) {
        struct kern_event event = kern_events_take(&events);
        now_s = event.time_s;
        kern_cause_handle(event.cause);
        event.handle(event.data, event.time_s);
        kern_cause_handle(NULL);
        kern_cause_unref(event.cause);
    }
    handling = false;
    over = !next;
    if (over)
        g_cond_signal(&all_over);
    else
        next->runs = true;
    if (next && next != self) g_cond_signal(&next->turn);
}

static void block(struct actor *self)
{
    self->runs = false;
    pass_on(self);
    while (!self->runs) g_cond_wait(&self->turn, &baton);
}

static gpointer actor_main(gpointer data)
{
    struct actor *self = data;
    g_private_set(&self_key, self);
    g_mutex_lock(&baton);
    while (!self->runs) g_cond_wait(&self->turn, &baton);
    self->body(self->rank, self->data);
    self->ended = true;
    pass_on(self);
    g_mutex_unlock(&baton);
    return NULL;
}

/* ---- the door -------------------------------------------------------------------------------- */

void kern_sleep_until(int me, double time_s)
{
    struct actor *self = g_private_get(&self_key);
    g_assert(self && self->rank == me);
    if (time_s <= now_s) return;
    kern_events_add(&events, time_s, 0, self->rank, NULL, resume, self);
    block(self);
}

bool kern_wait_turn(int me, double time_s)
{
    kern_sleep_until(me, time_s);
    return true;
}

void kern_turn_firm(int rank) { (void)rank; }

struct kern_gate *kern_gate_new(void) { return g_new0(struct kern_gate, 1); }

void kern_gate_free(struct kern_gate *gate)
{
    if (gate) kern_cause_unref(gate->cause);
    g_free(gate);
}

void kern_gate_wait(struct kern_gate *gate)
{
    gate->waiter = g_private_get(&self_key);
    g_assert(gate->waiter);
    block(gate->waiter);
}

void kern_gate_open(struct kern_gate *gate)
{
    if (kern_graph_on) kern_cause_also(&gate->came, kern_rank(), kern_now(), kern_now());
    if (!gate->waiter) return;
    kern_events_add(&events, now_s, 0, kern_rank(), NULL, resume, gate->waiter);
    kern_cause_unref(gate->cause);
    gate->cause = kern_cause_here(kern_rank(), now_s);
    gate->waiter = NULL;
}

const struct kern_cause *kern_gate_cause(const struct kern_gate *gate) { return gate->cause; }

kern_date kern_gate_came(struct kern_gate *gate)
{
    const kern_date came = gate->came;
    gate->came = 0;
    return came;
}

static void at(double time_s, int turn, enum kern_what what, int rank, kern_handler handle,
               void *data)
{
    const struct kern_cause *here = kern_cause_here(kern_rank(), now_s);
    g_assert(time_s >= now_s);
    kern_events_add(&events, time_s, turn, kern_rank(),
                    kern_cause_event(here, what, rank, now_s, time_s), handle, data);
    kern_cause_unref(here);
}

void kern_at(double time_s, enum kern_what what, int rank, kern_handler handle, void *data)
{
    at(time_s, 0, what, rank, handle, data);
}

void kern_at_turn(double time_s, int turn, enum kern_what what, kern_handler handle, void *data)
{
    at(time_s, turn, what, -1, handle, data);
}

void kern_fake_route(double latency_s, double bandwidth_bytes_per_s)
{
    only_route = (struct kern_route){latency_s, bandwidth_bytes_per_s};
}

struct kern_route kern_route(int from_node, int to_node)
{
    (void)from_node, (void)to_node;
    return only_route;
}

bool kern_with_nobody(const void *request) { return (void)request, false; }
int kern_queued(const void *request, int ranks) { return (void)request, (void)ranks, 0; }
size_t kern_handed(void) { return 0; }

int kern_fake_run(int ranks, void (*body)(int rank, void *data), void *data)
{
    struct actor *actors = g_new0(struct actor, ranks);
    now_s = 0;
    g_mutex_lock(&baton);
    for (int rank = 0; rank < ranks; rank++) {
        actors[rank].rank = rank;
        actors[rank].body = body;
        actors[rank].data = data;
        g_cond_init(&actors[rank].turn);
        kern_events_add(&events, 0, 0, rank, NULL, resume, &actors[rank]);
        actors[rank].thread = g_thread_new("rank", actor_main, &actors[rank]);
    }
    for (pass_on(NULL); !over;) g_cond_wait(&all_over, &baton);
    g_mutex_unlock(&baton);
    int waiting = 0;
    for (int rank = 0; rank < ranks; rank++) {
        if (!actors[rank].ended)
            waiting++;
        else
            g_thread_join(actors[rank].thread);
    }
    kern_events_clear(&events);
    kern_cause_clear();
    if (waiting == 0) g_free(actors); /* abandoned threads still hold theirs */
    return waiting;
}
