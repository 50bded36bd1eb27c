/* mach: what the shipped files say, what --set changes, and what is refused. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "coh/coh.h"
#include "mach/mach.h"
#include "serve/policy/policy.h"
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

/* ---- the shipped files ----------------------------------------------------------------------- */

static void the_shipped_machines_are_those_of_the_design(void)
{
    static const char *const shipped[] = {"challenge",    "clump", "cxl-pool", "now",
                                          "now-ethernet", "rdma",  "smp",      "t3d"};
    g_auto(GStrv) names = mach_list();
    for (size_t i = 0; i < G_N_ELEMENTS(shipped); i++) {
        CU_ASSERT_TRUE(g_strv_contains((const char *const *)names, shipped[i]));
        struct mach *m = load(shipped[i], NULL);
        CU_ASSERT_STRING_EQUAL(m->name, shipped[i]);
        CU_ASSERT(strlen(m->doc) > 20);
        CU_ASSERT(m->nodes * mach_node_ranks(m) >= 16);
        mach_free(m);
    }
}

static void every_number_of_a_shipped_file_has_a_source(void)
{
    g_auto(GStrv) names = mach_list();
    for (char **name = names; *name; name++) {
        struct mach *m = load(*name, NULL);
        for (size_t i = 0; i < mach_keys(); i++) {
            if (m->value[i].from != MACH_FROM_FILE) continue;
            const char *s = m->value[i].source;
            bool sourced = s && (strstr(s, "[R]") || strstr(s, "[M") || strstr(s, "[D]"));
            if (!sourced)
                fprintf(stderr, "    %s:%d: %s has no source\n", m->file, m->value[i].line,
                        mach_key(i)->name);
            CU_ASSERT(sourced);
        }
        mach_free(m);
    }
}

static void the_t3d_has_the_published_numbers(void)
{
    struct mach *m = load("t3d", NULL);
    UNIT_NEAR(m->cpu_clock, 150e6, 0);
    UNIT_EQUAL(m->levels, 1);
    UNIT_EQUAL(m->cache[0].size, 8192);
    UNIT_EQUAL(m->cache[0].line, 32);
    UNIT_EQUAL(m->cache[0].ways, 1);
    CU_ASSERT_STRING_EQUAL(m->cache[0].write, "through");
    CU_ASSERT_STRING_EQUAL(m->cache[0].allocate, "read");
    UNIT_NEAR(m->cache[0].hit_cycles, 2, 0);
    UNIT_EQUAL(m->wb_entries, 4);
    UNIT_NEAR(m->wb_retire_cycles, 10.4, 1e-6); /* written in ns */
    UNIT_NEAR(m->dram_same_page_cycles, 7, 1e-6);
    UNIT_NEAR(m->dram_other_page_cycles, 23, 1e-6);
    UNIT_NEAR(m->dram_line_cycles, 14, 1e-6);
    CU_ASSERT_TRUE(m->dram_readahead);
    CU_ASSERT_STRING_EQUAL(m->coh_protocol, "none");
    CU_ASSERT_STRING_EQUAL(m->ni_invalidate, "none");
    CU_ASSERT_STRING_EQUAL(m->cpu_subword, "rmw8");
    UNIT_NEAR(m->net_latency, 2.5 / 150e6, 1e-20);
    UNIT_NEAR(m->net_bandwidth, 150e6, 0);
    mach_free(m);
}

static void times_become_cycles_of_the_machines_clock(void)
{
    struct mach *m = load("smp", NULL);
    UNIT_NEAR(m->dram_same_page_cycles, 270e-9 * 167e6, 1e-9);
    UNIT_NEAR(m->cache[1].hit_cycles, 42e-9 * 167e6, 1e-9);
    UNIT_EQUAL(m->levels, 2);
    mach_free(m);
    /* a faster processor waits the same time: twice the cycles */
    m = load("smp", "cpu.clock=334MHz");
    UNIT_NEAR(m->dram_same_page_cycles, 270e-9 * 334e6, 1e-9);
    mach_free(m);
}

