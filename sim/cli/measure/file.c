/* Writes the file. What is not measured is as in the platform of the same age, rdma. */
#include "cli/measure/file.h"

#include "mach/mach.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define SHAPE "rdma"

static void add_prop(GString *xml, const char *key, const char *value, const char *source)
{
    g_autofree char *prop = g_markup_printf_escaped("<prop id=\"%s\" value=\"%s\"/>", key, value);
    g_string_append_printf(xml, "%s <!-- %s -->\n", prop, source);
}

/* Cache levels of the shape that this computer does not have stay away, and so does what only a
 * last level can be where it is not the last. */
static bool is_here(const struct cli_bench *b, const struct mach_key *key)
{
    if (g_str_has_prefix(key->name, "cache.") && g_str_has_suffix(key->name, ".shared"))
        return key->level == b->levels;
    return key->level <= b->levels;
}

static void add_rest(GString *xml, const struct cli_bench *b, const struct mach *shape)
{
    for (size_t i = 0; i < mach_keys(); i++) {
        const struct mach_key *key = mach_key(i);
        const struct mach_value *value = &shape->value[i];
        if (value->from == MACH_FROM_DEFAULT || !is_here(b, key) || cli_row_find(b, key->name))
            continue;
        if (g_str_has_prefix(key->name, "cpu.ports.") ||
            g_str_has_prefix(key->name, "net.topology"))
            continue;
        add_prop(xml, key->name, value->text, "[D] not measured: as in " SHAPE);
    }
}

/* "Intel(R) Xeon(R) Processor"; a hyphen pair would end a comment. */
static char *processor_name(void)
{
    g_autofree char *text = NULL;
    const char *name = NULL;
    if (g_file_get_contents("/proc/cpuinfo", &text, NULL, NULL)) name = strstr(text, "model name");
    name = name ? strchr(name, ':') : NULL;
    if (!name) return g_strdup("a processor without a name");
    name += strspn(name, ": \t");
    char *copy = g_strndup(name, strcspn(name, "\n"));
    for (char *two = strstr(copy, "--"); two; two = strstr(two, "--")) two[1] = ' ';
    return copy;
}

/* A family that was measured again has found better numbers. */
static bool comes_again(const struct cli_bench *b, guint row)
{
    const char *key = g_array_index(b->row, struct cli_row, row).key;
    for (guint i = row + 1; i < b->row->len; i++)
        if (strcmp(g_array_index(b->row, struct cli_row, i).key, key) == 0) return true;
    return false;
}

static char *unchecked(const struct cli_bench *b, const struct mach *shape)
{
    g_autofree char *processor = processor_name();
    GString *xml = g_string_new("<?xml version='1.0'?>\n");
    g_string_append_printf(xml, "<!-- %s, measured on itself by sidewinder machines%s. -->\n",
                           processor, b->quick ? ", quickly" : "");
    g_string_append(xml, "<platform version=\"4.1\">\n<zone id=\"here\" routing=\"Full\">\n");
    for (guint i = 0; i < b->row->len; i++) {
        const struct cli_row *row = &g_array_index(b->row, struct cli_row, i);
        if (comes_again(b, i)) continue;
        add_prop(xml, row->key, row->value, row->source);
    }
    add_rest(xml, b, shape);
    g_string_append(xml, "</zone>\n</platform>\n");
    return g_string_free(xml, FALSE);
}

/* Reads it as any machine file is read, and writes it as any is written. */
static char *checked(const char *text, GError **error)
{
    g_autofree char *path = NULL;
    struct mach *m = NULL;
    char *platform = NULL;
    int file = g_file_open_tmp("sidewinder-XXXXXX.xml", &path, error);
    if (file < 0) return NULL;
    close(file);
    if (g_file_set_contents(path, text, -1, error) && mach_load(path, NULL, 0, &m, error)) {
        platform = mach_platform(m, m->name, m->doc);
        mach_free(m);
    }
    g_unlink(path);
    return platform;
}

char *cli_measure_file(const struct cli_bench *b, GError **error)
{
    struct mach *shape;
    if (!mach_load(SHAPE, NULL, 0, &shape, error)) return NULL;
    g_autofree char *text = unchecked(b, shape);
    mach_free(shape);
    return checked(text, error);
}
