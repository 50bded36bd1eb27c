/* mach: platform files, read and written; what is no platform file is refused. */
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mach/mach.h"
#include "unit.h"

static struct mach *load(const char *name, const char *set)
{
    const char *sets[] = {set, NULL};
    struct mach *m = NULL;
    GError *error = NULL;
    if (!mach_load(name, sets, 0, &m, &error)) fprintf(stderr, "    %s\n", error->message);
    CU_ASSERT_PTR_NOT_NULL_FATAL(m);
    return m;
}

static size_t key(const char *name)
{
    size_t i = 0;
    while (i < mach_keys() && strcmp(mach_key(i)->name, name) != 0) i++;
    CU_ASSERT_FATAL(i < mach_keys());
    return i;
}

static bool refused(const char *name, int code, const char *const *said)
{
    struct mach *m = NULL;
    GError *error = NULL;
    bool ok =
        !mach_load(name, NULL, 0, &m, &error) && !m && g_error_matches(error, BASE_ERROR, code);
    for (int i = 0; ok && said[i]; i++) ok = strstr(error->message, said[i]) != NULL;
    if (!ok) fprintf(stderr, "    %s: %s\n", name, error ? error->message : "accepted");
    g_clear_error(&error);
    mach_free(m);
    return ok;
}

static char *temporary(const char *text)
{
    g_autofree char *folder = g_dir_make_tmp("mach-test-XXXXXX", NULL);
    char *path = g_build_filename(folder, "m.xml", NULL);
    CU_ASSERT_TRUE_FATAL(g_file_set_contents(path, text, -1, NULL));
    return path;
}

static void discard(char *path)
{
    g_autofree char *folder = g_path_get_dirname(path);
    g_unlink(path);
    g_rmdir(folder);
    g_free(path);
}

#define PLATFORM(props)                                                                            \
    "<platform version=\"4.1\">\n<zone id=\"mine\" routing=\"Full\">\n" props                      \
    "</zone>\n</platform>\n"

