/* Accesses whose addresses grow by as much in each round of a loop: for how many rounds they stay
 * in their lines.
 *
 * An address is followed to sums of names from outside of the loop, and of what its rounds begin
 * with, if that grows by a constant. All in 64 bits: numbers that may wrap round are not followed.
 */
#include "instrument/strip.h"

enum {
    STRIDES_MOST = 6, /* more of them are seldom in their lines together */
    DEPTH = 16        /* of what an address is computed by */
};

/* ---- sums ------------------------------------------------------------------------------------ */

static bool is_word(tree value)
{
    tree type = TREE_TYPE(value);
    return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) &&
           TYPE_PRECISION(type) == TYPE_PRECISION(make_word());
}

static void add_term(sum &to, tree name, HOST_WIDE_INT times)
{
    for (size_t i = 0; i < to.terms.size(); i++) {
        if (!operand_equal_p(to.terms[i].first, name, 0)) continue;
        to.terms[i].second += times;
        if (to.terms[i].second == 0) to.terms.erase(to.terms.begin() + (long)i);
        return;
    }
    if (times != 0) to.terms.push_back(std::make_pair(name, times));
}

static bool add(basic_block bb, tree value, HOST_WIDE_INT times, sum &to, int depth);

static bool add_computed(basic_block bb, enum tree_code code, tree a, tree b, HOST_WIDE_INT times,
                         sum &to, int depth)
{
    switch (code) {
    case SSA_NAME:
    CASE_CONVERT:
        return is_word(a) && add(bb, a, times, to, depth);
    case PLUS_EXPR:
    case POINTER_PLUS_EXPR: return add(bb, a, times, to, depth) && add(bb, b, times, to, depth);
    case MINUS_EXPR: return add(bb, a, times, to, depth) && add(bb, b, -times, to, depth);
    case MULT_EXPR:
        return cst_and_fits_in_hwi(b) && add(bb, a, times * int_cst_value(b), to, depth);
    case LSHIFT_EXPR:
        return cst_and_fits_in_hwi(b) && int_cst_value(b) >= 0 && int_cst_value(b) < 32 &&
               add(bb, a, times * ((HOST_WIDE_INT)1 << int_cst_value(b)), to, depth);
    default: return false;
    }
}

/* Adds so many times a value, as the block begins. */
static bool add(basic_block bb, tree value, HOST_WIDE_INT times, sum &to, int depth)
{
    if (depth == 0) return false;
    if (TREE_CODE(value) == INTEGER_CST) {
        if (!cst_and_fits_in_hwi(value)) return false;
        to.constant += times * int_cst_value(value);
        return true;
    }
    if (!is_word(value)) return false;
    if (TREE_CODE(value) == ADDR_EXPR) {
        if (!is_gimple_min_invariant(value)) return false;
        add_term(to, value, times);
        return true;
    }
    if (TREE_CODE(value) != SSA_NAME)
        return EXPR_P(value) &&
               add_computed(bb, TREE_CODE(value), TREE_OPERAND(value, 0),
                            TREE_OPERAND_LENGTH(value) > 1 ? TREE_OPERAND(value, 1) : NULL_TREE,
                            times, to, depth - 1);
    gimple *stmt = SSA_NAME_DEF_STMT(value);
    if (gimple_bb(stmt) != bb || gimple_code(stmt) == GIMPLE_PHI) {
        add_term(to, value, times);
        return true;
    }
    if (!is_gimple_assign(stmt) || gimple_num_ops(stmt) > 3) return false;
    return add_computed(bb, gimple_assign_rhs_code(stmt), gimple_assign_rhs1(stmt),
                        gimple_assign_rhs2(stmt), times, to, depth - 1);
}

/* What a sum grows by in each round. False: not by a constant. */
static bool step_of(basic_block bb, const sum &s, HOST_WIDE_INT *step)
{
    *step = 0;
    for (const std::pair<tree, HOST_WIDE_INT> &term : s.terms) {
        if (TREE_CODE(term.first) != SSA_NAME) continue;
        gimple *stmt = SSA_NAME_DEF_STMT(term.first);
        if (gimple_bb(stmt) != bb) continue;
        gphi *phi = as_a<gphi *>(stmt);
        bool found = false;
        for (unsigned i = 0; i < gimple_phi_num_args(phi) && !found; i++) {
            sum next = sum();
            if (!add(bb, gimple_phi_arg_def(phi, i), 1, next, DEPTH)) continue;
            if (next.terms.size() != 1 || next.terms[0].second != 1 ||
                next.terms[0].first != term.first)
                continue;
            *step += term.second * next.constant;
            found = true;
        }
        if (!found) return false;
    }
    return true;
}

/* ---- accesses -------------------------------------------------------------------------------- */

static bool address_of(basic_block bb, const touch &t, sum &at)
{
    at.constant = t.constant;
    if (t.offset && !add(bb, t.offset, 1, at, DEPTH)) return false;
    if (TREE_CODE(t.base) == MEM_REF)
        return add(bb, TREE_OPERAND(t.base, 0), 1, at, DEPTH) &&
               add(bb, TREE_OPERAND(t.base, 1), 1, at, DEPTH);
    if (TREE_CODE(t.base) == TARGET_MEM_REF) {
        HOST_WIDE_INT step = 1;
        if (TMR_STEP(t.base)) step = int_cst_value(TMR_STEP(t.base));
        return add(bb, TMR_BASE(t.base), 1, at, DEPTH) &&
               add(bb, TMR_OFFSET(t.base), 1, at, DEPTH) &&
               (!TMR_INDEX(t.base) || add(bb, TMR_INDEX(t.base), step, at, DEPTH)) &&
               (!TMR_INDEX2(t.base) || add(bb, TMR_INDEX2(t.base), 1, at, DEPTH));
    }
    if (!DECL_P(t.base)) return false;
    add_term(at, build_fold_addr_expr(t.base), 1);
    return true;
}

