/* Lanes: intervals of each rank and each interface, made from payments, servicing and calls;
 * adjacent ones of a kind are one. */
#include "op/op.h"
#include "op/record.h"

/* Dates nearer than this are the same to the clock (kern's precision): no wait, only rounding. */
static const double tiny_s = 1e-12;

/* A stretch of computing longer than this part of the time so far is cut: a run of any length has
 * some thousand pieces a rank. */
static const double grain = 1e-3;

enum { WORKS = 2 }; /* compute and memory: what is charged */

struct lane {
    double drawn_s;      /* everything before is drawn */
    double due_s[WORKS]; /* paid for, not drawn yet */
    const char *call;
    op_site site;
    bool settled, ended;
    bool held; /* last below is the newest interval, not written yet */
    struct op_interval last;
};

static struct lane *lanes; /* of the ranks, then send and receive of each node */
static int lane_ranks, lane_count;

const char *op_doing_name(enum op_doing doing)
{
    static const char *const names[OP_DOINGS] = {"compute", "memory", "service",
                                                 "wait",    "send",   "receive"};
    return names[doing];
}

void op_lanes_open(int ranks, int nodes)
{
    lane_ranks = ranks;
    lane_count = ranks + 2 * nodes;
    lanes = g_new0(struct lane, lane_count);
}

void op_lanes_close(void) { g_clear_pointer(&lanes, g_free); }

/* ---- drawing --------------------------------------------------------------------------------- */

static void put_out(struct lane *lane)
{
    if (lane->held) op_trace_interval(&lane->last);
    lane->held = false;
}

static void draw(struct lane *lane, enum op_doing doing, double seconds)
{
    bool named = (int)doing >= WORKS || lane->settled;
    struct op_interval fresh = {.doing = doing,
                                .of = (int)(lane - lanes),
                                .from_s = lane->drawn_s,
                                .to_s = lane->drawn_s + seconds,
                                .call = named ? lane->call : NULL,
                                .site = named && lane->call ? lane->site : 0};
    lane->drawn_s = fresh.to_s;
    struct op_interval *last = &lane->last;
    if (lane->held && last->doing == doing && last->call == fresh.call &&
        last->site == fresh.site && last->to_s == fresh.from_s) {
        last->to_s = fresh.to_s;
        return;
    }
    put_out(lane);
    *last = fresh;
    lane->held = true;
}

static double due(const struct lane *lane)
{
    return lane->due_s[OP_COMPUTE] + lane->due_s[OP_MEMORY];
}

/* Up to that date: first what was paid for, then waiting. */
static void draw_until(struct lane *lane, double to_s)
{
    for (int work = 0; work < WORKS; work++) {
        double seconds = MIN(lane->due_s[work], to_s - lane->drawn_s);
        if (seconds <= tiny_s) continue;
        draw(lane, (enum op_doing)work, seconds);
        lane->due_s[work] -= seconds;
    }
    if (to_s - lane->drawn_s > tiny_s) draw(lane, OP_WAIT, to_s - lane->drawn_s);
}

static void draw_rest(struct lane *lane)
{
    for (int work = 0; work < WORKS; work++) {
        if (lane->due_s[work] > 0) draw(lane, (enum op_doing)work, lane->due_s[work]);
        lane->due_s[work] = 0;
    }
}

/* ---- ranks ----------------------------------------------------------------------------------- */

void op_lane_charge(int rank, double now_s, double compute_s, double memory_s)
{
    struct lane *lane = &lanes[rank];
    bool gap = now_s > lane->drawn_s + due(lane) + tiny_s,
         long_enough = due(lane) > grain * lane->drawn_s;
    if (!lane->ended && (gap || long_enough)) draw_until(lane, now_s);
    lane->due_s[OP_COMPUTE] += compute_s;
    lane->due_s[OP_MEMORY] += memory_s;
}

void op_lane_service(int rank, double at_s, double seconds)
{
    struct lane *lane = &lanes[rank];
    if (!(seconds > 0)) return;
    if (!lane->ended) draw_until(lane, at_s);
    /* its time stands still, its processor works for others */
    else
        lane->drawn_s = MAX(lane->drawn_s, at_s);
    draw(lane, OP_SERVICE, seconds);
}

void op_lane_enter(int rank, double now_s, const char *call, op_site site, bool settled)
{
    struct lane *lane = &lanes[rank];
    if (settled) draw_until(lane, now_s);
    lane->call = call;
    lane->site = site;
    lane->settled = settled;
}

void op_lane_leave(int rank, double now_s)
{
    struct lane *lane = &lanes[rank];
    draw_until(lane, now_s);
    lane->call = NULL;
    lane->settled = false;
}

void op_lane_end(int rank, double end_s)
{
    struct lane *lane = &lanes[rank];
    draw_until(lane, end_s);
    draw_rest(lane);
    lane->call = NULL;
    lane->ended = true;
}

void op_lanes_done(void)
{
    for (int i = 0; i < lane_count; i++) {
        draw_rest(&lanes[i]);
        put_out(&lanes[i]);
    }
}

/* ---- interfaces ------------------------------------------------------------------------------ */

/* An interface may receive a flow and small messages at once: drawn is that it is busy. What begins
 * before the newest interval is joined to it or, where there is time between, put before it. */
void op_lane_interface(int node, enum op_doing doing, double from_s, double to_s)
{
    struct lane *lane = &lanes[lane_ranks + 2 * node + (doing == OP_RECEIVE)];
    struct op_interval *last = &lane->last, fresh = {.doing = doing,
                                                     .of = node,
                                                     .from_s = MAX(from_s, lane->drawn_s),
                                                     .to_s = to_s};
    if (!(fresh.to_s > fresh.from_s)) return;
    if (!lane->held) {
        *last = fresh;
        lane->held = true;
    } else if (fresh.from_s > last->to_s + tiny_s) {
        put_out(lane);
        lane->drawn_s = last->to_s;
        *last = fresh;
        lane->held = true;
    } else if (fresh.to_s < last->from_s) {
        op_trace_interval(&fresh);
        lane->drawn_s = fresh.to_s;
    } else {
        last->from_s = MIN(last->from_s, fresh.from_s);
        last->to_s = MAX(last->to_s, fresh.to_s);
    }
}
