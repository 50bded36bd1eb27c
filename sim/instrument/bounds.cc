/* Bounds of a search: a loop in which one of two variables moves each time.
 *
 * gcc takes the rounds that leave one of them alone for a loop of their own, whose head the outer
 * one's leads to. Then a branch leads to either head; with instructions both ways meet behind two
 * moves, and gcc 12 makes two conditional moves of them (ifcvt.cc: cond_move_process_if_block); it
 * was asked with searches among six types. gcc 14 keeps the branch. Where the moved values are
 * computed on one way only (lo = mid + 1), the branch stays. */
#include "instrument/chosen.h"
#include "instrument/make.h"
#include "instrument/touch.h"

struct bounds {
    edge by_outer, by_inner;  /* from the branch, */
    edge outer, inner;        /* to the heads: the same, or behind an empty block */
    bool inner_if;            /* which outcome leads to the inner one's */
    std::vector<gphi *> move; /* of the outer head */
    std::vector<tree> kept;   /* what each is on the way to the inner one's head */
};

static bool is_empty(basic_block bb)
{
    for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
        if (!is_gimple_debug(gsi_stmt(i)) && gimple_code(gsi_stmt(i)) != GIMPLE_PREDICT &&
            gimple_code(gsi_stmt(i)) != GIMPLE_LABEL)
            return false;
    return true;
}

static edge behind_empty(edge e)
{
    basic_block bb = e->dest;
    bool leads_on = single_pred_p(bb) && single_succ_p(bb) && gimple_seq_empty_p(phi_nodes(bb)) &&
                    is_empty(bb) && !(single_succ_edge(bb)->flags & EDGE_COMPLEX);
    return leads_on ? single_succ_edge(bb) : e;
}

/* What the inner head's phi of this one has by the direct way; NULL_TREE: none takes it alone. */
static tree handed_on(const bounds &b, gphi *outer)
{
    tree result = gimple_phi_result(outer);
    edge between = single_succ_edge(b.outer->dest);
    for (gphi_iterator i = gsi_start_phis(b.inner->dest); !gsi_end_p(i); gsi_next(&i))
        if (PHI_ARG_DEF_FROM_EDGE(i.phi(), between) == result)
            return has_single_use(result) ? PHI_ARG_DEF_FROM_EDGE(i.phi(), b.inner) : NULL_TREE;
    return result;
}

static bool find_moves(bounds &b)
{
    edge between = single_succ_edge(b.outer->dest);
    for (gphi_iterator i = gsi_start_phis(b.inner->dest); !gsi_end_p(i); gsi_next(&i)) {
        tree by = PHI_ARG_DEF_FROM_EDGE(i.phi(), between);
        gimple *phi = TREE_CODE(by) == SSA_NAME ? SSA_NAME_DEF_STMT(by) : NULL;
        if (!phi || gimple_code(phi) != GIMPLE_PHI || gimple_bb(phi) != b.outer->dest) return false;
    }
    unsigned moved = 0;
    for (gphi_iterator i = gsi_start_phis(b.outer->dest); !gsi_end_p(i); gsi_next(&i)) {
        tree kept = handed_on(b, i.phi()), other = PHI_ARG_DEF_FROM_EDGE(i.phi(), b.outer);
        if (!kept || !chosen_may_be(kept) || !chosen_may_be(other)) return false;
        b.move.push_back(i.phi());
        b.kept.push_back(kept);
        if (operand_equal_p(kept, other)) continue;
        if (!chosen_is_integer(TREE_TYPE(gimple_phi_result(i.phi())))) return false;
        moved++;
    }
    return moved == 2;
}

static bool find_bounds(basic_block head, gcond *condition, bounds &b)
{
    edge if_true, if_false;
    if (!condition || EDGE_COUNT(head->succs) != 2 || stmt_could_throw_p(cfun, condition))
        return false;
    tree compared = TREE_TYPE(gimple_cond_lhs(condition));
    if (!chosen_is_integer(compared) &&
        (!SCALAR_FLOAT_TYPE_P(compared) || !chosen_orders(gimple_cond_code(condition))))
        return false;
    if (chosen_is_carried(gimple_cond_lhs(condition)) ||
        chosen_is_carried(gimple_cond_rhs(condition)))
        return false;
    extract_true_false_edges_from_block(head, &if_true, &if_false);
    if ((if_true->flags | if_false->flags) & EDGE_COMPLEX) return false;
    for (int i = 0; i < 2; i++) {
        edge outer_way = i ? if_true : if_false, inner_way = i ? if_false : if_true;
        b = bounds{outer_way, inner_way, behind_empty(outer_way), behind_empty(inner_way), i == 0,
                   {},        {}};
        basic_block outer = b.outer->dest, inner = b.inner->dest;
        if (outer == inner || !single_succ_p(outer) || single_succ(outer) != inner ||
            single_succ_edge(outer)->flags & EDGE_COMPLEX || single_pred_p(outer) ||
            EDGE_COUNT(inner->preds) != 2 || !is_empty(outer) ||
            !dominated_by_p(CDI_DOMINATORS, head, outer))
            continue;
        if (find_moves(b)) return true;
    }
    return false;
}

/* All rounds go by the outer head. */
static void choose_bounds(gcond *condition, const bounds &b)
{
    making m = {NULL, gimple_location(condition)};
    tree is = make_compute(m, gimple_cond_code(condition), boolean_type_node,
                           gimple_cond_lhs(condition), gimple_cond_rhs(condition));
    for (size_t i = 0; i < b.move.size(); i++) {
        tree other = PHI_ARG_DEF_FROM_EDGE(b.move[i], b.outer);
        if (operand_equal_p(b.kept[i], other)) continue;
        tree made = make_ssa_name(TREE_TYPE(gimple_phi_result(b.move[i])));
        make_add(m, gimple_build_assign(made, COND_EXPR, is, b.inner_if ? b.kept[i] : other,
                                        b.inner_if ? other : b.kept[i]));
        SET_USE(PHI_ARG_DEF_PTR_FROM_EDGE(b.move[i], b.outer), made);
    }
    gimple_stmt_iterator gsi = gsi_for_stmt(condition);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
    gsi_remove(&gsi, true);
    basic_block empty = b.inner == b.by_inner ? NULL : b.by_inner->dest;
    remove_edge(b.by_inner);
    if (empty) delete_basic_block(empty);
    b.by_outer->flags &= ~(EDGE_TRUE_VALUE | EDGE_FALSE_VALUE);
    b.by_outer->flags |= EDGE_FALLTHRU;
    b.by_outer->probability = profile_probability::always();
    if (current_loops) loops_state_set(LOOPS_NEED_FIXUP);
}

void bounds_function(function *fun)
{
    bool any = false;
    if (!CHOSEN_TWO || optimize == 0 || !flag_if_conversion) return;
    basic_block bb;
    calculate_dominance_info(CDI_DOMINATORS);
    FOR_EACH_BB_FN(bb, fun)
    {
        bounds b;
        gcond *condition = chosen_condition(bb);
        if (!find_bounds(bb, condition, b)) continue;
        choose_bounds(condition, b);
        free_dominance_info(CDI_DOMINATORS);
        calculate_dominance_info(CDI_DOMINATORS);
        any = true;
    }
    if (any) cleanup_tree_cfg();
}
