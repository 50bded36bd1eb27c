/* trace: the stream of what happens during a run, and the file that keeps it.
 *
 * Finished operations are summed by kind, with or without a file. While a file is open it gets one
 * line for each operation, for each interval of what a rank or a network interface did (tracks),
 * and for each event. The same run writes the same bytes. Nothing here computes a cost or waits.
 *
 * Times are simulated seconds since the start of the run.
 */
#ifndef TRACE_TRACE_H
#define TRACE_TRACE_H

#include "base/base.h"
#include "op/op.h"

#include <stdio.h>

/* ---- operations ------------------------------------------------------------------------------ */

/* Closes the trail of a finished operation: adds it to the totals and, when a trace is open,
 * writes one line there. */
void trace_operation(const struct op_trail *trail);

struct trace_total {
    uint64_t count, bytes;
    /* bytes that described datatypes and operations to the targets */
    uint64_t description;
    double latency_sum_s, latency_max_s; /* called -> completed */
    double service_delay_sum_s;          /* arrived -> serviced */
};
const struct trace_total *trace_total(enum op_kind kind);
/* The latency that this share (0 to 1) of the operations of a kind does not exceed, rounded
 * up by at most 3 %: what is kept are counts by size, 32 an octave. 0: there were none. */
double trace_latency(enum op_kind kind, double share);

/* ---- tracks: what each rank and each interface does over time ----------------------------------
 * Reported by the room that advances the clock (serve), enters calls (world) or holds an interface
 * (net), and only while trace_on: ask it first. A rank's track is whole: from 0 to its end every
 * moment is one of the four activities of the report, and each one's sum is the report's.
 *
 * Charges are paid in bulk, so the order inside one payment is lost: a stretch between two events
 * (a call, servicing, a wait) is drawn as its computing, then its memory stalls. Long stretches are
 * cut where they exceed a thousandth of the time so far. */

enum trace_activity {
    TRACE_COMPUTE,
    TRACE_MEMORY,
    TRACE_SERVICE,
    TRACE_WAIT,
    TRACE_SEND,
    TRACE_RECEIVE,
    TRACE_ACTIVITIES
};
/* "compute", "memory", "service", "wait"; of an interface "send", "receive" */
const char *trace_activity_name(enum trace_activity activity);

struct trace_interval {
    enum trace_activity activity;
    int of; /* rank; node of an interface */
    double from_s, to_s;
    const char *call; /* MPI call the rank is inside; NULL: none */
    op_site site;     /* of that call */
};

extern bool trace_on; /* a trace is being written */
/* passes from now on */
void trace_track_charge(int rank, double now_s, double compute_s, double memory_s);
void trace_track_service(int rank, double at_s, double seconds);
/* In and out of the outermost MPI call. `settled`: nothing is owed from before, so that what is
 * charged until leave is the call's. */
void trace_track_enter(int rank, double now_s, const char *call, op_site site, bool settled);
void trace_track_leave(int rank, double now_s);
void trace_track_end(int rank, double end_s);
/* of one node and direction; the earlier first, mostly */
void trace_track_interface(int node, enum trace_activity activity, double from_s, double to_s);

/* ---- events: findings on their dates --------------------------------------------------------- */

enum trace_event_kind {
    TRACE_EVENT_STALE,
    TRACE_EVENT_VIOLATION,
    TRACE_EVENT_LOST,
    TRACE_EVENT_SHARING, /* a cache line for which processors contend */
    TRACE_EVENT_KINDS
};
const char *trace_event_name(enum trace_event_kind kind); /* "stale", "violation", ... */

struct trace_event {
    enum trace_event_kind kind;
    int rank;
    double time_s;
    op_site site;
    int other_rank; /* the writer, the other side; -1: none */
    const char *other_call;
    op_site other_site;
    const char *text;   /* what happened, one line */
    const char *memory; /* the bytes, as `run --watch` names them; NULL: none */
};
/* Writes its line; only while trace_on. */
void trace_event(const struct trace_event *event);

/* ---- why ranks waited, and the critical path ---------------------------------------------------
 */

