/* As string.c: the functions on memory and strings that are GNU's or BSD's. The same bytes are
 * played that their descriptions say are looked at: up to what is found. */
#include "probe/stand_ins.h"

#include <string.h>

#define NO_LIMIT ((size_t)PTRDIFF_MAX)

/* ---- memory ---------------------------------------------------------------------------------- */

void *probe_memmem(const void *in, size_t n, const void *part, size_t m)
{
    if (!probe_active() || m == 0 || m > n) return memmem(in, n, part, m);
    uintptr_t pc = PROBE_CALLER;
    const char *s = in;
    probe_load((uintptr_t)part, m, pc);
    for (size_t done = 0; done < n;) {
        size_t piece = probe_piece((uintptr_t)s + done, n - done);
        size_t from = done >= m ? done - m + 1 : 0;
        probe_load((uintptr_t)s + done, 1, pc);
        const char *hit = memmem(s + from, done + piece - from, part, m);
        size_t seen = hit ? (size_t)(hit + m - (s + done)) : piece;
        probe_load((uintptr_t)s + done + 1, seen - 1, pc);
        if (hit) return (void *)(uintptr_t)hit;
        done += piece;
    }
    return NULL;
}

void *probe_memrchr(const void *in, int byte, size_t n)
{
    const char *s = in;
    if (!probe_active()) return (void *)(uintptr_t)memrchr(s, byte, n);
    uintptr_t pc = PROBE_CALLER;
    while (n > 0) {
        size_t piece = MIN(((uintptr_t)s + n - 1) % PROBE_PIECE + 1, n);
        probe_load((uintptr_t)s + n - 1, 1, pc);
        const char *low = s + n - piece, *hit = memrchr(low, byte, piece);
        if (hit) low = hit;
        probe_load((uintptr_t)low, (size_t)(s + n - 1 - low), pc);
        if (hit) return (void *)(uintptr_t)hit;
        n -= piece;
    }
    return NULL;
}

void *probe_rawmemchr(const void *s, int byte)
{
    if (!probe_active()) return rawmemchr(s, byte);
    return (char *)(uintptr_t)s + probe_load_to(s, byte, NO_LIMIT, PROBE_CALLER);
}

void *probe_memccpy(void *to, const void *from, int byte, size_t n)
{
    if (!probe_active()) return memccpy(to, from, byte, n);
    uintptr_t pc = PROBE_CALLER;
    size_t at = probe_load_to(from, byte, n, pc);
    probe_deliver(to, from, at < n ? at + 1 : n, pc);
    return at < n ? (char *)to + at + 1 : NULL;
}

/* ---- strings --------------------------------------------------------------------------------- */

char *probe_strcasestr(const char *s, const char *part)
{
    uintptr_t pc = PROBE_CALLER;
    if (probe_active()) {
        probe_load_to(part, 0, NO_LIMIT, pc);
        probe_load_to(s, 0, NO_LIMIT, pc);
    }
    return (char *)(uintptr_t)strcasestr(s, part);
}

/* The pointer is read, and written. */
char *probe_strsep(char **rest, const char *delimiters)
{
    if (!probe_active()) return strsep(rest, delimiters);
    uintptr_t pc = PROBE_CALLER;
    probe_load((uintptr_t)rest, sizeof *rest, pc);
    char *s = *rest;
    if (!s) return NULL;
    char *end = s + probe_span(s, delimiters, true, pc);
    const bool last = *end == '\0';
    if (!last) probe_deliver(end, "", 1, pc);
    *rest = last ? NULL : end + 1;
    probe_stored(rest, sizeof *rest, pc);
    return s;
}
