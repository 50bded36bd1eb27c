/* Files that are read whole. */
#include "base/base.h"

#include <string.h>

bool base_read(const char *path, char **text, size_t *length, GError **error)
{
    g_autoptr(GError) why = NULL;
    if (g_file_get_contents(path, text, length, &why)) return true;
    /* GLib's: Failed to open file “run.json”: No such file or directory */
    const char *reason = strrchr(why->message, ':');
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot read %s: %s", path,
                reason ? reason + 2 : why->message);
    return false;
}
