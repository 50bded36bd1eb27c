/* A machine in words: what `sidewinder machines t3d` prints. */
#include "mach/parts.h"

#include <string.h>

/* As it was written; where the model works in another unit, in that unit too. */
static char *value_text(const struct mach *m, size_t i)
{
    const struct mach_key *key = mach_key(i);
    const char *text = m->value[i].text;
    size_t length = strlen(text);
    bool cycles = g_str_has_suffix(text, "cycles") || g_str_has_suffix(text, "cycle");
    bool bare = g_ascii_isdigit(text[length - 1]) || text[length - 1] == '.';
    if (key->unit == BASE_CYCLES && !cycles && !bare)
        return g_strdup_printf("%s (%.4g cycles)", text, mach_number(m, i));
    if (key->unit == BASE_CYCLES && bare) return g_strdup_printf("%s cycles", text);
    if (key->unit == BASE_SECONDS && cycles)
        return g_strdup_printf("%s (%.4g ns)", text, mach_number(m, i) * 1e9);
    return g_strdup(text);
}

static const char *from_text(enum mach_from from)
{
    switch (from) {
    case MACH_FROM_DEFAULT: return "default";
    case MACH_FROM_FILE: return "file";
    case MACH_FROM_SET: return "--set";
    }
    return "";
}

static size_t group_length(const char *name)
{
    if (g_str_has_prefix(name, "cache.l")) return strlen("cache.l1");
    return strchr(name, '.') ? strcspn(name, ".") : 0;
}

static void add_row(const struct mach *m, size_t i, bool colour, GString *out)
{
    const struct mach_key *key = mach_key(i);
    const struct mach_value *value = &m->value[i];
    g_autofree char *text = value_text(m, i);
    const char *on = !colour                            ? ""
                     : value->from == MACH_FROM_SET     ? "\033[1m"
                     : value->from == MACH_FROM_DEFAULT ? "\033[2m"
                                                        : "";
    const char *source = value->from == MACH_FROM_FILE ? value->source : NULL;
    g_string_append_printf(out, "%s%-27s %-24s %-8s %s%s\n", on, key->name, text,
                           from_text(value->from), source ? source : key->help,
                           *on ? "\033[0m" : "");
}

static void add_size(const struct mach *m, GString *out)
{
    g_string_append_printf(out, "%d node%s", m->nodes, m->nodes == 1 ? "" : "s");
    if (strcmp(m->net_topology, "torus") == 0)
        g_string_append_printf(out, " (torus of %d x %d x %d)", m->torus[0], m->torus[1],
                               m->torus[2]);
    g_string_append_printf(out, " of %d processor%s", m->cpus, m->cpus == 1 ? "" : "s");
    if (mach_node_ranks(m) != m->cpus)
        g_string_append_printf(out, ", ranks_per_node=%d", mach_node_ranks(m));
    g_string_append_c(out, '\n');
}

/* One of the rows that each class of operations has, or each function of a library? */
static bool is_one_of_many(const struct mach_key *key)
{
    const struct mach *m = NULL;
    size_t begin = offsetof(struct mach, op),
           end = offsetof(struct mach, function) + sizeof m->function;
    return key->offset >= begin && key->offset < end;
}

char *mach_describe(const struct mach *m, bool colour)
{
    GString *out = g_string_new(NULL);
    g_string_append_printf(out, "%s: %s\n%s\n", m->name, m->doc, m->file);
    add_size(m, out);
    g_string_append(out, "Sources: [R] read, [M] recalled from the named paper, [D] derived or "
                         "guessed here; for a default, the meaning of the key.\n\n");
    g_string_append_printf(out, "%s%-27s %-24s %-8s %s%s\n", colour ? "\033[1m" : "", "PARAMETER",
                           "VALUE", "FROM", "SOURCE", colour ? "\033[0m" : "");
    const char *before = NULL;
    for (size_t i = 0; i < mach_keys(); i++) {
        const struct mach_key *key = mach_key(i);
        if (key->level > m->levels) continue;
        if (is_one_of_many(key) && m->value[i].from == MACH_FROM_DEFAULT) continue;
        size_t length = group_length(key->name);
        if (before && (group_length(before) != length || strncmp(before, key->name, length) != 0))
            g_string_append_c(out, '\n');
        before = key->name;
        add_row(m, i, colour, out);
    }
    g_string_append(
        out, "\ncpu.latency.*, cpu.repeat.* and cpu.ports.* that are not listed are 1, 1 and any, "
             "cpu.library.* are 0: 'sidewinder machines --keys'.\n");
    if (m->levels < MACH_LEVELS)
        g_string_append_printf(
            out, "\nThe machine has no cache.l%d; --set cache.l%d.size=... adds it.\n",
            m->levels + 1, m->levels + 1);
    return g_string_free(out, FALSE);
}