struct trace_wait { /* a stretch of a wait of that rank */
    int rank;
    double from_s, to_s;
    const char *why; /* profile_cause_name */
    int other_rank;  /* who was to blame; -1: nobody */
    op_site other_site;
};
/* When it is over; stretches of one wait come from its end to its start. Only while trace_on. */
void trace_wait(const struct trace_wait *wait);

struct trace_piece { /* of the critical path */
    const char *why; /* "run", or profile_cause_name */
    int rank;        /* that ran, or did it; -1: none */
    double from_s, to_s;
    op_site site, to_site; /* of a run: the calls at its ends */
};
/* From the end of the run to its start. Only while trace_on. */
void trace_piece(const struct trace_piece *piece);

/* ---- variables: what loads and stores waited for there, of all ranks ---------------------------
 * At the end of the run. Only while trace_on. */

enum { TRACE_LEVELS = 4 }; /* of caches */
struct trace_variable {
    const char *memory, *name; /* "heap", "allocated at halo.c:30" */
    double load_s, store_s;
    uint64_t missed[TRACE_LEVELS]; /* lines */
    uint64_t stale, moves, operations;
};
void trace_variable(const struct trace_variable *variable);

/* ---- films: copies of a few bytes, step by step ----------------------------------------------
 * Only of memory that `run --watch` names, and only while trace_on. */

struct trace_film {
    int number;                /* from 0 */
    const char *memory;        /* "4 bytes at offset 0 of window 0 of rank 1" */
    const char *const *places; /* "memory", "cache of rank 1", ...; NULL ended */
};
struct trace_step {
    int film, rank; /* rank: who did it; -1: not known */
    double time_s;
    op_site site;
    const char *text;
    const char *const *values; /* one a place; "": no copy there; NULL ended */
    uint64_t old;              /* bit i: the copy at place i is older than memory's */
};
void trace_film(const struct trace_film *film);
void trace_step(const struct trace_step *step);

/* ---- the file ----------------------------------------------------------------------------------
 * Lines of comma-separated fields, the first names the kind; written as they happen, so a long run
 * holds nothing back. The file's own head lists them. */

enum { TRACE_VERSION = 4 };

struct trace_about {
    const char *version, *machine, *program;
    int ranks, nodes;
    const int *node_of;                 /* by rank */
    const char *(*place)(op_site site); /* "halo.c:42"; asked once for each site. Writing only */
};
bool trace_open(const char *path, const struct trace_about *about); /* false: see errno */
/* "ended", "deadlock", "aborted"; false: not everything could be written, see errno */
bool trace_close(const char *how, double time_s);
/* In a copy of the process that does not write it: what is buffered is the other's. */
void trace_leave(void);
/* Forgets the totals and drops an open trace: start and end of a world. */
void trace_clear(void);

/* Reading it back, a line at a time. Texts live until the process ends, `about` until the reader is
 * freed. */
enum trace_record_kind {
    TRACE_RECORD_OPERATION,
    TRACE_RECORD_INTERVAL,
    TRACE_RECORD_EVENT,
    TRACE_RECORD_FILM,
    TRACE_RECORD_STEP,
    TRACE_RECORD_WAIT,
    TRACE_RECORD_PIECE,
    TRACE_RECORD_VARIABLE,
    TRACE_RECORD_END
};
struct trace_record {
    enum trace_record_kind kind;
    uint64_t number; /* of an operation, from 1 */
    struct op_trail trail;
    struct trace_interval interval;
    struct trace_event event;
    /* names, values: texts in one, separated by ';' */
    struct trace_film film;
    struct trace_step step;
    const char *list;
    struct trace_wait wait;
    struct trace_piece piece;
    struct trace_variable variable;
    const char *at, *other_at; /* places, in the sites' stead; NULL: not known */
    const char *how;           /* the end: as given to trace_close, */
    double time_s;             /* and its time */
};
struct trace_reader;
/* NULL, or false: not a trace, of another version, damaged or cut short; the error names file and
 * line. */
struct trace_reader *trace_reader_new(FILE *in, const char *name, GError **error);
const struct trace_about *trace_reader_about(const struct trace_reader *reader);
bool trace_reader_next(struct trace_reader *reader, struct trace_record *record, GError **error);
void trace_reader_free(struct trace_reader *reader);

#endif
