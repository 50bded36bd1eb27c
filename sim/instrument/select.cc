/* What gcc makes of a branch once it has instructions: a conditional move (GCC internals,
 * if-conversion; gcc's ifcvt.cc). It happens here, before anything is announced. Probes would keep
 * gcc from it later, and then a branch would be predicted that the program does not have.
 *
 * gcc 12 was asked with some six hundred small functions for x86-64, gcc 14 with those of
 * tests/cc/select_test.sh: of a choice of an integer, what is computed for either side is at most
 * two cheap operations, on both together three. A multiplication, division, load, call or another
 * choice is too dear, or may trap. Where what is compared comes straight from memory, or floating
 * point is compared for equality, nothing may be computed. Nothing of floating point is chosen. One
 * number is chosen, not two. A branch that is nearly certain stays one. For size nothing is
 * computed, either; gcc 14 then chooses less. */
#include "instrument/touch.h"

#include "instrument/make.h"

enum { SIDE_MOST = 2, BOTH_MOST = 3, NEVER = 100, PREDICTABLE = REG_BR_PROB_BASE / 50 };

/* A branch whose two ways meet at once. */
struct choice {
    basic_block head, join;
    gcond *condition;
    edge if_true, if_false;       /* from the head */
    edge true_joins, false_joins; /* into the join: of a side, or of the head itself */
    gphi *chosen;
};

static bool is_integer(tree type)
{
    return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && int_size_in_bytes(type) <= 8;
}

/* ---- what a side computes -------------------------------------------------------------------- */

static int cost_of_product(tree by)
{
    if (!tree_fits_uhwi_p(by)) return NEVER;
    uint64_t n = tree_to_uhwi(by);
    if (pow2p_hwi((HOST_WIDE_INT)n)) return 1;
    return n == 3 || n == 5 || n == 9 ? 2 : NEVER; /* a shift and an addition */
}

static int cost_of_conversion(tree to, tree from)
{
    if (!is_integer(from)) return NEVER;
    return TYPE_PRECISION(to) > TYPE_PRECISION(from);
}

static int cost_of(gimple *stmt)
{
    gassign *assign = dyn_cast<gassign *>(stmt);
    if (!assign || gimple_vuse(stmt) || stmt_could_throw_p(cfun, stmt)) return NEVER;
    tree to = gimple_assign_lhs(assign), from = gimple_assign_rhs1(assign);
    if (TREE_CODE(to) != SSA_NAME || !is_integer(TREE_TYPE(to)) ||
        SSA_NAME_OCCURS_IN_ABNORMAL_PHI(to))
        return NEVER;
    switch (gimple_assign_rhs_code(assign)) {
    case SSA_NAME:
    case INTEGER_CST:
        return 0;
    CASE_CONVERT:
        return cost_of_conversion(TREE_TYPE(to), TREE_TYPE(from));
    case PLUS_EXPR:
    case MINUS_EXPR:
    case POINTER_PLUS_EXPR:
    case POINTER_DIFF_EXPR:
    case NEGATE_EXPR:
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
    case BIT_XOR_EXPR:
    case BIT_NOT_EXPR:
    case LSHIFT_EXPR:
    case RSHIFT_EXPR:
    case LROTATE_EXPR:
    case RROTATE_EXPR: return 1;
    case LT_EXPR:
    case LE_EXPR:
    case GT_EXPR:
    case GE_EXPR:
    case EQ_EXPR:
    case NE_EXPR: return is_integer(TREE_TYPE(from)) ? 1 : NEVER;
    case MULT_EXPR: return cost_of_product(gimple_assign_rhs2(assign));
    default: return NEVER;
    }
}

/* The side between the head and the join; none: the head leads there itself. */
static int cost_of_side(const choice &c, edge joins)
{
    int cost = 0;
    if (joins->src == c.head) return 0;
    for (gimple_stmt_iterator i = gsi_start_bb(joins->src); !gsi_end_p(i); gsi_next(&i))
        if (!is_gimple_debug(gsi_stmt(i)) && gimple_code(gsi_stmt(i)) != GIMPLE_PREDICT)
            cost = MIN(cost + cost_of(gsi_stmt(i)), NEVER);
    return cost;
}

