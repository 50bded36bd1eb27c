/* A machine that several runs read: a pipe gives its text once. */
#include "cli/common/machine.h"

#include <string.h>
#include <sys/stat.h>

bool cli_machine_keep(char **machine, const char *folder, const char *name, GError **error)
{
    struct stat is;
    g_autofree char *text = NULL;
    gsize length;
    if (!*machine || !strchr(*machine, '/') || stat(*machine, &is) != 0) return true;
    if (S_ISREG(is.st_mode) || S_ISDIR(is.st_mode)) return true;
    g_autofree char *path = g_build_filename(folder, name, NULL);
    if (!base_read(*machine, &text, &length, error) ||
        !g_file_set_contents(path, text, (gssize)length, error))
        return false;
    g_free(*machine);
    *machine = g_steal_pointer(&path);
    return true;
}
