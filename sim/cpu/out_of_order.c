/* An out-of-order pipeline: steps enter a window in order, cpu.issue a cycle, while it has room;
 * each is issued at the first cycle in which its operands are there and the older ones have left it
 * a unit and ports; they leave in order, when they are complete.
 *
 * A branch that is taken ends what is fetched in a cycle: the code that follows two of them enters
 * cpu.taken cycles apart, at least; behind a switch or a computed goto it is cpu.jump.
 *
 * A known function's call and its return are fetched one behind the other: what is behind one
 * enters cpu.call cycles behind what is behind another, at least. What is behind a library's enters
 * so many cycles behind the call as the machine says (cpu.library), whatever it executes.
 *
 * Stores that follow each other go to the first level together where their line is the same; to
 * others they go cpu.store_lines a cycle.
 *
 * A step is given its port where it enters, the one that the fewest before it wait for, and keeps
 * it (Abel and Reineke, uiCA, ICS 2022). So a step may wait while another port is free.
 *
 * A step that writes to a register enters when so many results before it have left as the file has
 * registers for what is in flight; one of integers, when the queue of one of its ports has room.
 * So a long chain fills them long before the window, and what is behind it stays out (how they are
 * measured: Wong, Measuring Reorder Buffer Capacity, 2013).
 *
 * Left out: what queues of loads, stores and floating point hold at most, registers of flags, moves
 * that take no port, fetch and decode. A port is taken for one cycle. */
#include "cpu/parts.h"

#include <string.h>

_Static_assert(MACH_CLASSES <= 32, "a unit is a bit of struct cpu_taken");

enum { PLAY_LOG2 = 40 }; /* cycles of a play, at most */
_Static_assert((UINT64_C(1) << PLAY_LOG2) % CPU_RING == 0, "every play begins alike");
struct pipeline {
    const struct cpu_path *path;
    struct cpu_play *play;
    struct cpu_ring *ring;
    uint32_t waiting[MACH_PORT_COUNT]; /* steps that entered before `now` and are issued later */
    uint32_t queued[MACH_PORT_COUNT];  /* those of them that wait in a queue */
    uint64_t written[CPU_FILES];       /* steps that wrote to a file */
    uint64_t now;
    uint64_t steps;
    uint64_t enter, leave;  /* cycles of the last step that did */
    uint64_t fetched;       /* the first cycle in which what a branch goes to next may enter */
    uint64_t returned;      /* and what the next call returns to */
    uint32_t entered, gone; /* in that cycle */
};

bool cpu_is_jumped_to(const struct cpu_path *path, uint32_t at)
{
    const uint32_t before = (at > 0 ? at : path->positions) - 1;
    const struct cpu_block *block = cpu_block_at(path->object, path->block[before]);
    if ((at == 0 && !path->cyclic) || block->ops == 0) return false;
    return cpu_op_at(path->object, block->first_op + block->ops - 1)->class == BLOCK_SWITCH;
}

/* Code that does not follow the code before it is fetched so many cycles after that before. */
static void go_to(struct pipeline *p, uint32_t at)
{
    const uint32_t taken = p->path->cpu->taken, jump = p->path->cpu->jump;
    const bool jumps = jump > 0 && cpu_is_jumped_to(p->path, at);
    if (p->play->unlimited || (!jumps && (taken == 0 || cpu_follows(p->path, at)))) return;
    const uint64_t least = p->fetched + (jumps && jump > taken ? jump - taken : 0);
    if (p->enter < least) p->enter = least, p->entered = 0;
    p->fetched = p->enter + taken;
}

/* held: the first cycle for what is behind a library's. */
static void come_back(struct pipeline *p, uint64_t held)
{
    if (p->play->unlimited) return;
    const uint64_t least = MAX(p->returned, held);
    if (p->enter < least) p->enter = least, p->entered = 0;
    p->returned = p->enter + p->path->cpu->call;
}

/* One a slot of a cycle, `width` slots each. */
static uint64_t next_slot(uint64_t *now, uint32_t *used, uint64_t least, uint32_t width)
{
    if (least > *now) *now = least, *used = 0;
    if (*used == width) ++*now, *used = 0;
    ++*used;
    return *now;
}

