/* Converts texts to numbers, checks each range, then checks that the machine as a whole is
 * possible.
 */
#include "mach/parts.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* "t3d.xml:12: wb.entries", "--set wb.entries=x" */
static char *mach_where(const struct mach *m, size_t i)
{
    const struct mach_value *value = &m->value[i];
    switch (value->from) {
    case MACH_FROM_SET: return g_strdup_printf("--set %s=%s", mach_key(i)->name, value->text);
    case MACH_FROM_FILE:
        return g_strdup_printf("%s:%d: %s is %s", m->file, value->line, mach_key(i)->name,
                               value->text);
    case MACH_FROM_DEFAULT: break;
    }
    return g_strdup_printf("%s: %s is %s by default", m->file, mach_key(i)->name, value->text);
}

/* ---- one value ------------------------------------------------------------------------------- */

static bool refuse(const struct mach *m, size_t i, enum base_error code, const char *why,
                   GError **error)
{
    const struct mach_key *key = mach_key(i);
    g_autofree char *where = mach_where(m, i), *accepts = mach_key_accepts(key), *from = NULL;
    /* base has said which units; the range is missing */
    if (code == BASE_ERROR_SYNTAX && key->kind != MACH_BOOL) {
        g_autofree char *min = base_format(key->min, key->unit),
                        *max = base_format(key->max, key->unit);
        from = g_strdup_printf("%s to %s", min, max);
    }
    g_set_error(error, BASE_ERROR, code, "%s: %s; %s takes %s", where, why, key->name,
                from ? from : accepts);
    return false;
}

static bool resolve_text(struct mach *m, size_t i, GError **error)
{
    const struct mach_key *key = mach_key(i);
    g_auto(GStrv) words = g_strsplit(key->words ? key->words : "", " ", -1);
    GError *why = NULL;
    if (key->words && !g_strv_contains((const char *const *)words, m->value[i].text))
        return refuse(m, i, BASE_ERROR_UNKNOWN, "not one of its words", error);
    if (!mach_parse_text(key->kind, m->value[i].text, &why)) {
        g_autofree char *where = mach_where(m, i);
        g_propagate_prefixed_error(error, why, "%s: ", where);
        return false;
    }
    *(const char **)((char *)m + key->offset) = g_intern_string(m->value[i].text);
    return true;
}

static bool resolve_number(struct mach *m, size_t i, double clock_hz, GError **error)
{
    const struct mach_key *key = mach_key(i);
    GError *why = NULL;
    double v;
    const char *text = m->value[i].text;
    if (key->kind == MACH_BOOL && strcmp(text, "yes") == 0) text = "1";
    if (key->kind == MACH_BOOL && strcmp(text, "no") == 0) text = "0";
    if (!base_parse(text, key->unit, clock_hz, &v, &why)) {
        refuse(m, i, BASE_ERROR_SYNTAX, why->message, error);
        g_error_free(why);
        return false;
    }
    if (!(v >= key->min && v <= key->max))
        return refuse(m, i, BASE_ERROR_RANGE, "out of range", error);
    if (key->kind != MACH_REAL && v != floor(v))
        return refuse(m, i, BASE_ERROR_RANGE, "not a whole number", error);
    void *field = (char *)m + key->offset;
    switch (key->kind) {
    case MACH_REAL: *(double *)field = v; break;
    case MACH_INT: *(int *)field = (int)v; break;
    case MACH_SIZE: *(uint64_t *)field = (uint64_t)v; break;
    case MACH_BOOL: *(bool *)field = v != 0; break;
    case MACH_WORD:
    case MACH_LATENCY:
    case MACH_PORTS:
    case MACH_LOWER: break;
    }
    return true;
}

/* factors as near to a cube as there are, largest first */
static void torus_of(int nodes, int torus[3])
{
    int best = INT32_MAX;
    for (int a = 1; (int64_t)a * a * a <= nodes; a++) {
        if (nodes % a) continue;
        int rest = nodes / a, b = (int)sqrt(rest);
        /* the pair nearest to a square; b >= a or a wider spread than one seen */
        while (rest % b) b--;
        int c = rest / b, low = MIN(a, b), spread = c - low;
        if (spread < best) {
            best = spread;
            torus[0] = c, torus[1] = MAX(a, b), torus[2] = low;
        }
    }
}

