/* Conditional branches: which of them are predicted while the program runs, and how.
 *
 * The compiler guesses how often a branch goes which way; whether a processor predicts it depends
 * on the order of its outcomes. So where the compiler does not know a branch to be (nearly)
 * certain, its outcome is looked up in the processor's table of branches (mem/branch) before it is
 * taken; most often the entry says that there is nothing to learn. The end of a loop that counts
 * to a number is no such branch: what is lost there is charged where the loop is left.
 *
 * Left out: what gcc makes of a branch afterwards (a conditional move). */
#include "instrument/make.h"
#include "instrument/touch.h"

#include "probe/in_line/in_line.h"

enum { CERTAIN = REG_BR_PROB_BASE / 100 }; /* at most so often it goes elsewhere */

/* ---- loops that count ------------------------------------------------------------------------ */

static tree without_conversion(tree value)
{
    gimple *stmt = TREE_CODE(value) == SSA_NAME ? SSA_NAME_DEF_STMT(value) : NULL;
    bool converts =
        stmt && is_gimple_assign(stmt) && CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(stmt));
    return converts ? gimple_assign_rhs1(stmt) : value;
}

/* The phi node that this is a constant more than; NULL: it is not of that form. */
static gphi *counted_from(tree value)
{
    if (TREE_CODE(value) != SSA_NAME || !is_gimple_assign(SSA_NAME_DEF_STMT(value))) return NULL;
    gimple *add = SSA_NAME_DEF_STMT(value);
    enum tree_code code = gimple_assign_rhs_code(add);
    if (code != PLUS_EXPR && code != POINTER_PLUS_EXPR && code != MINUS_EXPR) return NULL;
    tree from = without_conversion(gimple_assign_rhs1(add));
    if (!CONSTANT_CLASS_P(gimple_assign_rhs2(add)) || TREE_CODE(from) != SSA_NAME) return NULL;
    return dyn_cast<gphi *>(SSA_NAME_DEF_STMT(from));
}

/* Is it what an addition of a constant makes of a phi node that takes its result, or that node? */
static bool counts(tree value)
{
    value = without_conversion(value);
    if (TREE_CODE(value) != SSA_NAME) return false;
    gphi *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(value));
    bool itself = phi != NULL;
    if (!phi) phi = counted_from(value);
    for (unsigned i = 0; phi && i < gimple_phi_num_args(phi); i++) {
        tree next = without_conversion(gimple_phi_arg_def(phi, i));
        if (itself ? counted_from(next) == phi : next == value) return true;
    }
    return false;
}

static bool made_here(tree value, basic_block bb)
{
    return TREE_CODE(value) == SSA_NAME && gimple_bb(SSA_NAME_DEF_STMT(value)) == bb;
}

/* Does it compare such a number with one that its block does not make? */
static bool ends_count(gcond *stmt)
{
    tree a = gimple_cond_lhs(stmt), b = gimple_cond_rhs(stmt);
    basic_block bb = gimple_bb(stmt);
    return (counts(a) && !made_here(b, bb)) || (counts(b) && !made_here(a, bb));
}

/* ---- what is known of a branch --------------------------------------------------------------- */

static bool is_scalar(tree type)
{
    return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type) || SCALAR_FLOAT_TYPE_P(type);
}

branch branch_find(gcond *stmt, bool true_forward, bool false_forward)
{
    branch b = {BRANCH_PREDICTED, stmt, true, !true_forward || !false_forward, -1};
    edge if_true, if_false;
    extract_true_false_edges_from_block(gimple_bb(stmt), &if_true, &if_false);
    int likely = if_true->probability.initialized_p() ? if_true->probability.to_reg_br_prob_base()
                                                      : REG_BR_PROB_BASE / 2;
    if (b.backward)
        b.taken_if = !true_forward;
    else if (likely == REG_BR_PROB_BASE / 2)
        b.taken_if = if_true->dest != gimple_bb(stmt)->next_bb;
    else
        b.taken_if = likely < REG_BR_PROB_BASE / 2;
    bool back_and_on = b.backward && (true_forward || false_forward);
    if (back_and_on && ends_count(stmt))
        b.kind = BRANCH_COUNTED;
    else if (likely <= CERTAIN || likely >= REG_BR_PROB_BASE - CERTAIN)
        b.kind = BRANCH_CERTAIN;
    tree type = TREE_TYPE(gimple_cond_lhs(stmt));
    if (!is_scalar(type) || stmt_could_throw_p(cfun, stmt)) b.kind = BRANCH_CERTAIN;
    return b;
}

/* ---- what is inserted ------------------------------------------------------------------------ */

/* The loop is left by this edge. */
static void charge_end(const branch &b)
{
    making m = {NULL, gimple_location(b.stmt)};
    edge if_true, if_false;
    extract_true_false_edges_from_block(gimple_bb(b.stmt), &if_true, &if_false);
    tree at = make_site(m, b.site);
    tree rest = make_load(m, make_slot_at(at, offsetof(struct probe_site, rest)), make_slot);
    make_add_to(m, offsetof(struct probe_in_line, work), rest);
    make_count(m, make_slot_at(at, offsetof(struct probe_site, slack)));
    make_add_to(m, offsetof(struct probe_in_line, loop_ends), build_int_cst(make_slot, 1));
    gsi_insert_seq_on_edge_immediate(b.taken_if ? if_false : if_true, m.seq);
}

/* 0: the outcome is what a static guess expects (backward taken, forward not); else 1. */
static tree outcome_of(making &m, const branch &b)
{
    enum tree_code code = gimple_cond_code(b.stmt);
    tree is =
        make_compute(m, code, boolean_type_node, gimple_cond_lhs(b.stmt), gimple_cond_rhs(b.stmt));
    is = make_compute(m, NOP_EXPR, make_word(), is, NULL_TREE);
    bool expected = b.taken_if == b.backward; /* of the condition */
    if (!expected) return is;
    return make_compute(m, BIT_XOR_EXPR, make_word(), is, build_one_cst(make_word()));
}

void branch_announce(const branch &b, unsigned number, tree call)
{
    if (b.kind == BRANCH_COUNTED) {
        charge_end(b);
        return;
    }
    making m = {NULL, gimple_location(b.stmt)};
    tree against = outcome_of(m, b), byte = unsigned_char_type_node;
    tree place = build_int_cst(make_slot_pointer, offsetof(struct probe_in_line, branch) + number);
    tree entry = make_load(m, build2(MEM_REF, byte, make_cpu, place), byte);
    entry = make_compute(m, NOP_EXPR, make_word(), entry, NULL_TREE);
    tree quiet = make_compute(m, PLUS_EXPR, make_word(), against,
                              build_int_cst(make_word(), PROBE_BRANCH_QUIET));
    gcond *condition = gimple_build_cond(EQ_EXPR, entry, quiet, NULL_TREE, NULL_TREE);
    make_add(m, condition);
    gimple_stmt_iterator gsi = gsi_for_stmt(b.stmt);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
    making cold = {NULL, m.where};
    unsigned what = number | (b.backward ? PROBE_BRANCH_BACKWARD : 0);
    make_add(cold, gimple_build_call(call, 4, against, build_int_cst(unsigned_type_node, what),
                                     make_cpu, make_site(cold, b.site)));
    make_branch(condition, cold.seq);
}
