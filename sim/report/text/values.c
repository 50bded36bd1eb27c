/* A loaded value guessed back into a number: the machine knows bytes, the reader thinks in numbers.
 *
 * Seen and memory are shown in the same way, so that they can be compared: as text when both are
 * printable, as a floating number when one looks like it and the other looks like it or is zero, as
 * an integer otherwise. Little-endian, as the host and as the Alpha. */
#include "report/text/sections.h"

#include <math.h>
#include <string.h>

static uint64_t number(const uint8_t *byte, uint32_t bytes)
{
    uint64_t value = 0;
    for (uint32_t i = bytes; i-- > 0;) value = value << 8 | byte[i];
    return value;
}

static double real(const uint8_t *byte, uint32_t bytes)
{
    double wide;
    float narrow;
    if (bytes == 8) return memcpy(&wide, byte, sizeof wide), wide;
    return memcpy(&narrow, byte, sizeof narrow), (double)narrow;
}

/* A number somebody would compute with; as an integer the same bits would be of twenty digits (of
 * nine for float). */
static bool looks_real(const uint8_t *byte, uint32_t bytes)
{
    double value = fabs(real(byte, bytes));
    double low = bytes == 8 ? 1e-30 : 1e-9, high = bytes == 8 ? 1e30 : 1e12;
    return isfinite(value) && value >= low && value <= high;
}

static bool zero(const uint8_t *byte, uint32_t bytes) { return number(byte, bytes) == 0; }

/* Printable characters, then nothing but zeros; more of them than a small number could imitate. */
static bool printable(const uint8_t *byte, uint32_t bytes)
{
    uint32_t n = 0;
    while (n < bytes && g_ascii_isprint(byte[n])) n++;
    for (uint32_t i = n; i < bytes; i++)
        if (byte[i] != 0) return false;
    return n == bytes || n > 4;
}

static char *plain_hex(const uint8_t *byte, uint32_t bytes)
{
    GString *text = g_string_new(NULL);
    for (uint32_t i = 0; i < bytes; i++)
        g_string_append_printf(text, "%s%02x", i ? " " : "", byte[i]);
    return g_string_free(text, FALSE);
}

enum form { HEX, INTEGER, REAL, TEXT };

static char *value_text(const uint8_t *byte, uint32_t bytes, enum form form)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    g_autofree char *chars = NULL;
    switch (form) {
    case HEX: return plain_hex(byte, bytes);
    case INTEGER: {
        uint64_t value = number(byte, bytes);
        int unused = 64 - 8 * (int)bytes;
        return g_strdup_printf("%" G_GINT64_FORMAT " (0x%0*" G_GINT64_MODIFIER "x)",
                               (gint64)(value << unused) >> unused, 2 * (int)bytes, (guint64)value);
    }
    /* the fewest digits that tell it from its neighbours, as a program would print it */
    case REAL:
        for (int precision = 6; precision <= 17; precision++) {
            g_autofree char *format = g_strdup_printf("%%.%dg", precision);
            g_ascii_formatd(digits, sizeof digits, format, real(byte, bytes));
            double back = g_ascii_strtod(digits, NULL);
            if (bytes == 8 ? back == real(byte, 8) : (float)back == (float)real(byte, 4)) break;
        }
        return g_strdup_printf("%s (0x%0*" G_GINT64_MODIFIER "x)", digits, 2 * (int)bytes,
                               (guint64)number(byte, bytes));
    case TEXT:
        chars = g_strndup((const char *)byte, bytes);
        return g_strdup_printf(bytes == 1 ? "'%s' (0x%02x)" : "\"%s\"", chars, byte[0]);
    }
    g_return_val_if_reached(NULL);
}

void report_values(const uint8_t *seen, const uint8_t *memory, uint32_t bytes, char **seen_text,
                   char **memory_text)
{
    uint32_t n = MIN(bytes, (uint32_t)FINDINGS_STALE_BYTES);
    enum form form = HEX;
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) {
        form = INTEGER;
        if (bytes >= 4) {
            bool seen_real = looks_real(seen, n), memory_real = looks_real(memory, n);
            if ((seen_real && (memory_real || zero(memory, n))) || (memory_real && zero(seen, n)))
                form = REAL;
        }
    }
    bool both_text = printable(seen, n) && printable(memory, n);
    if (both_text && form != REAL && bytes != 2 && bytes != 4) form = TEXT;
    *seen_text = value_text(seen, n, form);
    *memory_text = value_text(memory, n, form);
}