/* What is taken of a cycle. */
static struct cpu_taken *cycle_at(struct pipeline *p, uint64_t when)
{
    struct cpu_taken *c = &p->ring->at[when % CPU_RING];
    when += p->ring->first;
    if (c->cycle != when) *c = (struct cpu_taken){.cycle = when};
    return c;
}

/* The ports that are taken of a cycle; most of those to come have none. */
static inline uint32_t ports_taken(const struct pipeline *p, uint64_t when)
{
    const struct cpu_taken *c = &p->ring->at[when % CPU_RING];
    return c->cycle == when + p->ring->first ? c->ports : 0;
}

/* Steps that are issued until a cycle wait no more. */
static void go_on(struct pipeline *p, uint64_t now)
{
    if (now - MIN(p->now, now) >= CPU_RING) {
        memset(p->waiting, 0, sizeof p->waiting);
        memset(p->queued, 0, sizeof p->queued);
    }
    for (p->now = MAX(p->now, now < CPU_RING ? 0 : now - CPU_RING); p->now < now; p->now++)
        for (uint32_t ports = ports_taken(p, p->now); ports; ports &= ports - 1) {
            const int port = __builtin_ctz(ports);
            p->waiting[port] -= p->waiting[port] > 0;
            p->queued[port] -= cycle_at(p, p->now)->queued >> port & 1;
        }
}

/* Is there room at one of a step's ports? */
static bool has_room(const struct pipeline *p, const struct mach_ports *want)
{
    for (int i = 0; i < want->sets; i++) {
        bool room = false;
        for (uint32_t left = want->set[i]; left && !room; left &= left - 1)
            room = p->queued[__builtin_ctz(left)] < p->path->cpu->queue;
        if (!room) return false;
    }
    return true;
}

/* The first cycle in which its port's queue has room. */
static uint64_t queue_up(struct pipeline *p, const struct cpu_step *step,
                         const struct mach_ports *want)
{
    go_on(p, p->enter);
    while (step->queued && p->path->cpu->queue > 0 && !has_room(p, want)) {
        p->enter++, p->entered = 1;
        go_on(p, p->enter);
    }
    return p->enter;
}

/* A port a set, all different: those that the fewest wait for, of those alike the last. */
static uint16_t bind_ports(struct pipeline *p, const struct mach_ports *want, bool queued)
{
    uint32_t ports = 0;
    for (int i = 0; i < want->sets; i++) {
        uint32_t best = 0, fewest = UINT32_MAX;
        for (uint32_t left = want->set[i] & ~ports; left; left &= left - 1) {
            const int port = __builtin_ctz(left);
            const bool full =
                queued && p->path->cpu->queue > 0 && p->queued[port] >= p->path->cpu->queue;
            const uint32_t waiting = full ? UINT32_MAX : p->waiting[port];
            if (waiting <= fewest) best = left & -left, fewest = waiting;
        }
        ports |= best;
    }
    for (uint32_t left = ports; left; left &= left - 1) {
        p->waiting[__builtin_ctz(left)]++;
        p->queued[__builtin_ctz(left)] += queued;
    }
    return (uint16_t)ports;
}

/* A unit is busy for so many cycles; what is younger may have it in between. */
static bool unit_is_free(struct pipeline *p, enum mach_class unit, uint32_t cycles, uint64_t when)
{
    for (uint32_t i = 0; i < cycles; i++)
        if (cycle_at(p, when + i)->busy >> unit & 1) return false;
    return true;
}

/* Is there room among the lines that the stores of a cycle go to? */
static bool line_is_free(struct pipeline *p, bool line, uint64_t when)
{
    const uint32_t lines = p->path->cpu->store_lines;
    return !line || lines == 0 || cycle_at(p, when)->lines < lines;
}

/* The first cycle from `when` on with its ports, a unit that is not pipelined free, and room for a
 * line more. */
static uint64_t take(struct pipeline *p, const struct cpu_class *class, uint16_t ports,
                     const struct cpu_step *step, uint64_t when)
{
    uint32_t cycles = class->repeat > 1 ? class->repeat : 0;
    while ((ports_taken(p, when) & ports) || !unit_is_free(p, class->unit, cycles, when) ||
           !line_is_free(p, step->line, when))
        when++;
    struct cpu_taken *c = cycle_at(p, when);
    c->ports |= ports;
    c->queued |= step->queued ? ports : 0;
    c->lines += step->line;
    for (uint32_t i = 0; i < cycles; i++) cycle_at(p, when + i)->busy |= UINT32_C(1) << class->unit;
    return when;
}

