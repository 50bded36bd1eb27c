/* Pairs of accesses, watched and forced into order. */
#include "world/pair/pair.h"

#include "base/floating/floating.h"
#include "mem/agent/agent.h"
#include "serve/clock/clock.h"
#include "serve/request/request.h"
#include "world/rank/state.h"

#include <errno.h>
#include <string.h>

/* What both sides left behind. */
struct left {
    bool known, agreed; /* agreed: memory and what a load returns */
    bool final;         /* a rank is behind both: what went on beside them is over */
    uint8_t *memory, *load;
};
static struct left *left;
static size_t pairs;

static bool add(const char *text, bool forced, GError **error)
{
    struct check_pair pair;
    if (check_pair_read(text, &pair)) {
        check_pair_watch(&pair, forced);
        return true;
    }
    g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s: not a pair of --check's JSON", text);
    return false;
}

bool world_pairs_open(char **pair, const char *order, GError **error)
{
    for (; pair && *pair; pair++)
        if (!add(*pair, false, error)) return false;
    if (order && !add(order, true, error)) return false;
    pairs = check_pairs();
    left = g_new0(struct left, pairs);
    return true;
}

void world_pairs_close(void)
{
    for (size_t i = 0; i < pairs; i++) g_free(left[i].memory), g_free(left[i].load);
    g_clear_pointer(&left, g_free);
    pairs = 0;
}

/* ---- order ----------------------------------------------------------------------------------- */

static struct serve_proc *second(void)
{
    int rank = check_pair_then();
    return rank >= 0 && rank < world_one.description.ranks ? world_one.proc[rank] : NULL;
}

static void give_up(void *data, double at_s)
{
    (void)data, (void)at_s;
    check_pair_give_up();
    if (world_one.running && second()) kern_gate_open(second()->gate);
}

static void wait_for_first(struct serve_proc *proc, bool inside)
{
    const double least_s = 10e-3;
    struct base_floating floating;
    int kept = errno;
    base_floating_begin(&floating);
    if (!inside) {
        world_run_as(&world_nobody);
        serve_pay(proc);
        serve_enter(proc, true);
    } else
        serve_completing(proc, true);
    kern_at(kern_now() + MAX(kern_now(), least_s), KERN_DATE, -1, give_up, NULL);
    serve_wait(proc, PROFILE_PARTNER, check_pair_ready, NULL);
    for (size_t i = 0; i < pairs; i++) {
        const struct check_seen *seen = check_pair_seen(i);
        if (seen->forced && seen->addr)
            mem_refresh(proc->cpu, seen->addr, seen->bytes, serve_now(proc));
    }
    if (!inside) {
        serve_leave(proc);
        serve_resume(proc);
        world_run_as(proc->cpu);
    }
    base_floating_end(&floating);
    errno = kept;
}

bool world_pair_comes(struct world_rank *rank, bool inside)
{
    enum check_turn turn = check_pair_turn(rank->rank);
    if (turn == CHECK_TURN_THEN) wait_for_first(rank->proc, inside);
    check_pair_loaded(rank->rank);
    return turn == CHECK_TURN_FIRST;
}

void world_pair_over(struct world_rank *rank)
{
    check_pair_complete(rank->rank);
    if (second()) kern_gate_open(second()->gate);
}

struct awaited {
    bool (*done)(void *data);
    void *data;
};

static bool over(void *data)
{
    const struct awaited *a = data;
    return check_pair_given_up() || a->done(a->data);
}

void world_pair_await(struct world_rank *rank, bool (*done)(void *data), void *data)
{
    const double least_s = 10e-3;
    struct awaited a = {done ? done : check_pair_first_done, data};
    serve_completing(rank->proc, true);
    kern_at(kern_now() + MAX(kern_now(), least_s), KERN_DATE, -1, give_up, NULL);
    serve_wait(rank->proc, PROFILE_PARTNER, over, &a);
    if (!check_pair_given_up()) world_pair_over(rank);
}

/* The rank's side has stored by itself. */
static void stored(struct world_rank *rank)
{
    for (size_t i = 0; i < pairs; i++) {
        const struct check_seen *seen = check_pair_seen(i);
        if (seen->forced)
            mem_publish(rank->proc->cpu, seen->addr, seen->bytes, serve_now(rank->proc));
    }
    world_pair_over(rank);
}

void world_pair_goes_on(struct world_rank *rank)
{
    if (check_pair_passed(rank->rank)) stored(rank);
}

void world_pair_requested(struct world_rank *rank, uint64_t number)
{
    if (check_pair_requested(number)) stored(rank);
}

/* ---- what the bytes were --------------------------------------------------------------------- */

static void look_at(struct left *l, struct mem_cpu *cpu, uintptr_t addr, uint64_t bytes)
{
    struct mem_look look;
    for (uint64_t at = 0, n; at < bytes; at += n) {
        n = MIN(bytes - at, (uint64_t)MEM_LOOK_BYTES);
        if (mem_look(cpu, addr + at, (uint32_t)n, &look)) {
            memcpy(l->load + at, look.load, n);
            memcpy(l->memory + at, look.coherent ? look.load : look.memory, n);
        } else { /* no segment's */
            memcpy(l->load + at, (const uint8_t *)addr + at, n);
            memcpy(l->memory + at, l->load + at, n);
        }
    }
    l->agreed = memcmp(l->memory, l->load, bytes) == 0;
}

void world_pairs_look(const struct world_rank *rank)
{
    for (size_t i = 0; i < pairs; i++) {
        const struct check_seen *seen = check_pair_seen(i);
        int owner = seen->pair.owner < 0 ? seen->pair.side[0].rank : seen->pair.owner;
        bool behind;
        if ((left[i].agreed && left[i].final) || !seen->addr) continue;
        if (!check_pair_settled(i, rank->rank, &behind)) continue;
        if (!left[i].known) {
            left[i].memory = g_malloc(seen->bytes);
            left[i].load = g_malloc(seen->bytes);
        }
        left[i].known = true;
        left[i].final = left[i].final || behind;
        look_at(&left[i], world_one.proc[owner]->cpu, seen->addr, seen->bytes);
    }
}

static char *hex(const uint8_t *byte, uint64_t bytes)
{
    GString *text = g_string_new(NULL);
    for (uint64_t i = 0; i < bytes; i++) g_string_append_printf(text, "%02x", byte[i]);
    return g_string_free(text, FALSE);
}

struct report_pair *world_pairs_seen(int *n)
{
    *n = (int)pairs;
    struct report_pair *all = g_new0(struct report_pair, pairs);
    for (size_t i = 0; i < pairs; i++) {
        const struct check_seen *seen = check_pair_seen(i);
        all[i] = (struct report_pair){.text = check_pair_text(&seen->pair),
                                      .forced = seen->forced,
                                      .ordered = seen->ordered,
                                      .met = seen->came[0] && seen->came[1],
                                      .lost = seen->lost};
        for (int s = 0; s < 2; s++)
            if (seen->reads[s]) all[i].read[s] = hex(seen->read[s], seen->reads[s]);
        if (!left[i].known) continue;
        all[i].memory = hex(left[i].memory, seen->bytes);
        all[i].load = hex(left[i].load, seen->bytes);
    }
    return all;
}

void world_pairs_free(struct report_pair *pair, int n)
{
    for (int i = 0; i < n; i++) {
        g_free(pair[i].text);
        g_free(pair[i].read[0]), g_free(pair[i].read[1]);
        g_free(pair[i].memory), g_free(pair[i].load);
    }
    g_free(pair);
}
