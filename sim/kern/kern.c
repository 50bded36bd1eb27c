/* The clock and the actors, on SimGrid 3.32. Names that later releases change live here and in
 * launch.c.
 *
 * SimGrid's C interface has no timers, so one daemon actor keeps the heap of dates: it sleeps until
 * the first, and is woken when an earlier one is added. A whole round costs about 1.3 us of host
 * time, a sleep 0.65 us (measured). */
#include "kern/kern.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/semaphore.h>

#include "kern/clock.h"
#include "kern/event.h"
#include "kern/helper_host.h"
#include "kern/idle.h"
#include "kern/turns.h"

#include <math.h>

/* surf/precision: dates nearer than this are the same to SimGrid. */
#define PRECISION_S 1e-12

static struct kern_events events;
static sg_sem_t daemon_sem; /* the daemon waits here */
static bool daemon_started, daemon_waits;

double kern_now(void) { return kern_clock(); }

int kern_rank(void)
{
    sg_actor_t self = sg_actor_self();
    if (!self) return -1;
    /* SMPI names its actors by rank; each asks again and again */
    enum { UNKNOWN = 0, NONE = 1, RANK = 2 };
    static GArray *of_number;
    if (!of_number) of_number = g_array_new(FALSE, TRUE, sizeof(int));
    const aid_t number = sg_actor_get_pid(self);
    if (number >= of_number->len) g_array_set_size(of_number, (guint)number + 1);
    int *is = &g_array_index(of_number, int, number);
    if (*is == UNKNOWN) {
        const char *name = sg_actor_get_name(self);
        *is = g_ascii_isdigit(name[0]) ? RANK + atoi(name) : NONE;
    }
    return *is - RANK;
}

/* ---- when ranks act -------------------------------------------------------------------------- */

/* Until then nothing is to be handled. */
static double nothing_until(void)
{
    /* a handler under way may let others go on, one after the other */
    if (daemon_sem && !daemon_waits) return kern_now();
    const struct kern_event *first = kern_events_first(&events);
    return first ? first->time_s : HUGE_VAL;
}

double kern_alone_until(int me)
{
    const double now_s = kern_now();
    const double nothing_s = nothing_until();
    if (nothing_s <= now_s) return now_s;
    const double idle_s = kern_idle_least(me);
    return MAX(MIN(nothing_s, idle_s), now_s);
}

void kern_sleep_until(int me, double time_s)
{
    double left = time_s - kern_now();
    if (left <= PRECISION_S / 2) return;
    kern_idle(me, time_s);
    kern_turns_sleep(me, time_s);
    kern_idle(me, -HUGE_VAL);
}

bool kern_wait_turn(int me, double time_s)
{
    /* does anybody else act now, or at a date that nobody knows? */
    const bool known = kern_idle_least(me) > -HUGE_VAL;
    kern_idle(me, time_s);
    const bool slept = kern_turns_wait(me, time_s, known ? nothing_until() : -HUGE_VAL);
    kern_idle(me, -HUGE_VAL);
    return slept;
}

void kern_turn_firm(int rank) { kern_turns_firm(rank); }

struct ending {
    kern_handler handle;
    void *data;
    int rank;
};

static void ended(int failed, void *data)
{
    (void)failed;
    struct ending *ending = data;
    kern_idle(ending->rank, HUGE_VAL);
    kern_turns_gone(ending->rank);
    ending->handle(ending->data, kern_now());
    g_free(ending);
}

void kern_on_exit(kern_handler handle, void *data)
{
    struct ending *ending = g_new(struct ending, 1);
    *ending = (struct ending){handle, data, kern_rank()};
    sg_actor_on_exit(ended, ending);
}

/* ---- gates ----------------------------------------------------------------------------------- */

struct kern_gate {
    sg_sem_t sem;
    int rank; /* that waits */
    bool waiting;
    const struct kern_cause *cause;
    kern_date came;
};

