/* contention: lines that several processors write in turn, and a bus that several use.
 *
 * A line in flight to a processor that will write it cannot be supplied: requesters stall until it
 * is there, so processors that want to write one line get it one after the other. One that is
 * behind, and asks at a date before that writer did, does not wait. From the first wait on, each
 * transfer is booked in a calendar of the line, which carries one at a time: what somebody who ran
 * ahead has is not free for those who come after. Stores that wait in a store buffer for a line on
 * its way to their processor are all written when it is there.
 *
 * A processor that may run ahead of the clock by the quantum would keep such a line all that time,
 * where the others in fact take it after one store. So a line that has lately changed writers is
 * contended: it is accessed at exact dates. Copies of puts and gets come to it at exact dates even
 * when that is long ago, and to what another processor holds: they meet there once in each of a
 * program's iterations.
 *
 * The same holds of the bus. Processors that run ahead book its slots far apart, and those that
 * come later find only the gaps between: near saturation they wait much longer than in the order in
 * which the requests are made. So while several processors use it, its transactions are played in
 * the order of their dates. One that has had it for itself for hundreds of quanta may run ahead:
 * what it has booked when another comes is one quantum of them.
 *
 * Private lines of a processor that meets nobody on the bus are never paid for, and what it booked
 * is kept as long as its clock stands still, since an agent may come at an earlier date: so it pays
 * when that has become very much.
 */
#include "mem/coherence/coherence.h"

enum {
    CONTENDED_QUANTA = 16, /* how long a line is remembered as contended */
    IN_TURN_QUANTA = 256   /* so long after the bus has changed processors it is used by several */
};

/* NULL: private, or nobody has written to the page. */
static struct mem_in_flight *in_flight(const struct mem_domain *d, uint64_t where, uint64_t model)
{
    const struct mem_directory_page *page = mem_directory_page(d, where);
    if (!page || !page->in_flight) return NULL;
    return &page->in_flight[(model & (MEM_PAGE_BYTES - 1)) >> d->line_shift];
}

int64_t mem_in_flight_until(const struct mem_domain *d, uint64_t where, uint64_t model, int64_t now)
{
    const struct mem_in_flight *f = in_flight(d, where, model);
    if (!f) return now;
    if (f->transfers) return mem_resource_free(f->transfers, now);
    return f->begun <= now && now < f->there ? f->there : now;
}

bool mem_in_flight_here(const struct mem_peer *peer, uint64_t where, uint64_t model, int64_t now)
{
    const struct mem_in_flight *f = in_flight(peer->domain, where, model);
    return f && f->there > now && f->writer == peer->index + 1;
}

static void book(struct mem_in_flight *f, const struct mem_domain *d, int64_t begun, int64_t there)
{
    mem_resource_book(f->transfers, begun, there - begun, UINT64_C(1) << d->line_shift);
}

void mem_in_flight_set(const struct mem_peer *peer, uint64_t where, uint64_t model, int64_t begun,
                       int64_t there)
{
    const struct mem_domain *d = peer->domain;
    struct mem_directory_page *page = mem_directory_page(d, where);
    if (!page) return;
    if (!page->in_flight)
        page->in_flight = g_new0(struct mem_in_flight, MEM_PAGE_BYTES >> d->line_shift);
    struct mem_in_flight *f = in_flight(d, where, model);
    const bool others = f->writer && f->writer != peer->index + 1;
    if (others && !f->transfers && begun <= f->there) {
        f->transfers = g_new0(struct mem_resource, 1);
        f->transfers->scale = d->resource.scale;
        book(f, d, f->begun, f->there);
    }
    if (f->transfers) {
        f->transfers->latest = d->resource.latest;
        book(f, d, begun, there);
    }
    if (others && !d->never_pays) f->contended = there + CONTENDED_QUANTA * d->quantum;
    f->begun = begun;
    f->there = there;
    f->writer = peer->index + 1;
}

int64_t mem_shared_lead(const struct mem_domain *d, uint64_t where, uintptr_t addr, int64_t now)
{
    const struct mem_in_flight *f = in_flight(d, where, mem_model(where, addr));
    return f && f->contended > now ? 0 : d->quantum;
}

bool mem_line_changed_writers(const struct mem_domain *d, uint64_t where, uintptr_t addr)
{
    const struct mem_in_flight *f = in_flight(d, where, mem_model(where, addr));
    return f && f->contended > 0;
}

void mem_bus_changes(struct mem_domain *d, int processor, int64_t start)
{
    if (d->on_bus && !d->never_pays)
        d->in_turn = MAX(d->in_turn, start + IN_TURN_QUANTA * d->quantum);
    d->on_bus = processor + 1;
}

int64_t mem_in_flight_again(const struct mem_peer *peer, uint64_t where, uint64_t model)
{
    return in_flight(peer->domain, where, model)->there;
}

/* The page's lines. */
static void look_at(const struct mem_domain *d, guint index, struct mem_busy_line *busiest)
{
    const struct mem_in_flight *f =
        g_array_index(d->directory, struct mem_directory_page, index).in_flight;
    const uint64_t lines = MEM_PAGE_BYTES >> d->line_shift,
                   first = mem_page_shared_at(&d->pages, index)->model * lines;
    for (uint64_t i = 0; f && i < lines; i++)
        if (f[i].transfers && f[i].transfers->count.busy_s > busiest->count.busy_s)
            *busiest = (struct mem_busy_line){first + i, f[i].transfers->count};
}

bool mem_busiest_line(const struct mem_domain *d, struct mem_busy_line *busiest)
{
    *busiest = (struct mem_busy_line){0};
    for (guint i = 0; i < d->directory->len; i++) look_at(d, i, busiest);
    return busiest->count.requests > 0;
}
