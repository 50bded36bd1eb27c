/* instrument, inside: the accesses of a function. Not a door. */
#ifndef INSTRUMENT_TOUCH_H
#define INSTRUMENT_TOUCH_H

#include "instrument/gcc.h"

enum touch_kind { TOUCH_LOAD, TOUCH_STORE, TOUCH_CHANGE, TOUCH_COMPARE, TOUCH_COMPARE_WITH };

/* One access of a statement. */
struct touch {
    gimple *stmt; /* which makes it */
    enum touch_kind kind;
    tree base;   /* a MEM_REF, a TARGET_MEM_REF or a declaration; or a pointer (kinds of atomics) */
    tree offset; /* bytes, in sizetype, or NULL_TREE */
    HOST_WIDE_INT constant; /* bytes more */
    HOST_WIDE_INT bytes;
    unsigned align; /* bytes that its address is a multiple of */
    bool atomic;    /* of an atomic operation */
    /* ... that orders nothing else; of one that loads and stores: its load, its store does not */
    bool relaxed, load_relaxed, store_relaxed;
    tree order; /* ... that does or not, as this says when it is made; or NULL_TREE */
    int which;  /* of its statement's accesses */
    int site;   /* its number in the object; -1: none */
    /* of a store to where its loop has just loaded from: the site of what it costs if the round
     * before stored there, too; -1: it is none */
    int again;
    tree expected; /* COMPARE: the value; COMPARE_WITH: its address */
    /* of those counted with it, how many come after it */
    uint32_t loads_left, stores_left;
};

/* One that the filter can answer, and the block's count includes. */
static inline bool touch_is_short(const touch &t) { return t.kind <= TOUCH_STORE && t.bytes <= 16; }

/* Appends the accesses of the statement, in the order in which they are to be announced: loads
 * before stores. */
void touch_find(gimple *stmt, std::vector<touch> &to);
/* The same for one reference, if it is to memory. */
bool touch_of(gimple *stmt, tree ref, enum touch_kind kind, touch *t);

/* ---- fences.cc ---- */
struct fence {
    gimple *stmt;
    tree order; /* as memory_order_... has it, under what a target adds */
};
void fences_find(function *fun, std::vector<fence> &to);
void fences_announce(const fence &f, tree call);
/* Says behind each fence of all, and each store that is sequentially consistent, that nothing goes
 * on before what comes before it is complete. */
void fences_stand(function *fun, tree call);

/* ---- ends.cc ---- */
/* Which variables are their function's outermost ones? Told of each that has been parsed. */
void ends_note_variables(void *parsed, void *);
struct ended {
    gimple *stmt; /* the clobber */
    tree variable;
};
void ends_find(function *fun, std::vector<ended> &to);
void ends_announce(const ended &e, tree call);

/* ---- motion.cc ---- */
/* Which variables do calls of MPI know? Asked before any function is compiled. */
void motion_look_for_buffers(void *, void *);
/* Does one of those, that may go on when it has returned, know this one? */
bool motion_is_lent(tree variable);
/* Are there alike loads in two branches? */
bool motion_has_twins(function *fun);

/* ---- atomics.cc ---- */
/* Is it a call of an atomic operation? Then its accesses are appended. */
bool touch_atomic(gimple *stmt, std::vector<touch> &to);

/* Is it a store that is sequentially consistent? */
bool touch_stores_in_order(gimple *stmt);
/* Is that memory_order_seq_cst, as far as the compiler knows? */
bool touch_is_sequential(tree order);

/* ---- prepare.cc ---- */
/* Rewrites the function so that its accesses are statements which can be announced: library calls
 * stay calls, large copies become calls, an aggregate that a call returns is stored by a statement
 * of its own. */
void prepare_function(function *fun);

/* ---- jump.cc ---- */

/* Makes two branches of a condition of which gcc would make two. */
void jump_function(function *fun);

/* ---- select.cc ---- */

