/* What an error did on a machine, judged by the pair's own bytes: which write a read returned and
 * which of two writes stays, against the runs in which one access was complete before the other
 * began. */
#include "cli/check/bytes.h"

#include <string.h>

char *cli_check_value(const char *hex)
{
    size_t bytes = hex ? strlen(hex) / 2 : 0;
    uint64_t number = 0;
    for (size_t i = bytes; i-- > 0 && bytes <= 8;)
        number = number << 8 | (uint64_t)(g_ascii_xdigit_value(hex[2 * i]) << 4 |
                                          g_ascii_xdigit_value(hex[2 * i + 1]));
    int64_t word = bytes == 4 ? (int32_t)(uint32_t)number : (int64_t)number;
    if ((bytes == 4 || bytes == 8) && ABS(word) < 1000000)
        return g_strdup_printf("%" G_GINT64_FORMAT, (gint64)word);
    double real;
    memcpy(&real, &number, sizeof real);
    if (bytes == 8 && ABS(real) > 1e-9 && ABS(real) < 1e15) return g_strdup_printf("%g", real);
    return bytes <= 8 ? g_strdup(hex ? hex : "?") : g_strdup_printf("%.16s...", hex);
}

static bool same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

/* Is every byte one of a's or one of b's? */
static bool mixed(const char *text, const char *a, const char *b)
{
    if (!text || !a || !b || strlen(a) != strlen(text) || strlen(b) != strlen(text)) return false;
    for (size_t i = 0; text[i]; i += 2)
        if (strncmp(text + i, a + i, 2) != 0 && strncmp(text + i, b + i, 2) != 0) return false;
    return true;
}

/* A word of many bytes, as a number. */
static char *word(const char *hex, size_t at, size_t bytes)
{
    g_autofree char *text = g_strndup(hex + 2 * at, 2 * bytes);
    return cli_check_value(text);
}

static bool is_number(const char *text, size_t bytes) { return strlen(text) != 2 * bytes; }

/* Of many bytes, the first word that differs. */
static char *first_stale(const char *what, const char *seen, const char *right)
{
    size_t at = 0, all = strlen(seen) / 2;
    while (strncmp(seen + 2 * at, right + 2 * at, 2) == 0) at++;
    for (size_t bytes = 4; bytes <= 8; bytes += 4) {
        size_t from = at / bytes * bytes;
        if (from + bytes > all) break;
        g_autofree char *one = word(seen, from, bytes), *other = word(right, from, bytes);
        if (bytes == 8 || (is_number(one, bytes) && is_number(other, bytes)))
            return g_strdup_printf("%s (%s, not %s, at byte %zu of %zu)", what, one, other, from,
                                   all);
    }
    return g_strdup_printf("%s (%.2s, not %.2s, at byte %zu of %zu)", what, seen + 2 * at,
                           right + 2 * at, at, all);
}

static char *stale(const char *what, const char *seen, const char *right)
{
    if (seen && right && strlen(seen) == strlen(right) && strlen(seen) > 16 && !same(seen, right))
        return first_stale(what, seen, right);
    g_autofree char *one = cli_check_value(seen), *other = cli_check_value(right);
    return g_strdup_printf("%s (%s, not %s)", what, one, other);
}

static char *with(const char *what, const char *value)
{
    g_autofree char *text = cli_check_value(value);
    return g_strdup_printf("%s (%s)", what, text);
}

static char *torn(const char *seen, const char *old)
{
    size_t all = strlen(seen) / 2, kept = 0;
    for (size_t i = 0; i < all; i++) kept += strncmp(seen + 2 * i, old + 2 * i, 2) == 0;
    return all > 8 ? g_strdup_printf("torn (%zu of %zu bytes are old)", kept, all)
                   : with("torn word", seen);
}

/* Of what an operation has in its own buffer there is one right order. */
static char *buffer(const struct cli_check_bytes *as_is, const struct cli_check_bytes *right)
{
    if (!right->known) return NULL;
    if (as_is->read[1])
        return same(as_is->read[1], right->read[1])
                   ? g_strdup("harmless here")
                   : stale("stale value", as_is->read[1], right->read[1]);
    if (as_is->read[0])
        return same(as_is->read[0], right->read[0])
                   ? g_strdup("harmless here")
                   : stale("later value sent", as_is->read[0], right->read[0]);
    return same(as_is->memory, right->memory) ? g_strdup("harmless here")
                                              : stale("lost update", as_is->memory, right->memory);
}

/* Side s reads what the other writes. */
static char *reads(int s, const struct cli_check_bytes *as_is,
                   const struct cli_check_bytes ordered[2])
{
    const char *seen = as_is->read[s];
    const char *after = ordered[1 - s].known ? ordered[1 - s].read[s] : NULL,
               *before = ordered[s].known ? ordered[s].read[s] : NULL;
    if (!after) return same(seen, before) ? with("old value read", seen) : NULL;
    if (same(seen, after) && (!before || same(seen, before))) return g_strdup("harmless here");
    if (as_is->lost) return stale("lost update", seen, after);
    if (same(seen, after)) return with("new value read", seen);
    if (same(seen, before)) return stale("stale value", seen, after);
    if (mixed(seen, before, after)) return torn(seen, before);
    return stale(before ? "another value" : "stale value", seen, after);
}

static char *stays(const struct cli_check_sides *sides, int s, const char *value)
{
    if (sides->rank[0] == sides->rank[1])
        return with(s == 0 ? "the first stays" : "the second stays", value);
    g_autofree char *whose = g_strdup_printf("rank %d's stays", sides->rank[s]);
    return with(whose, value);
}

static char *writes(const struct cli_check_sides *sides, const struct cli_check_bytes *as_is,
                    const struct cli_check_bytes ordered[2])
{
    const char *left[2] = {ordered[1].known ? ordered[1].memory : NULL,
                           ordered[0].known ? ordered[0].memory : NULL}; /* side s came last */
    if (!as_is->memory || (!left[0] && !left[1])) return NULL;
    if (!same(as_is->memory, as_is->load)) {
        g_autofree char *memory = cli_check_value(as_is->memory),
                        *load = cli_check_value(as_is->load);
        return g_strdup_printf("two values (%s in memory, %s in a cache)", memory, load);
    }
    if (same(as_is->memory, left[0]) && same(as_is->memory, left[1]))
        return g_strdup("harmless here");
    for (int s = 0; s < 2; s++)
        if (same(as_is->memory, left[s])) return stays(sides, s, as_is->memory);
    if (mixed(as_is->memory, left[0], left[1])) return with("torn word", as_is->memory);
    return NULL;
}

char *cli_check_effect(const struct cli_check_sides *sides, const struct cli_check_bytes *as_is,
                       const struct cli_check_bytes ordered[2])
{
    if (!as_is->known) return NULL;
    if (sides->buffer) return buffer(as_is, &ordered[0]);
    for (int s = 0; s < 2; s++)
        if (as_is->read[s]) return reads(s, as_is, ordered);
    return writes(sides, as_is, ordered);
}
