/* Reading a platform file: the props Sidewinder knows, their lines, and the comments beside them.
 *
 * GLib's parser, not SimGrid's: the numbers are needed where no simulation is (`sidewinder
 * machines`), and SimGrid drops comments. A comment on a prop's own line is that prop's source; one
 * on lines of its own is the source of the next prop. */
#include "mach/parts.h"

#include <string.h>

struct reader {
    struct mach *m;
    const char *base; /* file name for messages */
    char *comment;    /* seen since the last prop, on lines of its own */
    size_t last;      /* key of the last prop; mach_keys(): none */
    int last_line, props, zone_line;
    bool beside; /* the last prop has its comment */
    bool in_platform;
    GPtrArray *open; /* names of the elements around */
};

/* GLib has already read the character behind what it reports: a line break takes the position to
 * the next line. */
static int line_of(GMarkupParseContext *context)
{
    int line, column;
    g_markup_parse_context_get_position(context, &line, &column);
    return column == 1 && line > 1 ? line - 1 : line;
}

static const char *attribute(const char *name, const char **names, const char **values)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0) return values[i];
    return NULL;
}

/* SimGrid's plug-ins keep their own props on hosts, links and disks (wattage, bandwidth profiles);
 * only those that look like ours are ours there. On zones and clusters every prop is. */
static bool foreign(const struct reader *r, const char *id)
{
    const char *parent = r->open->len ? r->open->pdata[r->open->len - 1] : "";
    if (strcmp(parent, "zone") == 0 || strcmp(parent, "AS") == 0 || strcmp(parent, "cluster") == 0)
        return false;
    size_t group = strcspn(id, ".");
    for (size_t i = 0; i < mach_keys(); i++)
        if (strncmp(mach_key(i)->name, id, group) == 0 && mach_key(i)->name[group] == id[group])
            return false;
    return true;
}

static bool take_prop(struct reader *r, int line, const char **names, const char **values,
                      GError **error)
{
    const char *id = attribute("id", names, values), *text = attribute("value", names, values);
    if (!id || !text) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "%s:%d: a prop needs id=\"key\" and value=\"...\"", r->base, line);
        return false;
    }
    if (foreign(r, id)) return true;
    size_t i = mach_key_find(id);
    if (i == mach_keys()) {
        g_autofree char *unknown = mach_key_unknown(id);
        g_set_error(error, BASE_ERROR, BASE_ERROR_UNKNOWN, "%s:%d: %s", r->base, line, unknown);
        return false;
    }
    struct mach_value *value = &r->m->value[i];
    if (value->line) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "%s:%d: %s is given twice, first in line %d", r->base, line, id, value->line);
        return false;
    }
    *value = (struct mach_value){.from = MACH_FROM_FILE,
                                 .line = line,
                                 .text = g_strdup(text),
                                 .source = g_steal_pointer(&r->comment)};
    r->last = i;
    r->last_line = line;
    r->beside = false;
    r->props++;
    return true;
}

static void on_start(GMarkupParseContext *context, const char *element, const char **names,
                     const char **values, void *data, GError **error)
{
    struct reader *r = data;
    int line = line_of(context);
    if (!r->in_platform && strcmp(element, "platform") != 0) {
        g_set_error(
            error, BASE_ERROR, BASE_ERROR_SYNTAX,
            "%s:%d: not a SimGrid platform: it begins with <%s>, a platform with <platform>",
            r->base, line, element);
        return;
    }
    r->in_platform = true;
    if (strcmp(element, "prop") == 0)
        take_prop(r, line, names, values, error);
    else if ((strcmp(element, "zone") == 0 || strcmp(element, "AS") == 0) && !r->zone_line) {
        r->m->name = g_strdup(attribute("id", names, values));
        r->zone_line = line;
    }
    g_ptr_array_add(r->open, g_strdup(element));
}

static void on_end(GMarkupParseContext *context, const char *element, void *data, GError **error)
{
    (void)context, (void)element, (void)error;
    struct reader *r = data;
    g_ptr_array_set_size(r->open, (int)r->open->len - 1);
}

