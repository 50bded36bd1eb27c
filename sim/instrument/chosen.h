/* instrument, inside: what a conditional move may choose, and by what. Not a door. */
#ifndef INSTRUMENT_CHOSEN_H
#define INSTRUMENT_CHOSEN_H

#include "instrument/gcc.h"

/* Does gcc make two conditional moves of one branch? gcc 12 does, gcc 14 does not. */
enum { CHOSEN_TWO = GCCPLUGIN_VERSION_MAJOR < 14 };
/* In one register. */
bool chosen_is_integer(tree type);
bool chosen_is_real(tree type);
/* Does a phi make it, as of a variable that a loop carries? */
bool chosen_is_carried(tree value);
bool chosen_may_be(tree value);
/* Is it the lesser or the greater one of the two that are compared? Of floating point. */
bool chosen_is_minimum(enum tree_code code, tree a, tree b, tree if_true, tree if_false);
/* Lesser, greater, or not: no comparison for equality. */
bool chosen_orders(enum tree_code code);
/* The condition that a block ends in; NULL: it ends in none. */
gcond *chosen_condition(basic_block bb);

#endif