struct kern_gate *kern_gate_new(void) { return g_new0(struct kern_gate, 1); }

void kern_gate_free(struct kern_gate *gate)
{
    if (gate && gate->sem) sg_sem_destroy(gate->sem);
    if (gate) kern_cause_unref(gate->cause);
    g_free(gate);
}

void kern_gate_wait(struct kern_gate *gate)
{
    if (!gate->sem) gate->sem = sg_sem_init(0);
    gate->waiting = true;
    gate->rank = kern_rank();
    kern_idle(gate->rank, HUGE_VAL);
    sg_sem_acquire(gate->sem);
}

void kern_gate_open(struct kern_gate *gate)
{
    if (kern_graph_on) kern_cause_also(&gate->came, kern_rank(), kern_now(), kern_now());
    if (!gate->waiting) return;
    gate->waiting = false;
    kern_cause_unref(gate->cause);
    gate->cause = kern_cause_here(kern_rank(), kern_now());
    kern_idle(gate->rank, -HUGE_VAL);
    sg_sem_release(gate->sem);
}

const struct kern_cause *kern_gate_cause(const struct kern_gate *gate) { return gate->cause; }

kern_date kern_gate_came(struct kern_gate *gate)
{
    const kern_date came = gate->came;
    gate->came = 0;
    return came;
}

/* ---- handlers at dates ----------------------------------------------------------------------- */

static void wait_for_first(void)
{
    daemon_waits = true;
    const struct kern_event *first = kern_events_first(&events);
    if (!first)
        sg_sem_acquire(daemon_sem);
    else if (first->time_s - kern_now() > PRECISION_S)
        sg_sem_acquire_timeout(daemon_sem, first->time_s - kern_now());
    daemon_waits = false;
}

static void daemon_main(int argc, char **argv)
{
    (void)argc, (void)argv;
    sg_actor_daemonize(sg_actor_self());
    for (;;) {
        const struct kern_event *first;
        while ((first = kern_events_first(&events)) && first->time_s - kern_now() <= PRECISION_S) {
            struct kern_event event = kern_events_take(&events);
            kern_cause_handle(event.cause);
            event.handle(event.data, event.time_s);
            kern_cause_handle(NULL);
            kern_cause_unref(event.cause);
        }
        wait_for_first();
    }
}

static void start_daemon(void)
{
    static const char *const argv[] = {"sidewinder"};
    daemon_started = true;
    daemon_sem = sg_sem_init(0);
    sg_actor_create_("dates", sg_host_by_name(KERN_HELPER_HOST), daemon_main, 1, argv);
}

static void at(double time_s, int turn, enum kern_what what, int rank, kern_handler handle,
               void *data)
{
    const struct kern_cause *here = kern_cause_here(kern_rank(), kern_now());
    const struct kern_event *first = kern_events_first(&events);
    bool earliest = !first || time_s < first->time_s;
    kern_events_add(&events, time_s, turn, kern_rank(),
                    kern_cause_event(here, what, rank, kern_now(), time_s), handle, data);
    kern_cause_unref(here);
    if (!daemon_started)
        start_daemon();
    else if (earliest && daemon_waits) {
        daemon_waits = false;
        sg_sem_release(daemon_sem);
    }
}

void kern_at(double time_s, enum kern_what what, int rank, kern_handler handle, void *data)
{
    at(time_s, 0, what, rank, handle, data);
}

void kern_at_turn(double time_s, int turn, enum kern_what what, kern_handler handle, void *data)
{
    at(time_s, turn, what, -1, handle, data);
}

void kern_exit(void)
{
    static sg_sem_t never;
    if (!never) never = sg_sem_init(0);
    kern_idle(kern_rank(), HUGE_VAL);
    sg_actor_daemonize(sg_actor_self());
    sg_sem_acquire(never);
    g_assert_not_reached();
}

void kern_stop(void)
{
    sg_actor_kill_all();
    sg_actor_kill(sg_actor_self());
}
