/* Totals of operations, and the life of a trace: from its first line to its last. */
#include "trace/trace.h"
#include "trace/file.h"
#include "trace/track.h"

#include <math.h>
#include <string.h>

static struct trace_total totals[OP_KINDS];

/* Latencies by size: the first octave ends at 2^-40 s, the last at 2^24 s. */
enum { OCTAVE = 32, OCTAVES = 64, SMALLEST = -40 };
static uint64_t latencies[OP_KINDS][OCTAVES * OCTAVE];

static uint64_t *latency_count(enum op_kind kind, double latency_s)
{
    int octave = SMALLEST;
    double part = latency_s > 0 ? frexp(latency_s, &octave) : 0.5;
    int size = (octave - SMALLEST) * OCTAVE + (int)((part - 0.5) * 2 * OCTAVE);
    return &latencies[kind][CLAMP(size, 0, OCTAVES * OCTAVE - 1)];
}

double trace_latency(enum op_kind kind, double share)
{
    uint64_t wanted = (uint64_t)ceil(share * (double)totals[kind].count), seen = 0;
    for (int size = 0; wanted > 0 && size < OCTAVES * OCTAVE; size++) {
        seen += latencies[kind][size];
        if (seen < wanted) continue;
        double end = 0.5 + (size % OCTAVE + 1) / (2.0 * OCTAVE);
        return fmin(ldexp(end, size / OCTAVE + SMALLEST), totals[kind].latency_max_s);
    }
    return 0;
}

const struct trace_total *trace_total(enum op_kind kind) { return &totals[kind]; }

void trace_operation(const struct op_trail *trail)
{
    struct trace_total *total = &totals[trail->kind];
    double latency_s = trail->at_s[OP_COMPLETED] - trail->at_s[OP_CALLED];
    total->count++;
    total->bytes += trail->bytes;
    total->description += trail->description;
    total->latency_sum_s += latency_s;
    *latency_count(trail->kind, latency_s) += 1;
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
    memset(latencies, 0, sizeof latencies);
    if (trace_on) drop();
}