bool mach_resolve(struct mach *m, GError **error)
{
    /* The clock first: it converts cycles of the others. */
    size_t clock = mach_key_find("cpu.clock");
    if (!resolve_number(m, clock, 0, error)) return false;
    for (size_t i = 0; i < mach_keys(); i++) {
        if (i == clock) continue;
        bool ok = mach_key(i)->kind >= MACH_WORD ? resolve_text(m, i, error)
                                                 : resolve_number(m, i, m->cpu_clock, error);
        if (!ok) return false;
    }
    m->send_s = m->net_overhead_send + m->net_kernel + m->net_driver;
    m->receive_s = m->net_overhead_receive + m->net_kernel + m->net_driver + m->net_interrupt;
    while (m->levels < MACH_LEVELS && m->cache[m->levels].size > 0) m->levels++;
    if (strcmp(m->net_topology, "torus") == 0)
        torus_of(m->nodes, m->torus);
    else
        m->torus[0] = m->nodes, m->torus[1] = m->torus[2] = 1;
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* An impossible combination is reported at the key set last: one of --set, else one of the file.
 * `keys` has blanks between. */
G_GNUC_PRINTF(4, 5)
static bool impossible(const struct mach *m, const char *keys, GError **error, const char *format,
                       ...)
{
    g_auto(GStrv) name = g_strsplit(keys, " ", -1);
    size_t at = mach_key_find(name[0]);
    for (int i = 1; name[i]; i++)
        if (m->value[mach_key_find(name[i])].from > m->value[at].from) at = mach_key_find(name[i]);
    va_list args;
    va_start(args, format);
    g_autofree char *why = g_strdup_vprintf(format, args), *where = mach_where(m, at);
    va_end(args);
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE, "%s: %s", where, why);
    return false;
}

static bool power_of_two(uint64_t n) { return n && !(n & (n - 1)); }

static bool check_level(const struct mach *m, int level, GError **error)
{
    const struct mach_cache *c = &m->cache[level], *above = level ? c - 1 : NULL;
    int l = level + 1;
    uint64_t set = c->line * (uint64_t)c->ways;
    g_autofree char *line = g_strdup_printf("cache.l%d.line", l);
    g_autofree char *geometry =
        g_strdup_printf("cache.l%d.size cache.l%d.line cache.l%d.ways", l, l, l);
    if (!power_of_two(c->line))
        return impossible(m, line, error, "a line must be a power of two bytes");
    if (c->size % set || !power_of_two(c->size / set))
        return impossible(m, geometry, error,
                          "%" PRIu64 " bytes are not %" PRIu64
                          " (line) x %d (ways) x a power-of-two number of sets%s",
                          c->size, c->line, c->ways,
                          c->size % 1000 ? ""
                                         : "; kB and MB are powers of ten, KiB and MiB of two");
    if (above && c->line < above->line) {
        g_autofree char *lines = g_strdup_printf("%s cache.l%d.line", line, level);
        return impossible(m, lines, error,
                          "a line of l%d (%" PRIu64 " bytes) is smaller than one of l%d (%" PRIu64
                          " bytes)",
                          l, c->line, level, above->line);
    }
    return true;
}

/* The keys, for impossible, that say how a shared level and the one above it are. */
static char *sharing_keys(const char *key, int below)
{
    return g_strdup_printf("cache.l%d.%s cache.l%d.%s cache.l%d.shared", below, key, below - 1, key,
                           below);
}

/* A line of it, level number `l`, comes from a level that has all that its processor stores, and
 * has its length. */
static bool check_shared(const struct mach *m, int l, GError **error)
{
    const struct mach_cache *c = &m->cache[l - 1], *above = c - 1;
    g_autofree char *line = sharing_keys("line", l), *write = sharing_keys("write", l),
                    *allocate = sharing_keys("allocate", l);
    if (c->line != above->line)
        return impossible(m, line, error,
                          "a shared level has lines as long as the one above it, l%d's %" PRIu64
                          " bytes",
                          l - 1, above->line);
    if (strcmp(c->write, "back") != 0 || strcmp(above->write, "back") != 0)
        return impossible(m, write, error,
                          "a shared level, and the one above it, keep stores: cache.l%d.write and "
                          "cache.l%d.write take back",
                          l - 1, l);
    if (strcmp(c->allocate, "both") != 0 || strcmp(above->allocate, "both") != 0)
        return impossible(m, allocate, error,
                          "a shared level, and the one above it, take in what is stored: "
                          "cache.l%d.allocate and cache.l%d.allocate take both",
                          l - 1, l);
    return true;
}

/* What the first level has is in no level above. */
static bool check_ways(const struct mach *m, GError **error)
{
    if (m->cache[0].readahead || m->cache[0].busy_cycles > 0)
        return impossible(m, "cache.l1.readahead cache.l1.busy_cycles", error,
                          "no level stands above the first one; cache.l2.readahead, "
                          "cache.l2.busy_cycles and further ones take values");
    for (int l = 2; l <= MACH_LEVELS; l++) {
        g_autofree char *key = g_strdup_printf("cache.l%d.set_cycles", l);
        if (m->cache[l - 1].set_cycles > 0)
            return impossible(m, key, error,
                              "lines wait for a set of the first level alone; "
                              "cache.l1.set_cycles takes values");
    }
    return true;
}

static bool check_sharing(const struct mach *m, GError **error)
{
    for (int l = 1; l <= MACH_LEVELS; l++) {
        g_autofree char *shared = g_strdup_printf("cache.l%d.shared", l);
        if (!m->cache[l - 1].shared) continue;
        if (l != m->levels)
            return impossible(m, shared, error,
                              "only the last level can be shared; this machine's is l%d",
                              m->levels);
        if (l == 1)
            return impossible(m, shared, error,
                              "the first level is each processor's own; cache.l2.shared and "
                              "further ones take 1");
        if (!check_shared(m, l, error)) return false;
    }
    return true;
}

