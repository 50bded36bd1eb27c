/* Epochs, the locks a rank holds, and operations in flight: objects that records share. */
#include "check/parts.h"

struct check_totals check_counted;

struct check_epoch *check_epoch_new(const struct check_epoch *like)
{
    struct check_epoch *epoch = g_memdup2(like, sizeof *like);
    epoch->refs = 1;
    check_counted.epochs++;
    return epoch;
}

struct check_epoch *check_epoch_ref(struct check_epoch *epoch)
{
    if (epoch) epoch->refs++;
    return epoch;
}

const char *check_lock_call(const struct check_epoch *lock)
{
    return lock->kind == CHECK_LOCKED_ALL ? "MPI_Win_lock_all" : "MPI_Win_lock";
}

void check_epoch_unref(struct check_epoch *epoch)
{
    if (!epoch || --epoch->refs > 0) return;
    check_clock_unref(epoch->release);
    g_free(epoch);
}

/* Where ranks learn from each other by locks alone, each release has a clock of its own. Once all
 * clocks take too much, those that a rank releases from then on are one: whoever is behind one is
 * behind them all. */
static struct check_clock **releases; /* by rank; NULL: no */

bool check_epoch_release(struct check_epoch *epoch)
{
    struct check_clock **one = &releases[epoch->rank];
    epoch->released = check_clock_own(epoch->rank);
    struct check_stamp stamp = check_clock_stamp(epoch->rank);
    if (check_clocks_fit()) {
        check_clock_unref(g_steal_pointer(one));
        epoch->release = stamp.clock;
        return true;
    }
    if (*one)
        check_clock_raise(*one, &stamp);
    else
        check_clock_merge_stamp(one, &stamp);
    epoch->release = check_clock_ref(*one);
    check_clock_unref(stamp.clock);
    return false;
}

/* ---- locks held ------------------------------------------------------------------------------ */

static struct check_holds *holds_new(int n)
{
    struct check_holds *holds = g_malloc0(sizeof *holds + (size_t)n * sizeof *holds->hold);
    holds->refs = 1;
    holds->n = n;
    return holds;
}

struct check_holds *check_holds_ref(struct check_holds *holds)
{
    if (holds) holds->refs++;
    return holds;
}

void check_holds_unref(struct check_holds *holds)
{
    if (!holds || --holds->refs > 0) return;
    for (int i = 0; i < holds->n; i++) check_epoch_unref(holds->hold[i]);
    g_free(holds);
}

struct check_holds *check_holds_with(struct check_holds *before, struct check_epoch *more)
{
    int n = before ? before->n : 0;
    struct check_holds *holds = holds_new(n + 1);
    for (int i = 0; i < n; i++) holds->hold[i] = check_epoch_ref(before->hold[i]);
    holds->hold[n] = check_epoch_ref(more);
    check_holds_unref(before);
    return holds;
}

struct check_holds *check_holds_without(struct check_holds *before, const struct check_epoch *gone)
{
    struct check_holds *holds = before && before->n > 1 ? holds_new(before->n - 1) : NULL;
    for (int i = 0, k = 0; holds && i < before->n; i++)
        if (before->hold[i] != gone) holds->hold[k++] = check_epoch_ref(before->hold[i]);
    check_holds_unref(before);
    return holds;
}

/* ---- flights --------------------------------------------------------------------------------- */

struct check_flight *check_flight_new(struct check_epoch *epoch)
{
    struct check_flight *flight = g_new0(struct check_flight, 1);
    flight->refs = 1;
    flight->epoch = check_epoch_ref(epoch);
    return flight;
}

struct check_flight *check_flight_ref(struct check_flight *flight)
{
    if (flight) flight->refs++;
    return flight;
}

void check_flight_unref(struct check_flight *flight)
{
    if (!flight || --flight->refs > 0) return;
    check_epoch_unref(flight->epoch);
    check_clock_unref(flight->behind);
    if (flight->reads) g_ptr_array_unref(flight->reads);
    g_free(flight);
}

static void epoch_unref(void *epoch) { check_epoch_unref(epoch); }

void check_flight_reads(struct check_flight *flight, struct check_epoch *epoch)
{
    if (!flight->reads) flight->reads = g_ptr_array_new_with_free_func(epoch_unref);
    if (!g_ptr_array_find(flight->reads, epoch, NULL))
        g_ptr_array_add(flight->reads, check_epoch_ref(epoch));
}

void check_flight_landed(struct check_flight *flight, int rank)
{
    check_clock_join(rank, flight->behind);
    for (guint i = 0; flight->reads && i < flight->reads->len; i++) {
        const struct check_epoch *epoch = flight->reads->pdata[i];
        const struct check_stamp release = check_epoch_stamp(epoch);
        if (epoch->over) check_clock_join_stamp(rank, &release);
    }
}

uint32_t check_flights_done;

void check_flight_done(struct check_flight *flight, int rank)
{
    flight->done = check_clock_own(rank);
    check_flights_done++;
}

void check_flight_end(struct check_flight *flight, int rank)
{
    if (flight->done) return;
    check_flight_landed(flight, rank);
    check_flight_done(flight, rank);
}

void check_epochs_open(int ranks)
{
    check_counted = (struct check_totals){0};
    releases = g_new0(struct check_clock *, ranks);
}

void check_epochs_close(int ranks)
{
    for (int i = 0; releases && i < ranks; i++) check_clock_unref(releases[i]);
    g_clear_pointer(&releases, g_free);
}
