/* The end of a run: what happened, in the shape the reports want. */
#include "world/film/film.h"
#include "world/pair/pair.h"
#include "world/build.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kern/graph/graph.h"
#include "mem/counters/counters.h"
#include "net/net.h"
#include "report/json/json.h"
#include "report/profile/profile.h"
#include "report/text/text.h"
#include "sync/inquiry/inquiry.h"
#include "trace/trace.h"
#include "world/access/access.h"
#include "world/clock/clock.h"
#include "world/hits/hits.h"
#include "world/place/place.h"
#include "world/prices/prices.h"
#include "world/program/program.h"
#include "world/signal/watch.h"
#include "world/thread/thread.h"
#include "world/unseen/unseen.h"

enum { EXIT_DEADLOCK = 3, EXIT_AUDIT = 5 };
enum { RESOURCES_SHOWN = 5, PROCESSORS_SHOWN = 3, RANKS_NAMED = 8 };

static void fill_rank(const struct world *w, int rank, struct report_rank *out)
{
    struct serve_proc *proc = w->proc[rank];
    const struct world_rank_state *state = &w->state[rank];
    world_waited(proc->cpu);
    world_hits_settle(proc->cpu);
    out->time_s = proc->end_s;
    out->compute_s = proc->spent.compute_s;
    out->memory_s = proc->spent.memory_s;
    out->service_s = proc->spent.service_s;
    out->wait_s =
        MAX(0, proc->end_s - proc->spent.compute_s - proc->spent.memory_s - proc->spent.service_s);
    out->stale_loads = mem_stale_loads(proc->cpu);
    out->mispredicted = mem_mispredicted(proc->cpu);
    out->page_faults = mem_page_faults(proc->cpu);
    out->finished = state->finished;
    out->call = state->call;
    out->site = state->call ? world_site_of(state, state->pc) : 0;
    out->waits = state->partner.what == WORLD_MESSAGE   ? REPORT_MESSAGE
                 : state->partner.what == WORLD_RECEIVE ? REPORT_RECEIVE
                                                        : REPORT_NOT_KNOWN;
    out->waits_rank = state->partner.rank;
    out->waits_tag = state->partner.tag;
    out->caches = mem_levels(proc->cpu);
    out->cache = g_new0(struct report_cache, out->caches);
    for (int level = 0; level < out->caches; level++) {
        struct mem_cache_count c = mem_cache_count(proc->cpu, level);
        out->cache[level] =
            (struct report_cache){level + 1,      c.loads,       c.stores,        c.load_misses,
                                  c.store_misses, c.write_backs, c.invalidations, c.flushed_lines};
    }
}

static void fill_shared(const struct world *w, struct report_run *run)
{
    run->bus = g_new0(struct report_bus, w->nodes);
    run->link = g_new0(struct report_link, w->nodes);
    for (int node = 0; node < w->nodes; node++) {
        struct mem_resource_count bus = mem_bus_count(w->memory[node]);
        if (bus.requests > 0)
            run->bus[run->buses++] =
                (struct report_bus){node, bus.requests, bus.bytes, bus.busy_s, bus.queued_s};
        struct net_count sent = net_count(w->net, node);
        if (sent.messages > 0)
            run->link[run->links++] = (struct report_link){g_strdup_printf("NI of node %d", node),
                                                           sent.messages, sent.bytes, sent.busy_s};
    }
}

static int by_busy(gconstpointer a, gconstpointer b)
{
    const struct base_use *left = a, *right = b;
    if (left->busy_s != right->busy_s) return left->busy_s > right->busy_s ? -1 : 1;
    return strcmp(left->name, right->name);
}

/* Processors do not hide what they wait for. */
static void fill_resources(GArray *uses, struct report_run *run)
{
    int processors = 0;
    g_array_sort(uses, by_busy);
    for (guint i = 0; i < uses->len;) {
        const struct base_use *use = &g_array_index(uses, struct base_use, i);
        if (use->waits && processors++ >= PROCESSORS_SHOWN)
            g_array_remove_index(uses, i);
        else
            i++;
    }
    run->resources = (int)MIN(uses->len, RESOURCES_SHOWN);
    run->resource = &g_array_index(uses, struct base_use, 0);
}

