/* Files that a command reads whole. */
#include "cli/common/common.h"

#include <string.h>

bool cli_text(const char *path, char **text, gsize *length, GError **error)
{
    g_autoptr(GError) why = NULL;
    if (g_file_get_contents(path, text, length, &why)) return true;
    /* GLib's: Failed to open file “run.json”: No such file or directory */
    const char *reason = strrchr(why->message, ':');
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot read %s: %s", path,
                reason ? reason + 2 : why->message);
    return false;
}
