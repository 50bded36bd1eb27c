/* Strips: rounds of a loop of one block that do what the round before did (strip.h).
 *
 *     head: what counts; did the last round but hit, and do the next two or more stay in its lines?
 *       no:  body, announced as everywhere, and back to the head or out
 *       yes: strip, a copy of the body; if there are rounds left, strip; else charged, and back to
 *            the head, which goes on with a body. Where it leaves the loop: charged, and to the end
 *            of the body, which announces the branch and leaves
 *
 * Left out: loops of several blocks, with calls, or in which it is not known how an access moves.
 */
#include "instrument/strip.h"

#include "probe/in_line/in_line.h"

enum {
    TOUCHES_MOST = 16,
    STEP_MOST = 16, /* bytes: of longer ones few are in a line */
    STEP_SEARCH = 2 /* where data end the loop, which most often is soon */
};

/* ---- which loops ----------------------------------------------------------------------------- */

static bool is_abnormal(tree name)
{
    return name && TREE_CODE(name) == SSA_NAME && SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name);
}

/* Can the statement be copied and run without being announced? */
static bool is_plain(gimple *stmt)
{
    if (is_gimple_debug(stmt)) return true;
    if (gimple_has_volatile_ops(stmt) || stmt_could_throw_p(cfun, stmt)) return false;
    /* what prepare.cc has made has no name for the memory that it leaves yet */
    if (gimple_vdef(stmt) && TREE_CODE(gimple_vdef(stmt)) != SSA_NAME) return false;
    switch (gimple_code(stmt)) {
    case GIMPLE_ASSIGN: return !gimple_clobber_p(stmt) && !is_abnormal(gimple_get_lhs(stmt));
    case GIMPLE_CALL:
        return gimple_call_internal_p(stmt) && gimple_call_flags(stmt) & ECF_CONST &&
               !is_abnormal(gimple_get_lhs(stmt));
    case GIMPLE_COND:
    case GIMPLE_PREDICT:
    case GIMPLE_NOP: return true;
    case GIMPLE_LABEL: {
        tree label = gimple_label_label(as_a<glabel *>(stmt));
        return !FORCED_LABEL(label) && !DECL_NONLOCAL(label);
    }
    default: return false;
    }
}

static bool is_plain_block(basic_block bb)
{
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, bb->preds)
    if (e->flags & EDGE_COMPLEX) return false;
    for (gphi_iterator i = gsi_start_phis(bb); !gsi_end_p(i); gsi_next(&i))
        if (is_abnormal(gimple_phi_result(i.phi()))) return false;
    for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
        if (!is_plain(gsi_stmt(i))) return false;
    return can_duplicate_block_p(bb);
}

/* The edge out of the block that leads back into it, by empty ones perhaps; NULL: none. `into`: the
 * one that reaches it. */
static edge leads_back(basic_block bb, edge *into)
{
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, bb->succs)
    {
        *into = e;
        for (int most = 4; most > 0 && (*into)->dest != bb; most--) {
            basic_block next = (*into)->dest;
            if (!single_succ_p(next) || !single_pred_p(next) || !empty_block_p(next)) break;
            *into = single_succ_edge(next);
        }
        if ((*into)->dest == bb) return e;
    }
    return NULL;
}

static bool is_loop(const part &p, edge *back, edge *into)
{
    basic_block bb = p.first ? gimple_bb(p.first) : NULL;
    if (!bb || p.touches.empty() || p.touches.size() > TOUCHES_MOST || p.target) return false;
    if (EDGE_COUNT(bb->succs) != 2 || !(*back = leads_back(bb, into))) return false;
    edge out = EDGE_SUCC(bb, EDGE_SUCC(bb, 0) == *back);
    if ((out->flags | (*back)->flags | (*into)->flags) & EDGE_COMPLEX) return false;
    for (const touch &t : p.touches)
        if (!touch_is_short(t) || t.atomic || t.order || t.again >= 0) return false;
    return is_plain_block(bb);
}

/* ---- what is made of one --------------------------------------------------------------------- */

static basic_block block_behind(basic_block bb)
{
    basic_block made = create_empty_bb(bb);
    if (current_loops) add_bb_to_loop(made, bb->loop_father);
    return made;
}

static edge edge_if(basic_block from, basic_block to, bool is, profile_probability likely)
{
    edge e = make_edge(from, to, is ? EDGE_TRUE_VALUE : EDGE_FALSE_VALUE);
    e->probability = likely;
    return e;
}

static void append(basic_block bb, making &m)
{
    gimple_stmt_iterator gsi = gsi_last_bb(bb);
    gsi_insert_seq_after(&gsi, m.seq, GSI_NEW_STMT);
    m.seq = NULL;
}

static tree load_played(making &m)
{
    return make_load(m, make_slot_at(make_cpu, offsetof(struct probe_in_line, played)), make_slot);
}

/* Behind the head: has nothing been played since there was `before`? Then how many rounds, if at
 * least two, which `strip` follows on. */
static tree make_rounds(basic_block head, basic_block body, tree played, tree before,
                        const std::vector<stride> &strides, basic_block strip, edge *begins)
{
    making m = {NULL, UNKNOWN_LOCATION};
    basic_block lines = block_behind(head);
    edge plays = single_succ_edge(head);
    plays->flags = EDGE_FALSE_VALUE;
    plays->probability = profile_probability::unlikely();
    lines->count = edge_if(head, lines, true, profile_probability::likely())->count();
    make_add(m, gimple_build_cond(EQ_EXPR, played, before, NULL_TREE, NULL_TREE));
    append(head, m);
    tree rounds = stride_rounds(m, strides);
    append(lines, m);
    edge_if(lines, body, false, profile_probability::unlikely());
    *begins = edge_if(lines, strip, true, profile_probability::likely());
    return rounds;
}

