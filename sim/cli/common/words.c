/* Commands as text. */
#include "cli/common/common.h"

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
