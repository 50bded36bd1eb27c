/* base: quantities with units, errors, seeded random numbers.
 *
 * Nothing here knows about machines or programs. Containers and strings are GLib's.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- quantities: "8KiB", "150MHz", "5us", "38MBps", "23cycles" ------------------------------- */

enum base_unit {
    BASE_COUNT,       /* 4, 1000; integers only */
    BASE_NUMBER,      /* 0.5 */
    BASE_BYTES,       /* B, KiB, MiB, GiB, kB, MB, GB; a bare number is bytes */
    BASE_SECONDS,     /* s, ms, us, ns, ps; "cycles" too where a clock is known */
    BASE_HERTZ,       /* Hz, kHz, MHz, GHz */
    BASE_BYTES_PER_S, /* Bps, kBps, MBps, GBps, KiBps, MiBps, GiBps */
    BASE_CYCLES,      /* cycles; a bare number is cycles; a time too where a clock is known */
    BASE_WORD,        /* a word out of a list */
};

/* Parses `text`. clock_hz converts between cycles and time; 0: no clock is known, refuse to
 * convert. False: *error says what is wrong and what is accepted. */
bool base_parse(const char *text, enum base_unit unit, double clock_hz, double *value,
                GError **error);
/* The shortest text that reads back as the value: "8KiB", "6.667ns". Free with g_free. */
char *base_format(double value, enum base_unit unit);
/* "a size such as 8KiB (B, KiB, MiB, GiB, kB, MB, GB)" */
const char *base_unit_accepts(enum base_unit unit);

/* ---- errors ---------------------------------------------------------------------------------- */
#define BASE_ERROR base_error_quark()
GQuark base_error_quark(void);
enum base_error {
    BASE_ERROR_SYNTAX,  /* not of the accepted form */
    BASE_ERROR_RANGE,   /* outside what is accepted */
    BASE_ERROR_UNKNOWN, /* no such name */
    BASE_ERROR_FILE,    /* cannot be read or written */
};

/* The name in `names` (n of them) most like `name`, for "did you mean"; NULL when none is near. */
const char *base_nearest(const char *name, const char *const *names, size_t n);

/* All of a file, for g_free. length may be NULL. False: *error says what could not be read, and
 * why.
 */
bool base_read(const char *path, char **text, size_t *length, GError **error);

/* ---- states: what an object may become, as a table --------------------------------------------
 */
struct base_state {
    const char *name;
    unsigned next; /* bits: 1 << state that may follow */
};
/* The state `to`, which may follow `from` in the table of a `what`; any other is a mistake of ours:
 * ends the process, naming both. */
int base_state_next(const char *what, const struct base_state *table, int from, int to);

/* ---- what a resource was used for, for the audit of a run -------------------------------------
 */

struct base_use {
    char name[64];
    uint64_t messages, bytes;
    uint64_t owed;      /* bytes that operations have moved over it, counted without it */
    double bytes_per_s; /* what it can carry; 0: it carries no bytes */
    double busy_s;      /* of it, for all that it did, one at a time */
    bool waits;         /* a processor: busy, too, while it waits for memory */
    double behind_s;    /* of busy_s, for what nobody waits for when the run ends: at most */
};
/* What it cannot have done in a run of that time, in words: more than its capacity, busy for longer
 * than there was time, bytes that it never carried. NULL: nothing. The caller frees. */
char *base_use_breach(const struct base_use *use, double time_s);

/* ---- seeded random numbers: the same sequence on every machine ------------------------------- */
struct base_random {
    uint64_t state;
};
static inline uint64_t base_random_next(struct base_random *r)
{ /* splitmix64, Steele et al., OOPSLA 2014 */
    uint64_t z = (r->state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

#endif
