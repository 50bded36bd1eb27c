/* The launchers by name: launchers.def. */
#include "cli/sweep/parts.h"

#include <string.h>

static const struct cli_launcher *const launchers[] = {
#define LAUNCHER(name) &cli_launcher_##name,
#include "cli/sweep/launchers.def"
#undef LAUNCHER
};

const struct cli_launcher *cli_launcher_find(const char *text, char ***options, GError **error)
{
    const char *colon = strchr(text, ':');
    g_autofree char *name = colon ? g_strndup(text, (gsize)(colon - text)) : g_strdup(text);
    const char *names[G_N_ELEMENTS(launchers) + 1] = {NULL};
    for (size_t i = 0; i < G_N_ELEMENTS(launchers); i++) {
        names[i] = launchers[i]->name;
        if (strcmp(name, names[i]) != 0) continue;
        *options = NULL;
        if (!colon || !colon[1])
            *options = g_new0(char *, 1);
        else if (!g_shell_parse_argv(colon + 1, NULL, options, error))
            g_prefix_error(error, "--launcher %s: ", text);
        return *options ? launchers[i] : NULL;
    }
    const char *near = base_nearest(name, names, G_N_ELEMENTS(launchers));
    g_autofree char *list = g_strjoinv(", ", (char **)names);
    g_set_error(error, BASE_ERROR, BASE_ERROR_UNKNOWN,
                "--launcher %s: unknown launcher%s%s; accepted are %s", name,
                near ? "; did you mean " : "", near ? near : "", list);
    return NULL;
}

char *cli_launchers_help(void)
{
    GString *text = g_string_new(NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(launchers); i++)
        g_string_append_printf(text, "  %-9s %s\n", launchers[i]->name, launchers[i]->help);
    return g_string_free(text, FALSE);
}