/* "<!-- text -->" as one line of words. */
static char *comment_text(const char *text, size_t length)
{
    g_autofree char *inner = g_strndup(text + 4, length - 7);
    g_auto(GStrv) words = g_strsplit_set(inner, " \t\r\n", -1);
    g_autoptr(GString) line = g_string_new(NULL);
    for (char **w = words; *w; w++)
        if (**w) g_string_append_printf(line, "%s%s", line->len ? " " : "", *w);
    return g_strdup(line->str);
}

static void on_other(GMarkupParseContext *context, const char *text, size_t length, void *data,
                     GError **error)
{
    (void)error;
    struct reader *r = data;
    if (length < 7 || strncmp(text, "<!--", 4) != 0) return;
    char *comment = comment_text(text, length);
    int begin = line_of(context);
    for (size_t i = 0; i < length; i++) begin -= text[i] == '\n';
    if (!r->m->doc && !r->in_platform) {
        const char *end = strstr(comment, ". ");
        r->m->doc = end ? g_strndup(comment, end - comment) : g_strdup(comment);
        if (g_str_has_suffix(r->m->doc, ".")) r->m->doc[strlen(r->m->doc) - 1] = 0;
    }
    if (r->last < mach_keys() && begin == r->last_line && !r->beside) {
        g_free(r->m->value[r->last].source);
        r->m->value[r->last].source = comment;
        r->beside = true;
    } else if (!r->in_platform) { /* on the file, not on its first prop */
        g_free(comment);
    } else {
        g_free(r->comment);
        r->comment = comment;
    }
}

/* GLib says "Error on line 3 char 7: ..."; editors like "file:3: ...". */
static void rephrase(const struct reader *r, int line, GError *from, GError **error)
{
    if (from->domain == BASE_ERROR) {
        g_propagate_error(error, from);
        return;
    }
    const char *what =
        g_str_has_prefix(from->message, "Error on line") ? strchr(from->message, ':') : NULL;
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s:%d: not a platform file: not XML: %s",
                r->base, line, what ? what + 2 : from->message);
    g_error_free(from);
}

bool mach_read(struct mach *m, GError **error)
{
    g_autofree char *text = NULL;
    size_t length;
    if (!base_read(m->file, &text, &length, error)) return false;
    const char *odd;
    if (!g_utf8_validate(text, (gssize)length, &odd)) { /* GMarkup would set its error twice */
        int line = 1;
        for (const char *c = text; c < odd; c++) line += *c == '\n';
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "%s:%d: not a platform file: not text in UTF-8", m->file, line);
        return false;
    }
    if (text[strspn(text, " \t\r\n")] != '<') {
        g_set_error(
            error, BASE_ERROR, BASE_ERROR_SYNTAX,
            "%s:1: not a platform file: not XML ('sidewinder machines NAME --xml' writes one)",
            m->file);
        return false;
    }
    static const GMarkupParser parser = {
        .start_element = on_start, .end_element = on_end, .passthrough = on_other};
    struct reader r = {.m = m,
                       .base = m->file,
                       .last = mach_keys(),
                       .open = g_ptr_array_new_with_free_func(g_free)};
    GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, &r, NULL);
    GError *why = NULL;
    bool ok = g_markup_parse_context_parse(context, text, (gssize)length, &why) &&
              g_markup_parse_context_end_parse(context, &why);
    if (!ok)
        rephrase(&r, line_of(context), why, error);
    else if (r.props == 0) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX,
                    "%s:%d: a SimGrid platform, but not a machine: its zone has no <prop> with "
                    "Sidewinder's parameters "
                    "('sidewinder machines --keys' lists them)",
                    r.base, MAX(r.zone_line, 1));
        ok = false;
    }
    g_markup_parse_context_free(context);
    g_ptr_array_unref(r.open);
    g_free(r.comment);
    return ok;
}
