/* op: what the simulated program asked for, as data.
 *
 * An operation is one put, get, accumulate or control message with its trail: the time of every
 * step from the call to completion. Also here: who wrote a byte (writers), what the run noticed
 * (stale loads, violations), what ranks and interfaces do over time (lanes), and the file that
 * keeps all of it (the trace). Nothing in this room computes a cost, waits or moves bytes.
 *
 * Times are simulated seconds since the start of the run. Ranks are MPI_COMM_WORLD ranks.
 * A site is a place in the program: see op_site.
 */
#ifndef OP_OP_H
#define OP_OP_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* ---- places ---------------------------------------------------------------------------------- */

/* A code address. Inside the program: its offset from the load base, equal for every rank.
 * Elsewhere (a shared library): OP_SITE_FOREIGN | absolute address. 0: unknown. */
typedef uint64_t op_site;
#define OP_SITE_FOREIGN (UINT64_C(1) << 63)

/* ---- layouts: a datatype, already flattened -------------------------------------------------- */

struct op_piece {
    int64_t offset; /* bytes from the buffer's address; may be negative (lower bounds) */
    uint64_t bytes;
};

/* `count` elements of a datatype as contiguous pieces in type-map order, neighbours merged. */
struct op_layout {
    const struct op_piece *piece;
    uint32_t pieces;
    uint64_t bytes;    /* sum over the pieces */
    int64_t low, high; /* smallest offset, largest offset + bytes; both 0 when empty */
};

/* Gather the pieces found at `base` into `packed`, or scatter them back. */
void op_pack(const struct op_layout *layout, const void *base, void *packed);
void op_unpack(const struct op_layout *layout, void *base, const void *packed);

/* ---- operations ------------------------------------------------------------------------------ */

enum op_kind { OP_PUT, OP_GET, OP_ACCUMULATE, OP_GET_ACCUMULATE, OP_CONTROL, OP_KINDS };
const char *op_kind_name(enum op_kind kind); /* "put", "get", "accumulate", ... */

/* The walk of an operation; every step's time is kept in the trail. */
enum op_step {
    OP_CALLED,    /* dialect: the call */
    OP_DEPARTED,  /* net: the last byte left the origin */
    OP_ARRIVED,   /* net: at the target's node */
    OP_SERVICED,  /* serve: the target's part began */
    OP_PERFORMED, /* mem: image or view written or read */
    OP_COMPLETED, /* sync: the origin knows */
    OP_STEPS
};
const char *op_step_name(enum op_step step);

struct op_trail {
    enum op_kind kind;
    int origin, target;
    uint64_t bytes;
    const char *call;    /* "MPI_Put"; static storage */
    const char *carrier; /* name of the way it was moved; static storage */
    op_site site;
    double at_s[OP_STEPS]; /* negative: step not reached */
    /* bytes that went along to tell the target its datatype and operation */
    uint64_t description;
};

/* Closes the trail of a finished operation: adds it to the totals and, when a trace is open,
 * writes one line there. */
void op_record(const struct op_trail *trail);

struct op_total {
    uint64_t count, bytes;
    /* bytes that described datatypes and operations to the targets */
    uint64_t description;
    double latency_sum_s, latency_max_s; /* called -> completed */
    double service_delay_sum_s;          /* arrived -> serviced */
};
const struct op_total *op_total(enum op_kind kind);

/* ---- writers: who wrote these bytes ---------------------------------------------------------- */

struct op_writer {
    int rank;
    const char *call; /* "MPI_Put", "store", "MPI_Recv"; static storage */
    op_site site;
};
/* Number of an equal writer, made on first use; 0 is "nobody known". Below 2^20. */
uint32_t op_writer_id(int rank, const char *call, op_site site);
struct op_writer op_writer(uint32_t id);

/* ---- stale loads ----------------------------------------------------------------------------- */

enum { OP_STALE_BYTES = 16 }; /* bytes of a value kept for the report */

struct op_stale {
    int rank;
    double time_s;
    int segment;     /* segment id, as given to op_segment_add */
    uint64_t offset; /* of the first byte of the load, from the segment's base */
    uint32_t bytes;  /* bytes loaded; at most OP_STALE_BYTES are kept below */
    uint8_t seen[OP_STALE_BYTES], memory[OP_STALE_BYTES];
    op_site load_site;
    uint32_t writer; /* of the newer bytes in memory */
    double write_time_s;
    uint64_t count; /* loads folded into this record; set by op_stale_note */
};
/* Notes one stale load. Records are folded by (load site, writer's call and site): the first is
 * kept whole and counted; so a million stale loads make few records. Whoever reads and wrote is the
 * first record's. */
void op_stale_note(const struct op_stale *stale);
size_t op_stale_count(void); /* records, in order of first occurrence */
const struct op_stale *op_stale_get(size_t i);

/* ---- lost bytes: sub-word stores, innocent victims ------------------------------------------- */

enum op_note_kind {
    /* a read-modify-write of a word put back bytes that had changed in memory */
    OP_NOTE_LOST_UPDATE,
    OP_NOTE_VICTIM, /* a put by index killed a line it had nothing to do with */
    /* a line at the edge of a servicer's range came back into the cache meanwhile: false sharing */
    OP_NOTE_EDGE,
    OP_NOTE_KINDS
};
struct op_note {
    enum op_note_kind kind;
    int rank;
    double time_s;
    int segment; /* -1: none */
    uint64_t offset;
    op_site site; /* of the store or call, or 0 */
    /* what lost them: "store" or a call; static storage. NULL: other kinds */
    const char *call;
    uint32_t writer; /* whose bytes were lost, or whose put killed */
    uint64_t bytes;  /* lost, over all counts */
    uint64_t count;  /* folded by (kind, rank, site, writer) */
};
void op_note(const struct op_note *note);
size_t op_note_count(void);
const struct op_note *op_note_get(size_t i);

