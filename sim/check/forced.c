/* A pair forced into order, and what was seen of those that are watched. */
#include "check/watched.h"

/* ---- the forced one -------------------------------------------------------------------------- */

enum check_turn check_pair_turn(int rank)
{
    struct check_watched *w = check_forced.pair;
    if (!w || check_forced.side < 0 || w->seen.pair.side[check_forced.side].rank != rank)
        return CHECK_TURN_NONE;
    bool first = check_forced.side == 0;
    check_forced.side = -1;
    if (first) {
        check_forced.passing = w->number[0] == 0;
        return CHECK_TURN_FIRST;
    }
    if (!check_forced.ready && w->seen.pair.side[0].rank == rank && !check_forced.passing)
        check_forced.hopeless = true;
    w->seen.ordered = check_forced.ready;
    return check_forced.hopeless ? CHECK_TURN_NONE : CHECK_TURN_THEN;
}

void check_pair_complete(int rank)
{
    struct check_watched *w = check_forced.pair;
    if (!w || w->seen.pair.side[0].rank != rank || check_forced.ready) return;
    check_forced.ready = true;
    check_forced.passing = false;
    w->seen.ordered = !w->seen.came[1] || !check_forced.hopeless;
}

bool check_pair_passed(int rank)
{
    return check_forced.pair && check_forced.passing &&
           check_forced.pair->seen.pair.side[0].rank == rank;
}

bool check_pair_requested(uint64_t number)
{
    const struct check_watched *w = check_forced.pair;
    return w && number && w->number[0] == number && !check_remote(w->seen.pair.side[0].kind) &&
           !check_buffer_kind(w->seen.pair.side[0].kind);
}

bool check_pair_ready(void *data)
{
    (void)data;
    return check_forced.ready || check_forced.hopeless;
}

void check_pair_give_up(void)
{
    if (!check_forced.ready) check_forced.hopeless = true;
}

int check_pair_then(void)
{
    return check_forced.pair ? check_forced.pair->seen.pair.side[1].rank : -1;
}

bool check_pair_first_done(void *data)
{
    (void)data;
    return check_forced.pair && check_forced.pair->done[0];
}

bool check_pair_given_up(void) { return check_forced.hopeless; }

/* ---- what was seen --------------------------------------------------------------------------- */

size_t check_pairs(void) { return check_watches ? check_watches->len : 0; }

/* Of a forced pair, and of a buffer's, what else went on beside the two counts for nothing. */
static bool is_behind(const struct check_watched *w, int rank)
{
    const uint32_t *now = check_clock_of(rank);
    if (w->seen.forced || w->seen.pair.window < 0) return true;
    for (int s = 0; s < 2; s++)
        if (now[w->seen.pair.side[s].rank] < w->own[s]) return false;
    return true;
}

bool check_pair_settled(size_t i, int rank, bool *behind)
{
    const struct check_watched *w = check_watches->pdata[i];
    *behind = is_behind(w, rank);
    return w->seen.came[0] && w->seen.came[1] && w->done[0] && w->done[1] && !w->gone;
}

static bool lost(const struct check_watched *w)
{
    for (int s = 0; s < 2; s++) {
        const struct check_pair_side *other = &w->seen.pair.side[1 - s];
        if (!check_kind_writes(w->seen.pair.side[s].kind) && check_kind_writes(other->kind) &&
            w->back[s] && w->contested[s] && w->moment[s] > 0 && w->moment[s] < w->moment[1 - s] &&
            w->moment[1 - s] < w->back[s])
            return true;
    }
    return false;
}

const struct check_seen *check_pair_seen(size_t i)
{
    struct check_watched *w = check_watches->pdata[i];
    w->seen.ordered = w->seen.forced && w->seen.came[0] && w->seen.came[1] && check_forced.ready &&
                      !check_forced.hopeless;
    w->seen.lost = lost(w);
    return &w->seen;
}
