/* findings: what a run noticed about the program: stale loads, lost bytes, broken rules.
 *
 * Whoever notices one notes it here: mem (loads, sub-word stores, invalidated lines), move and sync
 * (false sharing, rules of PUT/ACCEPT), the dialects (rules of MPI). Equal findings are folded into
 * one record with a count, so a million of a kind make one record; each is also an event of the
 * trace. report prints them. Conflicting accesses are check's to find; world notes them here.
 *
 * Times are simulated seconds since the start of the run. Ranks are MPI_COMM_WORLD ranks.
 */
#ifndef FINDINGS_FINDINGS_H
#define FINDINGS_FINDINGS_H

#include "base/base.h"
#include "op/op.h"

/* ---- stale loads ----------------------------------------------------------------------------- */

enum { FINDINGS_STALE_BYTES = 16 }; /* bytes of a value kept for the report */

struct findings_stale {
    int rank;
    double time_s;
    int segment;     /* segment id, as given to op_segment_add */
    uint64_t offset; /* of the first byte of the load, from the segment's base */
    uint32_t bytes;  /* bytes loaded; at most FINDINGS_STALE_BYTES are kept below */
    uint8_t seen[FINDINGS_STALE_BYTES], memory[FINDINGS_STALE_BYTES];
    op_site load_site;
    uint32_t writer; /* of the newer bytes in memory */
    double write_time_s;
    uint64_t count; /* loads folded into this record; set by findings_stale_note */
};
/* Notes one stale load. Records are folded by (load site, writer's call and site): the first is
 * kept whole and counted; so a million stale loads make few records. Whoever reads and wrote is the
 * first record's. */
void findings_stale_note(const struct findings_stale *stale);
size_t findings_stale_count(void); /* records, in order of first occurrence */
const struct findings_stale *findings_stale_get(size_t i);

/* ---- lost bytes: sub-word stores, innocent victims ------------------------------------------- */

enum findings_note_kind {
    /* a read-modify-write of a word put back bytes that had changed in memory */
    FINDINGS_NOTE_LOST_UPDATE,
    FINDINGS_NOTE_RESTORED, /* the same of a protected segment: its bytes were written again */
    FINDINGS_NOTE_VICTIM,   /* a put by index killed a line it had nothing to do with */
    /* a line at the edge of a servicer's range came back into the cache meanwhile: false sharing */
    FINDINGS_NOTE_EDGE,
    /* an operation read memory before a store that its owner had made had reached it */
    FINDINGS_NOTE_UNPUBLISHED,
    /* code that was not compiled by sidewinder cc stored into a segment: carried, at no cost */
    FINDINGS_NOTE_UNSEEN_STORE,
    /* such code was handed an address in a segment: the check does not know what it loads there */
    FINDINGS_NOTE_UNSEEN_LOAD,
    FINDINGS_NOTE_THREAD, /* the rank has started a thread, or a parallel region: unseen */
    FINDINGS_NOTE_KINDS
};
struct findings_note {
    enum findings_note_kind kind;
    int rank;
    double time_s;
    int segment; /* -1: none */
    uint64_t offset;
    op_site site; /* of the store or call (of the foreign code), or 0 */
    /* what lost or missed them: "store" or a call; static storage. NULL: other kinds */
    const char *call;
    uint32_t writer; /* whose bytes were lost, or whose put killed */
    uint64_t bytes;  /* lost, restored, not yet published, or stored unseen; over all counts */
    uint64_t count;  /* folded by (kind, rank, site, writer) */
};
void findings_note(const struct findings_note *note);
size_t findings_note_count(void);
const struct findings_note *findings_note_get(size_t i);

/* ---- violations of a dialect's rules --------------------------------------------------------- */

struct findings_violation {
    const char *rule; /* "MPI-2 11.7 rule 1", static storage */
    char *message;    /* op keeps its own copy */
    /* "error", "separate", "note": of the check, with what the rank did there; NULL: of a call */
    const char *class, *call;
    int rank;
    double time_s;
    op_site site;
    int other_rank; /* -1: none */
    const char *other_call;
    op_site other_site;
    uintptr_t addr; /* of the rank's memory that it is about; 0: none */
    char *pair;     /* of the check: the two as `run --pair` reads them; NULL: none. Own copy */
    char *effect;   /* what the two did on this machine; NULL: not known. Own copy, too */
    /* folded by (rule, message, site, the other's site): the ranks are the first's; given 0: one */
    uint64_t count;
};
void findings_violation_note(const struct findings_violation *violation);
size_t findings_violation_count(void);
const struct findings_violation *findings_violation_get(size_t i);

/* Forgets all of them: start and end of a world. */
void findings_clear(void);

#endif