/* The words of a key that names a family's members are the family. */
static void words_of(const char *name, const char *const *member, size_t n)
{
    g_auto(GStrv) words = g_strsplit(mach_key(key(name))->words, " ", -1);
    UNIT_EQUAL(g_strv_length(words), n);
    for (size_t i = 0; i < n; i++) {
        if (!g_strv_contains((const char *const *)words, member[i]))
            fprintf(stderr, "    %s lacks %s\n", name, member[i]);
        CU_ASSERT_TRUE(g_strv_contains((const char *const *)words, member[i]));
    }
}

static void every_protocol_and_policy_is_a_word_of_its_key(void)
{
    const char *name[32];
    size_t n;
    const struct coh_protocol *const *protocol = coh_all(&n);
    for (size_t i = 0; i < n; i++) name[i] = protocol[i]->name;
    words_of("coh.protocol", name, n);
    const struct serve_policy *const *policy = serve_all(&n);
    for (size_t i = 0; i < n; i++) name[i] = policy[i]->name;
    words_of("serve.policy", name, n);
}

/* ---- changing -------------------------------------------------------------------------------- */

static void a_set_changes_one_value_and_says_so(void)
{
    struct mach *m = load("t3d", "net.latency=1us");
    UNIT_NEAR(m->net_latency, 1e-6, 0);
    UNIT_EQUAL(m->value[key("net.latency")].from, MACH_FROM_SET);
    UNIT_EQUAL(m->value[key("net.bandwidth")].from, MACH_FROM_FILE);
    UNIT_EQUAL(m->value[key("serve.when")].from, MACH_FROM_DEFAULT);
    g_autofree char *text = mach_describe(m, false);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "--set"));
    mach_free(m);
}

static void the_last_of_two_sets_counts(void)
{
    const char *sets[] = {"nodes=8", "nodes=27", NULL};
    struct mach *m;
    CU_ASSERT_TRUE_FATAL(mach_load("t3d", sets, 0, &m, NULL));
    UNIT_EQUAL(m->nodes, 27);
    mach_free(m);
}

static void a_cache_level_can_be_added(void)
{
    const char *sets[] = {"cache.l2.size=64KiB", "cache.l2.hit_cycles=10", "cache.l3.size=1MiB",
                          NULL};
    struct mach *m;
    CU_ASSERT_TRUE_FATAL(mach_load("t3d", sets, 0, &m, NULL));
    UNIT_EQUAL(m->levels, 3);
    UNIT_EQUAL(m->cache[2].size, 1048576);
    mach_free(m);
}

static void a_torus_grows_as_near_to_a_cube_as_it_can(void)
{
    static const struct {
        int nodes, x, y, z;
    } torus[] = {
        {1, 1, 1, 1},   {2, 2, 1, 1},   {4, 2, 2, 1},       {8, 2, 2, 2},     {12, 3, 2, 2},
        {13, 13, 1, 1}, {16, 4, 2, 2},  {60, 5, 4, 3},      {64, 4, 4, 4},    {100, 5, 5, 4},
        {256, 8, 8, 4}, {512, 8, 8, 8}, {1000, 10, 10, 10}, {1024, 16, 8, 8}, {2048, 16, 16, 8},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(torus); i++) {
        g_autofree char *set = g_strdup_printf("nodes=%d", torus[i].nodes);
        struct mach *m = load("t3d", set);
        UNIT_EQUAL(m->torus[0], torus[i].x);
        UNIT_EQUAL(m->torus[1], torus[i].y);
        UNIT_EQUAL(m->torus[2], torus[i].z);
        mach_free(m);
    }
    for (int nodes = 1; nodes <= 300; nodes++) { /* against trying every triple */
        int best = nodes;
        for (int a = 1; a <= nodes; a++)
            for (int b = a; nodes % a == 0 && b <= nodes / a; b++)
                if (nodes / a % b == 0 && nodes / a / b >= b) best = MIN(best, nodes / a / b - a);
        g_autofree char *set = g_strdup_printf("nodes=%d", nodes);
        struct mach *m = load("t3d", set);
        UNIT_EQUAL(m->torus[0] * m->torus[1] * m->torus[2], nodes);
        UNIT_EQUAL(m->torus[0] - m->torus[2], best);
        mach_free(m);
    }
}

