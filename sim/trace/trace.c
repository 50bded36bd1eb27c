/* Totals of operations, and the life of a trace: from its first line to its last. */
#include "trace/trace.h"
#include "trace/file.h"
#include "trace/track.h"

#include <string.h>

static struct trace_total totals[OP_KINDS];

const struct trace_total *trace_total(enum op_kind kind) { return &totals[kind]; }

void trace_operation(const struct op_trail *trail)
{
    struct trace_total *total = &totals[trail->kind];
    double latency_s = trail->at_s[OP_COMPLETED] - trail->at_s[OP_CALLED];
    total->count++;
    total->bytes += trail->bytes;
    total->description += trail->description;
    total->latency_sum_s += latency_s;
    if (latency_s > total->latency_max_s) total->latency_max_s = latency_s;
    if (trail->at_s[OP_SERVICED] >= 0 && trail->at_s[OP_ARRIVED] >= 0)
        total->service_delay_sum_s += trail->at_s[OP_SERVICED] - trail->at_s[OP_ARRIVED];
    if (trace_on) trace_file_operation(trail);
}

static bool drop(void)
{
    trace_tracks_close();
    return trace_file_close();
}

bool trace_open(const char *path, const struct trace_about *about)
{
    if (trace_on) drop();
    if (!trace_file_open(path, about)) return false;
    trace_tracks_open(about->ranks, about->nodes);
    return true;
}

bool trace_close(const char *how, double time_s)
{
    trace_tracks_write();
    trace_file_end(how, time_s);
    return drop();
}

void trace_clear(void)
{
    memset(totals, 0, sizeof totals);
    if (trace_on) drop();
}
