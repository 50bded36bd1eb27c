/* Conditional branches: which of them are predicted while the program runs, and how.
 *
 * The compiler guesses how often a branch goes which way; whether a processor predicts it depends
 * on the order of its outcomes. So where the compiler does not know a branch to be (nearly)
 * certain, its outcome is looked up in the processor's table of branches (mem/branch) before it is
 * taken; most often the entry says that there is nothing to learn. The end of a loop that counts
 * to a number is no such branch: what is lost there is charged where the loop is left. What gcc
 * makes a conditional move of is no branch any more (select.cc). */
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

/* What converts a number from outside is as that. */
static bool made_here(tree value, basic_block bb)
{
    value = without_conversion(value);
    return TREE_CODE(value) == SSA_NAME && gimple_bb(SSA_NAME_DEF_STMT(value)) == bb;
}

static bool is_plain(tree value)
{
    bool name = TREE_CODE(value) == SSA_NAME && !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value);
    return (name || is_gimple_min_invariant(value)) &&
           (INTEGRAL_TYPE_P(TREE_TYPE(value)) || POINTER_TYPE_P(TREE_TYPE(value)));
}
/* Its rounds, if `value` counts them. */
static bool rounds_of(tree value, rounds_counted *r)
{
    value = without_conversion(value);
    if (!counts(value)) return false;
    gphi *phi = dyn_cast<gphi *>(SSA_NAME_DEF_STMT(value));
    r->began = phi != NULL;
    r->reached = value;
    if (!phi) phi = counted_from(value);
    if (gimple_phi_num_args(phi) != 2) return false;
    for (unsigned i = 0; i < 2; i++) {
        tree next = without_conversion(gimple_phi_arg_def(phi, i));
        if (counted_from(next) != phi) continue;
        gimple *add = SSA_NAME_DEF_STMT(next);
        tree by = gimple_assign_rhs2(add);
        if (!tree_fits_shwi_p(by) && !tree_fits_uhwi_p(by)) return false;
        r->by = (HOST_WIDE_INT)TREE_INT_CST_LOW(by);
        if (TYPE_PRECISION(TREE_TYPE(by)) < HOST_BITS_PER_WIDE_INT)
            r->by = sext_hwi(r->by, (int)TYPE_PRECISION(TREE_TYPE(by)));
        if (gimple_assign_rhs_code(add) == MINUS_EXPR) r->by = -r->by;
        r->from = gimple_phi_arg_def(phi, 1 - i);
        return r->by != 0 && is_plain(r->from) && is_plain(value) &&
               TYPE_PRECISION(TREE_TYPE(r->from)) == TYPE_PRECISION(TREE_TYPE(value));
    }
    return false;
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
    branch b = {BRANCH_PREDICTED,
                stmt,
                true,
                !true_forward || !false_forward,
                -1,
                false,
                false,
                false,
                NULL_TREE,
                {NULL_TREE, NULL_TREE, 0, false}};
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
    b.leaves_if = !b.taken_if;
    tree type = TREE_TYPE(gimple_cond_lhs(stmt));
    if (!is_scalar(type) || stmt_could_throw_p(cfun, stmt)) b.kind = BRANCH_CERTAIN;
    return b;
}

/* Code can be put on each way into a loop. */
static bool is_entered_plainly(const class loop *loop)
{
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, loop->header->preds)
    if (e->flags & EDGE_COMPLEX) return false;
    return true;
}

bool branch_leaves(branch *b)
{
    basic_block bb = gimple_bb(b->stmt);
    if (!current_loops || loops_state_satisfies_p(LOOPS_NEED_FIXUP)) return false;
    const class loop *loop = bb->loop_father;
    if (!loop || loop_depth(loop) < 2 || loop->inner || loop->num_nodes < 2) return false;
    edge if_true, if_false;
    extract_true_false_edges_from_block(bb, &if_true, &if_false);
    bool true_leaves = loop_exit_edge_p(loop, if_true);
    b->leaves_if = true_leaves;
    return true_leaves != loop_exit_edge_p(loop, if_false) && is_entered_plainly(loop);
}

/* ---- what is inserted ------------------------------------------------------------------------ */

static tree as_number(making &m, tree type, tree value)
{
    return make_compute(m, NOP_EXPR, type, unshare_expr(value), NULL_TREE);
}

static tree rounds_reached(making &cold, const rounds_counted &r)
{
    tree type = TYPE_PRECISION(TREE_TYPE(r.reached)) == TYPE_PRECISION(make_word())
                    ? make_word()
                    : unsigned_type_for(TREE_TYPE(r.reached));
    tree from = as_number(cold, type, r.from), reached = as_number(cold, type, r.reached);
    tree way = r.by > 0 ? make_compute(cold, MINUS_EXPR, type, reached, from)
                        : make_compute(cold, MINUS_EXPR, type, from, reached);
    tree rounds = as_number(cold, make_word(), way);
    rounds = make_compute(cold, TRUNC_DIV_EXPR, make_word(), rounds,
                          build_int_cst(make_word(), r.by > 0 ? r.by : -r.by));
    if (r.began)
        rounds = make_compute(cold, PLUS_EXPR, make_word(), rounds, build_one_cst(make_word()));
    return rounds;
}

