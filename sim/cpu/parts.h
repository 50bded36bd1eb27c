/* What the files of cpu share; nobody else includes it.
 *
 * block_format.h's operations become steps, operations of the machine (lower.c), along a path of
 * blocks (path.c); order.c puts them into the order of its compiler, in_order.c or out_of_order.c
 * plays them, price.c reads the prices off. */
#ifndef CPU_PARTS_H
#define CPU_PARTS_H

#include "cpu/cpu.h"

/* ---- the machine: model.c -------------------------------------------------------------------- */

enum cpu_lowering {
    LOWER_BYTE_LOAD,
    LOWER_SIGNED_BYTE_LOAD,
    LOWER_BYTE_STORE,
    LOWER_INT_DIVIDE,
    LOWER_INT_TO_FP,
    LOWER_FP_TO_INT,
    LOWER_SELECT,
    LOWER_TRUTH,
    LOWER_FP_MINIMUM,
    LOWER_FMA,
    LOWER_SQRT,
    LOWER_WIDE_CONSTANT,
    LOWER_INDEXED,
    LOWER_SCALED_INDEX,
    LOWER_CALL,
    LOWERINGS
};
enum cpu_compare { COMPARE_SEPARATE, COMPARE_ZERO, COMPARE_FUSED };
struct cpu_class {
    struct mach_latency latency;
    struct mach_ports ports;
    uint32_t repeat;
    enum mach_class unit; /* that stands for the unit: classes may share one */
};
/* What steps have taken of the cycles to come, out of order. Kept from play to play: each has
 * cycles of its own, from `first` on, so that what is left of others is not cleared. */
enum { CPU_RING = 16384, CPU_WINDOW_MAX = 4096 };
struct cpu_taken {
    uint64_t cycle; /* which */
    uint32_t busy;  /* units, a bit a class */
    uint16_t ports, lines;
    uint16_t queued; /* ports that take a step from their queues */
};
/* What a step writes to: a register file, or nothing that runs out. */
enum cpu_file { CPU_FILE_INTEGER, CPU_FILE_FLOATING, CPU_FILES };
struct cpu_ring {
    struct cpu_alike *alike;
    uint64_t first;
    struct cpu_taken at[CPU_RING];
    uint64_t left[CPU_WINDOW_MAX]; /* when the step so many before left the window */
    /* and the one that wrote to a file */
    uint64_t written[CPU_FILES][CPU_WINDOW_MAX];
};
struct cpu {
    struct cpu_class class[MACH_CLASSES];
    struct mach_lower lower[LOWERINGS];
    uint32_t registers[CPU_FILES]; /* results in flight, at most: at most the window */
    uint32_t queue;                /* integer steps that wait at a port, at most; 0: any number */
    uint32_t issue, window, taken, jump, call, store_lines, fp_add_bypass, unroll, saved,
        constant_bits, vector;
    enum cpu_compare compare;
    uint64_t miss_ticks;
    struct mach_function_keys function[MACH_FUNCTIONS]; /* calls of libraries */
    const char *predictor;
    bool renames; /* memory */
    /* multiple.c: products looked for so far, by factor and by width; struct cpu_chain */
    GHashTable *multiple[2];
    struct cpu_ring *ring; /* of plays out of order, one after the other; NULL: it is in order */
};

/* ---- a path of blocks as steps: lower.c ------------------------------------------------------ */

