/* Conditions that are two become two branches, as gcc makes them once there are instructions
 * (cfgexpand.cc, expand_gimple_cond; dojump.cc, TRUTH_ANDIF_EXPR): gcc joins `a && b` to `a & b`
 * where both cost little, and parts them again where branches are cheap. Each of the two is
 * predicted by itself: where keys that are new come in no order, `t[k] && t[k] != key` goes one way
 * only, and its halves do not. Only the last operation is parted; that of `(a & b) & c` which lies
 * in the parentheses stays one. */
#include "instrument/touch.h"

#include "instrument/make.h"

/* A condition that is two. */
struct pair_of_conditions {
    gcond *stmt;
    gassign *both;
    bool all; /* of both, or of one of the two */
};

static bool is_bool(tree value) { return TREE_CODE(TREE_TYPE(value)) == BOOLEAN_TYPE; }

/* What makes the value, if it is made for `user` only, in its block (the rule of TER,
 * tree-ssa-ter.cc); else NULL. */
static gassign *made_for(tree value, gimple *user)
{
    if (TREE_CODE(value) != SSA_NAME || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value)) return NULL;
    gassign *made = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(value));
    if (!made || !has_single_use(value) || gimple_bb(made) != gimple_bb(user)) return NULL;
    return stmt_could_throw_p(cfun, made) ? NULL : made;
}

static bool is_true_of(gcond *stmt)
{
    tree with = gimple_cond_rhs(stmt);
    return (gimple_cond_code(stmt) == NE_EXPR && integer_zerop(with)) ||
           (gimple_cond_code(stmt) == EQ_EXPR && integer_onep(with));
}

static bool find_pair(basic_block bb, pair_of_conditions &p)
{
    gimple *last = gsi_stmt(gsi_last_nondebug_bb(bb));
    p.stmt = last ? dyn_cast<gcond *>(last) : NULL;
    if (!p.stmt || EDGE_COUNT(bb->succs) != 2 || !is_bool(gimple_cond_lhs(p.stmt)) ||
        !is_true_of(p.stmt))
        return false;
    p.both = made_for(gimple_cond_lhs(p.stmt), p.stmt);
    if (!p.both) return false;
    enum tree_code code = gimple_assign_rhs_code(p.both);
    p.all = code == BIT_AND_EXPR;
    if (!p.all && code != BIT_IOR_EXPR) return false;
    if (TREE_CODE(gimple_assign_rhs2(p.both)) == INTEGER_CST) return false;
    edge if_true, if_false;
    extract_true_false_edges_from_block(bb, &if_true, &if_false);
    return if_true->dest != if_false->dest && !((if_true->flags | if_false->flags) & EDGE_COMPLEX);
}

static void remove(gimple *stmt)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
    gsi_remove(&gsi, true);
    release_defs(stmt);
}

/* The comparison that makes the value for nothing else is the branch's own. */
static void ask(gcond *stmt, tree value, gassign *made)
{
    if (made && TREE_CODE_CLASS(gimple_assign_rhs_code(made)) == tcc_comparison) {
        gimple_cond_set_condition(stmt, gimple_assign_rhs_code(made), gimple_assign_rhs1(made),
                                  gimple_assign_rhs2(made));
        remove(made);
    } else {
        gimple_cond_set_condition(stmt, NE_EXPR, value, build_zero_cst(TREE_TYPE(value)));
    }
    update_stmt(stmt);
}

static bool goes_back(edge way)
{
    return current_loops && way->dest->loop_father->header == way->dest;
}

/* Does a phi node keep what its variable was on that way? Else there will be a move. */
static bool keeps(gphi *phi, edge way)
{
    tree to = gimple_phi_result(phi), from = PHI_ARG_DEF_FROM_EDGE(phi, way);
    return virtual_operand_p(to) || (TREE_CODE(from) == SSA_NAME && SSA_NAME_VAR(to) &&
                                     SSA_NAME_VAR(to) == SSA_NAME_VAR(from));
}

/* Is there no instruction in the block, which leads on? */
static bool is_empty(basic_block bb)
{
    if (gsi_stmt(gsi_start_nondebug_after_labels_bb(bb)) || !gimple_seq_empty_p(phi_nodes(bb)) ||
        !single_pred_p(bb) || !single_succ_p(bb))
        return false;
    edge on = single_succ_edge(bb);
    for (gphi_iterator i = gsi_start_phis(on->dest); !gsi_end_p(i); gsi_next(&i))
        if (!keeps(i.phi(), on)) return false;
    return !(on->flags & EDGE_COMPLEX);
}

/* The way that both branches go, from the block of the condition or from an empty one behind it:
 * a loop's head has it from one block only. */
static edge shared_way(edge way)
{
    if (goes_back(way)) return single_pred_edge(split_edge(way));
    while (is_empty(way->dest) && !goes_back(single_succ_edge(way->dest)))
        way = single_succ_edge(way->dest);
    return way;
}

static void make_two(const pair_of_conditions &p)
{
    basic_block bb = gimple_bb(p.stmt);
    tree a = gimple_assign_rhs1(p.both), b = gimple_assign_rhs2(p.both);
    gassign *makes_a = made_for(a, p.both), *makes_b = made_for(b, p.both);
    edge if_true, if_false;
    extract_true_false_edges_from_block(bb, &if_true, &if_false);
    edge left = p.all ? if_false : if_true, other = p.all ? if_true : if_false,
         to = shared_way(left);
    const bool is_known = if_true->probability.initialized_p();

    remove(p.both);
    gcond *first =
        gimple_build_cond(NE_EXPR, a, build_zero_cst(TREE_TYPE(a)), NULL_TREE, NULL_TREE);
    gimple_set_location(first, gimple_location(p.stmt));
    gimple_stmt_iterator gsi = gsi_for_stmt(p.stmt);
    gsi_insert_before(&gsi, first, GSI_SAME_STMT);
    ask(first, a, makes_a);
    ask(p.stmt, b, makes_b);
    edge on = split_block(bb, first); /* what leads on leads on from the second now */
    edge way = make_edge(bb, to->dest, p.all ? EDGE_FALSE_VALUE : EDGE_TRUE_VALUE);
    on->flags = p.all ? EDGE_TRUE_VALUE : EDGE_FALSE_VALUE;
    for (gphi_iterator i = gsi_start_phis(to->dest); !gsi_end_p(i); gsi_next(&i))
        add_phi_arg(i.phi(), PHI_ARG_DEF_FROM_EDGE(i.phi(), to), way,
                    gimple_phi_arg_location_from_edge(i.phi(), to));
    if (!is_known) return;
    /* each goes there as often, as gcc has it */
    profile_probability second = left->probability,
                        at_first = second.split(profile_probability::even());
    way->probability = at_first;
    on->probability = at_first.invert();
    on->dest->count = on->count();
    left->probability = second;
    other->probability = second.invert();
}

void jump_function(function *fun)
{
    std::vector<basic_block> heads;
    basic_block bb;
    bool any = false;
    if (!flag_tree_ter || targetm.gen_ccmp_first) return;
    FOR_EACH_BB_FN(bb, fun) heads.push_back(bb);
    for (basic_block head : heads) {
        pair_of_conditions p;
        /* 4: where gcc holds that branches are dear */
        if (BRANCH_COST(optimize_bb_for_speed_p(head), false) >= 4 || !find_pair(head, p)) continue;
        make_two(p);
        any = true;
    }
    if (!any) return;
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
}