static void ranks_fill_the_nodes_one_after_the_other(void)
{
    struct mach *m = load("clump", NULL);
    UNIT_EQUAL(mach_node_of(m, 0), 0);
    UNIT_EQUAL(mach_node_of(m, 3), 0);
    UNIT_EQUAL(mach_node_of(m, 4), 1);
    UNIT_EQUAL(mach_nodes_for(m, 4), 1);
    UNIT_EQUAL(mach_nodes_for(m, 5), 2);
    mach_free(m);
}

/* ---- refusing -------------------------------------------------------------------------------- */

static bool refused(const char *name, const char *const *sets, int ranks, int code,
                    const char *const *said)
{
    struct mach *m = NULL;
    GError *error = NULL;
    bool ok =
        !mach_load(name, sets, ranks, &m, &error) && !m && g_error_matches(error, BASE_ERROR, code);
    for (int i = 0; ok && said[i]; i++) ok = strstr(error->message, said[i]) != NULL;
    if (!ok)
        fprintf(stderr, "    %s %s: %s\n", name, sets && sets[0] ? sets[0] : "",
                error ? error->message : "accepted");
    g_clear_error(&error);
    mach_free(m);
    return ok;
}

static void bad_sets_are_refused_with_the_option_the_key_and_the_range(void)
{
    static const struct {
        const char *machine, *set;
        int code;
        const char *said[4];
    } bad[] = {
        {"t3d", "nods=3", BASE_ERROR_UNKNOWN, {"--set nods=3", "'nods'", "did you mean nodes"}},
        {"t3d", "cache.l9.size=8KiB", BASE_ERROR_UNKNOWN, {"cache.l9.size"}},
        {"t3d", "nonsense", BASE_ERROR_SYNTAX, {"--set nonsense", "key=value"}},
        {"t3d", "=", BASE_ERROR_UNKNOWN, {"no key"}},
        {"t3d",
         "cache.l1.size=8KQ",
         BASE_ERROR_SYNTAX,
         {"--set cache.l1.size=8KQ", "KiB", "0B to"}},
        {"t3d", "net.latency=5", BASE_ERROR_SYNTAX, {"net.latency", "5us"}},
        {"t3d", "net.latency=5KiB", BASE_ERROR_SYNTAX, {"net.latency", "5us"}},
        {"t3d", "nodes=", BASE_ERROR_SYNTAX, {"whole number"}},
        {"t3d", "nodes=1.5", BASE_ERROR_SYNTAX, {"whole number"}},
        {"t3d", "nodes=0", BASE_ERROR_RANGE, {"out of range", "from 1 to"}},
        {"t3d", "net.latency=-5us", BASE_ERROR_RANGE, {"out of range", "from 0s"}},
        {"t3d", "net.latency=nan", BASE_ERROR_SYNTAX, {"net.latency"}},
        {"t3d", "net.latency=inf", BASE_ERROR_SYNTAX, {"net.latency"}},
        {"t3d", "dram.readahead=2", BASE_ERROR_RANGE, {"yes, no, 0 or 1"}},
        {"t3d", "dram.readahead=maybe", BASE_ERROR_SYNTAX, {"yes, no, 0 or 1"}},
        {"t3d", "coh.protocol=mosi", BASE_ERROR_UNKNOWN, {"none, msi, mesi, moesi"}},
        {"t3d",
         "cache.l1.size=9KiB",
         BASE_ERROR_RANGE,
         {"cache.l1.size=9KiB", "9216", "32 (line)"}},
        {"t3d", "cache.l1.ways=0", BASE_ERROR_RANGE, {"cache.l1.ways=0", "from 1"}},
        {"t3d", "cache.l1.ways=3", BASE_ERROR_RANGE, {"cache.l1.ways=3", "3 (ways)"}},
        {"t3d", "cache.l1.line=48", BASE_ERROR_RANGE, {"cache.l1.line=48", "power of two"}},
        {"t3d", "cache.l1.line=16KiB", BASE_ERROR_RANGE, {"cache.l1.line=16KiB"}},
        {"t3d", "cache.l3.size=1MiB", BASE_ERROR_RANGE, {"cache.l3.size", "cache.l2.size"}},
        {"smp", "cache.l2.line=16", BASE_ERROR_RANGE, {"cache.l2.line=16", "l1 (32"}},
        {"smp", "cache.l1.line=128", BASE_ERROR_RANGE, {"cache.l1.line=128", "l2 (64"}},
        {"t3d", "wb.hold=4", BASE_ERROR_RANGE, {"wb.hold=4", "at most 3"}},
        {"t3d", "wb.line=24", BASE_ERROR_RANGE, {"wb.line=24", "power of two"}},
        {"t3d", "dram.page=3000", BASE_ERROR_RANGE, {"dram.page", "power of two"}},
        {"t3d", "move.put=loadstore", BASE_ERROR_RANGE, {"move.put", "pool.bandwidth"}},
        {"rdma", "ranks_per_node=65", BASE_ERROR_RANGE, {"--set ranks_per_node=65", "0 to 64"}},
        {"rdma", "cpus=0", BASE_ERROR_RANGE, {"--set cpus=0", "from 1"}},
        {"clump", "cpus=2", BASE_ERROR_RANGE, {"--set cpus=2", "0 to 2"}},
        {"smp", "nodes=2", BASE_ERROR_RANGE, {"--set nodes=2", "--set cpus"}},
        {"smp", "cache.l1.shared=1", BASE_ERROR_RANGE, {"--set cache.l1.shared=1", "is l2"}},
        {"smp",
         "cache.l2.shared=1",
         BASE_ERROR_RANGE,
         {"--set cache.l2.shared=1", "l1's 32 bytes"}},
        {"t3d", "cache.l1.shared=1", BASE_ERROR_RANGE, {"--set cache.l1.shared=1", "l2.shared"}},
        {"t3d",
         "cache.l1.readahead=1",
         BASE_ERROR_RANGE,
         {"--set cache.l1.readahead=1", "l2.readahead"}},
        {"smp",
         "cache.l2.set_cycles=1",
         BASE_ERROR_RANGE,
         {"--set cache.l2.set_cycles=1", "l1.set_cycles"}},
        {"t3d", "net.topology=none", BASE_ERROR_RANGE, {"--set net.topology=none", "256 nodes"}},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
        const char *sets[] = {bad[i].set, NULL};
        CU_ASSERT_TRUE(refused(bad[i].machine, sets, 0, bad[i].code, bad[i].said));
    }
}