#define CPU_NO_STEP UINT32_MAX
/* One reason for a step to wait: the result of another, `distance` passes of the path ago. */
struct cpu_dep {
    uint32_t step;     /* CPU_NO_STEP: it is there from the beginning */
    uint32_t operand;  /* of the object, while step is not known yet */
    uint32_t distance; /* in passes */
    enum mach_use use;
};
struct cpu_step {
    enum mach_class class;
    uint32_t cycles; /* of a library's function, instead of the class; 0: a class */
    bool beside;     /* what these cycles execute are steps of their own: what is behind enters */
    uint32_t holds;  /* of a call: cycles until what is behind it enters, at least */
    bool within;     /* the function that is called executes it */
    bool barrier;    /* everything before is complete, nothing after is issued yet */
    bool last;       /* of its region: a branch, a call */
    bool line;       /* a store to another line than the store before it */
    bool queued;     /* waits in its port's queue */
    enum cpu_file writes; /* CPU_FILES: to none */
    uint32_t op;          /* in the object */
    uint32_t position;    /* of its block in the path */
    uint32_t first_dep, deps;
};
struct cpu_path {
    const struct cpu *cpu;
    const struct cpu_object *object;
    const struct cpu_loops *loops;
    struct cpu_ring *ring; /* the processor's */
    uint32_t block[64];    /* positions */
    /* positions of inner loops, which have their prices already; blocks beside a path, too */
    bool inner[64];
    uint32_t positions;
    bool cyclic, joined; /* joined: the positions are iterations that the compiler unrolled */
    GArray *step, *dep;  /* struct cpu_step, struct cpu_dep */
    uint32_t *result;    /* step of each operation, positions one behind the other */
    uint32_t base[65];   /* of each position in result */
};
enum { CPU_PATH_BLOCKS = 64 };
/* Makes the steps of a path whose blocks are filled in. */
void cpu_lower(struct cpu_path *path);
void cpu_path_clear(struct cpu_path *path);

static inline const struct cpu_block *cpu_block_at(const struct cpu_object *object, uint32_t i)
{
    return &g_array_index(object->block, struct cpu_block, i);
}
static inline const struct cpu_op *cpu_op_at(const struct cpu_object *object, uint32_t i)
{
    return &g_array_index(object->op, struct cpu_op, i);
}
static inline const struct cpu_operand *cpu_operand_at(const struct cpu_object *object, uint32_t i)
{
    return &g_array_index(object->operand, struct cpu_operand, i);
}
/* Is it the same all the time? */
static inline bool cpu_is_constant(const struct cpu_operand *o)
{
    return o->where == BLOCK_CONSTANT || o->where == BLOCK_VARIABLE;
}
/* Does an operation of the function make it? */
static inline bool cpu_is_made(const struct cpu_operand *o)
{
    return o->where != BLOCK_OUTSIDE && !cpu_is_constant(o);
}
static inline const struct cpu_step *cpu_step_at(const struct cpu_path *path, uint32_t i)
{
    return &g_array_index(path->step, struct cpu_step, i);
}
static inline const struct cpu_dep *cpu_dep_at(const struct cpu_path *path, uint32_t i)
{
    return &g_array_index(path->dep, struct cpu_dep, i);
}
/* Cycles from the issue of a step until what uses it for `use` may be issued. */
static inline uint32_t cpu_latency(const struct cpu *cpu, const struct cpu_step *s,
                                   enum mach_use use)
{
    return s->cycles ? s->cycles : (uint32_t)cpu->class[s->class].latency.cycles[use];
}

/* The same of a step that another waits for: an addition may have that of one before it sooner. */
static inline uint32_t cpu_wait(const struct cpu_path *path, const struct cpu_dep *d,
                                const struct cpu_step *waits)
{
    const struct cpu_step *from = cpu_step_at(path, d->step);
    bool bypass = from->class == MACH_FP_ADD && waits->class == MACH_FP_ADD && !from->cycles;
    if (bypass && path->cpu->fp_add_bypass) return path->cpu->fp_add_bypass;
    return cpu_latency(path->cpu, from, d->use);
}

/* Cycles from the issue of a step until it is complete: a store's latency is that until a load has
 * what it wrote, for which nobody else waits. */
static inline uint32_t cpu_completes(const struct cpu *cpu, const struct cpu_step *s)
{
    bool store = !s->cycles && (s->class == MACH_STORE || s->class == MACH_FP_STORE);
    return store ? 1 : cpu_latency(cpu, s, MACH_USE_VALUE);
}

/* ---- multiple.c ------------------------------------------------------------------------------ */

enum { CPU_CHAIN_MAX = 32 };
/* Steps, each of the result of the one before. */
struct cpu_chain {
    uint32_t steps; /* 0: a multiplication it is */
    enum mach_class step[CPU_CHAIN_MAX];
};
/* What the machine's compiler makes of a product with a constant, of at most 4 bytes or of 8. */
struct cpu_chain cpu_multiple(const struct cpu *cpu, uint64_t times, bool narrow);

/* ---- loops.c --------------------------------------------------------------------------------- */