/* Makes conditional moves of the branches of which gcc would make some. */
void select_function(function *fun);

/* ---- bounds.cc ---- */
/* The two bounds of a search become conditional moves, before those. */
void bounds_function(function *fun);

/* ---- branch.cc ---- */
enum branch_kind {
    BRANCH_CERTAIN,   /* as far as the compiler knows: a part of its block's price */
    BRANCH_PREDICTED, /* while the program runs */
    BRANCH_COUNTED    /* the end of a loop that counts: what it costs is added where that is left */
};
/* The rounds of a loop whose end compares a number that counts them. */
struct rounds_counted {
    tree from, reached; /* before the first round; where the loop is left */
    HOST_WIDE_INT by;   /* in each round; 0: there is no such number */
    bool began;         /* reached is what the last round began with */
};
/* A conditional branch. */
struct branch {
    enum branch_kind kind;
    gcond *stmt;
    bool taken_if; /* it is taken if its condition is so */
    bool backward; /* then it goes backward in the code */
    int site;
    bool of_one;            /* its loop is its block */
    bool leaves_if;         /* the loop is left if its condition is so */
    bool asks;              /* its loop's rounds are counted, and told where that is left by it */
    tree rounds;            /* so many, this one included; NULL_TREE: nobody counts them */
    rounds_counted counted; /* of a loop of one block that counts */
};
/* What is known of the branch at a block's end, both edges of which lead to code; `forward`: to
 * code behind it. */
branch branch_find(gcond *stmt, bool true_forward, bool false_forward);
/* Is it the end of a loop that counts, one of one block, which says how many rounds it took? */
bool branch_tells_rounds(const branch &b);
/* Does it leave a loop of several blocks, without loops in it, that lies in another? Then its
 * rounds are asked about. Finds which way leads out. */
bool branch_leaves(branch *b);
/* Counts the rounds of its loop: before anything is announced. counted: by the loop's head. */
void branch_count(branch *b, std::map<basic_block, tree> *counted);
/* Predicts it, or charges the end of its loop. `number` is its own among those of the program, as
 * far as there are entries. The hooks: of a branch, of a loop's rounds. */
void branch_announce(const branch &b, unsigned number, tree call, tree rounds);

/* ---- begin.cc ---- */
/* Does the phi node hand on from round to round of its loop what that loads? */
bool begin_hands_on(gphi *phi);
/* Says on each way into the loop of that head that its phi nodes of these sites begin. `call`: the
 * hook. */
void begin_announce(basic_block head, const std::vector<int> &sites, tree call);

/* ---- announce.cc ---- */
/* Processor and table are loaded at the function's entry; has it prices yet? */
void announce_begin(function *fun, const std::vector<struct part> &parts);
void announce(const touch &t);
void announce_fence(const fence &f);
void announce_end(const ended &e);
/* Charges a block's price and counts its accesses where the statement begins. */
void announce_block(gimple *before, unsigned block, uint32_t loads, uint32_t stores);
/* The price and the counts of so many times the block; NULL_TREE: of one. */
void announce_price(struct making &m, unsigned block, uint32_t loads, uint32_t stores, tree rounds);
/* memory_order_... as the program gives it, without what a target adds (gcc's MEMMODEL_MASK). */
tree announce_order(struct making &m, tree order);
/* The bits of an address that are where in its line of the first level it is. */
tree announce_in_line(struct making &m);
/* Where loops without accesses go back. */
/* Says where accesses before must be complete, behind the statements that ask for it. */
void announce_stands(function *fun);
void announce_budget(function *fun, const std::vector<struct part> &parts);
/* On the ways into a part's loop. */
void announce_loop_begin(const struct part &p);
/* Of the function's branches, number `nth`. */
void announce_branch(const branch &b, unsigned nth);
/* Of what has several targets in the function, number `nth`. */
void announce_target(const struct part &p, unsigned nth);
void announce_register_roots(const char *plugin);

#endif
