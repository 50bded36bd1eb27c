/* memcpy, strlen and friends, as the program calls them: the bytes really touched are played, then
 * moved.
 *
 * Each works in pieces of a line's size, in the order of addresses, as the library's own loops do:
 * a line is loaded (which may bring newer bytes into the view) just before its bytes are used. A
 * string is loaded up to and with its NUL.
 */
#include "probe/stand_ins.h"
#include "world/prices/prices.h"

#include <ctype.h>
#include <string.h>

#define NO_LIMIT ((size_t)PTRDIFF_MAX)

/* ---- memory ---------------------------------------------------------------------------------- */

/* Of words that hit, as many as a call takes itself pass beside it, where the machine says how long
 * that is; its loads have other ports than the stores of a copy. */
static int64_t words_of(uint64_t bytes, int64_t word) { return (int64_t)(bytes + 7) / 8 * word; }
static void pass_beside(struct mem_cpu *cpu, int64_t words, int64_t *left)
{
    const int64_t hidden = MIN(words, *left);
    mem_charge(&cpu->ledger, -hidden, 0);
    *left -= hidden;
}

/* A piece of a store of n bytes from `all` on. */
static void store_piece(const char *to, size_t piece, const char *all, size_t n, uintptr_t pc)
{
    struct mem_cpu *cpu = world_cpu();
    mem_copy_begin(cpu, (uintptr_t)all, n);
    probe_store((uintptr_t)to, piece, pc);
    mem_copy_end(cpu);
}

static void pass_copied(size_t piece, int64_t *left)
{
    struct mem_cpu *cpu = world_cpu();
    int64_t loads = words_of(piece, cpu->ledger.load_word);
    pass_beside(cpu, loads, &loads);
    pass_beside(cpu, words_of(piece, cpu->ledger.store_word), left);
}

static void copy_up(char *to, const char *from, size_t n, uintptr_t pc)
{
    int64_t left = world_library_beside().copy;
    const bool beside = left > 0;
    for (size_t done = 0; done < n;) {
        size_t piece = probe_piece((uintptr_t)from + done, n - done);
        probe_load((uintptr_t)from + done, piece, pc);
        store_piece(to + done, piece, to, n, pc);
        memmove(to + done, from + done, piece);
        if (beside) pass_copied(piece, &left);
        done += piece;
    }
}

static void copy_down(char *to, const char *from, size_t n, uintptr_t pc)
{
    int64_t left = world_library_beside().copy;
    const bool beside = left > 0;
    while (n > 0) {
        size_t piece = ((uintptr_t)from + n - 1) % PROBE_PIECE + 1;
        if (piece > n) piece = n;
        n -= piece;
        probe_load((uintptr_t)from + n, piece, pc);
        probe_store((uintptr_t)to + n, piece, pc);
        memmove(to + n, from + n, piece);
        if (beside) pass_copied(piece, &left);
    }
}

void *probe_copy(void *to, const void *from, size_t n, uintptr_t pc)
{
    if (!probe_active()) return memmove(to, from, n);
    if ((uintptr_t)to - (uintptr_t)from < n)
        copy_down(to, from, n, pc);
    else
        copy_up(to, from, n, pc);
    return to;
}

void *probe_memcpy(void *to, const void *from, size_t n)
{
    return probe_copy(to, from, n, PROBE_CALLER);
}
void *probe_memmove(void *to, const void *from, size_t n)
{
    return probe_copy(to, from, n, PROBE_CALLER);
}
void *probe_mempcpy(void *to, const void *from, size_t n)
{
    return (char *)probe_copy(to, from, n, PROBE_CALLER) + n;
}

static void fill(char *to, int byte, size_t n, uintptr_t pc)
{
    if (!probe_active()) {
        memset(to, byte, n);
        return;
    }
    int64_t left = world_library_beside().fill;
    for (size_t done = 0; done < n;) {
        size_t piece = probe_piece((uintptr_t)to + done, n - done);
        store_piece(to + done, piece, to, n, pc);
        memset(to + done, byte, piece);
        if (left > 0)
            pass_beside(world_cpu(), words_of(piece, world_cpu()->ledger.store_word), &left);
        done += piece;
    }
}

void *probe_memset(void *to, int byte, size_t n)
{
    fill(to, byte, n, PROBE_CALLER);
    return to;
}