static void free_run(struct report_run *run)
{
    for (int rank = 0; rank < run->ranks; rank++) g_free(run->rank[rank].cache);
    for (int i = 0; i < run->links; i++) g_free(run->link[i].name);
    g_strfreev(run->shared);
    g_strfreev(run->uninstrumented);
    g_free(run->rank);
    g_free(run->bus);
    g_free(run->link);
}

static bool write_text(const struct report_run *run, const struct world_description *d,
                       GError **error)
{
    if (strcmp(d->report, "-") != 0) return report_text_file(run, d->report, error);
    clearerr(stderr);
    report_text(run, stderr, d->colour);
    if (!ferror(stderr)) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                "the report could not be written to standard error");
    return false;
}

static void not_written(GError *error, struct report_run *run)
{
    fprintf(stderr, "sidewinder: %s\n", error->message);
    g_error_free(error);
    if (run->exit_code == 0) run->exit_code = 1;
}

static void close_graph(const struct world *w, struct report_run *run)
{
    GError *error = NULL;
    g_autofree char *parts = serve_graph_parts(w->mach);
    if (!kern_graph_close(w->ended, run->time_s, parts, &error)) not_written(error, run);
}

static bool close_trace(const struct world *w, const struct report_run *run)
{
    if (trace_close(report_end_name(run->end), run->time_s)) return true;
    fprintf(stderr, "sidewinder: %s: %s\n", w->description.trace, g_strerror(errno));
    return false;
}

/* Counts that servicers of PUT/ACCEPT still wait for. */
static void say_missing(const struct report_run *run)
{
    for (int rank = 0; rank < run->ranks; rank++) {
        g_autofree char *missing = run->rank[rank].finished ? NULL : sync_match_missing(rank);
        g_auto(GStrv) line = g_strsplit(missing ? missing : "", "\n", -1);
        for (int i = 0; line[i] && line[i][0]; i++) world_say("rank %d: %s", rank, line[i]);
    }
}

/* MPI 4.1, 11.2.2: every process calls it before it exits. */
static void say_unfinalized(const struct world *w)
{
    g_autoptr(GString) who = g_string_new(NULL);
    int ranks = w->description.ranks, n = 0;
    for (int rank = 0; rank < ranks; rank++)
        if (w->state[rank].unfinalized && n++ < RANKS_NAMED)
            g_string_append_printf(who, "%s%d", n > 1 ? ", " : "", rank);
    if (n == ranks)
        world_say("%s ended without MPI_Finalize", n > 1 ? "all ranks" : "the rank");
    else if (n > 0)
        world_say("%s %s%s ended without MPI_Finalize", n > 1 ? "ranks" : "rank", who->str,
                  n > RANKS_NAMED ? " and others" : "");
}

static struct report_run described(const struct world *w)
{
    const struct world_description *d = &w->description;
    return (struct report_run){
        .version = SIDEWINDER_VERSION,
        .machine = d->machine_name,
        .machine_doc = w->mach->doc,
        .protocol = w->mach->coh_protocol,
        .invalidate = w->mach->ni_invalidate,
        .program = d->program,
        .command = d->command,
        .ranks = d->ranks,
        .rank = g_new0(struct report_rank, d->ranks),
        .exit_code = w->exit_code,
        .set = (const char *const *)d->set,
        .uninstrumented = world_unseen_libraries(d->uninstrumented),
        .unoptimised = w->unoptimised,
        .shared = world_libraries_changed(),
    };
}

