/* Files that are never half written. */
#include "report/print/print.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool report_put_file(const char *path, const char *text, gsize length, GError **error)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (g_str_has_prefix(path, "/dev/") || g_str_has_prefix(path, "/proc/") ||
        (exists && !S_ISREG(status.st_mode))) {
        FILE *out = fopen(path, "a");
        bool good = out && fwrite(text, 1, length, out) == length;
        int why = errno;
        if (out && fclose(out) != 0) good = false, why = errno;
        if (!good)
            g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot write %s: %s", path,
                        g_strerror(why));
        return good;
    }
    g_autofree char *real = exists ? realpath(path, NULL) : NULL;
    const char *file = real ? real : path;
    g_autofree char *folder = g_path_get_dirname(file);
    /* else the file may still be writable in its place */
    bool beside = access(folder, W_OK) == 0;
    g_autoptr(GError) why = NULL;
    if (g_file_set_contents_full(file, text, (gssize)length,
                                 beside ? G_FILE_SET_CONTENTS_CONSISTENT : G_FILE_SET_CONTENTS_NONE,
                                 0666, &why))
        return true;
    const char *reason = g_strrstr(why->message, ": "); /* it names a temporary file before that */
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot write %s: %s", path,
                reason ? reason + 2 : why->message);
    return false;
}
