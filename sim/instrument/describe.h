/* instrument, inside: what the blocks of an object are made of. Not a door. */
#ifndef INSTRUMENT_DESCRIBE_H
#define INSTRUMENT_DESCRIBE_H

#include "instrument/gcc.h"

/* Adds the function's blocks, before anything is inserted. */
void describe_function(function *fun);
/* Writes the record of the object (cpu/block_format/block_format.h). */
void describe_write(FILE *assembler);

/* ---- operation.cc ---- */

/* An operand: a name or a constant, or operation `here` of the same block. */
struct operand {
    tree value;
    int here; /* -1: see value */
};

/* One operation, as block_format.h has it. */
struct operation {
    unsigned char kind, type, from;
    unsigned flags;
    location_t where;
    std::vector<operand> operands;
    tree result; /* the name it makes, or NULL_TREE */
    unsigned form;
    HOST_WIDE_INT bytes;
    std::string callee;
};

/* Appends what a statement is made of; `first` is the number of operations its block has so far.
 * A statement without code that makes a name from another one returns the other. */
tree operations_of(gimple *stmt, std::vector<operation> &to);
operation operation_phi(gphi *phi);
unsigned char operation_type(tree type);

#endif
