/* The family of time line formats, and writing one. */
#include "report/timeline/timeline.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REPORT_FORMAT(name) extern const struct report_format report_##name;
#include "report/timeline/models.def"
#undef REPORT_FORMAT

static const struct report_format *const formats[] = {
#define REPORT_FORMAT(name) &report_##name,
#include "report/timeline/models.def"
#undef REPORT_FORMAT
};

const struct report_format *const *report_formats(size_t *n)
{
    for (size_t i = 0; i < G_N_ELEMENTS(formats); i++)
        g_assert(formats[i]->name && formats[i]->doc && formats[i]->write);
    *n = G_N_ELEMENTS(formats);
    return formats;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool written(const struct report_trace *trace, const struct report_format *format, FILE *out)
{
    format->write(trace, out);
    return fflush(out) == 0 && !ferror(out);
}

bool report_trace_write(const struct report_trace *trace, const struct report_format *format,
                        const char *path, GError **error)
{
    struct stat status;
    /* a pipe, a device: as it stands */
    bool good = false, direct = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
    errno = 0;
    if (strcmp(path, "-") == 0) {
        good = written(trace, format, stdout);
    } else {
        g_autofree char *beside = direct ? g_strdup(path) : g_strconcat(path, ".part", NULL);
        FILE *out = fopen(beside, direct ? "a" : "w");
        good = out && written(trace, format, out);
        int why = errno;
        if (out && fclose(out) != 0) good = false, why = errno;
        if (good && !direct && rename(beside, path) != 0) good = false, why = errno;
        if (out && !good && !direct) unlink(beside);
        errno = why;
    }
    if (!good)
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot write %s: %s",
                    strcmp(path, "-") == 0 ? "to standard output" : path, g_strerror(errno));
    return good;
}
