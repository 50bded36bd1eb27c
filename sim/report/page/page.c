/* The page: its skeleton, style and scripts, which are linked in as they stand in assets/, and the
 * trace between them. */
#include "report/page/choice.h"
#include "report/page/encode.h"

#include "report/print/print.h"
#include "report/timeline/moments.h"

#include <errno.h>
#include <string.h>

/* The assembler copies the file; REPORT_ASSETS is their folder. */
#define ASSET(name, file)                                                                          \
    __asm__(".pushsection .rodata\n"                                                               \
            "report_asset_" #name ":\n"                                                            \
            ".incbin \"" REPORT_ASSETS "/" file "\"\n"                                             \
            ".byte 0\n"                                                                            \
            ".popsection\n");                                                                      \
    extern const char report_asset_##name[] __attribute__((visibility("hidden")))
ASSET(html, "page.html");
ASSET(style, "style.css");
ASSET(data, "data.js");
ASSET(tracks, "tracks.js");
ASSET(timeline, "timeline.js");
ASSET(details, "details.js");
ASSET(tables, "tables.js");
ASSET(film, "film.js");
ASSET(page, "page.js");
#undef ASSET

static char *title_of(const struct report_trace *t)
{
    g_autofree char *plain =
        g_strdup_printf("%s on %s, %d %s", t->about.program, t->about.machine, t->about.ranks,
                        t->about.ranks == 1 ? "rank" : "ranks");
    return g_markup_escape_text(plain, -1);
}

/* @TITLE@ and its like in the skeleton, each replaced by its text. */
static GString *assemble(const struct report_trace *t, const struct report_page_options *options)
{
    g_autofree char *title = title_of(t), *data = report_encode(t, options);
    g_autofree char *script = g_strconcat(
        report_asset_data, report_asset_tracks, report_asset_timeline, report_asset_details,
        report_asset_tables, report_asset_film, report_asset_page, NULL);
    const char *const part[][2] = {
        {"TITLE", title}, {"STYLE", report_asset_style}, {"DATA", data}, {"SCRIPT", script}};
    GString *page = g_string_new(NULL);
    g_auto(GStrv) pieces = g_strsplit(report_asset_html, "@", -1);
    for (char **piece = pieces; *piece; piece++) {
        const char *text = *piece;
        for (size_t i = 0; i < G_N_ELEMENTS(part); i++)
            if (strcmp(text, part[i][0]) == 0) text = part[i][1];
        g_string_append(page, text);
    }
    return page;
}

bool report_page_write(const struct report_trace *trace, const struct report_page_options *options,
                       const char *path, GError **error)
{
    if (options->from_s > trace->time_s) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                    "the run ends before the time from which it is to be shown");
        return false;
    }
    if (!report_choice_fits(options->choice, trace->about.ranks, error)) return false;
    g_autoptr(GString) page = assemble(trace, options);
    if (strcmp(path, "-") != 0) return report_put_file(path, page->str, page->len, error);
    errno = 0;
    if (fwrite(page->str, 1, page->len, stdout) == page->len && fflush(stdout) == 0) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot write to standard output: %s",
                g_strerror(errno));
    return false;
}
