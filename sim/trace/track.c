/* Tracks: intervals of each rank and each interface, made from payments, servicing and calls;
 * adjacent ones of a kind are one. */
#include "trace/track.h"
#include "trace/file.h"

/* Dates nearer than this are the same to the clock (kern's precision): no wait, only rounding. */
static const double tiny_s = 1e-12;

/* A stretch of computing longer than this part of the time so far is cut: a run of any length has
 * some thousand pieces a rank. */
static const double grain = 1e-3;

enum { WORKS = 2 }; /* compute and memory: what is charged */

struct track {
    double drawn_s;      /* everything before is drawn */
    double due_s[WORKS]; /* paid for, not drawn yet */
    const char *call;
    op_site site;
    bool settled, ended;
    bool held; /* last below is the newest interval, not written yet */
    struct trace_interval last;
};

static struct track *tracks; /* of the ranks, then send and receive of each node */
static int track_ranks, track_count;

void trace_tracks_open(int ranks, int nodes)
{
    track_ranks = ranks;
    track_count = ranks + 2 * nodes;
    tracks = g_new0(struct track, track_count);
}

void trace_tracks_close(void) { g_clear_pointer(&tracks, g_free); }

/* ---- drawing --------------------------------------------------------------------------------- */

static void put_out(struct track *track)
{
    if (track->held) trace_file_interval(&track->last);
    track->held = false;
}

static void draw(struct track *track, enum trace_activity activity, double seconds)
{
    bool named = (int)activity >= WORKS || track->settled;
    struct trace_interval fresh = {.activity = activity,
                                   .of = (int)(track - tracks),
                                   .from_s = track->drawn_s,
                                   .to_s = track->drawn_s + seconds,
                                   .call = named ? track->call : NULL,
                                   .site = named && track->call ? track->site : 0};
    track->drawn_s = fresh.to_s;
    struct trace_interval *last = &track->last;
    if (track->held && last->activity == activity && last->call == fresh.call &&
        last->site == fresh.site && last->to_s == fresh.from_s) {
        last->to_s = fresh.to_s;
        return;
    }
    put_out(track);
    *last = fresh;
    track->held = true;
}

static double due(const struct track *track)
{
    return track->due_s[TRACE_COMPUTE] + track->due_s[TRACE_MEMORY];
}

/* Up to that date: first what was paid for, then waiting. */
static void draw_until(struct track *track, double to_s)
{
    for (int work = 0; work < WORKS; work++) {
        double seconds = MIN(track->due_s[work], to_s - track->drawn_s);
        if (seconds <= tiny_s) continue;
        draw(track, (enum trace_activity)work, seconds);
        track->due_s[work] -= seconds;
    }
    if (to_s - track->drawn_s > tiny_s) draw(track, TRACE_WAIT, to_s - track->drawn_s);
}

static void draw_rest(struct track *track)
{
    for (int work = 0; work < WORKS; work++) {
        if (track->due_s[work] > 0) draw(track, (enum trace_activity)work, track->due_s[work]);
        track->due_s[work] = 0;
    }
}

/* ---- ranks ----------------------------------------------------------------------------------- */

void trace_track_charge(int rank, double now_s, double compute_s, double memory_s)
{
    struct track *track = &tracks[rank];
    bool gap = now_s > track->drawn_s + due(track) + tiny_s,
         long_enough = due(track) > grain * track->drawn_s;
    if (!track->ended && (gap || long_enough)) draw_until(track, now_s);
    track->due_s[TRACE_COMPUTE] += compute_s;
    track->due_s[TRACE_MEMORY] += memory_s;
}

void trace_track_service(int rank, double at_s, double seconds)
{
    struct track *track = &tracks[rank];
    if (!(seconds > 0)) return;
    if (!track->ended) draw_until(track, at_s);
    /* its time stands still, its processor works for others */
    else
        track->drawn_s = MAX(track->drawn_s, at_s);
    draw(track, TRACE_SERVICE, seconds);
}

void trace_track_enter(int rank, double now_s, const char *call, op_site site, bool settled)
{
    struct track *track = &tracks[rank];
    if (settled) draw_until(track, now_s);
    track->call = call;
    track->site = site;
    track->settled = settled;
}

void trace_track_leave(int rank, double now_s)
{
    struct track *track = &tracks[rank];
    draw_until(track, now_s);
    track->call = NULL;
    track->settled = false;
}

void trace_track_end(int rank, double end_s)
{
    struct track *track = &tracks[rank];
    draw_until(track, end_s);
    draw_rest(track);
    track->call = NULL;
    track->ended = true;
}

void trace_tracks_write(void)
{
    for (int i = 0; i < track_count; i++) {
        draw_rest(&tracks[i]);
        put_out(&tracks[i]);
    }
}

/* ---- interfaces ------------------------------------------------------------------------------ */

/* An interface may receive a flow and small messages at once: drawn is that it is busy. What begins
 * before the newest interval is joined to it or, where there is time between, put before it. */
void trace_track_interface(int node, enum trace_activity activity, double from_s, double to_s)
{
    struct track *track = &tracks[track_ranks + 2 * node + (activity == TRACE_RECEIVE)];
    struct trace_interval *last = &track->last, fresh = {.activity = activity,
                                                         .of = node,
                                                         .from_s = MAX(from_s, track->drawn_s),
                                                         .to_s = to_s};
    if (!(fresh.to_s > fresh.from_s)) return;
    if (!track->held) {
        *last = fresh;
        track->held = true;
    } else if (fresh.from_s > last->to_s + tiny_s) {
        put_out(track);
        track->drawn_s = last->to_s;
        *last = fresh;
        track->held = true;
    } else if (fresh.to_s < last->from_s) {
        trace_file_interval(&fresh);
        track->drawn_s = fresh.to_s;
    } else {
        last->from_s = MIN(last->from_s, fresh.from_s);
        last->to_s = MAX(last->to_s, fresh.to_s);
    }
}