static uint64_t enter(struct pipeline *p, const struct cpu_step *step)
{
    const struct cpu *cpu = p->path->cpu;
    if (p->play->unlimited) return p->enter = MAX(p->enter, step->barrier ? p->play->done : 0);
    uint64_t room =
        p->steps >= cpu->window ? p->ring->left[(p->steps - cpu->window) % CPU_WINDOW_MAX] : 0;
    if (step->writes < CPU_FILES && p->written[step->writes] >= cpu->registers[step->writes])
        room = MAX(room, p->ring->written[step->writes][(p->written[step->writes] -
                                                         cpu->registers[step->writes]) %
                                                        CPU_WINDOW_MAX]);
    if (step->barrier) room = MAX(room, p->play->done);
    return next_slot(&p->enter, &p->entered, room, cpu->issue);
}

static void issue(struct pipeline *p, uint32_t pass, uint32_t s)
{
    const struct cpu_step *step = cpu_step_at(p->path, s);
    const struct cpu_class *class = &p->path->cpu->class[step->class];
    uint64_t entered = enter(p, step), ready = cpu_ready(p->path, p->play, pass, s);
    uint64_t when = MAX(entered, ready);
    if (!p->play->unlimited) {
        entered = queue_up(p, step, &class->ports);
        when = MAX(entered, ready);
        when = take(p, class, bind_ports(p, &class->ports, step->queued), step, when);
    }
    uint64_t complete = when + cpu_completes(p->path->cpu, step);
    p->play->issue[(size_t)pass * p->path->step->len + s] = when;
    p->play->done = MAX(p->play->done, complete);
    if (p->play->unlimited)
        p->leave = MAX(p->leave, complete);
    else
        next_slot(&p->leave, &p->gone, complete, p->path->cpu->issue);
    p->ring->left[p->steps++ % CPU_WINDOW_MAX] = p->leave;
    if (step->writes < CPU_FILES)
        p->ring->written[step->writes][p->written[step->writes]++ % CPU_WINDOW_MAX] = p->leave;
    bool ends = step->barrier || (step->cycles && !step->beside);
    if (ends && complete > p->enter) p->enter = complete, p->entered = 0;
}

bool cpu_calls(const struct cpu_path *path, uint32_t at)
{
    const struct cpu_block *block = cpu_block_at(path->object, path->block[at]);
    if (block->ops == 0) return false;
    const struct cpu_op *last = cpu_op_at(path->object, block->first_op + block->ops - 1);
    return last->class == BLOCK_CALL &&
           (last->described || last->library || last->flags & BLOCK_PREDICTED);
}

/* The first has the last of the pass before in front: in a loop that is entered in its midst that
 * falls through. */
bool cpu_follows(const struct cpu_path *path, uint32_t at)
{
    if (at > 0) return path->joined || path->block[at] == path->block[at - 1] + 1;
    return path->cyclic && path->block[0] == path->block[path->positions - 1] + 1;
}

void cpu_play_out_of_order(const struct cpu_path *path, const uint32_t *order,
                           struct cpu_play *play)
{
    struct pipeline pipeline = {.path = path, .play = play, .ring = path->ring}, *p = &pipeline;
    p->ring->first += UINT64_C(1) << PLAY_LOG2;
    play->done = 0;
    for (uint32_t pass = 0; pass < play->passes; pass++) {
        uint64_t *ends = play->end + (size_t)pass * path->positions;
        for (uint32_t i = 0, at = 0; at < path->positions; at++) {
            if (pass + at > 0) go_to(p, at);
            const uint64_t begun = p->enter;
            uint32_t own = 0, holds = 0;
            for (; i < path->step->len && cpu_step_at(path, order[i])->position <= at; i++) {
                const struct cpu_step *step = cpu_step_at(path, order[i]);
                issue(p, pass, order[i]);
                own += !step->within;
                holds += step->holds;
            }
            if (holds || cpu_calls(path, at))
                come_back(p, holds ? begun + own / path->cpu->issue + holds : 0);
            ends[at] = p->leave;
        }
        for (uint32_t i = 0; path->joined && i < path->positions; i++) ends[i] = p->leave;
    }
}