int probe_memcmp(const void *a, const void *b, size_t n)
{
    if (!probe_active()) return memcmp(a, b, n);
    uintptr_t pc = PROBE_CALLER;
    const unsigned char *p = a, *q = b;
    int64_t left = world_library_beside().compare;
    for (size_t done = 0; done < n;) {
        size_t piece = probe_piece((uintptr_t)p + done, n - done);
        probe_load((uintptr_t)p + done, piece, pc);
        probe_load((uintptr_t)q + done, piece, pc);
        if (left > 0)
            pass_beside(world_cpu(), 2 * words_of(piece, world_cpu()->ledger.load_word), &left);
        int order = memcmp(p + done, q + done, piece);
        if (order) return order;
        done += piece;
    }
    return 0;
}

/* Loads s up to and with the first `byte`, at most n bytes; its offset, or n. */
size_t probe_load_to(const char *s, int byte, size_t n, uintptr_t pc)
{
    for (size_t done = 0; done < n;) {
        size_t piece = probe_piece((uintptr_t)s + done, n - done);
        /* brings the line; only then is it known how far to look */
        probe_load((uintptr_t)s + done, 1, pc);
        const char *hit = memchr(s + done, byte, piece);
        size_t seen = hit ? (size_t)(hit - (s + done)) + 1 : piece;
        probe_load((uintptr_t)s + done + 1, seen - 1, pc);
        if (hit) return done + seen - 1;
        done += piece;
    }
    return n;
}

void *probe_memchr(const void *s, int byte, size_t n)
{
    if (!probe_active()) return (void *)(uintptr_t)memchr(s, byte, n);
    size_t at = probe_load_to(s, byte, n, PROBE_CALLER);
    return at < n ? (char *)(uintptr_t)s + at : NULL;
}

/* ---- strings --------------------------------------------------------------------------------- */

size_t probe_strlen(const char *s)
{
    return probe_active() ? probe_load_to(s, 0, NO_LIMIT, PROBE_CALLER) : strlen(s);
}
size_t probe_strnlen(const char *s, size_t n)
{
    return probe_active() ? probe_load_to(s, 0, n, PROBE_CALLER) : strnlen(s, n);
}

/* n bytes that were loaded already, and a NUL: stores only. */
char *probe_put(char *to, const char *from, size_t n, uintptr_t pc)
{
    probe_deliver(to, from, n, pc);
    probe_deliver(to + n, "", 1, pc);
    return to + n;
}

static char *append(char *to, const char *from, size_t n, uintptr_t pc)
{
    if (!probe_active()) {
        size_t length = strnlen(from, n);
        memcpy(to, from, length);
        to[length] = '\0';
        return to + length;
    }
    return probe_put(to, from, probe_load_to(from, 0, n, pc), pc);
}

char *probe_strcpy(char *to, const char *from)
{
    append(to, from, NO_LIMIT, PROBE_CALLER);
    return to;
}

char *probe_stpcpy(char *to, const char *from) { return append(to, from, NO_LIMIT, PROBE_CALLER); }

/* n bytes; returns where the NULs begin. */
static char *padded(char *to, const char *from, size_t n, uintptr_t pc)
{
    const bool active = probe_active();
    size_t length = active ? probe_load_to(from, 0, n, pc) : strnlen(from, n);
    if (active) {
        probe_deliver(to, from, length, pc);
        fill(to + length, 0, n - length, pc);
    } else {
        memcpy(to, from, length);
        memset(to + length, 0, n - length);
    }
    return to + length;
}

char *probe_strncpy(char *to, const char *from, size_t n)
{
    padded(to, from, n, PROBE_CALLER);
    return to;
}

char *probe_stpncpy(char *to, const char *from, size_t n)
{
    return padded(to, from, n, PROBE_CALLER);
}

char *probe_strcat(char *to, const char *from)
{
    uintptr_t pc = PROBE_CALLER;
    size_t length = probe_active() ? probe_load_to(to, 0, NO_LIMIT, pc) : strlen(to);
    append(to + length, from, NO_LIMIT, pc);
    return to;
}

char *probe_strncat(char *to, const char *from, size_t n)
{
    uintptr_t pc = PROBE_CALLER;
    size_t length = probe_active() ? probe_load_to(to, 0, NO_LIMIT, pc) : strlen(to);
    append(to + length, from, n, pc);
    return to;
}

