/* One pass over the file finds the dates, as each comes behind what led to it. They stand in a
 * file of their own, which the host may write out: what a graph takes of memory does not grow with
 * it. */
#include "cli/limits/graph.h"

#include "kern/graph_format/graph_format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { NUMBERS = 256, TOGETHER = 1024 };

struct share {
    int number;
    char *key;
    double of;
};
struct cli_graph {
    FILE *in;
    struct graph_head head;
    GArray *shares; /* struct share */
    double *date;   /* by index; 0 is the start */
    size_t bytes;   /* mapped */
};

static void clear_share(void *data) { g_free(((struct share *)data)->key); }

static bool refused(const char *file, const char *why, GError **error)
{
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "%s: %s", file, why);
    return false;
}

static bool read_shares(struct cli_graph *g)
{
    const long at = (long)(sizeof g->head + g->head.records * sizeof(struct graph_record));
    char line[128], key[sizeof line];
    struct share share;
    if (fseek(g->in, at, SEEK_SET) != 0) return false;
    while (fgets(line, sizeof line, g->in)) {
        if (sscanf(line, "%d %127s %lf", &share.number, key, &share.of) != 3) return false;
        if (share.number < 0 || share.number >= NUMBERS) return false;
        share.key = g_strdup(key);
        g_array_append_val(g->shares, share);
    }
    return !ferror(g->in);
}

static bool map_dates(struct cli_graph *g, const char *folder)
{
    g_autofree char *name = g_build_filename(folder, "dates-XXXXXX", NULL);
    const int fd = g_mkstemp(name);
    g->bytes = (g->head.records + 1) * sizeof *g->date;
    if (fd < 0) return false;
    unlink(name);
    const int full = posix_fallocate(fd, 0, (off_t)g->bytes); /* or a store into it is a signal */
    void *map = full ? MAP_FAILED : mmap(NULL, g->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (full) errno = full;
    if (map == MAP_FAILED) return false;
    g->date = map;
    return true;
}

static bool open_graph(struct cli_graph *g, const char *file, const char *folder, GError **error)
{
    g->in = fopen(file, "rb");
    if (!g->in) return refused(file, g_strerror(errno), error);
    if (fread(&g->head, sizeof g->head, 1, g->in) != 1 ||
        memcmp(g->head.magic, GRAPH_MAGIC, sizeof g->head.magic) != 0 ||
        g->head.end > g->head.records || g->head.records > UINT32_MAX || !read_shares(g))
        return refused(file, "not a graph of sidewinder run --graph, or not all of it", error);
    return map_dates(g, folder) || refused(folder, g_strerror(errno), error);
}

struct cli_graph *cli_graph_open(const char *file, const char *folder, GError **error)
{
    struct cli_graph *g = g_new0(struct cli_graph, 1);
    g->shares = g_array_new(FALSE, FALSE, sizeof(struct share));
    g_array_set_clear_func(g->shares, clear_share);
    if (open_graph(g, file, folder, error)) return g;
    cli_graph_free(g);
    return NULL;
}

void cli_graph_free(struct cli_graph *g)
{
    if (!g) return;
    if (g->in) fclose(g->in);
    if (g->date) munmap(g->date, g->bytes);
    g_array_unref(g->shares);
    g_free(g);
}

double cli_graph_end(const struct cli_graph *graph) { return graph->head.end_s; }

static bool means(const char *wanted, const char *key)
{
    return g_str_has_suffix(wanted, ".") ? g_str_has_prefix(key, wanted) : strcmp(key, wanted) == 0;
}

/* How much more each part takes: less 1. */
static void find_more(const struct cli_graph *g, const struct cli_graph_change *change, size_t n,
                      double *more)
{
    memset(more, 0, NUMBERS * sizeof *more);
    for (guint i = 0; i < g->shares->len; i++) {
        const struct share *share = &g_array_index(g->shares, struct share, i);
        for (size_t j = 0; j < n; j++)
            if (means(change[j].key, share->key))
                more[share->number] += share->of * (change[j].factor - 1);
    }
}

/* What a rank computes and stalls. */
static void find_busy(const struct cli_graph *g, bool *busy)
{
    memset(busy, 0, NUMBERS * sizeof *busy);
    for (guint i = 0; i < g->shares->len; i++) {
        const struct share *share = &g_array_index(g->shares, struct share, i);
        busy[share->number] =
            strcmp(share->key, "cpu.clock") == 0 || strcmp(share->key, "memory") == 0;
    }
}

static double length(const struct graph_record *r, const double *more, const bool *busy,
                     double of_rank)
{
    double length_s = r->length_s;
    for (int i = 0; i < MIN(r->parts, GRAPH_PARTS); i++)
        length_s +=
            (double)r->part_s[i] * (more[r->part[i]] + (busy[r->part[i]] ? of_rank - 1 : 0));
    return MAX(length_s, 0);
}

double cli_graph_time(struct cli_graph *g, const struct cli_graph_change *change, size_t n,
                      const double *of_rank, int ranks)
{
    struct graph_record record[TOGETHER];
    double more[NUMBERS];
    bool busy[NUMBERS];
    uint64_t at = 0;
    find_more(g, change, n, more);
    find_busy(g, busy);
    g->date[0] = 0;
    if (fseek(g->in, sizeof g->head, SEEK_SET) != 0) return -1;
    while (at < g->head.records) {
        const size_t got =
            fread(record, sizeof *record, MIN(g->head.records - at, TOGETHER), g->in);
        if (got == 0) return -1;
        for (const struct graph_record *r = record; r < record + got; r++) {
            const int rank = r->rank - 1;
            at++;
            if (r->after == 0 || r->after > at || r->also >= at) return -1;
            g->date[at] =
                g->date[at - r->after] +
                length(r, more, busy, of_rank && rank >= 0 && rank < ranks ? of_rank[rank] : 1);
            if (r->also) g->date[at] = MAX(g->date[at], g->date[at - r->also]);
        }
    }
    return g->date[g->head.end];
}