static void a_file_that_is_no_machine_is_refused_with_file_and_line(void)
{
    static const struct {
        const char *text;
        int code;
        const char *said[4];
    } bad[] = {
        {"hello\n", BASE_ERROR_SYNTAX, {"m.xml:1:", "not XML"}},
        {"", BASE_ERROR_SYNTAX, {"m.xml:", "not XML"}},
        {"<platform version=\"4.1\">\n<zone id=\"x\">", BASE_ERROR_SYNTAX, {"m.xml:2:", "not XML"}},
        {"<?xml version='1.0'?>\n<html>\n</html>\n",
         BASE_ERROR_SYNTAX,
         {"m.xml:2:", "not a SimGrid platform", "<html>"}},
        {PLATFORM(""), BASE_ERROR_SYNTAX, {"m.xml:2:", "no <prop>"}},
        {PLATFORM("<prop id=\"nodes\" value=\"2\"/>\n<prop id=\"wb.entires\" value=\"4\"/>\n"),
         BASE_ERROR_UNKNOWN,
         {"m.xml:4:", "did you mean wb.entries"}},
        {PLATFORM("<prop id=\"nodes\" value=\"1\"/>\n<prop id=\"nodes\" value=\"1\"/>\n"),
         BASE_ERROR_SYNTAX,
         {"m.xml:4:", "twice", "line 3"}},
        {PLATFORM("<prop id=\"nodes\"/>\n"), BASE_ERROR_SYNTAX, {"m.xml:3:", "value"}},
        {PLATFORM("\n<prop id=\"cpus\" value=\"many\"/>\n"),
         BASE_ERROR_SYNTAX,
         {"m.xml:4:", "cpus", "whole number"}},
        {PLATFORM("<prop id=\"cache.l1.size\" value=\"3KiB\"/>\n"),
         BASE_ERROR_RANGE,
         {"m.xml:3:", "cache.l1.size", "3072"}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        char *path = temporary(bad[i].text);
        CU_ASSERT_TRUE(refused(path, bad[i].code, bad[i].said));
        discard(path);
    }
}

static void a_comment_on_the_file_is_no_source_of_its_first_number(void)
{
    char *path =
        temporary("<!-- A machine of mine. -->\n" PLATFORM("<prop id=\"cpus\" value=\"2\"/>\n"));
    struct mach *m = load(path, NULL);
    CU_ASSERT_STRING_EQUAL(m->doc, "A machine of mine");
    CU_ASSERT_PTR_NULL(m->value[key("cpus")].source);
    mach_free(m);
    discard(path);
}

static void a_comment_belongs_to_the_prop_beside_it_or_after_it(void)
{
    char *path = temporary("<!-- A machine of mine. More about it. -->\n" PLATFORM(
        "<!-- a heading -->\n"
        "<prop id=\"cpus\" value=\"2\"/> <!-- [R] beside -->\n"
        "<!-- [D]\n   before -->\n"
        "<prop id=\"cpu.clock\" value=\"1GHz\"></prop>\n"
        "<prop id=\"dram.page\" value=\"4KiB\"/>\n"
        "<prop id=\"wb.line\" value=\"64B\"/><!-- [M] close -->\n"
        "<!-- left over -->\n"));
    struct mach *m = load(path, NULL);
    CU_ASSERT_STRING_EQUAL(m->name, "mine");
    CU_ASSERT_STRING_EQUAL(m->doc, "A machine of mine");
    CU_ASSERT_STRING_EQUAL(m->value[key("cpus")].source, "[R] beside");
    CU_ASSERT_STRING_EQUAL(m->value[key("cpu.clock")].source, "[D] before");
    CU_ASSERT_PTR_NULL(m->value[key("dram.page")].source);
    CU_ASSERT_STRING_EQUAL(m->value[key("wb.line")].source, "[M] close");
    UNIT_EQUAL(m->value[key("cpus")].line, 5);
    UNIT_EQUAL(m->value[key("cpu.clock")].line, 8);
    mach_free(m);
    discard(path);
}

static void props_of_simgrids_own_plugins_are_left_alone(void)
{
    char *path = temporary(
        PLATFORM("<prop id=\"nodes\" value=\"1\"/>\n<host id=\"node-0\" speed=\"1Gf\"><prop "
                 "id=\"wattage_per_state\" value=\"1:2\"/>"
                 "<prop id=\"cpu.clock\" value=\"2GHz\"/></host>\n"));
    struct mach *m = load(path, NULL);
    UNIT_NEAR(m->cpu_clock, 2e9, 0);
    mach_free(m);
    discard(path);
}

static void same(const struct mach *a, const struct mach *b)
{
    for (size_t i = 0; i < mach_keys(); i++) {
        double x = mach_number(a, i), y = mach_number(b, i);
        g_autofree char *s = mach_show(a, i), *t = mach_show(b, i);
        if (memcmp(&x, &y, sizeof x) != 0 || strcmp(s, t) != 0)
            fprintf(stderr, "    %s: %s is %.17g (%s), then %.17g (%s)\n", a->name,
                    mach_key(i)->name, x, s, y, t);
        CU_ASSERT(memcmp(&x, &y, sizeof x) == 0);
        CU_ASSERT_STRING_EQUAL(s, t);
    }
    UNIT_EQUAL(a->levels, b->levels);
    CU_ASSERT_STRING_EQUAL(a->name, b->name);
    CU_ASSERT_STRING_EQUAL(a->doc, b->doc);
}

static void a_written_platform_reads_back_bit_by_bit(void)
{
    g_auto(GStrv) names = mach_list();
    for (char **name = names; *name; name++) {
        const char *sets[] = {"net.bandwidth=123456.789kBps", "serve.when=completion",
                              "wb.retire_cycles=3.3333ns", "cpu.clock=166.66666MHz", NULL};
        for (int changed = 0; changed < 2; changed++) {
            struct mach *m, *back;
            CU_ASSERT_TRUE_FATAL(mach_load(*name, changed ? sets : NULL, 0, &m, NULL));
            char *path = temporary("");
            CU_ASSERT_TRUE(mach_write_platform(m, m->nodes * mach_node_ranks(m), path, NULL));
            back = load(path, NULL);
            same(m, back);
            mach_free(m);
            mach_free(back);
            discard(path);
        }
    }
}

/* ---- a machine made of another --------------------------------------------------------------- */

/* Another value that key i may have; NULL: there is none. */
static char *another(const struct mach *m, size_t i)
{
    const struct mach_key *k = mach_key(i);
    if (k->kind == MACH_WORD) {
        g_auto(GStrv) words = g_strsplit(k->words, " ", -1);
        g_autofree char *now = mach_show(m, i);
        for (char **w = words; *w; w++)
            if (strcmp(*w, now) != 0) return g_strdup(*w);
        return NULL;
    }
    double now = mach_number(m, i), step = k->kind == MACH_REAL   ? 0.3
                                           : k->kind == MACH_SIZE ? 1
                                                                  : 0;
    double next = k->kind == MACH_BOOL ? !now
                  : now == 0           ? CLAMP(64, k->min, k->max)
                                       : now * (1 + step) + (k->kind == MACH_INT);
    return base_format(MIN(next, k->max), k->unit);
}

static struct mach *made_of(const struct mach *m, const char *name, char **text)
{
    *text = mach_platform(m, name, "A machine nobody built");
    char *path = temporary(*text);
    struct mach *made = load(path, NULL);
    discard(path);
    return made;
}

/* "a hypothetical machine is one command", whatever is changed. The short run takes of each machine
 * every eighth key, and of another machine others. */
static void a_machine_made_of_another_is_the_other_with_that_set(void)
{
    g_auto(GStrv) names = mach_list();
    size_t tried = 0, step = 9 - unit_sample("eighths of the keys", 1, 8);
    for (char **name = names; *name; name++) {
        struct mach *plain = load(*name, NULL);
        for (size_t i = (size_t)(name - names) % step; i < mach_keys(); i += step) {
            g_autofree char *value = another(plain, i),
                            *set =
                                value ? g_strdup_printf("%s=%s", mach_key(i)->name, value) : NULL;
            g_autofree char *text = NULL;
            struct mach *m;
            /* the whole would be impossible */
            if (!set || !mach_load(*name, (const char *const[]){set, NULL}, 0, &m, NULL)) continue;
            struct mach *made = made_of(m, m->name, &text);
            g_free(m->doc);
            m->doc = g_strdup("A machine nobody built");
            same(m, made);
            CU_ASSERT_STRING_EQUAL(made->value[i].text, m->value[i].text);
            g_autofree char *digest = mach_digest(m), *made_digest = mach_digest(made);
            CU_ASSERT_STRING_EQUAL(digest, made_digest);
            mach_free(m);
            mach_free(made);
            tried++;
        }
        mach_free(plain);
    }
    CU_ASSERT(tried > 60 * g_strv_length(names) / step);
}

static void a_machine_made_of_another_keeps_every_source_and_tells_what_was(void)
{
    const char *sets[] = {"ni.invalidate=index", "serve.when=completion", NULL};
    struct mach *m, *again, *shipped = load("t3d", NULL);
    g_autofree char *text = NULL, *text_again = NULL;
    CU_ASSERT_TRUE_FATAL(mach_load("t3d", sets, 0, &m, NULL));
    struct mach *made = made_of(m, "mine", &text);
    CU_ASSERT_STRING_EQUAL(made->name, "mine");
    CU_ASSERT_STRING_EQUAL(made->doc, "A machine nobody built");
    for (size_t i = 0; i < mach_keys(); i++) {
        if (m->value[i].from == MACH_FROM_SET) continue;
        UNIT_EQUAL(made->value[i].from, shipped->value[i].from);
        CU_ASSERT_STRING_EQUAL(made->value[i].text, shipped->value[i].text);
        UNIT_EQUAL(g_strcmp0(made->value[i].source, shipped->value[i].source), 0);
    }
    const char *changed = made->value[key("ni.invalidate")].source,
               *added = made->value[key("serve.when")].source;
    CU_ASSERT(changed && g_str_has_prefix(changed, "set; was none in t3d: [D] chosen: off until"));
    CU_ASSERT_STRING_EQUAL(added, "set; t3d has the default, arrival");
    mach_free(m);
    /* And of that another one: nothing of the way is lost. */
    char *path = temporary(text);
    CU_ASSERT_TRUE_FATAL(
        mach_load(path, (const char *const[]){"ni.invalidate=address", NULL}, 0, &m, NULL));
    again = made_of(m, "third", &text_again);
    changed = again->value[key("ni.invalidate")].source;
    CU_ASSERT(changed &&
              g_str_has_prefix(
                  changed, "set; was index in mine: set; was none in t3d: [D] chosen: off until"));
    mach_free(m), mach_free(made), mach_free(again), mach_free(shipped);
    discard(path);
}

/* ---- the part SimGrid reads ------------------------------------------------------------------ */

static void take_cluster(GMarkupParseContext *context, const char *element, const char **names,
                         const char **values, void *data, GError **error)
{
    (void)context, (void)error;
    for (int i = 0; strcmp(element, "cluster") == 0 && names[i]; i++)
        g_hash_table_insert(data, g_strdup(names[i]), g_strdup(values[i]));
}

static GHashTable *cluster_of(const char *path)
{
    static const GMarkupParser parser = {.start_element = take_cluster};
    GHashTable *attributes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    g_autofree char *text = NULL;
    CU_ASSERT_TRUE_FATAL(g_file_get_contents(path, &text, NULL, NULL));
    GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, attributes, NULL);
    CU_ASSERT_TRUE_FATAL(g_markup_parse_context_parse(context, text, -1, NULL));
    g_markup_parse_context_free(context);
    return attributes;
}