static void pages_that_lie_scattered_are_at_most_4_GiB(void)
{
    const char *sets[] = {"tlb.page=8GiB", "page.frames=scattered", NULL};
    CU_ASSERT_TRUE(refused("smp", sets, 0, BASE_ERROR_RANGE,
                           (const char *const[]){"tlb.page=8GiB", "at most 4 GiB", NULL}));
}

static void an_unknown_machine_is_answered_with_those_there_are(void)
{
    CU_ASSERT_TRUE(
        refused("t3e", NULL, 0, BASE_ERROR_UNKNOWN,
                (const char *const[]){"'t3e'", "did you mean t3d", "challenge, clump", NULL}));
    CU_ASSERT_TRUE(refused("/no/such.xml", NULL, 0, BASE_ERROR_FILE,
                           (const char *const[]){"/no/such.xml", NULL}));
}

static void more_ranks_than_processors_are_told_how_to_get_more(void)
{
    CU_ASSERT_TRUE(refused("t3d", NULL, 257, BASE_ERROR_RANGE,
                           (const char *const[]){"257 ranks", "256 (", "--set nodes=257", NULL}));
    CU_ASSERT_TRUE(refused("clump", NULL, 33, BASE_ERROR_RANGE,
                           (const char *const[]){"33 ranks", "32 (", "--set nodes=9", NULL}));
    CU_ASSERT_TRUE(refused(
        "rdma", NULL, 65, BASE_ERROR_RANGE,
        (const char *const[]){"65 ranks", "64 (", "ranks_per_node=1", "--set nodes=65", NULL}));
    CU_ASSERT_TRUE(refused("smp", NULL, 31, BASE_ERROR_RANGE,
                           (const char *const[]){"31 ranks", "30 (", "--set cpus=31", NULL}));
    struct mach *m = NULL;
    CU_ASSERT_TRUE(mach_load("t3d", (const char *const[]){"nodes=512", NULL}, 512, &m, NULL));
    mach_free(m);
}