/* Values of the head's phi nodes go round in the strip, too, and back from there. */
static void add_phis(basic_block head, edge into_head, edge begins, edge round, edge ends)
{
    for (gphi_iterator i = gsi_start_phis(head); !gsi_end_p(i); gsi_next(&i)) {
        gphi *phi = i.phi(), *copy = create_phi_node(NULL_TREE, round->dest);
        tree result = gimple_phi_result(phi), next = PHI_ARG_DEF_FROM_EDGE(phi, into_head);
        create_new_def_for(result, copy, gimple_phi_result_ptr(copy));
        add_phi_arg(copy, result, begins, UNKNOWN_LOCATION);
        add_phi_arg(copy, next, round, UNKNOWN_LOCATION);
        add_phi_arg(phi, next, ends, UNKNOWN_LOCATION);
    }
}

/* What had been played when the last round of the body began; elsewhere what never is. */
static void add_before(basic_block head, tree before, tree played, edge into_head)
{
    gphi *phi = create_phi_node(before, head);
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, head->preds)
    add_phi_arg(phi, e == into_head ? played : build_minus_one_cst(make_slot), e, UNKNOWN_LOCATION);
}

static edge other_edge(basic_block bb, edge than)
{
    return EDGE_SUCC(bb, EDGE_SUCC(bb, 0) == than);
}

/* Rounds are counted down; returns how many are left, this one included. */
static tree count_down(edge begins, edge round, tree rounds)
{
    making m = {NULL, UNKNOWN_LOCATION};
    tree left = make_ssa_name(make_word()), next = make_more(m, left, -1);
    gphi *phi = create_phi_node(left, round->dest);
    make_add(m,
             gimple_build_cond(NE_EXPR, next, build_zero_cst(make_word()), NULL_TREE, NULL_TREE));
    append(round->src, m);
    add_phi_arg(phi, rounds, begins, UNKNOWN_LOCATION);
    add_phi_arg(phi, next, round, UNKNOWN_LOCATION);
    return left;
}

/* Where the strip is left: of the rounds all, or but for those left. */
static void charge(edge e, const part &p, tree rounds, tree left)
{
    making m = {NULL, UNKNOWN_LOCATION};
    uint32_t loads = 0, stores = 0;
    for (const touch &t : p.touches) (t.kind == TOUCH_LOAD ? loads : stores)++;
    if (left) {
        rounds = make_compute(m, MINUS_EXPR, make_word(), rounds, left);
        rounds = make_more(m, rounds, 1);
    }
    rounds = make_compute(m, NOP_EXPR, make_slot, rounds, NULL_TREE);
    announce_price(m, p.block, loads, stores, rounds);
    append(split_edge(e), m);
}

/* The condition at the block's end becomes a block of its own. */
static basic_block split_tail(basic_block bb)
{
    gimple_stmt_iterator gsi = gsi_last_bb(bb);
    gsi_prev(&gsi);
    edge e = gsi_end_p(gsi) ? split_block_after_labels(bb) : split_block(bb, gsi_stmt(gsi));
    return e->dest;
}

static void make_strip(const part &p, edge back, edge into, const std::vector<stride> &strides)
{
    basic_block head = gimple_bb(p.first), body = split_block_after_labels(head)->dest;
    initialize_original_copy_tables();
    basic_block strip = duplicate_block(body, NULL, body);
    free_original_copy_tables();
    basic_block tail = split_tail(body);
    edge on = find_edge(strip, back->dest), out = other_edge(strip, on);
    redirect_edge_succ(out, tail);
    if (on->dest != head) redirect_edge_succ(on, head);
    edge ends = single_succ_edge(split_edge(on));
    ends->flags = EDGE_FALSE_VALUE;
    ends->probability = profile_probability::unlikely();
    edge begins, round = edge_if(ends->src, strip, true, profile_probability::likely());

    making m = {NULL, UNKNOWN_LOCATION};
    tree before = make_ssa_name(make_slot), played = load_played(m);
    append(head, m);
    tree rounds = make_rounds(head, body, played, before, strides, strip, &begins);
    add_phis(head, into, begins, round, ends);
    add_before(head, before, played, into);
    tree left = count_down(begins, round, rounds);
    charge(ends, p, rounds, NULL_TREE);
    charge(out, p, rounds, left);
}

bool strip_none;

void strip_loops(function *fun, std::vector<part> &parts)
{
    if (strip_none || !optimize || optimize_function_for_size_p(fun)) return;
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    bool made = false;
    for (part &p : parts) {
        edge back, into;
        std::vector<stride> strides;
        if (!is_loop(p, &back, &into)) continue;
        HOST_WIDE_INT most = p.end.stmt && p.end.kind == BRANCH_PREDICTED ? STEP_SEARCH : STEP_MOST;
        if (!stride_find(gimple_bb(p.first), p.touches, most, &strides)) continue;
        make_strip(p, back, into, strides);
        made = true;
    }
    if (made && current_loops) loops_state_set(LOOPS_NEED_FIXUP);
}
