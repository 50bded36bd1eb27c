/* Writing the resolved machine: the platform SimGrid loads, which rank runs where, and the digest
 * of its numbers. */
#include "mach/parts.h"

#include <string.h>

/* Seventeen digits are read back exactly. */
static char *exact(double value, const char *unit)
{
    return g_strdup_printf("%.17g%s", value, unit);
}

/* The source of the number, as text of a comment; for a changed one with its history. NULL:
 * nothing is known. */
static char *provenance(const struct mach *m, size_t i)
{
    const struct mach_value *value = &m->value[i];
    if (value->from == MACH_FROM_FILE) return g_strdup(value->source);
    if (!value->was)
        return g_strdup_printf("set; %s has the default, %s", m->name,
                               *mach_key(i)->def ? mach_key(i)->def : "none");
    return g_strdup_printf("set; was %s in %s%s%s", value->was, m->name, value->source ? ": " : "",
                           value->source ? value->source : "");
}

/* A blank line between groups of keys. */
static bool new_group(const char *before, const char *name)
{
    return before && strncmp(before, name, strcspn(name, ".") + 1) != 0 &&
           (strchr(before, '.') || strchr(name, '.'));
}

/* As they were written: "2.5cycles" follows the clock, and a reader finds the figure of the source
 * again. */
static void add_props(const struct mach *m, GString *xml)
{
    const char *before = NULL;
    for (size_t i = 0; i < mach_keys(); i++) {
        const struct mach_value *value = &m->value[i];
        if (value->from == MACH_FROM_DEFAULT) continue;
        g_autofree char *prop = g_markup_printf_escaped("<prop id=\"%s\" value=\"%s\"/>",
                                                        mach_key(i)->name, value->text);
        g_autofree char *source = provenance(m, i);
        if (new_group(before, mach_key(i)->name)) g_string_append_c(xml, '\n');
        before = mach_key(i)->name;
        /* Two hyphens may not stand in a comment. */
        if (source && !strstr(source, "--") && !g_str_has_suffix(source, "-"))
            g_string_append_printf(xml, "    %-62s <!-- %s -->\n", prop, source);
        else
            g_string_append_printf(xml, "    %s\n", prop);
    }
    g_string_append_c(xml, '\n');
}

/* A torus: one link between neighbours, each way its own (SPLITDUPLEX). A switch: each node has a
 * link of no latency, and the switch between them (FATPIPE: without contention) has it all, so that
 * net.latency is the whole way; ni.latency goes there too, for MPI's own messages. Left out: that
 * of a torus, whose links are many to a way. */
static void add_cluster(const struct mach *m, int nodes, GString *xml)
{
    g_autofree char *speed = exact(m->cpu_clock * m->cpu_flops_per_cycle, "f");
    g_autofree char *bw = exact(m->net_bandwidth, "Bps"), *lat = exact(m->net_latency, "s"),
                    *switch_lat = exact(m->net_latency + m->ni_latency, "s");
    g_autofree char *local_bw = exact(m->net_local_bandwidth, "Bps"),
                    *local_lat = exact(m->net_local_latency, "s");
    bool torus = m->nodes > 1 && strcmp(m->net_topology, "torus") == 0;
    if (torus) nodes = m->nodes; /* messages travel through those that compute nothing */
    g_string_append_printf(xml,
                           "    <cluster id=\"nodes\" prefix=\"node-\" suffix=\"\" "
                           "radical=\"0-%d\" speed=\"%s\" core=\"%d\"\n"
                           "             bw=\"%s\" lat=\"%s\" sharing_policy=\"SPLITDUPLEX\"\n"
                           "             loopback_bw=\"%s\" loopback_lat=\"%s\"",
                           nodes - 1, speed, m->cpus, bw, torus ? lat : "0s", local_bw, local_lat);
    if (torus) {
        g_string_append(xml, "\n             topology=\"TORUS\" topo_parameters=\"");
        /* SimGrid 3.32 links the nodes of a dimension of one to themselves, and refuses the second
         * such link. */
        for (int d = 0; d < 3 && m->torus[d] > 1; d++)
            g_string_append_printf(xml, "%s%d", d ? "," : "", m->torus[d]);
        g_string_append_c(xml, '"');
    } else if (m->nodes > 1)
        g_string_append_printf(
            xml, "\n             bb_bw=\"%s\" bb_lat=\"%s\" bb_sharing_policy=\"FATPIPE\"", bw,
            switch_lat);
    /* Home of Sidewinder's own actors: SMPI treats any actor on a rank's host as a neighbour of
     * that rank. */
    g_string_append(xml, "/>\n    <zone id=\"home\" routing=\"None\"><host id=\"sidewinder\" "
                         "speed=\"1Gf\"/></zone>\n");
}

