/* report/timeline, inside: a trace in memory, as the writers of time lines see it. Not a door. */
#ifndef REPORT_MOMENTS_H
#define REPORT_MOMENTS_H

#include "report/timeline/timeline.h"
#include "trace/trace.h"

#include <math.h>

/* A track: a rank, or one direction of a node's interface. Numbered: ranks, then node 0's send and
 * receive, node 1's ... */
struct report_track {
    enum trace_activity first; /* TRACE_COMPUTE: a rank; TRACE_SEND, TRACE_RECEIVE: an interface */
    int of, node;              /* rank, or node again */
    GArray *interval;          /* struct report_interval, in order of time */
};
struct report_interval {
    struct trace_interval is;
    const char *at;
};
struct report_operation {
    struct op_trail trail;
    const char *at;
};
struct report_event {
    struct trace_event is;
    const char *at, *other_at;
};
struct report_step {
    struct trace_step is;
    const char *at, *values; /* values: one a place, separated by ';' */
};
struct report_film {
    struct trace_film is;
    const char *places; /* separated by ';' */
    GArray *step;       /* struct report_step, in the order of the run */
};

struct report_wait {
    struct trace_wait is;
    const char *other_at;
};
struct report_piece {
    struct trace_piece is;
    const char *at, *to_at;
};

struct report_trace {
    struct trace_about about;
    int *node_of;
    int tracks;
    struct report_track *track;
    GArray *operation; /* struct report_operation; number 1 first */
    GArray *event;     /* struct report_event, in order of time */
    GArray *film;      /* struct report_film */
    GPtrArray *wait;   /* by rank: GArray of struct report_wait, in no order */
    GArray *piece;     /* struct report_piece: of the critical path, its last first */
    GArray *variable;  /* struct trace_variable, what was waited for most first */
    const char *how;   /* the run's end */
    double time_s;
    GArray *moment; /* struct report_moment, in order of time */
};

/* Everything there is to draw, by date; at one date intervals first, so that arrows and events fall
 * into one. */
enum report_moment_kind {
    REPORT_STOP,     /* the end of an interval behind which the track is empty */
    REPORT_INTERVAL, /* its beginning */
    REPORT_START,
    REPORT_FINISH, /* of an arrow; both are there, the start first */
    REPORT_EVENT
};
struct report_moment {
    /* an arrow's ends and an event: moved into an interval of their track */
    double time_s;
    enum report_moment_kind kind;
    int track;
    guint index; /* in the track's intervals, the operations or the events */
};

/* Dates are written in whole picoseconds, so that intervals that touch touch in the file. */
static inline int64_t report_ps(double time_s) { return llround(time_s * 1e12); }
/* ps as a number with so many decimals: 12 are seconds, 6 microseconds */
void report_decimal(FILE *out, int64_t ps, int decimals);

char *report_track_name(const struct report_track *track); /* "rank 3", "NI 1 send"; free it */

static inline const struct report_interval *report_interval(const struct report_track *track,
                                                            guint i)
{
    return &g_array_index(track->interval, struct report_interval, i);
}
static inline const struct report_operation *report_operation(const struct report_trace *trace,
                                                              guint i)
{
    return &g_array_index(trace->operation, struct report_operation, i);
}
static inline const struct report_event *report_event(const struct report_trace *trace, guint i)
{
    return &g_array_index(trace->event, struct report_event, i);
}

#endif
