/* The page of a run, with films of what its findings are about. */
#include "cli/run/parts.h"
#include "cli/view/view.h"

#include <glib/gstdio.h>
#include <string.h>

enum { FILMS = 10 };

/* A second run into a folder of its own; its trace is a film's. Free with g_free. */
static char *film(const char *folder, GKeyFile *file, const struct mach *m, char **arguments,
                  char **memory)
{
    g_autofree char *inner = g_build_filename(folder, "films", NULL),
                    *trace = g_build_filename(folder, "films.trace", NULL);
    if (g_mkdir(inner, 0700) != 0) return NULL;
    g_autofree char *whole = g_key_file_to_data(file, NULL, NULL);
    g_autoptr(GKeyFile) again = g_key_file_new();
    g_key_file_load_from_data(again, whole, strlen(whole), G_KEY_FILE_NONE, NULL);
    g_key_file_set_string(again, "run", "trace", trace);
    g_key_file_set_string(again, "run", "report", "");
    g_key_file_set_string(again, "run", "json", "");
    g_key_file_set_string_list(again, "run", "watch", (const char *const *)memory,
                               g_strv_length(memory));
    return cli_run_launch(inner, again, m, NULL, arguments, true, NULL) >= 0
               ? g_steal_pointer(&trace)
               : NULL;
}

bool cli_run_page(const char *folder, GKeyFile *file, const struct mach *m, char **arguments,
                  const char *page, GError **error)
{
    g_autofree char *trace = g_key_file_get_string(file, "run", "trace", NULL),
                    *program = g_key_file_get_string(file, "run", "program", NULL), *films = NULL;
    g_auto(GStrv) folders = cli_run_folders(program);
    if (arguments && !g_key_file_has_key(file, "run", "watch", NULL)) {
        g_auto(GStrv) memory = cli_view_memory(trace, FILMS, error);
        if (!memory) return false;
        if (*memory) films = film(folder, file, m, arguments, memory);
    }
    return cli_view_make(films ? films : trace, (const char *const *)folders, page, error);
}
