/* What gcc makes of a branch once it has instructions: a conditional move (GCC internals,
 * if-conversion; gcc's ifcvt.cc). It happens here, before anything is announced. Probes would keep
 * gcc from it later, and then a branch would be predicted that the program does not have.
 *
 * gcc 12 was asked with some six hundred small functions for x86-64, gcc 14 with those of
 * tests/cc/select_test.sh: of a choice of an integer, what is computed for either side is at most
 * two cheap operations, on both together three. A multiplication, division, load, call or another
 * choice is too dear, or may trap. Where what is compared comes straight from memory, or floating
 * point is compared for equality, nothing may be computed. One number is chosen, or two integers
 * where nothing is computed and neither is what is compared (ifcvt.cc: cond_move_process_if_block):
 * the bounds of a search, not the least number and where it was. Of floating point one is chosen if
 * such are compared, and not for equality, nothing is computed, and both are variables or (but at
 * -O1) both constants; with it an integer, if it is the lesser or the greater one of the two that
 * are compared. A branch that is nearly certain stays one. For size nothing is computed, either,
 * no two integers are moved, and of floating point only the lesser or greater one is chosen; gcc 14
 * then chooses less. */
#include "instrument/chosen.h"
#include "instrument/make.h"
#include "instrument/touch.h"

enum { SIDE_MOST = 2, BOTH_MOST = 3, NEVER = 100, PREDICTABLE = REG_BR_PROB_BASE / 50 };

/* A branch whose two ways meet at once. */
struct choice {
    basic_block head, join;
    gcond *condition;
    edge if_true, if_false;       /* from the head */
    edge true_joins, false_joins; /* into the join: of a side, or of the head itself */
    std::vector<gphi *> chosen;
    std::vector<gphi *> same; /* as the first one chosen, but for a conversion without code */
};

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
    if (!chosen_is_integer(from)) return NEVER;
    return TYPE_PRECISION(to) > TYPE_PRECISION(from);
}