/* The ranks, and what they share. Have all finished? */
static bool fill_run(const struct world *w, struct report_run *run)
{
    bool all_finished = true;
    for (int rank = 0; rank < run->ranks; rank++) {
        fill_rank(w, rank, &run->rank[rank]);
        run->time_s = MAX(run->time_s, run->rank[rank].time_s);
        all_finished = all_finished && run->rank[rank].finished;
        run->order = (run->order ^ w->proc[rank]->order) * UINT64_C(0x100000001b3);
    }
    fill_shared(w, run);
    run->tick_s = mem_tick(w->memory[0]);
    run->first_bytes = w->mach->levels ? w->mach->cache[0].size : 0;
    run->first_line = w->mach->levels ? (int)w->mach->cache[0].line : 0;
    run->first_ways = w->mach->levels ? (int)w->mach->cache[0].ways : 0;
    run->page_s = w->mach->tlb_miss / w->mach->cpu_clock;
    run->write_buffer = w->mach->wb_entries;
    run->store_buffer = w->mach->mem_store_buffer;
    return all_finished;
}

/* One that cannot be written keeps no other back. */
static void write_reports(struct report_run *run, const struct world_description *d)
{
    GError *text = NULL, *json = NULL, *profile = NULL;
    world_prices_profile();
    run->critical_path = d->critical_path;
    if (d->critical_path || trace_on) serve_path(world_one.mach, world_one.end);
    if (d->report && !write_text(run, d, &text)) not_written(text, run);
    if (d->json && !report_json(run, d->json, &json)) not_written(json, run);
    if (d->profile && !report_profile(run, d->profile, &profile)) not_written(profile, run);
}

void world_so_far(int number)
{
    struct world *w = &world_one;
    struct world_description wanted = w->description;
    struct report_run run = described(w);
    if (number != SIGUSR1) world_say_threads();           /* else the run itself will */
    run.exit_code = number == SIGUSR1 ? 0 : 128 + number; /* as a shell has it */
    const bool crashed = world_is_crash(number), traced = trace_on && number != SIGUSR1;
    /* this is a copy of the process: the graph is the run's, and the trace while that goes on */
    trace_on = kern_graph_on = false;
    if (crashed && !wanted.check) wanted.report = NULL;
    /* one that is alone may be ahead of the clock */
    const double now_s = world_now();
    if (kern_rank() >= 0) serve_count_owed(w->proc[kern_rank()]);
    for (int rank = 0; rank < run.ranks; rank++)
        if (!w->state[rank].finished)
            w->proc[rank]->end_s = MAX(now_s, serve_taken_until(w->proc[rank]));
    fill_run(w, &run);
    run.end = crashed ? REPORT_ABORTED : REPORT_INTERRUPTED;
    world_verdict(&wanted, &run);
    write_reports(&run, &wanted);
    run.end = REPORT_ABORTED;
    if (traced) close_trace(w, &run);
}

int world_finish(struct world *w)
{
    const struct world_description *d = &w->description;
    struct report_run run = described(w);
    bool all_finished = fill_run(w, &run);
    world_say_threads();
    if (!w->aborted) say_unfinalized(w);
    if (w->aborted)
        run.end = REPORT_ABORTED;
    else if (!all_finished) {
        run.end = REPORT_DEADLOCK;
        if (run.exit_code == 0) run.exit_code = EXIT_DEADLOCK;
        if (!d->report || strcmp(d->report, "-") != 0) report_deadlock(&run, stderr);
        say_missing(&run);
    }
    g_autoptr(GArray) uses = world_uses(w);
    g_autofree char *audit =
        all_finished && !w->aborted ? world_audit(uses, MAX(run.time_s, kern_now())) : NULL;
    run.audit = audit;
    fill_resources(uses, &run);
    bool broken = world_verdict(d, &run);
    fflush(stdout);
    write_reports(&run, d);
    world_films_close();
    world_pairs_free(run.check.pair, run.check.pairs);
    world_pairs_close();
    if (d->graph) close_graph(w, &run);
    if (trace_on) world_contended(&run);
    if (trace_on) world_variables(&run);
    if (d->trace && !close_trace(w, &run) && run.exit_code == 0) run.exit_code = 1;
    int code = run.exit_code;
    if (broken && code == 0) code = d->check_exit;
    if (audit && getenv("SIDEWINDER_AUDIT")) {
        world_say("audit: %s", audit);
        code = EXIT_AUDIT;
    }
    free_run(&run);
    return code;
}
