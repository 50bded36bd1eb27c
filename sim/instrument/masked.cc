/* Vectors whose lanes are accessed one by one: under a mask (x86's vmaskmov, AVX-512's masked
 * moves), gathered and scattered by indices, packed one behind the other. They become what the loop
 * was before it was vectorised: of each lane a load or a store, under a condition where there is
 * one. What no lane is asked for is not accessed.
 *
 * A mask is a vector, a lane of which is asked for if its highest bit is set, or an integer with a
 * bit a lane, as its machine mode says.
 */
#include "instrument/lanes.h"
#include "instrument/make.h"

static tree insert(const lanes &m, tree type, tree expression)
{
    tree name = make_ssa_name(type);
    gassign *stmt = gimple_build_assign(name, expression);
    gimple_set_location(stmt, gimple_location(m.stmt));
    gimple_stmt_iterator gsi = gsi_for_stmt(m.stmt);
    gsi_insert_before(&gsi, stmt, GSI_SAME_STMT);
    return name;
}

static tree name_of(const lanes &m, tree value)
{
    return TREE_CODE(value) == SSA_NAME ? value : insert(m, TREE_TYPE(value), value);
}

static tree lane_of(const lanes &m, tree vector, unsigned lane)
{
    tree type = TREE_TYPE(TREE_TYPE(vector));
    HOST_WIDE_INT bits = int_size_in_bytes(type) * BITS_PER_UNIT;
    return insert(m, type,
                  build3(BIT_FIELD_REF, type, vector, bitsize_int(bits), bitsize_int(lane * bits)));
}

/* The mask as integers. */
static tree numbers(const lanes &m, tree mask)
{
    tree type = TREE_TYPE(mask);
    tree number;
    if (VECTOR_MODE_P(TYPE_MODE(type))) {
        unsigned bits = (unsigned)(m.bytes * BITS_PER_UNIT);
        number = build_vector_type(build_nonstandard_integer_type(bits, 0),
                                   int_size_in_bytes(type) / m.bytes);
    } else {
        number = build_nonstandard_integer_type(
            (unsigned)GET_MODE_BITSIZE(SCALAR_INT_TYPE_MODE(type)), 1);
    }
    return insert(m, number, build1(VIEW_CONVERT_EXPR, number, name_of(m, mask)));
}

/* Goes one way if the lane is not asked for. */
static gcond *if_not_asked(const lanes &m, unsigned lane)
{
    tree type = TREE_TYPE(m.mask);
    if (VECTOR_TYPE_P(type))
        return gimple_build_cond(GE_EXPR, lane_of(m, m.mask, lane), build_zero_cst(TREE_TYPE(type)),
                                 NULL, NULL);
    tree bit = insert(
        m, type, build2(BIT_AND_EXPR, type, m.mask, build_int_cst(type, HOST_WIDE_INT_1U << lane)));
    return gimple_build_cond(EQ_EXPR, bit, build_zero_cst(type), NULL, NULL);
}

/* Splits the block before the statement: what `access` does is done if the lane is asked for. */
static basic_block under_condition(const lanes &m, unsigned lane, gimple *access)
{
    gcond *condition = if_not_asked(m, lane);
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

/* Where a packed lane lies: behind those asked for before it, which `before` counts. */
static tree packed_offset(const lanes &m, unsigned lane, tree *before)
{
    tree type = TREE_TYPE(m.mask);
    if (lane > 0) {
        tree bit = insert(
            m, type, build2(RSHIFT_EXPR, type, m.mask, build_int_cst(integer_type_node, lane - 1)));
        bit = insert(m, type, build2(BIT_AND_EXPR, type, bit, build_one_cst(type)));
        bit = insert(m, sizetype, build1(NOP_EXPR, sizetype, bit));
        *before = *before ? insert(m, sizetype, build2(PLUS_EXPR, sizetype, *before, bit)) : bit;
    }
    if (!*before) return NULL_TREE;
    return insert(m, sizetype, build2(MULT_EXPR, sizetype, *before, size_int(m.bytes)));
}

static tree indexed_offset(const lanes &m, unsigned lane)
{
    tree index = lane_of(m, m.index, lane);
    index = insert(m, ssizetype, build1(NOP_EXPR, ssizetype, index));
    index = insert(m, sizetype, build1(NOP_EXPR, sizetype, index));
    return insert(m, sizetype, build2(MULT_EXPR, sizetype, index, size_int(m.scale)));
}

static tree reference(const lanes &m, unsigned lane, tree *before)
{
    if (!m.index && !m.packed)
        return build2(MEM_REF, m.element, m.at, build_int_cst(m.alias, (int)lane * m.bytes));
    tree offset = m.index ? indexed_offset(m, lane) : packed_offset(m, lane, before);
    tree at = m.at;
    if (offset) at = insert(m, TREE_TYPE(at), build2(POINTER_PLUS_EXPR, TREE_TYPE(at), at, offset));
    return build2(MEM_REF, m.element, at, build_int_cst(m.alias, 0));
}

static void straight(const lanes &m, gimple *access)
{
    gimple_set_location(access, gimple_location(m.stmt));
    gimple_stmt_iterator gsi = gsi_for_stmt(m.stmt);
    gsi_insert_before(&gsi, access, GSI_SAME_STMT);
}

static void store_lane(const lanes &m, unsigned lane, tree *before)
{
    tree value = lane_of(m, m.value, lane);
    gassign *store = gimple_build_assign(reference(m, lane, before), value);
    if (m.mask)
        under_condition(m, lane, store);
    else
        straight(m, store);
}

/* The lane's value; if it is not asked for, that of `otherwise`, or 0. */
static tree load_lane(const lanes &m, unsigned lane, tree *before)
{
    tree type = TREE_TYPE(TREE_TYPE(gimple_call_lhs(m.stmt)));
    tree loaded = make_ssa_name(type);
    tree other = m.otherwise && m.mask ? lane_of(m, m.otherwise, lane) : build_zero_cst(type);
    gassign *load = gimple_build_assign(loaded, reference(m, lane, before));
    if (!m.mask) {
        straight(m, load);
        return loaded;
    }
    basic_block to = under_condition(m, lane, load);
    tree result = make_ssa_name(type);
    gphi *phi = create_phi_node(result, to);
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, to->preds)
    add_phi_arg(phi, e->src == gimple_bb(load) ? loaded : other, e, gimple_location(m.stmt));
    return result;
}

