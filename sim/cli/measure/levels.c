#include "cli/measure/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A size at which it is faster than at a smaller one was measured better than that. */
static struct cli_point *ascending(const struct cli_point *point, int n)
{
    struct cli_point *copy = g_memdup2(point, (gsize)n * sizeof *point);
    for (int i = n - 2; i >= 0; i--) copy[i].cycles = MIN(copy[i].cycles, copy[i + 1].cycles);
    return copy;
}

/* The last point within an octave of i. */
static int octave(const struct cli_point *p, int n, int i)
{
    int last = i;
    while (last + 1 < n && p[last + 1].bytes <= 2.01 * p[i].bytes) last++;
    return last;
}

struct plateau {
    int first, last;
};

/* What lies between two caches is several times the first; translations add a few cycles. */
bool cli_levels_alike(double less, double more)
{
    return more < 1.35 * less || (more < 1.8 * less && more - less < 12);
}

static int plateaus(const struct cli_point *p, int n, struct plateau *plateau)
{
    int found = 0;
    for (int i = 0; i + 1 < n; i++) {
        int last = octave(p, n, i);
        if (last == i || p[last].cycles > 1.12 * p[i].cycles) continue;
        struct plateau *before = found ? &plateau[found - 1] : NULL;
        if (before && cli_levels_alike(p[before->first].cycles, p[i].cycles))
            before->last = last;
        else if (found < CLI_LEVELS)
            plateau[found++] = (struct plateau){i, last};
    }
    return found;
}

/* Where the line through the points, by the logarithm of the size, reaches the latency. */
static double size_at(const struct cli_point *p, int from, int to, double cycles)
{
    for (int i = from; i < to; i++)
        if (p[i + 1].cycles >= cycles && p[i].cycles < cycles)
            return p[i].bytes * pow(p[i + 1].bytes / p[i].bytes,
                                    (cycles - p[i].cycles) / (p[i + 1].cycles - p[i].cycles));
    return p[to].bytes;
}

int cli_levels_find(const struct cli_point *point, int n, struct cli_level *level)
{
    struct cli_point *p = ascending(point, n);
    struct plateau plateau[CLI_LEVELS];
    int found = plateaus(p, n, plateau);
    for (int l = 0; l < found; l++)
        level[l] = (struct cli_level){.cycles = p[(plateau[l].first + plateau[l].last) / 2].cycles};
    for (int l = 0; l < found; l++) {
        bool last = l + 1 == found;
        double third = last ? 0 : level[l].cycles + (level[l + 1].cycles - level[l].cycles) / 3;
        level[l].bytes = last ? 0 : size_at(p, plateau[l].first, plateau[l + 1].last, third);
    }
    g_free(p);
    return found;
}

bool cli_levels_by_passes(const struct cli_point *point, int n, struct cli_level *level)
{
    if (n < 4) return false;
    struct cli_point *p = ascending(point, n);
    double near = p[1].cycles, far = p[n - 1].cycles;
    bool found = near <= 0.75 * far;
    if (found) *level = (struct cli_level){near, size_at(p, 0, n - 1, near + (far - near) / 3)};
    g_free(p);
    return found;
}

bool cli_levels_agree(double measured, uint64_t said)
{
    return said > 0 && measured < 4.0 * (double)said && (double)said < 4 * measured;
}

bool cli_levels_between(uint64_t said, double before, double after)
{
    return (double)said > before && (double)said < after;
}

int cli_levels_join(struct cli_level *level, int n, int said)
{
    if (said < 1 || n <= said) return n;
    level[said - 1].bytes = level[n - 1].bytes;
    return said;
}

uint64_t cli_levels_round(double bytes)
{
    double best = 0, quarter = exp2(floor(log2(bytes)) - 2);
    for (int i = 4; i <= 8; i++)
        if (best == 0 || fabs(log(i * quarter / bytes)) < fabs(log(best / bytes)))
            best = i * quarter;
    return (uint64_t)best;
}

int cli_levels_ways(uint64_t bytes, uint64_t line, int wanted)
{
    uint64_t lines = bytes / line, ways = lines;
    while (ways % 2 == 0 && (int)ways > wanted) ways /= 2;
    return (int)ways;
}
