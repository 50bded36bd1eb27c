/* instrument, inside: vectors whose lanes are accessed one by one. Not a door. */
#ifndef INSTRUMENT_LANES_H
#define INSTRUMENT_LANES_H

#include "instrument/gcc.h"

/* A call that accesses lanes; what it is made into stands before it. */
struct lanes {
    gcall *stmt;
    bool load;
    bool packed;    /* those asked for lie one behind the other */
    tree at;        /* a pointer, or a number as wide */
    tree mask;      /* NULL_TREE: all lanes are asked for */
    tree value;     /* the vector that is stored, or loaded into */
    tree otherwise; /* of a load, where a lane is not asked for; NULL_TREE: 0 */
    tree index; /* a vector of offsets, `scale` bytes each; NULL_TREE: a lane lies behind another */
    HOST_WIDE_INT scale;
    unsigned align;      /* bits that the address of a lane is a multiple of, as far as is known */
    tree element, alias; /* type of a lane; of what the pointer points to */
    HOST_WIDE_INT bytes; /* of a lane */
    unsigned count;      /* of lanes that are accessed: the first ones of the vector */
};

/* ---- masked.cc ---- */
/* Of a vector whose lanes are accessed one by one: an access of each lane. */
void masked_apart(gcall *stmt);

/* ---- x86.cc ---- */
/* Of an instruction of x86 that is called by name: what is behind "__builtin_ia32_". Else NULL. */
const char *x86_instruction(gcall *stmt);
/* Is it an instruction of x86 that does, called by name? Then all is filled in but stmt, element
 * and bytes. */
bool x86_lanes(gcall *stmt, lanes *m);
/* An instruction of x86 that moves a whole vector or a half of one, called by name (streaming
 * stores, for example), becomes a load or a store. */
void x86_move(gimple_stmt_iterator *gsi);

/* ---- stamp.cc ---- */
/* What reads the host's time stamp counter reads the rank's: a call, assembly. */
void stamp_call(gimple_stmt_iterator *gsi);
void stamp_assembly(gimple_stmt_iterator *gsi);

#endif