/* Calls with the rounds of the loop if they took less than was charged. */
static void announce_rounds(const branch &b, basic_block behind, tree call)
{
    making m = {NULL, gimple_location(b.stmt)};
    gcond *condition = make_matters_not(m, b.site + 1);
    gimple_stmt_iterator gsi = gsi_last_bb(behind);
    gsi_insert_seq_after(&gsi, m.seq, GSI_NEW_STMT);
    making cold = {NULL, m.where};
    tree rounds = b.rounds ? b.rounds : rounds_reached(cold, b.counted);
    make_add(cold, gimple_build_call(call, 3, rounds, make_cpu, make_site(cold, b.site + 1)));
    make_branch(condition, cold.seq);
}

/* Not what the loop around it counts with, where that is what this one counts to. */
static bool is_counted_here(const branch &b, tree value)
{
    value = without_conversion(value);
    return TREE_CODE(value) == SSA_NAME && gimple_bb(SSA_NAME_DEF_STMT(value)) &&
           gimple_bb(SSA_NAME_DEF_STMT(value))->loop_father == gimple_bb(b.stmt)->loop_father;
}

static bool find_rounds(const branch &b, rounds_counted *r)
{
    tree way[] = {gimple_cond_lhs(b.stmt), gimple_cond_rhs(b.stmt)};
    for (tree value : way)
        if (b.of_one && is_counted_here(b, value) && rounds_of(value, r)) return true;
    return false;
}

bool branch_tells_rounds(const branch &b)
{
    rounds_counted r;
    return b.kind == BRANCH_COUNTED && find_rounds(b, &r);
}

static edge way_out(const branch &b)
{
    edge if_true, if_false;
    extract_true_false_edges_from_block(gimple_bb(b.stmt), &if_true, &if_false);
    return b.leaves_if ? if_true : if_false;
}

/* The loop is left by this branch. */
static void charge_end(const branch &b, tree call)
{
    making m = {NULL, gimple_location(b.stmt)};
    tree at = make_site(m, b.site);
    tree rest = make_load(m, make_slot_at(at, offsetof(struct probe_site, rest)), make_slot);
    make_add_to(m, offsetof(struct probe_in_line, work), rest);
    make_count(m, make_slot_at(at, offsetof(struct probe_site, slack)));
    make_add_to(m, offsetof(struct probe_in_line, loop_ends), build_int_cst(make_slot, 1));
    basic_block behind = split_edge(way_out(b));
    gimple_stmt_iterator gsi = gsi_start_bb(behind);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
    if (b.rounds || b.counted.by != 0) announce_rounds(b, behind, call);
}

/* The edge back into its block, if code can be put on its way; NULL: not. */
static edge goes_back(const branch &b)
{
    edge if_true, if_false;
    basic_block bb = gimple_bb(b.stmt);
    extract_true_false_edges_from_block(bb, &if_true, &if_false);
    edge e = b.taken_if ? if_true : if_false;
    while (e->dest != bb && single_succ_p(e->dest)) e = single_succ_edge(e->dest);
    return e->dest == bb ? e : NULL;
}

/* Which round it is, from 1 on, of the loop that begins with the block; `back` to it, NULL: from
 * any of its loop's. */
static tree make_round(basic_block head, edge back, location_t where)
{
    making m = {NULL, where};
    tree so_far = make_ssa_name(make_word());
    gphi *phi = create_phi_node(so_far, head);
    tree round = make_compute(m, PLUS_EXPR, make_word(), so_far, build_one_cst(make_word()));
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, head->preds)
    {
        bool again = back ? e == back : flow_bb_inside_loop_p(head->loop_father, e->src);
        add_phi_arg(phi, again ? round : build_zero_cst(make_word()), e, UNKNOWN_LOCATION);
    }
    gimple_stmt_iterator gsi = gsi_after_labels(head);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
    return round;
}

void branch_count(branch *b, std::map<basic_block, tree> *counted)
{
    if (b->kind != BRANCH_COUNTED || !find_rounds(*b, &b->counted)) b->counted.by = 0;
    if (!b->asks) return;
    edge back = b->of_one ? goes_back(*b) : NULL;
    if (b->of_one && !back) return;
    basic_block head = back ? back->dest : gimple_bb(b->stmt)->loop_father->header;
    tree &round = (*counted)[head];
    if (!round) round = make_round(head, back, gimple_location(b->stmt));
    b->rounds = round;
}

/* Does a static guess expect the condition to be so (backward taken, forward not)? */
static bool is_expected(const branch &b, bool is) { return (b.taken_if == b.backward) == is; }

/* 0: the outcome is what is expected; else 1. */
static tree outcome_of(making &m, const branch &b)
{
    enum tree_code code = gimple_cond_code(b.stmt);
    tree is =
        make_compute(m, code, boolean_type_node, gimple_cond_lhs(b.stmt), gimple_cond_rhs(b.stmt));
    is = make_compute(m, NOP_EXPR, make_word(), is, NULL_TREE);
    if (!is_expected(b, true)) return is;
    return make_compute(m, BIT_XOR_EXPR, make_word(), is, build_one_cst(make_word()));
}

void branch_announce(const branch &b, unsigned number, tree call, tree rounds)
{
    if (b.kind == BRANCH_COUNTED) {
        charge_end(b, rounds);
        return;
    }
    if (b.rounds) announce_rounds(b, split_edge(way_out(b)), rounds);
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
    if (b.rounds)
        what |= is_expected(b, b.leaves_if) ? PROBE_BRANCH_ENDS : PROBE_BRANCH_ENDS_AGAINST;
    make_add(cold, gimple_build_call(call, 4, against, build_int_cst(unsigned_type_node, what),
                                     make_cpu, make_site(cold, b.site)));
    make_branch(condition, cold.seq);
}