static char *digest_of(const char *name, const char *const *sets)
{
    struct mach *m = NULL;
    CU_ASSERT_TRUE_FATAL(mach_load(name, sets, 0, &m, NULL));
    char *digest = mach_digest(m);
    mach_free(m);
    return digest;
}

static void machines_have_one_digest_exactly_when_their_numbers_are_the_same(void)
{
    g_autofree char *folder = g_dir_make_tmp("mach-XXXXXX", NULL),
                    *copy = g_build_filename(folder, "copy.xml", NULL);
    struct mach *m = NULL;
    CU_ASSERT_TRUE_FATAL(mach_load("now", NULL, 0, &m, NULL));
    CU_ASSERT_TRUE(mach_write_platform(m, m->nodes * mach_node_ranks(m), copy, NULL));
    mach_free(m);
    g_autofree char *now = digest_of("now", NULL), *again = digest_of(copy, NULL),
                    *t3d = digest_of("t3d", NULL);
    CU_ASSERT_STRING_EQUAL(now, again);
    CU_ASSERT_STRING_NOT_EQUAL(now, t3d);
    remove(copy);
    rmdir(folder);
    /* The same number in another unit; a default said aloud; and a number that is another. */
    g_autofree char *longer = digest_of("t3d", (const char *const[]){"cpu.clock=150000kHz", NULL});
    g_autofree char *said = digest_of("t3d", (const char *const[]){"pool.latency=0us", NULL});
    g_autofree char *faster = digest_of("t3d", (const char *const[]){"cpu.clock=151MHz", NULL});
    CU_ASSERT_STRING_EQUAL(t3d, longer);
    CU_ASSERT_STRING_EQUAL(t3d, said);
    CU_ASSERT_STRING_NOT_EQUAL(t3d, faster);
}

UNIT_SUITE(mach, UNIT_TEST(the_shipped_machines_are_those_of_the_design),
           UNIT_TEST(every_number_of_a_shipped_file_has_a_source),
           UNIT_TEST(the_t3d_has_the_published_numbers),
           UNIT_TEST(times_become_cycles_of_the_machines_clock),
           UNIT_TEST(every_protocol_and_policy_is_a_word_of_its_key),
           UNIT_TEST(a_set_changes_one_value_and_says_so), UNIT_TEST(the_last_of_two_sets_counts),
           UNIT_TEST(a_cache_level_can_be_added),
           UNIT_TEST(a_torus_grows_as_near_to_a_cube_as_it_can),
           UNIT_TEST(ranks_fill_the_nodes_one_after_the_other),
           UNIT_TEST(bad_sets_are_refused_with_the_option_the_key_and_the_range),
           UNIT_TEST(pages_that_lie_scattered_are_at_most_4_GiB),
           UNIT_TEST(an_unknown_machine_is_answered_with_those_there_are),
           UNIT_TEST(more_ranks_than_processors_are_told_how_to_get_more),
           UNIT_TEST(machines_have_one_digest_exactly_when_their_numbers_are_the_same))
