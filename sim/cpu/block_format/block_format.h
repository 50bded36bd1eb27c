/* The description of basic blocks in an object file: written by the compiler plugin, read by cpu.
 *
 * Each object file that the plugin compiled has one record in the section BLOCK_SECTION, which is
 * not loaded, has no relocations and alignment 8: `ar`, `strip` and `--gc-sections` keep it as it
 * is, `ld -r` and the linker put records one behind the other. A reader walks them by their size;
 * eight zero bytes between two records are padding. Nothing in a record is an address. A record is
 * found by its identity, which the object also has beside its table of costs.
 *
 * A record is a head of BLOCK_HEAD bytes, little endian, then a stream of bytes:
 *
 *   head       0  "SWBLOCKS"        8 u32 version       12 u32 size of the record, head included,
 *             16  u64 identity     24 u32 blocks        28 u32 compiler (12.2.0: 120200)
 *                                                          a multiple of 8, zeros at the end
 *   number     ULEB128, as in DWARF
 *   difference number: 2d for d >= 0, -2d - 1 for d < 0
 *   text       number of bytes, then the bytes
 *
 *   stream     number optimisation (-O0: 0 ... -O3: 3; -Os, -Og: 1)
 *              number files, a text each (the first is the source file the compiler was given)
 *              number functions, each:
 *   function   text name (the assembler's), number file, number line, number flags (BLOCK_COMDAT)
 *              number first (index of its first block), number blocks, each:
 *   block      number flags (BLOCK_LOOP ...), number successors, each: number block (its index in
 *              the object), number probability (of 10000; gcc's REG_BR_PROB_BASE)
 *              difference line (the first operation's predecessor), number operations, each:
 *   operation  byte class (enum block_class), byte type (block_type of the result; of what is
 *              stored, compared or converted to), number flags (BLOCK_LIVE ...)
 *              difference line (to the operation before), if BLOCK_OTHER_FILE: number file
 *              number operands, each: number 8 k + where (enum block_where), if BLOCK_THERE:
 *              number block
 *              BLOCK_CONVERT: byte type converted from
 *              BLOCK_LOAD, BLOCK_STORE, BLOCK_ATOMIC: number site, number form (enum block_form),
 *              number bytes (in all, type's times lanes)
 *              BLOCK_AGAIN: number site (of the program's accesses and these; it has the next one,
 *              too), number operation of this block, the load
 *              BLOCK_PREDICTED, BLOCK_COUNTED, BLOCK_BEGUN: number site (of accesses and these;
 *              BLOCK_COUNTED and BLOCK_ROUNDS have the next one, too)
 *              BLOCK_TIMES: number factor (of the type's bytes, without sign), or registers
 *              BLOCK_CALL: text callee (empty: through a pointer), number words (BLOCK_WORDS ...)
 *
 * Blocks are numbered through the object: block i's cost is entry i of its table. The blocks of a
 * function are in the order of its code. A block ends at a branch, a call, an atomic and inline
 * assembly, which is its last operation. Operations stand in an order in which they could run; the
 * pricer finds an order of its own.
 *
 * Operands: a load's are those its address is made of (constants left out, and the variable where
 * nothing is added to its address); a store's the value,
 * then those of its address; an atomic's likewise; a call's its arguments; assembly's its
 * inputs, each of its outputs is the operation's value; a conditional branch's the comparison,
 * which is an operation of its own before it, however the compiler writes it. The last operand of a
 * call that is BLOCK_PREDICTED is the pointer.
 *
 * A phi node is an operation without an instruction of its own, at the head of its block: an
 * operand for each edge into the block, in the order of its blocks' indices where that is known. In
 * a block that is its own successor the value that the loop carries is BLOCK_PREVIOUS; of other
 * blocks, later ones included, BLOCK_THERE. Operands of other operations name the phi, BLOCK_HERE
 * or BLOCK_THERE.
 *
 * A load that reads what a store of its loop has just written, in this iteration or one before, is
 * BLOCK_FORWARDED and names it, BLOCK_PREVIOUS or BLOCK_THERE, behind the operands of its address.
 *
 * Not described: debug statements, clobbers, phi nodes of memory, statements without code.
 */
#ifndef CPU_BLOCK_FORMAT_H
#define CPU_BLOCK_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define BLOCK_SECTION ".sidewinder.blocks"
#define BLOCK_MAGIC   "SWBLOCKS"
enum { BLOCK_VERSION = 20, BLOCK_HEAD = 32, BLOCK_PROBABILITY = 10000, BLOCK_SAVES_MAX = 32 };

/* Which words of a call's arguments may hold an address (System V ABI, AMD64 supplement): bit k is
 * the k-th register of integers; whether any are on the stack. Of a list that varies, all may. */
enum { BLOCK_WORDS_REGISTERS = 6, BLOCK_WORDS_STACK = 64, BLOCK_WORDS_ALL = 127 };