static double quantity(const char *name, const char *text)
{
    double value = -1;
    if (strcmp(name, "speed") == 0) { /* SimGrid's flop/s: Mf as MHz */
        g_autofree char *hertz = g_strdup_printf("%.*sHz", (int)strlen(text) - 1, text);
        CU_ASSERT_TRUE(base_parse(hertz, BASE_HERTZ, 0, &value, NULL));
    } else
        CU_ASSERT_TRUE(base_parse(
            text, g_str_has_suffix(name, "bw") ? BASE_BYTES_PER_S : BASE_SECONDS, 0, &value, NULL));
    return value;
}

static void a_shipped_file_tells_simgrid_what_its_props_say(void)
{
    static const char *const measured[] = {"speed",  "bw",          "lat",         "bb_bw",
                                           "bb_lat", "loopback_bw", "loopback_lat"};
    g_auto(GStrv) names = mach_list();
    for (char **name = names; *name; name++) {
        struct mach *m = load(*name, NULL);
        char *path = temporary("");
        CU_ASSERT_TRUE(mach_write_platform(m, m->nodes * mach_node_ranks(m), path, NULL));
        g_autoptr(GHashTable) shipped = cluster_of(m->file), written = cluster_of(path);
        UNIT_EQUAL(g_hash_table_size(shipped), g_hash_table_size(written));
        GHashTableIter iterator;
        char *attribute, *value;
        g_hash_table_iter_init(&iterator, written);
        while (g_hash_table_iter_next(&iterator, (void **)&attribute, (void **)&value)) {
            const char *other = g_hash_table_lookup(shipped, attribute);
            bool is_measured = false, equal;
            for (size_t i = 0; i < G_N_ELEMENTS(measured); i++)
                is_measured |= strcmp(attribute, measured[i]) == 0;
            if (other && is_measured) { /* six digits: people write 16.6667ns */
                double x = quantity(attribute, value), y = quantity(attribute, other);
                equal = fabs(x - y) <= 1e-5 * x;
            } else
                equal = g_strcmp0(value, other) == 0;
            if (!equal)
                fprintf(stderr, "    %s: the cluster's %s is %s, the props make it %s\n", m->file,
                        attribute, other, value);
            CU_ASSERT(equal);
        }
        discard(path);
        mach_free(m);
    }
}