static int cost_of(gimple *stmt)
{
    gassign *assign = dyn_cast<gassign *>(stmt);
    if (!assign || gimple_vuse(stmt) || stmt_could_throw_p(cfun, stmt)) return NEVER;
    tree to = gimple_assign_lhs(assign), from = gimple_assign_rhs1(assign);
    if (TREE_CODE(to) != SSA_NAME || !chosen_is_integer(TREE_TYPE(to)) ||
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
    case NE_EXPR: return chosen_is_integer(TREE_TYPE(from)) ? 1 : NEVER;
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

static tree if_true(const choice &c, gphi *phi) { return PHI_ARG_DEF_FROM_EDGE(phi, c.true_joins); }
static tree if_false(const choice &c, gphi *phi)
{
    return PHI_ARG_DEF_FROM_EDGE(phi, c.false_joins);
}

static bool is_minimum(const choice &c, gphi *phi)
{
    return chosen_is_minimum(gimple_cond_code(c.condition), gimple_cond_lhs(c.condition),
                             gimple_cond_rhs(c.condition), if_true(c, phi), if_false(c, phi));
}

/* Of floating point. */
static bool may_choose_real(const choice &c, gphi *phi)
{
    if (is_minimum(c, phi)) return true;
    if (optimize_function_for_size_p(cfun)) return false;
    tree compared = TREE_TYPE(gimple_cond_lhs(c.condition));
    bool alike = TREE_CODE(if_true(c, phi)) == TREE_CODE(if_false(c, phi));
    return types_compatible_p(TREE_TYPE(gimple_phi_result(phi)), compared) &&
           chosen_orders(gimple_cond_code(c.condition)) && (alike || optimize == 1);
}

/* The number that a value is but for a conversion that changes no bit. */
static tree same_bits(tree value)
{
    gassign *from = NULL;
    while (TREE_CODE(value) == SSA_NAME && (from = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(value))) &&
           CONVERT_EXPR_CODE_P(gimple_assign_rhs_code(from)) &&
           tree_nop_conversion_p(TREE_TYPE(value), TREE_TYPE(gimple_assign_rhs1(from))))
        value = gimple_assign_rhs1(from);
    return value;
}

/* One register has both: an index that is counted as one type and used as another. */
static bool is_same(const choice &c, gphi *phi)
{
    if (c.chosen.empty()) return false;
    gphi *first = c.chosen[0];
    tree a = gimple_phi_result(phi), b = gimple_phi_result(first);
    return chosen_is_integer(TREE_TYPE(a)) && tree_nop_conversion_p(TREE_TYPE(a), TREE_TYPE(b)) &&
           operand_equal_p(same_bits(if_true(c, phi)), same_bits(if_true(c, first))) &&
           operand_equal_p(same_bits(if_false(c, phi)), same_bits(if_false(c, first)));
}

/* Is a variable compared that is chosen, too? Then its register would change in between. */
static bool is_compared(const choice &c, gphi *phi)
{
    tree compared[] = {gimple_cond_lhs(c.condition), gimple_cond_rhs(c.condition)};
    for (tree value : compared)
        if (chosen_is_carried(value) && (value == if_true(c, phi) || value == if_false(c, phi)))
            return true;
    return false;
}

/* Are those that are chosen two integers that are moved, and no more? */
static bool moves_two(const choice &c)
{
    if (!CHOSEN_TWO || c.chosen.size() != 2 || optimize_function_for_size_p(cfun)) return false;
    for (gphi *phi : c.chosen)
        if (!chosen_is_integer(TREE_TYPE(gimple_phi_result(phi))) || is_compared(c, phi))
            return false;
    return chosen_is_integer(TREE_TYPE(gimple_cond_lhs(c.condition))) ||
           chosen_orders(gimple_cond_code(c.condition));
}

/* Is what depends on the way one number, a minimum and an integer, or two integers? */
static bool find_chosen(choice &c)
{
    unsigned real = 0, minima = 0;
    c.chosen.clear();
    c.same.clear();
    for (gphi_iterator i = gsi_start_phis(c.join); !gsi_end_p(i); gsi_next(&i)) {
        if (operand_equal_p(if_true(c, i.phi()), if_false(c, i.phi()))) continue;
        tree result = gimple_phi_result(i.phi());
        if (virtual_operand_p(result) || !chosen_may_be(result) ||
            !chosen_may_be(if_true(c, i.phi())) || !chosen_may_be(if_false(c, i.phi())))
            return false;
        if (is_same(c, i.phi())) {
            c.same.push_back(i.phi());
            continue;
        }
        c.chosen.push_back(i.phi());
        if (chosen_is_integer(TREE_TYPE(result))) continue;
        if (!chosen_is_real(TREE_TYPE(result)) || !may_choose_real(c, i.phi())) return false;
        real++;
        minima += is_minimum(c, i.phi());
    }
    return c.chosen.size() == 1 || (c.chosen.size() == 2 && real == 1 && minima == 1) ||
           moves_two(c);
}

static bool find_choice(basic_block head, choice &c)
{
    c.head = head;
    c.condition = chosen_condition(head);
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
    if (chosen_is_integer(TREE_TYPE(a)))
        return !in_memory(condition, a) && !in_memory(condition, b);
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
    if (!chosen_is_integer(compared) && !SCALAR_FLOAT_TYPE_P(compared)) return false;
    if (stmt_could_throw_p(cfun, c.condition)) return false;
    if (c.if_true->probability.initialized_p()) {
        int likely = c.if_true->probability.to_reg_br_prob_base();
        if (likely < PREDICTABLE || likely > REG_BR_PROB_BASE - PREDICTABLE) return false;
    }
    int if_true = cost_of_side(c, c.true_joins), if_false = cost_of_side(c, c.false_joins);
    const bool computes = if_true + if_false > 0;
    for (gphi *phi : c.chosen)
        if (computes && !chosen_is_integer(TREE_TYPE(gimple_phi_result(phi)))) return false;
    if (computes && moves_two(c)) return false;
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

/* Behind the comparison *is, which is made if there is none yet. Returns what is chosen. */
static tree choose_one(const choice &c, gphi *phi, edge kept, tree *is)
{
    making m = {NULL, gimple_location(c.condition)};
    if (!*is)
        *is = make_compute(m, gimple_cond_code(c.condition), boolean_type_node,
                           gimple_cond_lhs(c.condition), gimple_cond_rhs(c.condition));
    tree made = make_ssa_name(TREE_TYPE(gimple_phi_result(phi)));
    make_add(m, gimple_build_assign(made, COND_EXPR, *is, if_true(c, phi), if_false(c, phi)));
    gimple_stmt_iterator gsi = gsi_for_stmt(c.condition);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
    SET_USE(PHI_ARG_DEF_PTR_FROM_EDGE(phi, kept), made);
    return made;
}

static void convert_one(const choice &c, gphi *phi, tree chosen, edge kept)
{
    making m = {NULL, gimple_location(c.condition)};
    tree made = make_ssa_name(TREE_TYPE(gimple_phi_result(phi)));
    make_add(m, gimple_build_assign(made, NOP_EXPR, chosen));
    gimple_stmt_iterator gsi = gsi_for_stmt(c.condition);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
    SET_USE(PHI_ARG_DEF_PTR_FROM_EDGE(phi, kept), made);
}

static void choose(const choice &c)
{
    move_side(c, c.true_joins);
    move_side(c, c.false_joins);
    /* a side that stays is empty now */
    bool keeps_true = c.true_joins->src == c.head || c.false_joins->src != c.head;
    edge kept = keeps_true ? c.true_joins : c.false_joins;
    tree first = NULL_TREE, is = NULL_TREE;
    const bool two = moves_two(c);
    for (gphi *phi : c.chosen) {
        if (!two) is = NULL_TREE; /* that of a minimum is a part of it */
        tree made = choose_one(c, phi, kept, &is);
        if (!first) first = made;
    }
    for (gphi *phi : c.same) convert_one(c, phi, first, kept);
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