static int compare(const char *a, const char *b, size_t n, bool fold, uintptr_t pc)
{
    size_t ready_a = 0, ready_b = 0, i = 0; /* so much of each has its line here */
    int order = 0;
    bool active = probe_active();
    for (bool over = n == 0; !over; i++) {
        if (active && i == ready_a) probe_load((uintptr_t)a + i, 1, pc);
        if (active && i == ready_b) probe_load((uintptr_t)b + i, 1, pc);
        if (i == ready_a) ready_a += probe_piece((uintptr_t)a + i, n - i);
        if (i == ready_b) ready_b += probe_piece((uintptr_t)b + i, n - i);
        unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (fold) {
            x = (unsigned char)tolower(x);
            y = (unsigned char)tolower(y);
        }
        order = x - y;
        over = order || !x || i + 1 == n;
    }
    probe_report(a, i, CHECK_LOAD, pc);
    probe_report(b, i, CHECK_LOAD, pc);
    return order;
}

int probe_strcmp(const char *a, const char *b)
{
    return compare(a, b, NO_LIMIT, false, PROBE_CALLER);
}
int probe_strncmp(const char *a, const char *b, size_t n)
{
    return compare(a, b, n, false, PROBE_CALLER);
}
int probe_strcasecmp(const char *a, const char *b)
{
    return compare(a, b, NO_LIMIT, true, PROBE_CALLER);
}
int probe_strncasecmp(const char *a, const char *b, size_t n)
{
    return compare(a, b, n, true, PROBE_CALLER);
}

/* Loads s up to the first byte that is c or NUL: it is there. */
static const char *find(const char *s, int c, uintptr_t pc)
{
    if (!probe_active()) return strchrnul(s, c);
    for (size_t i = 0, ready = 0;; i++) {
        if (i == ready) {
            probe_load((uintptr_t)s + i, 1, pc);
            ready += probe_piece((uintptr_t)s + i, NO_LIMIT);
        }
        if (s[i] != (char)c && s[i]) continue;
        probe_report(s, i + 1, CHECK_LOAD, pc);
        return s + i;
    }
}

char *probe_strchr(const char *s, int c)
{
    const char *at = find(s, c, PROBE_CALLER);
    return *at == (char)c ? (char *)(uintptr_t)at : NULL;
}

char *probe_strchrnul(const char *s, int c) { return (char *)(uintptr_t)find(s, c, PROBE_CALLER); }

char *probe_strrchr(const char *s, int c)
{
    if (probe_active()) probe_load_to(s, 0, NO_LIMIT, PROBE_CALLER);
    return (char *)(uintptr_t)strrchr(s, c);
}

char *probe_strstr(const char *s, const char *part)
{
    uintptr_t pc = PROBE_CALLER;
    if (probe_active()) {
        probe_load_to(part, 0, NO_LIMIT, pc);
        probe_load_to(s, 0, NO_LIMIT, pc);
    }
    return (char *)(uintptr_t)strstr(s, part);
}

size_t probe_span(const char *s, const char *set, bool until, uintptr_t pc)
{
    if (!probe_active()) return until ? strcspn(s, set) : strspn(s, set);
    probe_load_to(set, 0, NO_LIMIT, pc);
    for (size_t done = 0;;) {
        size_t piece = probe_piece((uintptr_t)s + done, NO_LIMIT);
        probe_load((uintptr_t)s + done, 1, pc);
        g_autofree char *text = g_strndup(s + done, piece);
        size_t n = until ? strcspn(text, set) : strspn(text, set), known = strlen(text);
        size_t seen = n < piece ? n + 1 : piece;
        probe_load((uintptr_t)s + done + 1, seen - 1, pc);
        if (n < piece || known < piece) return done + n;
        done += piece;
    }
}

size_t probe_strspn(const char *s, const char *accepted)
{
    return probe_span(s, accepted, false, PROBE_CALLER);
}
size_t probe_strcspn(const char *s, const char *rejected)
{
    return probe_span(s, rejected, true, PROBE_CALLER);
}

char *probe_strpbrk(const char *s, const char *sought)
{
    const char *at = s + probe_span(s, sought, true, PROBE_CALLER);
    return *at ? (char *)(uintptr_t)at : NULL;
}

char *probe_strtok_r(char *s, const char *delimiters, char **rest)
{
    if (!probe_active()) return strtok_r(s, delimiters, rest);
    uintptr_t pc = PROBE_CALLER;
    if (!s) s = *rest;
    if (!s) return NULL;
    s += probe_span(s, delimiters, false, pc);
    char *end = s + probe_span(s, delimiters, true, pc);
    const bool found = end > s;
    if (*end) probe_deliver(end++, "", 1, pc);
    *rest = end;
    probe_stored(rest, sizeof *rest, pc);
    return found ? s : NULL;
}
