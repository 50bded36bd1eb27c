/* Output files of a command line, before anything runs. */
#include "cli/common/output.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* 0, or why it cannot be written */
static int not_writable(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) return EISDIR;
        return access(path, W_OK) == 0 ? 0 : errno;
    }
    if (errno != ENOENT) return errno;
    g_autofree char *folder = g_path_get_dirname(path);
    if (stat(folder, &status) != 0) return errno;
    if (!S_ISDIR(status.st_mode)) return ENOTDIR;
    return access(folder, W_OK | X_OK) == 0 ? 0 : errno;
}

bool cli_is_file(const char *option, const char *name, GError **error)
{
    if (!name || name[0] != '-' || !name[1]) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                "%s needs a file: %s is an option (./%s names such a file)", option, name, name);
    return false;
}

char *cli_output(const char *option, const char *name, GError **error)
{
    if (!cli_is_file(option, name, error)) return NULL;
    if (strcmp(name, "-") == 0) return g_strdup(name);
    /* the program may change its directory */
    g_autofree char *path = g_canonicalize_filename(name, NULL);
    const int why = *name ? not_writable(path) : ENOENT;
    if (why == 0) return g_steal_pointer(&path);
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "%s: cannot write %s: %s", option, name,
                g_strerror(why));
    return NULL;
}

char *cli_output_regular(const char *option, const char *thing, const char *name, GError **error)
{
    g_autofree char *path = cli_output(option, name, error);
    struct stat status;
    if (!path) return NULL;
    if (strcmp(path, "-") != 0 && (stat(path, &status) != 0 || S_ISREG(status.st_mode)))
        return g_steal_pointer(&path);
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s %s: %s is written to a regular file only",
                option, name, thing);
    return NULL;
}

/* By whatever name: a link, or ./ before it. */
static bool same(const char *a, const char *b)
{
    struct stat first, second;
    if (!a || !b || !*a || !*b) return false;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0) return strcmp(a, b) == 0;
    const bool there[] = {stat(a, &first) == 0, stat(b, &second) == 0};
    if (there[0] && there[1])
        return S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
               first.st_ino == second.st_ino;
    g_autofree char *one = g_canonicalize_filename(a, NULL),
                    *other = g_canonicalize_filename(b, NULL);
    return !there[0] && !there[1] && strcmp(one, other) == 0;
}

bool cli_outputs_apart(const struct cli_named *file, size_t outputs, size_t files, GError **error)
{
    for (size_t i = 0; i < outputs; i++) {
        for (size_t k = 0; k < i; k++) {
            if (!same(file[i].file, file[k].file)) continue;
            g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                        "%s and %s would both be written to %s", file[k].by, file[i].by,
                        file[i].file);
            return false;
        }
        for (size_t k = outputs; k < files; k++) {
            if (!same(file[i].file, file[k].file)) continue;
            g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "%s would be written over %s, %s",
                        file[i].by, file[k].by, file[k].file);
            return false;
        }
    }
    return true;
}
