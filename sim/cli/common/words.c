/* Commands as text, numbers out of it. */
#include "cli/common/common.h"

#include "base/base.h"

#include <string.h>

char *cli_words(const char *first, char **words)
{
    GString *text = g_string_new(first);
    for (char **word = words; *word; word++) {
        bool plain = **word != '\0';
        for (const char *c = *word; *c; c++)
            plain = plain && (g_ascii_isalnum(*c) || strchr("-_./=,:+@%", *c));
        g_autofree char *quoted = plain ? g_strdup(*word) : g_shell_quote(*word);
        g_string_append_printf(text, "%s%s", text->len ? " " : "", quoted);
    }
    return g_string_free(text, FALSE);
}

bool cli_whole(const char *option, const char *text, int *value, GError **error)
{
    double number;
    if (!text) return true;
    if (!base_parse(text, BASE_COUNT, 0, &number, error)) {
        g_prefix_error(error, "%s: ", option);
        return false;
    }
    if (number < G_MININT || number > G_MAXINT) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "%s %s: out of range; accepted are whole numbers to %d", option, text,
                    G_MAXINT);
        return false;
    }
    *value = (int)number;
    return true;
}