static bool check_caches(const struct mach *m, GError **error)
{
    for (int level = m->levels; level < MACH_LEVELS; level++)
        if (m->cache[level].size > 0) {
            g_autofree char *size = g_strdup_printf("cache.l%d.size", level + 1);
            return impossible(m, size, error,
                              "cache.l%d.size is missing: levels are numbered from 1 without gaps",
                              level);
        }
    for (int level = 0; level < m->levels; level++)
        if (!check_level(m, level, error)) return false;
    return check_ways(m, error) && check_sharing(m, error);
}

static bool check_pipeline(const struct mach *m, GError **error)
{
    if (m->cpu_window > 0 && m->cpu_window < m->cpu_issue)
        return impossible(m, "cpu.window cpu.issue", error,
                          "a window of %d operations cannot issue %d a cycle; cpu.window takes 0 "
                          "(in order) or %d to 4096",
                          m->cpu_window, m->cpu_issue, m->cpu_issue);
    return true;
}

static bool check_memory(const struct mach *m, GError **error)
{
    if (!power_of_two(m->dram_page))
        return impossible(m, "dram.page", error, "a page must be a power of two bytes");
    if (!power_of_two((uint64_t)m->dram_banks))
        return impossible(m, "dram.banks", error, "banks must be a power of two");
    if (!power_of_two(m->tlb_page))
        return impossible(m, "tlb.page", error, "a page must be a power of two bytes");
    if (m->tlb_page > UINT64_C(4) << 30 && strcmp(m->page_frames, "scattered") == 0)
        return impossible(m, "tlb.page page.frames", error,
                          "pages of at most 4 GiB can lie scattered");
    if (m->wb_entries == 0) return true;
    if (!power_of_two(m->wb_line))
        return impossible(m, "wb.line", error, "an entry must be a power of two bytes");
    if (m->wb_hold >= m->wb_entries)
        return impossible(m, "wb.hold wb.entries", error, "%d entries can hold back at most %d",
                          m->wb_entries, m->wb_entries - 1);
    return true;
}

enum { TORUS_MAX = 262144 };

static bool check_network(const struct mach *m, GError **error)
{
    if (m->nodes > TORUS_MAX && strcmp(m->net_topology, "torus") == 0)
        return impossible(m, "nodes net.topology", error,
                          "a torus of %d nodes is too large to be simulated; nodes takes up to %d "
                          "there",
                          m->nodes, TORUS_MAX);
    if (m->nodes > 1 && strcmp(m->net_topology, "none") == 0)
        return impossible(m, "net.topology nodes", error,
                          "%d nodes need a network, net.topology=torus or switch (for more "
                          "processors in one node: --set cpus=N)",
                          m->nodes);
    if (m->nodes > 1 && m->pool_bandwidth == 0 && strcmp(m->move_put, "loadstore") == 0)
        return impossible(m, "move.put pool.bandwidth", error,
                          "stores reach other nodes only through a memory pool (pool.bandwidth)");
    if (m->nodes > 1 && m->pool_bandwidth == 0 && strcmp(m->move_get, "loadstore") == 0)
        return impossible(m, "move.get pool.bandwidth", error,
                          "loads reach other nodes only through a memory pool (pool.bandwidth)");
    if (!power_of_two(m->shmalloc_chunk))
        return impossible(m, "shmalloc.chunk", error, "a chunk must be a power of two bytes");
    return true;
}

/* The keys that make it large enough. */
static char *larger(const struct mach *m, int ranks)
{
    if (strcmp(m->net_topology, "none") != 0)
        return g_strdup_printf("--set nodes=%d", mach_nodes_for(m, ranks));
    if (m->ranks_per_node == 0) return g_strdup_printf("--set cpus=%d", ranks);
    if (ranks <= m->cpus) return g_strdup_printf("--set ranks_per_node=%d", ranks);
    return g_strdup_printf("--set cpus=%d --set ranks_per_node=%d", ranks, ranks);
}

static bool check_ranks(const struct mach *m, int ranks, GError **error)
{
    int64_t places = (int64_t)m->nodes * mach_node_ranks(m);
    if (m->ranks_per_node > m->cpus)
        return impossible(m, "ranks_per_node cpus", error,
                          "a node has a processor for each of its ranks; ranks_per_node takes 0 to "
                          "%d, the number of cpus",
                          m->cpus);
    if (ranks <= places) return true;
    g_autofree char *keys = larger(m, ranks);
    g_set_error(error, BASE_ERROR, BASE_ERROR_RANGE,
                "%d ranks need as many processors; %s has %" PRId64
                " (nodes=%d, %s=%d). For a larger machine of this kind: %s",
                ranks, m->name, places, m->nodes, m->ranks_per_node ? "ranks_per_node" : "cpus",
                mach_node_ranks(m), keys);
    return false;
}

bool mach_check(struct mach *m, int ranks, GError **error)
{
    return check_pipeline(m, error) && check_caches(m, error) && check_memory(m, error) &&
           check_network(m, error) && check_ranks(m, ranks, error);
}