/* ---- which branches -------------------------------------------------------------------------- */

/* The edge that leads on from a side, the edge itself if there is none; NULL: it is no side. */
static edge joins(edge e, basic_block join)
{
    if (e->dest == join) return e;
    basic_block side = e->dest;
    if (!single_pred_p(side) || !single_succ_p(side) || !gimple_seq_empty_p(phi_nodes(side)))
        return NULL;
    edge on = single_succ_edge(side);
    return on->dest == join && !(on->flags & EDGE_COMPLEX) ? on : NULL;
}

static bool may_choose(tree value)
{
    return is_gimple_min_invariant(value) ||
           (TREE_CODE(value) == SSA_NAME && !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value));
}

/* Is there one number that depends on the way? */
static bool find_chosen(choice &c)
{
    c.chosen = NULL;
    for (gphi_iterator i = gsi_start_phis(c.join); !gsi_end_p(i); gsi_next(&i)) {
        tree if_true = PHI_ARG_DEF_FROM_EDGE(i.phi(), c.true_joins),
             if_false = PHI_ARG_DEF_FROM_EDGE(i.phi(), c.false_joins);
        if (operand_equal_p(if_true, if_false)) continue;
        tree result = gimple_phi_result(i.phi());
        if (c.chosen || virtual_operand_p(result) || !is_integer(TREE_TYPE(result)) ||
            !may_choose(result) || !may_choose(if_true) || !may_choose(if_false))
            return false;
        c.chosen = i.phi();
    }
    return c.chosen != NULL;
}

static gcond *last_condition(basic_block bb)
{
    gimple *last = gsi_stmt(gsi_last_nondebug_bb(bb));
    return last ? dyn_cast<gcond *>(last) : NULL;
}

static bool find_choice(basic_block head, choice &c)
{
    c.head = head;
    c.condition = last_condition(head);
    if (!c.condition || EDGE_COUNT(head->succs) != 2) return false;
    extract_true_false_edges_from_block(head, &c.if_true, &c.if_false);
    if ((c.if_true->flags | c.if_false->flags) & EDGE_COMPLEX) return false;
    basic_block ways[] = {c.if_true->dest, c.if_false->dest};
    if (ways[0] == ways[1]) return false;
    c.join = single_succ_p(ways[0]) && single_pred_p(ways[0]) ? single_succ(ways[0]) : ways[0];
    c.true_joins = joins(c.if_true, c.join);
    c.false_joins = joins(c.if_false, c.join);
    if (!c.true_joins || !c.false_joins || c.join == head || c.join == EXIT_BLOCK_PTR_FOR_FN(cfun))
        return false;
    return find_chosen(c);
}

/* Does the comparison have this operand in memory: is it a load for nothing else, with no store
 * behind it? */
static bool in_memory(gcond *condition, tree operand)
{
    gimple *load = TREE_CODE(operand) == SSA_NAME ? SSA_NAME_DEF_STMT(operand) : NULL;
    if (!load || !gimple_assign_load_p(load) || !has_single_use(operand) ||
        gimple_bb(load) != gimple_bb(condition))
        return false;
    for (gimple_stmt_iterator i = gsi_for_stmt(load); gsi_stmt(i) != condition; gsi_next(&i))
        if (gimple_vdef(gsi_stmt(i))) return false;
    return true;
}

/* May something be computed for its sides? Of numbers of floating point the greater one is in a
 * register anyway. */
static bool may_compute(gcond *condition)
{
    tree a = gimple_cond_lhs(condition), b = gimple_cond_rhs(condition);
    if (is_integer(TREE_TYPE(a))) return !in_memory(condition, a) && !in_memory(condition, b);
    switch (gimple_cond_code(condition)) {
    case GT_EXPR:
    case GE_EXPR: return !in_memory(condition, b);
    case LT_EXPR:
    case LE_EXPR: return !in_memory(condition, a);
    default: return false;
    }
}

