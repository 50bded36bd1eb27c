/* Pieces of segments as people name them. */
#include "op/op.h"

#include <string.h>

enum { BYTES_MAX = 64, BYTES_USUAL = 8 };

static bool number(const char *text, uint64_t low, uint64_t high, uint64_t *value)
{
    guint64 n = 0;
    bool good = g_ascii_string_to_unsigned(text, 10, low, high, &n, NULL);
    *value = n;
    return good;
}

/* "4@3.4ms": cuts off the date, none if there is none. */
static bool cut_date(char *number, double *at_s)
{
    char *at = number ? strchr(number, '@') : NULL;
    *at_s = 0;
    if (!at) return true;
    *at = '\0';
    return base_parse(at + 1, BASE_SECONDS, 0, at_s, NULL) && *at_s >= 0;
}

/* From the right, since a window's name may hold colons. */
bool op_memory_read(const char *text, struct op_memory *memory, GError **error)
{
    g_auto(GStrv) part = g_strsplit(text, ":", -1);
    guint parts = g_strv_length(part), numbers = MIN(MAX(parts, 1) - 1, 3);
    double at_s;
    uint64_t window, value[3] = {0, 0, BYTES_USUAL};
    static const uint64_t low[] = {0, 0, 1}, high[] = {G_MAXINT, G_MAXINT64, BYTES_MAX};
    bool good = cut_date(numbers ? part[parts - 1] : NULL, &at_s) && numbers >= 2;
    for (guint i = 0; good && i < numbers; i++)
        good = number(part[parts - numbers + i], low[i], high[i], &value[i]);
    *memory = (struct op_memory){.rank = (int)value[0], .offset = value[1], .bytes = value[2]};
    memory->at_s = at_s;
    for (guint i = parts - numbers; i < parts; i++) g_clear_pointer(&part[i], g_free);
    g_autofree char *name = g_strjoinv(":", part);
    if (number(name, 0, G_MAXINT, &window))
        g_snprintf(memory->name, sizeof memory->name, "window %s", name);
    else
        g_strlcpy(memory->name, name, sizeof memory->name);
    good = good && *name;
    if (!good)
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "%s: expected WINDOW:RANK:OFFSET[:BYTES][@TIME], such as 0:1:16:4; WINDOW is a "
                    "number or name from the report, BYTES 1 to %d",
                    text, BYTES_MAX);
    return good;
}
