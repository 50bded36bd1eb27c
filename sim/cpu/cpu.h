/* cpu: what a basic block costs on a machine's pipeline.
 *
 * The compiler plugin describes every basic block of a program in its object files
 * (block_format.h). This room reads the descriptions and prices each block on a machine's cpu.*: in
 * order or out of order, issue width, ports, latencies and repeat rates, what the machine lacks,
 * branches predicted wrongly. Pure: no clock, no memory hierarchy, no program; every load hits the
 * first level. What a miss adds is mem's.
 *
 * A price is that of a block among its neighbours: blocks are simulated along the likelier path, a
 * loop until it repeats itself (path.c). The order of operations in a block is that of a list
 * scheduler, which stands for the machine's compiler (order.c).
 *
 * Left out: instruction fetch and its cache, register pressure and spills, the save of registers of
 * floating point around calls, code motion between blocks, partial registers; values that go
 * through memory, but for those that a loop stores and loads in the same or the next iteration.
 */
#ifndef CPU_CPU_H
#define CPU_CPU_H

#include "base/base.h"
#include "cpu/block_format/block_format.h"
#include "mach/mach.h"

/* ---- descriptions ---------------------------------------------------------------------------- */

struct cpu_library;
struct cpu_operand {
    enum block_where where;
    uint32_t k;     /* operation of its block; BLOCK_CONSTANT: bits; arguments, variables: which */
    uint32_t block; /* BLOCK_THERE: index in the object */
};
struct cpu_op {
    uint8_t class; /* enum block_class */
    uint8_t type, from_type;
    uint32_t flags, line, file;
    uint32_t first_operand, operands; /* in cpu_object.operand */
    uint32_t
        stored; /* loads: the store of the loop that has just written it, an operand; 0: none */
    uint32_t site, bytes;   /* accesses; site: branches that have one, too */
    uint32_t again, loaded; /* BLOCK_AGAIN: its site, the load's operation in the block */
    enum block_form form;
    uint64_t times;     /* a multiplication by this constant, of the type's bytes; 0: of values.
                         * BLOCK_SAVE: registers */
    const char *callee; /* calls; "": through a pointer; NULL: not a call */
    uint8_t words;      /* calls: BLOCK_WORDS_STACK ... */
    bool described;     /* calls: an object of the same file describes the callee */
    /* calls: of a listed function that no object describes; NULL: of none */
    const struct cpu_library *library;
};
static inline bool cpu_is_access(const struct cpu_op *op)
{
    return op->class == BLOCK_LOAD || op->class == BLOCK_STORE || op->class == BLOCK_ATOMIC;
}
struct cpu_successor {
    uint32_t block, probability; /* of BLOCK_PROBABILITY */
};
struct cpu_block {
    uint32_t flags;
    uint32_t first_op, ops, first_successor, successors;
};
struct cpu_function {
    const char *name;
    uint32_t file, line, flags, first, blocks;
};
/* One record of a section. The arrays are GArrays of the structs above, file of char *. */
struct cpu_object {
    uint64_t identity;
    uint32_t compiler, optimisation, blocks;
    GPtrArray *file;
    GArray *function, *block, *op, *operand, *successor;
    GStringChunk *text;
};

/* The records of a section's bytes, appended to objects. False: *error says at which byte and what
 * is wrong, `where` before it; objects then has those before. */
bool cpu_read(const unsigned char *bytes, size_t length, const char *where, GPtrArray *objects,
              GError **error);
/* The records of an ELF file (object, program, shared library). An array of struct cpu_object that
 * frees them; NULL: *error. A file without descriptions is an error that says how to compile. */
GPtrArray *cpu_read_file(const char *path, GError **error);
void cpu_object_free(struct cpu_object *object);

/* The same, one function at a time. Whoever has asked for the next one until there is none knows
 * that nothing is wrong with any. What they return is an object of that function alone, whose
 * blocks are numbered from 0 on; it stays until the records are asked for another one. */
struct cpu_records;
struct cpu_records_place {
    uint32_t record, function;
};
/* Of an ELF file; of sections, GBytes, which it takes. NULL: *error. */
struct cpu_records *cpu_records_open(const char *path, GError **error);
struct cpu_records *cpu_records_of(GPtrArray *sections, const char *where);
void cpu_records_free(struct cpu_records *records);
/* NULL: there is none, or *error. Of calls it does not say whether their callees are described. */
const struct cpu_object *cpu_records_next(struct cpu_records *records,
                                          struct cpu_records_place *place, GError **error);
const struct cpu_object *cpu_records_again(const struct cpu_records *records,
                                           struct cpu_records_place place);
/* Is there a function of that name? Known when all have been read. */
bool cpu_records_describe(const struct cpu_records *records, const char *name);

/* ---- prices ---------------------------------------------------------------------------------- */

enum { CPU_TICKS = 65536 }; /* of a cycle, as mem counts */

/* The lower bounds of a path: which is the largest, bounds it. */
enum cpu_bound {
    CPU_BOUND_ISSUE, /* cpu.issue */
    CPU_BOUND_PORT,  /* operations that share ports */
    CPU_BOUND_UNIT,  /* a unit that is not pipelined: a divider; lines that stores go to */
    CPU_BOUND_CHAIN, /* results that operations wait for */
    CPU_BOUNDS
};
/* A loop in another loop, whose iterations overlap: a round is priced as in a long loop, so what
 * the loop took is less where it is left (cpu_overlap_saves). In 256ths of a cycle; all 0: it saves
 * nothing. */