static void take_apart(const lanes &m)
{
    vec<constructor_elt, va_gc> *all = NULL;
    tree before = NULL_TREE; /* of packed lanes */
    tree type = TREE_TYPE(m.load ? gimple_call_lhs(m.stmt) : m.value);
    for (unsigned lane = 0; lane < m.count; lane++)
        if (m.load)
            CONSTRUCTOR_APPEND_ELT(all, NULL_TREE, load_lane(m, lane, &before));
        else
            store_lane(m, lane, &before);
    gimple_stmt_iterator gsi = gsi_for_stmt(m.stmt);
    if (m.load) {
        for (unsigned lane = m.count; lane < TYPE_VECTOR_SUBPARTS(type).to_constant(); lane++)
            CONSTRUCTOR_APPEND_ELT(all, NULL_TREE, build_zero_cst(TREE_TYPE(type)));
        gassign *vector =
            gimple_build_assign(gimple_call_lhs(m.stmt), build_constructor(type, all));
        gimple_set_location(vector, gimple_location(m.stmt));
        gsi_replace(&gsi, vector, false);
    } else {
        unlink_stmt_vdef(m.stmt);
        gsi_remove(&gsi, true);
    }
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
}

/* gcc's own, for any machine. */
static bool find_internal(gcall *stmt, lanes *m)
{
    if (!gimple_call_internal_p(stmt)) return false;
    internal_fn fn = gimple_call_internal_fn(stmt);
    if (fn != IFN_MASK_LOAD && fn != IFN_MASK_STORE) return false;
    m->load = fn == IFN_MASK_LOAD;
    m->value = m->load ? gimple_call_lhs(stmt) : gimple_call_arg(stmt, 3);
    m->at = gimple_call_arg(stmt, 0);
    m->mask = gimple_call_arg(stmt, 2);
    if (!m->value) return false;
    tree align = gimple_call_arg(stmt, 1);
    m->alias = TREE_TYPE(align);
    m->align = (unsigned)tree_to_uhwi(align);
    m->count = (unsigned)TYPE_VECTOR_SUBPARTS(TREE_TYPE(m->value)).to_constant();
    return true;
}

void masked_apart(gcall *stmt)
{
    lanes m = lanes();
    m.stmt = stmt;
    if (stmt_ends_bb_p(stmt)) return; /* left out: one that may throw */
    if (!find_internal(stmt, &m) && !x86_lanes(stmt, &m)) return;
    tree element = TREE_TYPE(TREE_TYPE(m.value));
    m.bytes = int_size_in_bytes(element);
    m.element = build_aligned_type(element, (unsigned)MIN(m.align, TYPE_ALIGN(element)));
    if (POINTER_TYPE_P(TREE_TYPE(m.at)))
        m.at = insert(m, TREE_TYPE(m.at), unshare_expr(m.at));
    else
        m.at = insert(m, ptr_type_node, build1(NOP_EXPR, ptr_type_node, name_of(m, m.at)));
    if (m.mask) m.mask = numbers(m, m.mask);
    if (m.otherwise) m.otherwise = name_of(m, m.otherwise);
    if (m.index) m.index = name_of(m, m.index);
    if (!m.load) m.value = name_of(m, m.value);
    take_apart(m);
}
