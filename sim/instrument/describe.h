/* instrument, inside: what the blocks of an object are made of. Not a door. */
#ifndef INSTRUMENT_DESCRIBE_H
#define INSTRUMENT_DESCRIBE_H

#include "instrument/gcc.h"

#include "instrument/touch.h"

#include "cpu/block_format/block_format.h"

/* A block of the record: statements of a basic block without a call between them. */
struct part {
    unsigned block; /* its number in the object */
    gimple *first;  /* the first statement that is an operation; NULL: there is none */
    std::vector<touch> touches;
    branch end;     /* stmt NULL: it ends in no conditional branch to two places */
    gimple *target; /* a switch, or a jump or call through a pointer, at its end; NULL: none */
    int target_site;
    basic_block head;        /* of a loop, which begins with it, */
    std::vector<int> begins; /* whose phi nodes of these sites begin with it (begin.cc) */
};

/* Adds the function's blocks, before anything is inserted, and appends them to `parts`. */
void describe_function(function *fun, std::vector<part> &parts);
/* The object's table and what says where it is: symbols that the object keeps to itself. */
#define DESCRIBE_TABLE  "__sw_table"
#define DESCRIBE_OBJECT "__sw_object"
/* Writes the record of the object (cpu/block_format/block_format.h), and these. */
void describe_write(FILE *assembler);

/* An operand: a name or a constant, or operation `here` of the same block. */
struct operand {
    tree value;
    int here; /* -1: see value */
};

/* The operation that stored what a load of a loop reads; block -1: not known. */
struct stored_by {
    int block, operation;
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
    /* An access: which of its statement's (touch.h), of the same site as the one before? its site
     */
    int access;
    bool same_site;
    unsigned site;
    uint64_t times; /* a multiplication by this constant; 0: by none. BLOCK_SAVE: registers */
    std::string callee;
    unsigned words;    /* calls: BLOCK_WORDS_STACK ... */
    stored_by stored;  /* loads */
    int again, loaded; /* stores: as their touch has it (touch.h), -1: none; the load's operation */
};

/* ---- helper.cc ---- */

/* The function of gcc's library that an operation becomes a call of; empty: it becomes none. */
std::string helper_of(gassign *stmt);
std::string helper_of_compare(enum tree_code code, tree type);
std::string helper_of_bits(gcall *stmt); /* that counts the bits of a number */

/* ---- budget.cc ---- */

/* Lets others go on beside loops without accesses. Before anything but the function's begin is
 * inserted. `call`: the hook. */
void budget_announce(function *fun, const std::vector<part> &parts, tree call);

/* ---- mark.cc ---- */

/* Marks where the function begins and ends; after all that is announced. */
void mark_function(function *fun);
/* Has the function priced that begins with that block of the object. */
gasm *mark_price(tree object, unsigned first);

/* ---- strip.cc ---- */

/* Gives loops of one block whose accesses stay in lines for a while rounds that ask nothing. Before
 * accesses and branches are announced; what it copies is not. */
void strip_loops(function *fun, std::vector<part> &parts);
/* -fplugin-arg-sw_plugin-no-strips: no loop gets any, for tests. */
extern bool strip_none;

/* ---- forward.cc ---- */

/* An access of a loop whose address counts. */
struct forward {
    const class loop *loop;
    bool is_store;
    unsigned block, operation;
    tree base, index, second; /* names, and how many bytes behind them */
    HOST_WIDE_INT step;       /* bytes of one of index */
    HOST_WIDE_INT constant, bytes;
    HOST_WIDE_INT each; /* what it grows by each time round */
    /* loads, found: they read what that operation has stored just before */
    bool store;
    int from_block, from;
};
/* Appends the access of a block's operation, if it is such a one. */
void forward_add(std::vector<forward> &to, const touch &t, unsigned block, unsigned operation);
/* Finds the stores that loads read from. */
void forward_find(std::vector<forward> &all);

/* Finds the stores of a loop of one block to where it has just loaded from, numbers their sites. */
void forward_again(std::vector<touch> &touches, std::vector<operation> &operations,
                   unsigned *sites);

/* ---- operation.cc ---- */

/* Appends what a statement is made of to a block's operations. A statement without code that makes
 * a name from another one returns the other. */
tree operations_of(gimple *stmt, std::vector<operation> &to);
/* Other outputs of assembly are what the operation makes, whose name is `made`. */
void operation_name_outputs(gasm *stmt, tree made, std::map<tree, tree> &same);
operation operation_phi(gphi *phi);

/* ---- save.cc ---- */

/* What the function saves for its callers, and in which block; NULL: nothing. */
basic_block save_find(function *fun, operation *save);

/* ---- target.cc ---- */

/* Has the statement several targets? Then its operation, the last one, is described so. */
void target_find(gimple *stmt, part &p, operation &last, unsigned *sites);
/* Predicts where it goes. `number` is its own, as far as there are entries. `call`: the hook. */
void target_announce(const part &p, unsigned number, tree call);

/* ---- call.cc ---- */

/* The same for a call. */
void operations_of_call(gcall *stmt, std::vector<operation> &to);

/* ---- operand.cc ---- */

/* Bits of a constant as a signed number. */
unsigned operation_bits_of(tree value);
/* An operation without operands. Of a complex or vector type it has lanes. */
operation operation_make(gimple *stmt, enum block_class kind, tree type);
/* Adds an operand: a name, a constant, or operation `here`. NULL_TREE is none. */
void operation_take(operation &o, tree value);
void operation_take_here(operation &o, size_t here);
/* Adds the names an expression is made of. */
void operation_take_names(operation &o, tree expression);
/* Adds an address and its form; appends what computes it before the access. */
void operation_take_address(operation &o, const touch &t, std::vector<operation> &to);
/* Appends the load of t; one of more than a register holds as several. Returns how many. */
size_t operation_load(gimple *stmt, tree type, const touch &t, std::vector<operation> &to);
/* The same for a store: of `value`, or, if that is NULL_TREE, of the `from` operations before. */
void operation_store(gimple *stmt, tree type, const touch &t, tree value, size_t from,
                     std::vector<operation> &to);
/* The assembler's name of a function. */
const char *operation_name_of(tree function);

#endif
