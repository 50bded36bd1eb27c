/* One run: read the description, build the world, let SMPI run the program in it, write the
 * reports. */
#include <pthread.h>
#include <stdio.h>

#include "world/build.h"
#include "kern/kern.h"
#include "world/label/label.h"
#include "world/place/place.h"
#include "world/program/program.h"
#include "world/film/film.h"
#include "world/pair/pair.h"
#include "world/signal/watch.h"
#include "world/world.h"
#include "trace/trace.h"

static bool open_trace(const struct world *w)
{
    const struct world_description *d = &w->description;
    g_autofree int *node_of = g_new(int, d->ranks);
    for (int rank = 0; rank < d->ranks; rank++) node_of[rank] = w->proc[rank]->node;
    g_autofree char *program = g_path_get_basename(d->program);
    return trace_open(d->trace, &(struct trace_about){.version = SIDEWINDER_VERSION,
                                                      .machine = d->machine_name,
                                                      .program = program,
                                                      .ranks = d->ranks,
                                                      .nodes = w->nodes,
                                                      .node_of = node_of,
                                                      .place = world_place});
}

/* All ranks share the library's buffers: a child would print what others have in them once more. */
static void flush(void) { fflush(NULL); }

static void fail(const GError *error) { fprintf(stderr, "sidewinder: %s\n", error->message); }

int world_run(const char *path, int argc, char **argv)
{
    struct world *w = &world_one;
    g_autoptr(GError) error = NULL;
    if (!world_description_read(&w->description, path, &error) || !world_build(w, &error)) {
        fail(error);
        return 2;
    }
    const struct world_description *d = &w->description;
    if (d->trace && !open_trace(w)) {
        fprintf(stderr, "sidewinder: %s: %s\n", d->trace, g_strerror(errno));
        return 2;
    }
    if (!world_films_open(d->watch, &error)) {
        fail(error);
        return 2;
    }
    if (d->check && !world_pairs_open(d->pair, d->order, &error)) {
        fail(error);
        return 2;
    }
    w->log = g_build_filename(d->tmpdir, "simgrid.log", NULL);
    struct kern_run run = {
        .program = d->loaded ? d->loaded : d->program,
        .platform = d->machine,
        .hostfile = d->hostfile,
        .tmpdir = d->tmpdir,
        .libraries = d->libraries,
        .keep_copies = d->debugged,
        .log = w->log,
        .ranks = d->ranks,
        .overhead_send_s = w->mach->send_s,
        .overhead_receive_s = w->mach->receive_s,
        .short_bytes = (double)w->mach->net_short_bytes,
        .fetch_s = mach_node_ranks(w->mach) == 1 ? w->mach->net_fetch : 0,
        .test_s = w->mach->mpi_test,
        .eager_bytes = (double)w->mach->move_eager_bytes,
    };
    g_autoptr(GPtrArray) arguments = g_ptr_array_new();
    g_ptr_array_add(arguments, d->program);
    for (int i = 0; i < argc; i++) g_ptr_array_add(arguments, argv[i]);
    g_ptr_array_add(arguments, NULL);
    w->arguments = (char **)arguments->pdata;
    if (d->label && !world_label_start(d->ranks)) {
        fprintf(stderr, "sidewinder: --label: %s\n", g_strerror(errno));
        return 2;
    }
    w->running = true;
    w->simulator = pthread_self();
    world_signals_start();
    pthread_atfork(flush, NULL, world_forked);
    world_report_by(world_so_far);
    world_watch_signals();
    kern_main(&run);
    w->running = false;
    world_process_end();
    world_label_end();
    int code = world_finish(w);
    g_free(w->log);
    world_tear_down(w);
    return code;
}
