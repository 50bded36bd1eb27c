/* instrument, inside: how inserted statements are made. Not a door. */
#ifndef INSTRUMENT_MAKE_H
#define INSTRUMENT_MAKE_H

#include "instrument/gcc.h"

/* Of the function that is compiled: its processor, the table of its object. */
extern tree make_cpu, make_table;
/* 64 bits of the processor's own memory: nothing of the program's is there. */
extern tree make_slot, make_slot_pointer;
/* Makes the types: before the first statement is made. */
void make_types(void);

/* Statements of one place are made one behind the other. */
struct making {
    gimple_seq seq;
    location_t where;
};
inline tree make_word(void) { return long_unsigned_type_node; }
void make_add(making &m, gimple *stmt);
tree make_compute(making &m, enum tree_code code, tree type, tree a, tree b);
/* A word and so many more. */
tree make_more(making &m, tree word, HOST_WIDE_INT by);
/* A slot of the processor or of a table. */
tree make_slot_at(tree at, size_t offset_bytes);
tree make_load(making &m, tree ref, tree type);
/* That a variable's address is taken, which the rest of this function's compilation must know. */
void make_addressable(tree variable);
/* It is not in the functions that come later: the program does not take it there, and a store
 * through a pointer would else be taken for one to a static variable. Behind a function. */
void make_addressable_no_more(void);
/* What lies so many bytes away from a variable. */
tree make_away_from(making &m, tree variable, tree by);
/* Adds to a slot of the processor. */
void make_add_to(making &m, size_t at, tree more);
/* Adds 1 to a slot, or so many. */
void make_count(making &m, tree ref, tree times = NULL_TREE);
/* Where the table has a site. */
tree make_site(making &m, int site);
/* Is the first slot of that site zero: does the table say that it does not matter? */
gcond *make_matters_not(making &m, int site);
/* Where the condition fails the call is made; the block is split behind the condition. */
void make_branch(gimple *condition, gimple_seq call);

#endif
