/* What --help prints: lines of at most 118 columns, whatever a description's length. */
#include "cli/common/options.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS = 118 };

/* Where the lines go on that follow one: below what it says of its option, or below its first
 * letter. */
static size_t indent_of(const char *line)
{
    size_t blanks = strspn(line, " ");
    const char *gap = line[blanks] == '-' ? strstr(line + blanks, "  ") : NULL;
    return gap ? (size_t)(gap - line) + strspn(gap, " ") : blanks;
}

/* The blank at which a line breaks, NULL: it fits. No line begins with "-", as one does that lists
 * an option. */
static char *break_of(char *line, size_t indent)
{
    char *last = NULL, *begin = line + indent;
    if (g_utf8_strlen(line, -1) <= COLUMNS) return NULL;
    for (char *c = begin; *c && g_utf8_strlen(line, c - line) <= COLUMNS; c++)
        if (*c == ' ' && c > begin && c[1] != '-') last = c;
    return last;
}

static void wrap(const char *text, GString *out)
{
    size_t indent = indent_of(text);
    g_autofree char *line = g_strdup(text);
    for (char *at = break_of(line, indent); at; at = break_of(line, indent)) {
        *at = '\0';
        g_string_append_printf(out, "%s\n", line);
        char *rest = g_strdup_printf("%*s%s", (int)indent, "", at + 1);
        g_free(line);
        line = rest;
    }
    g_string_append_printf(out, "%s\n", line);
}

/* A paragraph's line that is too long pushes its end into the next one. */
static bool runs_on(const char *line, const char *next)
{
    return *line != ' ' && g_utf8_strlen(line, -1) > COLUMNS && next && *next && *next != ' ';
}

void cli_print_help(GOptionContext *context)
{
    g_autofree char *text = g_option_context_get_help(context, TRUE, NULL);
    g_autoptr(GString) out = g_string_new(NULL);
    if (g_str_has_suffix(text, "\n")) text[strlen(text) - 1] = '\0';
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    char **line = lines;
    if (line[0] && line[1] && g_str_has_prefix(line[0], "Usage:")) { /* as the others begin */
        g_string_append_printf(out, "Usage: %s\n", g_strchug(line[1]));
        g_string_replace(out, "[OPTION…]", "[OPTION]...", 1);
        line += 2;
    }
    for (; *line; line++) {
        if (runs_on(line[0], line[1])) {
            char *both = g_strjoin(" ", line[0], line[1], NULL);
            g_free(line[1]);
            line[1] = both;
        } else
            wrap(*line, out);
    }
    fputs(out->str, stdout);
}
