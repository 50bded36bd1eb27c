/* op: what the simulated program asked for, as data.
 *
 * An operation is one put, get, accumulate or control message with its trail: the time of every
 * step from the call to completion. Also here: who wrote a byte (writers) and the names of memory
 * that others may access (segments). Nothing in this room computes a cost, waits or moves bytes.
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
/* Does some byte lie in two of its pieces? */
bool op_overlaps(const struct op_layout *layout);

/* ---- operations ------------------------------------------------------------------------------ */

enum op_kind { OP_PUT, OP_GET, OP_ACCUMULATE, OP_GET_ACCUMULATE, OP_CONTROL, OP_KINDS };
const char *op_kind_name(enum op_kind kind); /* "put", "get", "accumulate", ... */

/* The steps of an operation; every step's time is kept in the trail. */
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
    uint64_t description;  /* bytes that described datatype and operation to the target */
};

/* ---- writers: who wrote these bytes ---------------------------------------------------------- */

struct op_writer {
    int rank;
    const char *call; /* "MPI_Put", "store", "MPI_Recv"; static storage */
    op_site site;
};
/* Number of an equal writer, made on first use; 0 is "nobody known". Below 2^20. */
uint32_t op_writer_id(int rank, const char *call, op_site site);
struct op_writer op_writer(uint32_t id);
/* "nobody known" has no rank and no call. */
static inline bool op_writer_known(const struct op_writer *writer)
{
    return writer->rank >= 0 && writer->call && *writer->call;
}

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
int op_segments(void); /* so many were added */
/* The last one added that has the byte of that rank; NULL: none. */
const struct op_segment *op_segment_at(int rank, uintptr_t addr);

/* A piece of a segment, as a person names it: "window 0:1:8:4", or "0:1:8:4" of a window; segment,
 * rank, offset, bytes. Bytes: 1 to 64; 8 if they are left out. "0:1:8:4@3.4ms": at that date above
 * all. False: *error. */
struct op_memory {
    char name[64];
    int rank;
    uint64_t offset, bytes;
    double at_s; /* 0: none is named */
};
bool op_memory_read(const char *text, struct op_memory *memory, GError **error);

/* Forgets writers and segments: start and end of a world. */
void op_clear(void);

#endif