static bool is_worth_it(const choice &c)
{
    tree compared = TREE_TYPE(gimple_cond_lhs(c.condition));
    if (!is_integer(compared) && !SCALAR_FLOAT_TYPE_P(compared)) return false;
    if (stmt_could_throw_p(cfun, c.condition)) return false;
    if (c.if_true->probability.initialized_p()) {
        int likely = c.if_true->probability.to_reg_br_prob_base();
        if (likely < PREDICTABLE || likely > REG_BR_PROB_BASE - PREDICTABLE) return false;
    }
    int if_true = cost_of_side(c, c.true_joins), if_false = cost_of_side(c, c.false_joins);
    const bool computes = if_true + if_false > 0;
    if (computes && (optimize_function_for_size_p(cfun) || !may_compute(c.condition))) return false;
    return if_true <= SIDE_MOST && if_false <= SIDE_MOST && if_true + if_false <= BOTH_MOST;
}

/* ---- what becomes of one --------------------------------------------------------------------- */

/* What the side computes is computed whatever the outcome; what was known of it there is not. No
 * pass is left that would make use of an overflow that C does not define. */
static void move_side(const choice &c, edge joins)
{
    if (joins->src == c.head) return;
    gimple_stmt_iterator to = gsi_for_stmt(c.condition);
    for (gimple_stmt_iterator i = gsi_start_bb(joins->src); !gsi_end_p(i);) {
        gimple *stmt = gsi_stmt(i);
        if (!is_gimple_assign(stmt)) {
            gsi_next(&i);
            continue;
        }
        reset_flow_sensitive_info(gimple_assign_lhs(stmt));
        gsi_move_before(&i, &to);
    }
}

/* The head leads on by the first way only. */
static void cut(const choice &c, edge kept, edge other)
{
    basic_block side = other->dest == c.join ? NULL : other->dest;
    gimple_stmt_iterator gsi = gsi_for_stmt(c.condition);
    gsi_remove(&gsi, true);
    remove_edge(other);
    if (side) delete_basic_block(side);
    kept->flags &= ~(EDGE_TRUE_VALUE | EDGE_FALSE_VALUE);
    kept->flags |= EDGE_FALLTHRU;
    kept->probability = profile_probability::always();
    if (kept->dest != c.join) kept->dest->count = c.head->count;
}

static void choose(const choice &c)
{
    making m = {NULL, gimple_location(c.condition)};
    tree result = gimple_phi_result(c.chosen), type = TREE_TYPE(result);
    tree if_true = PHI_ARG_DEF_FROM_EDGE(c.chosen, c.true_joins),
         if_false = PHI_ARG_DEF_FROM_EDGE(c.chosen, c.false_joins);
    move_side(c, c.true_joins);
    move_side(c, c.false_joins);
    tree is = make_compute(m, gimple_cond_code(c.condition), boolean_type_node,
                           gimple_cond_lhs(c.condition), gimple_cond_rhs(c.condition));
    tree made = make_ssa_name(type);
    make_add(m, gimple_build_assign(made, COND_EXPR, is, if_true, if_false));
    gimple_stmt_iterator gsi = gsi_for_stmt(c.condition);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
    /* a side that stays is empty now */
    bool keeps_true = c.true_joins->src == c.head || c.false_joins->src != c.head;
    SET_USE(PHI_ARG_DEF_PTR_FROM_EDGE(c.chosen, keeps_true ? c.true_joins : c.false_joins), made);
    cut(c, keeps_true ? c.if_true : c.if_false, keeps_true ? c.if_false : c.if_true);
}

void select_function(function *fun)
{
    std::vector<int> heads;
    basic_block bb;
    bool any = false;
    if (optimize == 0 || !flag_if_conversion) return;
    FOR_EACH_BB_FN(bb, fun) heads.push_back(bb->index);
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    for (int index : heads) {
        choice c;
        bb = BASIC_BLOCK_FOR_FN(fun, index); /* sides are gone */
        if (!bb || !find_choice(bb, c) || !is_worth_it(c)) continue;
        choose(c);
        any = true;
    }
    if (any) cleanup_tree_cfg();
}