/* ---- violations of a dialect's rules --------------------------------------------------------- */

struct op_violation {
    const char *rule; /* "MPI-2 11.7 rule 1", static storage */
    char *message;    /* op keeps its own copy */
    int rank;
    double time_s;
    op_site site;
    int other_rank; /* -1: none */
    const char *other_call;
    op_site other_site;
    /* folded by (rule, message, rank, site, the other's rank and site); set by op_violation_note */
    uint64_t count;
};
void op_violation_note(const struct op_violation *violation);
size_t op_violation_count(void);
const struct op_violation *op_violation_get(size_t i);

/* ---- segments: names for the report ---------------------------------------------------------- */

struct op_segment {
    int id;
    int rank; /* owner */
    uintptr_t base;
    uint64_t bytes;
    char name[64];       /* "window 0", or the name the program gave it */
    const char *refresh; /* the calls that make memory's bytes visible to the owner's loads, for
                            the report's advice: "MPI_Win_fence, MPI_Win_wait or MPI_Win_lock" */
};
/* its id, from 0 */
int op_segment_add(int rank, uintptr_t base, uint64_t bytes, const char *refresh);
void op_segment_name(int id, const char *name);
const struct op_segment *op_segment(int id);

/* ---- lanes: what each rank and each interface does over time ------------------------------------
 * Told by whoever moves the clock (serve), enters calls (world) or holds an interface (net), and
 * only while op_tracing: ask it first. A rank's lane is whole: from 0 to its end every moment is
 * one of the four kinds of the report, and each kind's sum is the report's.
 *
 * Charges are paid in bulk, so the order inside one payment is lost: a stretch between two events
 * (a call, servicing, a wait) is drawn as its computing, then its memory stalls. Long stretches are
 * cut where they exceed a thousandth of the time so far. */

enum op_doing { OP_COMPUTE, OP_MEMORY, OP_SERVICE, OP_WAIT, OP_SEND, OP_RECEIVE, OP_DOINGS };
/* "compute", "memory", "service", "wait"; of an interface "send", "receive" */
const char *op_doing_name(enum op_doing doing);

struct op_interval {
    enum op_doing doing;
    int of; /* rank; node of an interface */
    double from_s, to_s;
    const char *call; /* MPI call the rank is inside; NULL: none */
    op_site site;     /* of that call */
};

extern bool op_tracing;
/* passes from now on */
void op_lane_charge(int rank, double now_s, double compute_s, double memory_s);
void op_lane_service(int rank, double at_s, double seconds);
/* In and out of the outermost MPI call. `settled`: nothing is owed from before, so that what is
 * charged until leave is the call's. */
void op_lane_enter(int rank, double now_s, const char *call, op_site site, bool settled);
void op_lane_leave(int rank, double now_s);
void op_lane_end(int rank, double end_s);
/* of one node and kind; the earlier first, mostly */
void op_lane_interface(int node, enum op_doing doing, double from_s, double to_s);

/* ---- events of a trace: what the run noticed, on its date ------------------------------------ */

enum op_event_kind { OP_EVENT_STALE, OP_EVENT_VIOLATION, OP_EVENT_LOST, OP_EVENT_KINDS };
const char *op_event_name(enum op_event_kind kind); /* "stale", "violation", "lost" */

struct op_event {
    enum op_event_kind kind;
    int rank;
    double time_s;
    op_site site;
    int other_rank; /* the writer, the other side; -1: none */
    const char *other_call;
    op_site other_site;
    const char *text; /* what happened, one line */
};

/* ---- the trace: one file with operations, intervals and events
 * ------------------------------------ Lines of comma-separated fields, the first names the kind;
 * written as they happen, so a long run holds nothing back. The file's own head lists them. The
 * same run writes the same bytes. */

enum { OP_TRACE_VERSION = 2 };

struct op_trace_about {
    const char *version, *machine, *program;
    int ranks, nodes;
    const int *node_of;                 /* by rank */
    const char *(*place)(op_site site); /* "halo.c:42"; asked once for each site. Writing only */
};
bool op_trace_open(const char *path, const struct op_trace_about *about); /* false: errno tells */
/* "ended", "deadlock", "aborted"; false: not all could be written, errno tells */
bool op_trace_close(const char *how, double time_s);

/* Reading it back, a line at a time. Texts live until the process ends, `about` until the reader is
 * freed. */
enum op_record { OP_RECORD_OPERATION, OP_RECORD_INTERVAL, OP_RECORD_EVENT, OP_RECORD_END };
struct op_trace_record {
    enum op_record kind;
    uint64_t number; /* of an operation, from 1 */
    struct op_trail trail;
    struct op_interval interval;
    struct op_event event;
    const char *at, *other_at; /* places, in the sites' stead; NULL: not known */
    const char *how;           /* the end: as given to op_trace_close, */
    double time_s;             /* and its time */
};
struct op_trace_reader;
/* NULL, or false: not a trace, of another version, damaged or cut short; the error names file and
 * line. */
struct op_trace_reader *op_trace_reader_new(FILE *in, const char *name, GError **error);
const struct op_trace_about *op_trace_reader_about(const struct op_trace_reader *reader);
bool op_trace_next(struct op_trace_reader *reader, struct op_trace_record *record, GError **error);
void op_trace_reader_free(struct op_trace_reader *reader);

/* ---- the run's record ------------------------------------------------------------------------ */

/* forget everything, drop an open trace: start and end of a world */
void op_clear(void);

#endif
