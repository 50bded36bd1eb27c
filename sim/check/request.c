/* Requests: what a nonblocking call has until it is complete, an operation with a request of its
 * own, a call of PUT/ACCEPT. */
#include "check/request.h"
#include "check/moment.h"
#include "check/look.h"
#include "check/pair.h"
#include "check/touch.h"

#include <stdlib.h>

/* One with a request of its own. */
struct request {
    struct check_flight *remote, *local;
    int rank;
    const struct check_actor *actor; /* the operation; NULL: a message's or collective's */
    bool read;                       /* nothing is left to do once it has been delivered */
    /* of MPI_Win_test: the window's and its member's, whose exposure epoch is over; NULL: another's
     */
    const void *win;
    int window, win_rank;
};
static GHashTable *requests; /* number -> struct request */
static uint64_t last;

static void request_free(void *data)
{
    struct request *r = data;
    check_flight_unref(r->remote);
    check_flight_unref(r->local);
    g_free(r);
}

void check_requests_open(void)
{
    requests = g_hash_table_new_full(NULL, NULL, NULL, request_free);
    last = 0;
}

void check_requests_close(void) { g_clear_pointer(&requests, g_hash_table_unref); }

uint64_t check_number(void) { return ++last; }

static struct request *remember_request(uint64_t number, struct check_flight *remote,
                                        struct check_flight *local, int rank,
                                        const struct check_actor *actor)
{
    struct request *r = g_new(struct request, 1);
    *r = (struct request){.remote = check_flight_ref(remote),
                          .local = check_flight_ref(local),
                          .rank = rank,
                          .actor = actor,
                          .read = actor && actor->kind == CHECK_GET};
    g_hash_table_insert(requests, GSIZE_TO_POINTER(number), r);
    return r;
}

void check_request_new(uint64_t number, struct check_flight *remote, struct check_flight *local,
                       const struct check_actor *operation)
{
    remember_request(number, remote, local, operation->rank, operation);
}

static struct check_epoch *lent_epoch(int rank, enum check_kind kind, op_site site)
{
    bool request = kind == CHECK_REQUEST_READ || kind == CHECK_REQUEST_WRITE;
    return check_epoch_new(&(struct check_epoch){
        .kind = request ? CHECK_REQUESTED : CHECK_SERVICED, .rank = rank, .opened = site});
}

void check_given_back(uint64_t number, op_site site)
{
    const struct request *r = g_hash_table_lookup(requests, GSIZE_TO_POINTER(number));
    if (!r) return;
    r->local->epoch->closed = site;
    check_requested(number);
}

void check_fetched(uint64_t number, uintptr_t addr, const struct op_layout *layout,
                   const uint8_t *bytes)
{
    const struct check_buffer there = {addr, layout};
    if (check_pairing) check_pair_fetched(number, &there, bytes);
}

uint64_t check_held(int rank, const struct check_buffer *buffer, enum check_kind kind,
                    const char *call, op_site site, double time_s, const struct check_stack *stack,
                    uint64_t number)
{
    const struct request *r = g_hash_table_lookup(requests, GSIZE_TO_POINTER(number));
    if (!r) {
        struct check_epoch *epoch = check_lent(kind) ? lent_epoch(rank, kind, site) : NULL;
        struct check_flight *flight = check_flight_new(epoch);
        r = remember_request(number = check_number(), flight, flight, rank, NULL);
        check_flight_unref(flight);
        check_epoch_unref(epoch);
    }
    const uint64_t stores = kind == CHECK_CALL_LOAD ? 0 : number; /* when it is complete */
    struct check_now now = {
        .use = {.flight = r->local, .holds = check_rank(rank)->holds, .number = stores},
        .time_s = time_s};
    if (check_pairing) check_pair_held(rank, buffer, kind, site, stores);
    check_touch_own(&now, (struct check_actor){.rank = rank, .site = site, .call = call}, kind,
                    buffer, stack);
    return number;
}

void check_carried(uint64_t number, const uint8_t *bytes, uint64_t n)
{
    if (check_pairing) check_pair_carried(number, bytes, n);
}

/* Not if the window is gone. */
static void wait_is_known(const struct request *r)
{
    const struct check_window *win = check_window_find(r->win);
    if (win && win->number == r->window) check_exposure_over(&win->member[r->win_rank]);
}

void check_requested(uint64_t number)
{
    struct request *r = g_hash_table_lookup(requests, GSIZE_TO_POINTER(number));
    if (r && r->remote == r->local) { /* no operation's: what it stores is there */
        check_moment_performed(number);
        check_carried(number, NULL, 0);
    }
    if (!r || check_learn_later(r->rank, number)) return;
    check_flight_end(r->local, r->rank);
    check_flight_landed(r->remote, r->rank);
    if (r->read) check_flight_end(r->remote, r->rank);
    if (r->win) wait_is_known(r);
    g_hash_table_remove(requests, GSIZE_TO_POINTER(number));
}

bool check_wait_later(const struct check_window *win, const struct check_member *m)
{
    if (!check_learn_later(m->rank, last + 1)) return false;
    struct check_flight *nothing = check_flight_new(NULL);
    struct request *r = remember_request(check_number(), nothing, nothing, m->rank, NULL);
    check_flight_unref(nothing);
    r->win = win->key;
    r->window = win->number;
    r->win_rank = (int)(m - win->member);
    return true;
}

static int by_number(const void *x, const void *y)
{
    const uintptr_t a = (uintptr_t)*(void *const *)x, b = (uintptr_t)*(void *const *)y;
    return (a > b) - (a < b);
}

void check_note_requests(int rank, const char *name, op_site site, double time_s)
{
    guint n = 0;
    g_autofree void **number = g_hash_table_get_keys_as_array(requests, &n);
    if (n > 0) qsort(number, n, sizeof *number, by_number);
    for (guint i = 0; i < n; i++) {
        const struct request *r = g_hash_table_lookup(requests, number[i]);
        if (r->rank != rank || !r->actor) continue;
        const struct check_use use = {.actor = r->actor, .flight = r->remote};
        const struct check_at where = {r->actor->win, rank, 0, 0};
        check_note_call(CHECK_RULE_UNWAITED, rank, name, site, &use, &where, time_s);
    }
}