struct cpu_overlap {
    uint32_t most; /* what the window saves at most, of a long loop */
    uint32_t half; /* of that half is saved after so many rounds */
    uint32_t each; /* a round saves no more than this, */
    /* and all of them so much: what is beside the loop waits for what the loop does not need */
    uint32_t apart;
    uint32_t
        round; /* nor more than a round takes: what is beside the loop takes as long without it */
    /* that the window saves more than what `most` says: what is beside the loop is in its own price
     */
    uint32_t beside;
    /* 0: executions of the loop follow each other. Else another loop is beside it: it saves what
     * the less of the two does, if it follows the loop whose site is so many behind its own, and
     * nothing if it is the first (world/prices) */
    int16_t behind;
    /* world/prices' own: what is lost where its rounds were not foreseen, 0: nothing; the entry of
     * a predictor that says how many there will be */
    uint16_t lost;
    uint8_t number;
    /* a loop of several blocks: where one of their branches is predicted wrongly, nothing is saved;
     * nor where it was since the loop before, if there are others beside it */
    bool several, others;
};
/* A branch amid a loop that sends its passes two ways, out of order: each is priced as if all
 * passes took it, and takes less where they come in turn (ways.c). A pass of the way that gives
 * lies beside so many of the other; as mem counts them (struct mem_branch_ways). */
struct cpu_ways {
    uint16_t saved; /* in 256ths of a cycle, of each of the other; 0: nothing */
    uint8_t gives;
    uint8_t window : 7;  /* passes of the other that overlap, at most */
    uint8_t against : 1; /* the way that gives is the one that a static guess does not expect */
};
enum { CPU_OVERLAP_PART = CPU_TICKS / 256 };
#define CPU_OVERLAP_FIRST INT16_MIN
struct cpu_price {
    uint64_t ticks; /* of one execution, everything included */
    uint64_t miss;  /* of them, branches predicted wrongly, as often as the compiler guesses */
    uint64_t lost;  /* each time that its branch is predicted wrongly */
    enum cpu_bound bound;
    uint64_t at_least[CPU_BOUNDS]; /* ticks of one pass along the path the block was priced on */
    enum mach_class unit;          /* CPU_BOUND_UNIT: which */
    uint16_t ports;                /* CPU_BOUND_PORT: which */
    uint32_t path_blocks;          /* blocks of that path */
    uint32_t window;               /* out of order: operations of that path in flight, at most */
    bool steady;                   /* the path is a loop, priced as it repeats itself */
    struct cpu_overlap overlap;    /* of an inner loop, or of loops one behind the other */
    struct cpu_ways ways;          /* of a block's last branch */
    uint32_t follows; /* of the latter: the block of the loop before it, and 1; 0: none */
};
enum { CPU_HANDED = 2 };
/* Of an operation, in cycles. */
struct cpu_timing {
    uint32_t issue; /* after the block's begin */
    /* loads: from the issue until the processor needs the value, at most CPU_SLACK: in order, where
     * it is first used; out of order, where the window behind the load is full */
    uint32_t slack;
    uint32_t steps; /* operations of the machine it became */
    /* loads: the one of the object whose value the address is made of, or CPU_AFTER_...; branches:
     * whose value decides, if that is known */
    uint32_t after;
    /* loads, out of order: cycles in which the address is made of that value */
    uint32_t between;
    /* loads: one before it from the same address but for a constant, so that likely one line has
     * both; or CPU_AFTER_NONE */
    uint32_t beside;
    /* BLOCK_BEGUN: loads whose values its loop hands on, or CPU_AFTER_NONE; `after` is of what it
     * has in the first round */
    uint32_t handed[CPU_HANDED];
    /* BLOCK_AGAIN: ticks that it costs if the round before stored there, too */
    uint32_t again;
    /* and so many would be its whole way from the load on; rounds of the loop in the window, in
     * 16ths */
    uint32_t again_way, again_rounds;
};
enum { CPU_SLACK = 4096, CPU_AGAIN_PART = 16 };
/* Of no load; of one that is not known: an argument, what a call returned, what was kept on the
 * stack. In a loop what is not known was there before. */
#define CPU_AFTER_NONE     UINT32_MAX
#define CPU_AFTER_YOUNGEST (UINT32_MAX - 1)

/* A machine's pipeline. Free with cpu_free. */
struct cpu *cpu_new(const struct mach *m);
void cpu_free(struct cpu *cpu);
/* Prices every block of an object: price has object->blocks entries, timing one an operation
 * (object->op->len; NULL: not asked). */
void cpu_price(const struct cpu *cpu, const struct cpu_object *object, struct cpu_price *price,
               struct cpu_timing *timing);
/* Ticks that an inner loop took less than its rounds were priced. */
uint64_t cpu_overlap_saves(const struct cpu_overlap *o, uint64_t rounds);
/* A function of C's, C++'s or gcc's library by its name in object files; NULL: library.def does not
 * list it. */
const struct cpu_library *cpu_library_find(const char *name);
/* Cycles of one call where nothing overlaps with it, accesses that are charged as such left out. */
uint32_t cpu_library_cycles(const struct cpu *cpu, const struct cpu_library *function);
/* Ticks of one of many calls, one behind the other: out of order they overlap. */
uint64_t cpu_library_ticks(const struct cpu *cpu, const struct cpu_library *function);
/* Does the machine say what a call takes (cpu.library)? */
bool cpu_library_said(const struct cpu *cpu, const struct cpu_library *function);
const char *cpu_class_word(enum block_class c); /* "fp_add" */

/* Invariants the tests check: the price of a processor in order does not fall when an independent
 * operation comes, nor that of a chain when a latency grows (with others schedulers that choose
 * greedily may win a cycle: Graham, SIAM J. Appl. Math. 1969); in order a loop's is at most that of
 * one pass that runs dry; a loop's is at least each of its bounds; the same description and machine
 * give the same prices. */

#endif