/* Is the value what a machine without a word about this key has? Texts differ where numbers do not:
 * "0" and "0s". */
static bool at_default(const struct mach *m, size_t i)
{
    const struct mach_key *key = mach_key(i);
    double def;
    if (key->kind >= MACH_WORD) {
        g_autofree char *word = mach_show(m, i);
        return strcmp(word, key->def) == 0;
    }
    return base_parse(key->def, key->unit, m->cpu_clock, &def, NULL) && def == mach_number(m, i);
}

char *mach_digest(const struct mach *m)
{
    GChecksum *sum = g_checksum_new(G_CHECKSUM_SHA256);
    for (size_t i = 0; i < mach_keys(); i++) {
        const struct mach_key *key = mach_key(i);
        if (key->level > m->levels || at_default(m, i)) continue;
        g_autofree char *value =
            key->kind >= MACH_WORD ? mach_show(m, i) : exact(mach_number(m, i), "");
        g_autofree char *line = g_strdup_printf("%s=%s\n", key->name, value);
        g_checksum_update(sum, (const guchar *)line, -1);
    }
    char *digest = g_strdup(g_checksum_get_string(sum));
    g_checksum_free(sum);
    return digest;
}

static bool save(const char *path, const GString *text, GError **error)
{
    GError *why = NULL;
    if (g_file_set_contents(path, text->str, (gssize)text->len, &why)) return true;
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot write %s: %s", path, why->message);
    g_error_free(why);
    return false;
}

static char *platform_of(const struct mach *m, const char *name, const char *doc, int nodes)
{
    GString *xml = g_string_new(
        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n");
    if (*doc && !strstr(doc, "--")) g_string_append_printf(xml, "<!-- %s. -->\n", doc);
    g_string_append_printf(
        xml,
        "<!-- Written by Sidewinder %s from %s. Beside each number: where it comes from. [R] read "
        "in the source named;\n"
        "     [M] recalled from it, not read again; [D] derived or guessed, as said. -->\n",
        SIDEWINDER_VERSION, m->name);
    g_autofree char *id = g_markup_escape_text(name, -1);
    g_string_append_printf(xml, "<platform version=\"4.1\">\n  <zone id=\"%s\" routing=\"Full\">\n",
                           id);
    add_props(m, xml);
    add_cluster(m, nodes, xml);
    g_string_append(xml, "  </zone>\n</platform>\n");
    return g_string_free(xml, FALSE);
}

char *mach_platform(const struct mach *m, const char *name, const char *doc)
{
    return platform_of(m, name, doc, m->nodes);
}

bool mach_write_platform(const struct mach *m, int ranks, const char *path, GError **error)
{
    g_autoptr(GString) xml = g_string_new(NULL);
    g_autofree char *text = platform_of(m, m->name, m->doc, mach_node_of(m, ranks - 1) + 1);
    return save(path, g_string_append(xml, text), error);
}

bool mach_write_hostfile(const struct mach *m, int ranks, const char *path, GError **error)
{
    g_autoptr(GString) hosts = g_string_new(NULL);
    for (int rank = 0; rank < ranks; rank++)
        g_string_append_printf(hosts, "node-%d\n", mach_node_of(m, rank));
    return save(path, hosts, error);
}