/* How often the head of a loop without loops in it is executed until the loop is left. */
struct cpu_rounds {
    uint32_t times;      /* 0: there are loops in it */
    uint32_t from, exit; /* most often it is left from here to there; object->blocks: never */
    bool known;          /* exactly */
};
struct cpu_loops {
    bool *head;            /* of each block: does a loop begin with it? */
    uint32_t *inner_first; /* all blocks, those of inner loops before those around them */
    /* of each block: the head of the innermost loop that it is in, of a head of the one around its
     * own; object->blocks: it is in none */
    uint32_t *within;
    struct cpu_rounds *rounds; /* of each head */
};
/* Is a block in the loop of that head? In a loop without loops in it. */
static inline bool cpu_is_in(const struct cpu_loops *loops, uint32_t head, uint32_t b)
{
    return b == head || loops->within[b] == head;
}
void cpu_find_loops(const struct cpu_object *object, struct cpu_loops *loops);
void cpu_loops_clear(struct cpu_loops *loops);

/* ---- path.c ---------------------------------------------------------------------------------- */

/* The likelier successor of a block; object->blocks: there is none. */
uint32_t cpu_likelier(const struct cpu_object *object, uint32_t b);
/* Goes through the paths of an object; each block is in one of them. */
struct cpu_search {
    const struct cpu_object *object;
    const struct cpu_loops *loops;
    bool *taken;  /* blocks that have a path: object->blocks, false at first */
    uint64_t at;  /* 0 at first */
    bool overlap; /* out of order: iterations of an outer loop overlap */
};
/* Fills in the blocks of the next path; false: there is none. */
bool cpu_next_path(struct cpu_search *search, struct cpu_path *path);

/* ---- ports.c: what fits into one cycle ------------------------------------------------------- */

struct cpu_cycle {
    uint32_t issued, sets;
    uint16_t set[64];
    int8_t owner[MACH_PORT_COUNT]; /* set at each port; -1: free */
};
void cpu_cycle_clear(struct cpu_cycle *cycle);
/* Adds a step with these ports if it fits beside the others; false: it does not. */
bool cpu_cycle_add(struct cpu_cycle *cycle, const struct mach_ports *ports, uint32_t width);

/* ---- order.c --------------------------------------------------------------------------------- */

/* The steps of a path in the order in which the compiler leaves them. Free with g_free. */
uint32_t *cpu_order(const struct cpu_path *path);

/* ---- in_order.c, out_of_order.c: the play ---------------------------------------------------- */

struct cpu_play {
    uint32_t first, passes; /* of which those from the first on count */
    bool unlimited;         /* only chains count: no width, ports, units, window */
    uint64_t *issue;        /* of each step in each pass: passes * steps */
    uint64_t *end;          /* of each position in each pass: passes * positions */
    uint64_t done;          /* everything is complete */
    bool kept;              /* for others, too (alike.c) */
};
void cpu_play_in_order(const struct cpu_path *path, const uint32_t *order, struct cpu_play *play);
void cpu_play_out_of_order(const struct cpu_path *path, const uint32_t *order,
                           struct cpu_play *play);
/* play.c: of the machine's kind; free with cpu_play_clear. */
struct cpu_play cpu_play_new(const struct cpu_path *path, const uint32_t *order, bool unlimited);
void cpu_play_clear(struct cpu_play *play);
/* Does the position's block end with a call of the program's own, or of a listed function? */
bool cpu_calls(const struct cpu_path *path, uint32_t at);
/* Does the position's code come behind a switch or a computed goto? */
bool cpu_is_jumped_to(const struct cpu_path *path, uint32_t at);
/* Does the position's code follow that of the one before it? */
bool cpu_follows(const struct cpu_path *path, uint32_t at);

/* alike.c: plays that are kept for paths that are alike; free with cpu_alike_free. */
struct cpu_alike *cpu_alike_new(void);
void cpu_alike_free(struct cpu_alike *alike);
/* All that a play out of order depends on; free with g_bytes_unref. */
GBytes *cpu_alike_key(const struct cpu_path *path, const uint32_t *order, bool unlimited);
/* False: there is none. */
bool cpu_alike_find(const struct cpu_alike *alike, GBytes *key, struct cpu_play *play);
/* Keeps it, if there is room. */
void cpu_alike_keep(struct cpu_alike *alike, GBytes *key, const struct cpu_path *path,
                    struct cpu_play *play);
