/* The family of time line formats, and writing one. */
#include "report/timeline/timeline.h"

#include "report/print/print.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
    if (strcmp(path, "-") == 0) {
        errno = 0;
        if (written(trace, format, stdout)) return true;
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot write to standard output: %s",
                    g_strerror(errno));
        return false;
    }
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    bool good = memory && written(trace, format, memory);
    if (memory) fclose(memory);
    if (good)
        good = report_put_file(path, text, length, error);
    else
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "%s: no memory for it", path);
    free(text);
    return good;
}