static bool same_terms(const sum &a, const sum &b)
{
    if (a.terms.size() != b.terms.size()) return false;
    for (const std::pair<tree, HOST_WIDE_INT> &x : a.terms) {
        bool found = false;
        for (const std::pair<tree, HOST_WIDE_INT> &y : b.terms)
            found |= x.second == y.second && operand_equal_p(x.first, y.first, 0);
        if (!found) return false;
    }
    return true;
}

static bool same(const stride &a, const stride &b)
{
    return a.bytes == b.bytes && a.at.constant == b.at.constant && same_terms(a.at, b.at);
}

bool stride_find(basic_block bb, const std::vector<touch> &touches, HOST_WIDE_INT step_most,
                 std::vector<stride> *to)
{
    for (const touch &t : touches) {
        stride s = stride();
        s.bytes = t.bytes;
        if (!address_of(bb, t, s.at) || !step_of(bb, s.at, &s.step)) return false;
        if (s.step > step_most || s.step < -step_most) return false;
        bool known = s.step == 0;
        for (const stride &other : *to) known |= same(s, other);
        if (!known) to->push_back(s);
    }
    return !to->empty() && to->size() <= STRIDES_MOST;
}

/* ---- what is inserted ------------------------------------------------------------------------ */

static tree make_word_of(making &m, tree name)
{
    if (TREE_CODE(name) == ADDR_EXPR) {
        if (DECL_P(TREE_OPERAND(name, 0))) make_addressable(TREE_OPERAND(name, 0));
        tree whole = make_ssa_name(TREE_TYPE(name));
        make_add(m, gimple_build_assign(whole, unshare_expr(name)));
        name = whole;
    }
    return make_compute(m, NOP_EXPR, make_word(), name, NULL_TREE);
}

static tree make_sum(making &m, const sum &s)
{
    tree all = NULL_TREE;
    for (const std::pair<tree, HOST_WIDE_INT> &term : s.terms) {
        tree name = make_word_of(m, term.first);
        if (term.second != 1)
            name = make_compute(m, MULT_EXPR, make_word(), name,
                                build_int_cst(make_word(), term.second));
        all = all ? make_compute(m, PLUS_EXPR, make_word(), all, name) : name;
    }
    return make_more(m, all ? all : build_zero_cst(make_word()), s.constant);
}

static HOST_WIDE_INT length_of(const stride &s) { return s.step < 0 ? -s.step : s.step; }

static bool alike(const stride &a, const stride &b)
{
    return length_of(a) == length_of(b) && a.bytes == b.bytes;
}

/* How many bytes the access has gone in its line, less those of a step: as a number without sign
 * very many if the round before was in another one. One that goes down is seen in a mirror. */
static tree gone(making &m, const stride &s, tree in_line)
{
    tree at = make_sum(m, s.at);
    if (s.step < 0) {
        at = make_more(m, at, s.bytes - 1);
        at = make_compute(m, BIT_NOT_EXPR, make_word(), at, NULL_TREE);
    }
    at = make_compute(m, BIT_AND_EXPR, make_word(), at, in_line);
    return make_more(m, at, -length_of(s));
}

/* Of those alike; adds to `ends` what is below 0 if not for two. */
static tree rounds_of(making &m, const std::vector<stride> &strides, const stride &one,
                      tree in_line, tree *ends)
{
    const HOST_WIDE_INT step = length_of(one);
    tree most = NULL_TREE;
    for (const stride &s : strides) {
        if (!alike(s, one)) continue;
        tree its = gone(m, s, in_line);
        most = most ? make_compute(m, MAX_EXPR, make_word(), most, its) : its;
    }
    *ends = *ends ? make_compute(m, BIT_IOR_EXPR, make_word(), *ends, most) : most;
    tree left = make_compute(m, MINUS_EXPR, make_word(), in_line, most);
    left = make_more(m, left, -(2 * step + one.bytes - 1));
    *ends = make_compute(m, BIT_IOR_EXPR, make_word(), *ends, left);
    left = make_more(m, left, 2 * step);
    if (step == 1) return left;
    return make_compute(m, TRUNC_DIV_EXPR, make_word(), left, build_int_cst(make_word(), step));
}

tree stride_rounds(making &m, const std::vector<stride> &strides)
{
    tree rounds = NULL_TREE, ends = NULL_TREE, in_line = announce_in_line(m);
    for (size_t i = 0; i < strides.size(); i++) {
        bool first = true;
        for (size_t before = 0; before < i; before++) first &= !alike(strides[before], strides[i]);
        if (!first) continue;
        tree of = rounds_of(m, strides, strides[i], in_line, &ends);
        rounds = rounds ? make_compute(m, MIN_EXPR, make_word(), rounds, of) : of;
    }
    tree type = signed_type_for(make_word());
    ends = make_compute(m, NOP_EXPR, type, ends, NULL_TREE);
    make_add(m, gimple_build_cond(GE_EXPR, ends, build_zero_cst(type), NULL_TREE, NULL_TREE));
    return rounds;
}