/* Is a path played pass behind pass? One that is no loop, too, out of order: what comes before and
 * behind it overlaps with it in the window. In order it runs dry. */
static inline bool cpu_repeats(const struct cpu_path *path)
{
    return path->cyclic || path->cpu->window > 0;
}
/* When position `at` begins in a pass. */
uint64_t cpu_play_begins(const struct cpu_path *path, const struct cpu_play *play, uint32_t pass,
                         uint32_t at);
/* Cycles of the passes that count; of one that does not repeat itself until it has run dry. */
uint64_t cpu_play_cycles(const struct cpu_path *path, const struct cpu_play *play);
/* Ticks of a pass of a path whose blocks are filled in. */
uint64_t cpu_play_ticks(struct cpu_path *path);
/* When what step s waits for in this pass is there. */
uint64_t cpu_ready(const struct cpu_path *path, const struct cpu_play *play, uint32_t pass,
                   uint32_t s);

/* ---- shorter.c --------------------------------------------------------------------------- */

/* Divides what a loop that is not in order costs among its blocks, which have their prices, so that
 * passes that leave out some of them cost what they take. */
void cpu_price_shorter(const struct cpu_path *path, struct cpu_price *price);

/* ---- depend.c ---------------------------------------------------------------------------------
 */

/* The load, an operation of the object, whose value the address of an access, or the condition of a
 * branch, of a block of the path is made of; or CPU_AFTER_... What a loop does not make itself was
 * there before. */
uint32_t cpu_address_after(const struct cpu_path *path, uint32_t block, const struct cpu_op *op);
/* Cycles in which the address of the load that operation k of the block at this position is, is
 * made of the value of load `after` of the object. */
uint32_t cpu_between(const struct cpu_path *path, uint32_t position, uint32_t k, uint32_t after);
/* Of a phi node that begins with the loop of that head (BLOCK_BEGUN): which loads of the loop it
 * hands on, and which one its first value is made of. That of a later execution of the loop waits
 * for no round of an earlier one, unless it is made of what that has loaded. */
void cpu_time_begun(const struct cpu_path *path, uint32_t head, const struct cpu_op *phi,
                    struct cpu_timing *timing);
/* The first load of a pass from each address, but for a constant. Free with g_hash_table_unref. */
GHashTable *cpu_lines_new(const struct cpu_path *path);
/* The one from the address that operation k of the block at this position, a load, has;
 * CPU_AFTER_NONE: that is itself the first, or its address is not known. */
uint32_t cpu_beside(GHashTable *lines, const struct cpu_path *path, uint32_t position, uint32_t k);

/* ---- predict.c, library.c -------------------------------------------------------------------- */

/* How often a block's last branch is predicted wrongly, of BLOCK_PROBABILITY. */
uint32_t cpu_mispredicted(const struct cpu *cpu, const struct cpu_object *object, uint32_t block);

/* ---- again.c --------------------------------------------------------------------------------- */

/* What stores of a loop cost to where the round before stored. */
void cpu_time_again(const struct cpu_path *path, const struct cpu_price *price,
                    struct cpu_timing *timing);

/* ---- overlap.c ------------------------------------------------------------------------------- */

/* What the inner loop of an outer loop's path saves; bounds: of a pass of that path. */
void cpu_price_overlap(const struct cpu_path *path, const struct cpu_price *bounds,
                       struct cpu_price *price);
/* What width, ports and units let one pass take at least. */
uint64_t cpu_widest(const struct cpu_price *p);

/* ---- ways.c ---------------------------------------------------------------------------------- */

/* What loops save whose passes go several ways; after all blocks have their prices. */
void cpu_price_ways(const struct cpu *cpu, const struct cpu_object *object,
                    const struct cpu_loops *loops, struct cpu_ring *ring, struct cpu_price *price);

/* ---- behind.c -------------------------------------------------------------------------------- */

/* What loops one behind the other save; after all blocks have their prices. */
void cpu_price_behind(const struct cpu *cpu, const struct cpu_object *object,
                      const struct cpu_loops *loops, struct cpu_price *price);

#endif