/* Vector operations have their element's class, and lanes in their type. */
enum block_class {
    BLOCK_MOVE,     /* register to register; also a constant into a register */
    BLOCK_ADD,      /* add, subtract, negate, pointer plus offset; of vectors min and max */
    BLOCK_LOGIC,    /* and, or, exclusive or, not */
    BLOCK_SHIFT,    /* and rotate, extract and insert a bit-field, byte swap, count bits */
    BLOCK_COMPARE,  /* to a truth value in a register, or to what a branch tests */
    BLOCK_SELECT,   /* conditional move: condition, then both values */
    BLOCK_MULTIPLY, /* integer */
    BLOCK_DIVIDE,   /* integer, also the remainder */
    BLOCK_CONVERT,  /* between integer and floating, two floating types, or integer widths */
    BLOCK_FP_MOVE,  /* copy, negate, absolute value, copy the sign */
    BLOCK_FP_ADD,   /* add, subtract */
    BLOCK_FP_COMPARE,
    BLOCK_FP_MULTIPLY,
    BLOCK_FP_FMA, /* fused multiply and add */
    BLOCK_FP_DIVIDE,
    BLOCK_FP_SQRT, /* one instruction on the host; a call of sqrt is BLOCK_CALL */
    BLOCK_SHUFFLE, /* move lanes: permute, pack, extract or insert a lane, broadcast */
    BLOCK_LOAD,
    BLOCK_STORE,
    BLOCK_ATOMIC, /* read-modify-write, compare-exchange; fences: 0 bytes */
    BLOCK_BRANCH, /* conditional: one operand at least; to one place always: none */
    BLOCK_SWITCH, /* a branch to one of several places, computed goto */
    BLOCK_CALL,
    BLOCK_RETURN,
    BLOCK_PHI,     /* no instruction of its own */
    BLOCK_ASM,     /* inline assembly; its memory operands are accesses before it */
    BLOCK_SAVE,    /* registers, for the caller, BLOCK_TIMES of them, which are restored later */
    BLOCK_MINIMUM, /* minimum, maximum, an integer's absolute value: compares and selects */
    BLOCK_CLASSES
};

/* A type in a byte. bytes: 1, 2, 4, 8 or 16 of one lane; lanes: 1 to 128, a power of two. */
enum { BLOCK_FLOAT = 8, BLOCK_SIGNED = 16 };
static inline unsigned block_log2(unsigned n)
{
    unsigned log = 0;
    while (n > 1) n >>= 1, log++;
    return log;
}
static inline unsigned char block_type(unsigned bytes, unsigned lanes, unsigned kind)
{
    return (unsigned char)(block_log2(bytes) | block_log2(lanes) << 5 | kind);
}
static inline unsigned block_type_bytes(unsigned char type) { return 1U << (type & 7); }
static inline unsigned block_type_lanes(unsigned char type) { return 1U << (type >> 5); }

/* Where an operand comes from. */
enum block_where {
    BLOCK_OUTSIDE,  /* an argument; k: which of the function's, from 1 on, 0: not known */
    BLOCK_HERE,     /* operation k of this block, before this one */
    BLOCK_PREVIOUS, /* operation k of this block, one iteration ago (k may be this one) */
    BLOCK_THERE,    /* operation k of another block of the function, whose index follows */
    BLOCK_CONSTANT, /* k: bits it needs as a signed integer; floating: k is 64, but 0.0 has 0 */
    BLOCK_VARIABLE, /* the address of a variable; k: which of the function's, from 1 on */
    BLOCK_WHERES
};

/* How an access makes its address. */
enum block_form {
    BLOCK_BASE,    /* register and constant offset */
    BLOCK_INDEXED, /* the sum of two registers */
    BLOCK_SCALED,  /* a register and another times 2, 4, 8 or another element size */
    BLOCK_STATIC,  /* a variable of static storage and constant offset */
    BLOCK_STACK,   /* the frame and constant offset */
    BLOCK_FORMS
};

/* Flags of a function, a block, an operation. */
enum { BLOCK_COMDAT = 1 };
enum {
    BLOCK_LOOP = 1, /* its own successor */
    BLOCK_COLD = 4, /* gcc takes it for unlikely to be executed */
};
enum {
    BLOCK_LIVE = 1,       /* its value is used in other blocks too */
    BLOCK_OTHER_FILE = 2, /* its file follows; it also holds for the operations after it */
    BLOCK_VOLATILE = 4,   /* access */
    BLOCK_BACKWARD = 8,   /* branch: taken, it goes backward in the code */
    BLOCK_REGISTER = 16,  /* access of a variable that an optimising compiler keeps in a register */
    /* branch: its outcomes are predicted as the program runs; switch, call: its targets */
    BLOCK_PREDICTED = 32,
    BLOCK_FORWARDED = 128, /* load: its last operand is no part of the address, see below */
    BLOCK_COUNTED = 64,    /* branch: goes back to count on, until a number is reached */
    BLOCK_ANYWHERE = 256,  /* assembly and the like: it may store beside its accesses */
    BLOCK_TIMES = 512,     /* multiplication, shift to the left: by a constant, which follows */
    BLOCK_EMPTY = 1024,    /* assembly: of no instruction */
    BLOCK_AGAIN = 2048,    /* store of a loop: to where it loaded from, which data decide */
    BLOCK_ROUNDS = 4096,   /* branch: ends its loop, whose rounds are asked about */
    BLOCK_BEGUN = 16384,   /* phi: of a loop's head, which hands on what the loop loads */
    BLOCK_ADDRESS = 8192,  /* switch: its operand is where it goes */
};

/* Writes a number at `at` (room for 10 bytes) and returns how many bytes it took. */
static inline size_t block_put_number(unsigned char *at, uint64_t n)
{
    size_t length = 0;
    for (; n >= 0x80; n >>= 7) at[length++] = (unsigned char)(n | 0x80);
    at[length++] = (unsigned char)n;
    return length;
}
static inline uint64_t block_difference(int64_t d)
{
    return d >= 0 ? (uint64_t)d << 1 : ((uint64_t)-(d + 1) << 1) + 1;
}

#endif