static void the_written_links_follow_the_sets(void)
{
    struct mach *m = load("t3d", "net.latency=1us");
    char *path = temporary("");
    CU_ASSERT_TRUE(mach_write_platform(m, m->nodes * mach_node_ranks(m), path, NULL));
    g_autoptr(GHashTable) cluster = cluster_of(path);
    UNIT_NEAR(quantity("lat", g_hash_table_lookup(cluster, "lat")), 1e-6, 0);
    mach_free(m);
    m = load("t3d", "nodes=14");
    CU_ASSERT_TRUE(mach_write_platform(m, m->nodes * mach_node_ranks(m), path, NULL));
    g_autoptr(GHashTable) flat = cluster_of(path);
    CU_ASSERT_STRING_EQUAL(g_hash_table_lookup(flat, "topo_parameters"),
                           "7,2"); /* SimGrid refuses two dimensions of one */
    CU_ASSERT_STRING_EQUAL(g_hash_table_lookup(flat, "radical"), "0-13");
    mach_free(m);
    discard(path);
}

static void a_hostfile_has_a_line_a_rank(void)
{
    struct mach *m = load("clump", NULL);
    char *path = temporary("");
    CU_ASSERT_TRUE(mach_write_hostfile(m, 6, path, NULL));
    g_autofree char *text = NULL;
    CU_ASSERT_TRUE(g_file_get_contents(path, &text, NULL, NULL));
    CU_ASSERT_STRING_EQUAL(text, "node-0\nnode-0\nnode-0\nnode-0\nnode-1\nnode-1\n");
    GError *error = NULL;
    CU_ASSERT_FALSE(mach_write_hostfile(m, 6, "/no/such/folder/hosts", &error));
    CU_ASSERT_TRUE(g_error_matches(error, BASE_ERROR, BASE_ERROR_FILE));
    g_clear_error(&error);
    mach_free(m);
    discard(path);
}

UNIT_SUITE(platform, UNIT_TEST(a_file_that_is_no_machine_is_refused_with_file_and_line),
           UNIT_TEST(a_comment_belongs_to_the_prop_beside_it_or_after_it),
           UNIT_TEST(a_comment_on_the_file_is_no_source_of_its_first_number),
           UNIT_TEST(props_of_simgrids_own_plugins_are_left_alone),
           UNIT_TEST(a_written_platform_reads_back_bit_by_bit),
           UNIT_TEST(a_machine_made_of_another_is_the_other_with_that_set),
           UNIT_TEST(a_machine_made_of_another_keeps_every_source_and_tells_what_was),
           UNIT_TEST(a_shipped_file_tells_simgrid_what_its_props_say),
           UNIT_TEST(the_written_links_follow_the_sets), UNIT_TEST(a_hostfile_has_a_line_a_rank))
