/* Loads and stores under a mask (x86's vmaskmov, AVX-512's masked moves) become what the loop was
 * before it was vectorised: of each lane, one under a condition. What no lane is asked for is not
 * accessed.
 *
 * The mask is a vector of integers, or an integer with a bit a lane, as its machine mode says.
 */
#include "instrument/make.h"
#include "instrument/touch.h"

/* A statement that is taken apart: the part of each lane stands before it. */
struct masked {
    gcall *stmt;
    bool load;
    tree at, mask, value; /* names; value: what a store stores */
    tree element, alias;  /* type of a lane; of what the pointer points to */
    HOST_WIDE_INT bytes;  /* of a lane */
    unsigned lanes;
};

static tree insert(const masked &m, tree type, tree expression)
{
    tree name = make_ssa_name(type);
    gassign *stmt = gimple_build_assign(name, expression);
    gimple_set_location(stmt, gimple_location(m.stmt));
    gimple_stmt_iterator gsi = gsi_for_stmt(m.stmt);
    gsi_insert_before(&gsi, stmt, GSI_SAME_STMT);
    return name;
}

static tree lane_of(const masked &m, tree vector, tree type, unsigned lane)
{
    HOST_WIDE_INT bits = m.bytes * BITS_PER_UNIT;
    return insert(m, type,
                  build3(BIT_FIELD_REF, type, vector, bitsize_int(bits), bitsize_int(lane * bits)));
}

/* The mask as integers. */
static tree numbers(const masked &m, tree mask)
{
    tree type = TREE_TYPE(mask);
    tree number;
    if (VECTOR_MODE_P(TYPE_MODE(type)))
        number = build_vector_type(
            build_nonstandard_integer_type((unsigned)(m.bytes * BITS_PER_UNIT), 0), m.lanes);
    else
        number = build_nonstandard_integer_type(
            (unsigned)GET_MODE_BITSIZE(SCALAR_INT_TYPE_MODE(type)), 1);
    return insert(m, number, build1(VIEW_CONVERT_EXPR, number, mask));
}

/* Not 0 if the lane is asked for. */
static tree asked(const masked &m, unsigned lane)
{
    tree type = TREE_TYPE(m.mask);
    if (VECTOR_TYPE_P(type)) return lane_of(m, m.mask, TREE_TYPE(type), lane);
    return insert(m, type,
                  build2(BIT_AND_EXPR, type, m.mask, build_int_cst(type, HOST_WIDE_INT_1 << lane)));
}

/* Splits the block before the statement: what `access` does is done if the lane is asked for. */
static basic_block under_condition(const masked &m, unsigned lane, gimple *access)
{
    tree is = asked(m, lane);
    gcond *condition = gimple_build_cond(EQ_EXPR, is, build_zero_cst(TREE_TYPE(is)), NULL, NULL);
    gimple_set_location(condition, gimple_location(m.stmt));
    gimple_set_location(access, gimple_location(m.stmt));
    gimple_stmt_iterator gsi = gsi_for_stmt(m.stmt);
    gsi_insert_before(&gsi, condition, GSI_SAME_STMT);
    gimple_seq seq = NULL;
    gimple_seq_add_stmt(&seq, access);
    make_branch(condition, seq);
    basic_block to = gimple_bb(m.stmt);
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, to->preds)
    {
        if (e->src == gimple_bb(access)) continue;
        e->probability = profile_probability::even();
        EDGE_SUCC(e->src, EDGE_SUCC(e->src, 0) == e)->probability = profile_probability::even();
    }
    return to;
}

static tree reference(const masked &m, unsigned lane)
{
    return build2(MEM_REF, m.element, m.at, build_int_cst(m.alias, (int)lane * m.bytes));
}

static void store_lane(const masked &m, unsigned lane)
{
    tree value = lane_of(m, m.value, TREE_TYPE(TREE_TYPE(m.value)), lane);
    under_condition(m, lane, gimple_build_assign(reference(m, lane), value));
}

/* The lane's value; 0 if it is not asked for. */
static tree load_lane(const masked &m, unsigned lane)
{
    tree type = TREE_TYPE(TREE_TYPE(gimple_call_lhs(m.stmt)));
    tree loaded = make_ssa_name(type), result = make_ssa_name(type);
    gassign *load = gimple_build_assign(loaded, reference(m, lane));
    basic_block to = under_condition(m, lane, load);
    gphi *phi = create_phi_node(result, to);
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, to->preds)
    add_phi_arg(phi, e->src == gimple_bb(load) ? loaded : build_zero_cst(type), e,
                gimple_location(m.stmt));
    return result;
}

static void take_apart(const masked &m)
{
    vec<constructor_elt, va_gc> *lanes = NULL;
    for (unsigned lane = 0; lane < m.lanes; lane++)
        if (m.load)
            CONSTRUCTOR_APPEND_ELT(lanes, NULL_TREE, load_lane(m, lane));
        else
            store_lane(m, lane);
    gimple_stmt_iterator gsi = gsi_for_stmt(m.stmt);
    if (m.load) {
        tree left = gimple_call_lhs(m.stmt);
        gassign *all = gimple_build_assign(left, build_constructor(TREE_TYPE(left), lanes));
        gimple_set_location(all, gimple_location(m.stmt));
        gsi_replace(&gsi, all, false);
    } else {
        unlink_stmt_vdef(m.stmt);
        gsi_remove(&gsi, true);
    }
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
}

void masked_apart(gcall *stmt)
{
    if (!gimple_call_internal_p(stmt)) return;
    internal_fn fn = gimple_call_internal_fn(stmt);
    if (fn != IFN_MASK_LOAD && fn != IFN_MASK_STORE) return;
    masked m = masked();
    m.stmt = stmt;
    m.load = fn == IFN_MASK_LOAD;
    tree value = m.load ? gimple_call_lhs(stmt) : gimple_call_arg(stmt, 3);
    if (!value || stmt_ends_bb_p(stmt)) return; /* left out: one that may throw */
    tree type = TREE_TYPE(value), align = gimple_call_arg(stmt, 1);
    m.lanes = (unsigned)TYPE_VECTOR_SUBPARTS(type).to_constant();
    m.bytes = int_size_in_bytes(TREE_TYPE(type));
    m.alias = TREE_TYPE(align);
    m.element = build_aligned_type(TREE_TYPE(type),
                                   (unsigned)MIN(tree_to_uhwi(align), TYPE_ALIGN(TREE_TYPE(type))));
    tree at = unshare_expr(gimple_call_arg(stmt, 0));
    m.at = insert(m, TREE_TYPE(at), at);
    tree mask = gimple_call_arg(stmt, 2);
    m.mask = numbers(m, TREE_CODE(mask) == SSA_NAME ? mask : insert(m, TREE_TYPE(mask), mask));
    if (!m.load) m.value = TREE_CODE(value) == SSA_NAME ? value : insert(m, type, value);
    take_apart(m);
}
