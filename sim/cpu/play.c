/* Plays of a path: a loop until what came before it is forgotten, then for PASSES passes, whose
 * mean counts; so of a path that is no loop out of order, whose passes share no values: what is
 * before it and behind it overlaps with it. In order it is played once, until it has run dry.
 *
 * PASSES is a multiple of the periods there are for issue widths up to 8 without 5 and 7; the mean
 * of others is off by at most a cycle in PASSES. */
#include "cpu/parts.h"

enum { PASSES = 24, STEPS_MAX = 1 << 20 };

static uint32_t warm_up(const struct cpu_path *path)
{
    uint32_t steps = MAX(path->step->len, 1), window = path->cpu->window;
    return 8 + 2 * window / steps;
}

static struct cpu_play play_path(const struct cpu_path *path, const uint32_t *order, bool unlimited)
{
    struct cpu_play play = {.passes = 1, .unlimited = unlimited};
    if (cpu_repeats(path) && path->step->len > 0) {
        uint32_t most = MAX(STEPS_MAX / path->step->len, 3);
        bool alike = unlimited && !path->cyclic; /* nothing is shared: each as the first */
        play.first = alike ? 1 : MIN(warm_up(path), most / 2);
        play.passes = play.first + (alike ? 1 : MIN(PASSES, most - play.first));
    }
    play.issue = g_new0(uint64_t, (size_t)play.passes * path->step->len + 1);
    play.end = g_new0(uint64_t, (size_t)play.passes * path->positions + 1);
    if (path->cpu->window > 0)
        cpu_play_out_of_order(path, order, &play);
    else
        cpu_play_in_order(path, order, &play);
    return play;
}

struct cpu_play cpu_play_new(const struct cpu_path *path, const uint32_t *order, bool unlimited)
{
    struct cpu_play play;
    if (path->cpu->window == 0) return play_path(path, order, unlimited);
    g_autoptr(GBytes) key = cpu_alike_key(path, order, unlimited);
    if (cpu_alike_find(path->ring->alike, key, &play)) return play;
    play = play_path(path, order, unlimited);
    cpu_alike_keep(path->ring->alike, key, path, &play);
    return play;
}

void cpu_play_clear(struct cpu_play *play)
{
    if (play->kept) return;
    g_free(play->issue);
    g_free(play->end);
}

uint64_t cpu_play_begins(const struct cpu_path *path, const struct cpu_play *play, uint32_t pass,
                         uint32_t at)
{
    size_t i = (size_t)pass * path->positions + at;
    return i > 0 ? play->end[i - 1] : 0;
}

uint64_t cpu_play_cycles(const struct cpu_path *path, const struct cpu_play *play)
{
    uint64_t end = play->end[(size_t)play->passes * path->positions - 1];
    return (cpu_repeats(path) ? end : MAX(end, play->done)) -
           cpu_play_begins(path, play, play->first, 0);
}

uint64_t cpu_play_ticks(struct cpu_path *path)
{
    cpu_lower(path);
    g_autofree uint32_t *order = cpu_order(path);
    struct cpu_play play = cpu_play_new(path, order, false);
    uint64_t ticks = cpu_play_cycles(path, &play) * CPU_TICKS / (play.passes - play.first);
    cpu_play_clear(&play);
    cpu_path_clear(path);
    return ticks;
}
