/* Inserted statements: computations, loads and stores of the processor's own memory, a call on a
 * cold way. */
#include "instrument/make.h"

#include "probe/in_line/in_line.h"

tree make_cpu, make_table, make_slot, make_slot_pointer;

void make_types(void)
{
    make_slot = make_unsigned_type(64);
    TYPE_ALIAS_SET(make_slot) = new_alias_set();
    make_slot_pointer = build_pointer_type(make_slot);
}

void make_add(making &m, gimple *stmt)
{
    gimple_set_location(stmt, m.where);
    gimple_seq_add_stmt(&m.seq, stmt);
}

tree make_compute(making &m, enum tree_code code, tree type, tree a, tree b)
{
    tree result = make_ssa_name(type);
    make_add(m, b ? gimple_build_assign(result, code, a, b) : gimple_build_assign(result, code, a));
    return result;
}

tree make_more(making &m, tree word, HOST_WIDE_INT by)
{
    if (by == 0) return word;
    return make_compute(m, PLUS_EXPR, make_word(), word, build_int_cst(make_word(), by));
}

/* Global ones, in one function. The function refers to them, so they are not collected. */
static std::vector<tree> made_addressable;

void make_addressable(tree variable)
{
    if (TREE_ADDRESSABLE(variable)) return;
    if (is_global_var(variable)) made_addressable.push_back(variable);
    TREE_ADDRESSABLE(variable) = 1;
}

void make_addressable_no_more(void)
{
    for (tree variable : made_addressable) TREE_ADDRESSABLE(variable) = 0;
    made_addressable.clear();
}

tree make_slot_at(tree at, size_t offset_bytes)
{
    return build2(MEM_REF, make_slot, at, build_int_cst(make_slot_pointer, offset_bytes));
}

tree make_load(making &m, tree ref, tree type)
{
    tree result = make_ssa_name(type);
    make_add(m, gimple_build_assign(result, ref));
    return result;
}

tree make_away_from(making &m, tree variable, tree by)
{
    by = make_compute(m, NOP_EXPR, sizetype, by, NULL_TREE);
    tree at = build1(ADDR_EXPR, ptr_type_node, variable);
    return make_compute(m, POINTER_PLUS_EXPR, ptr_type_node, at, by);
}

void make_add_to(making &m, size_t at, tree more)
{
    tree old = make_load(m, make_slot_at(make_cpu, at), make_slot);
    tree sum = make_compute(m, PLUS_EXPR, make_slot, old, more);
    make_add(m, gimple_build_assign(make_slot_at(make_cpu, at), sum));
}

void make_count(making &m, tree ref, tree times)
{
    tree old = make_load(m, ref, make_slot);
    tree sum =
        make_compute(m, PLUS_EXPR, make_slot, old, times ? times : build_int_cst(make_slot, 1));
    make_add(m, gimple_build_assign(unshare_expr(ref), sum));
}

static HOST_WIDE_INT below_table(int site)
{
    gcc_assert(site >= 0);
    return -(HOST_WIDE_INT)sizeof(struct probe_site) * (site + 1);
}

tree make_site(making &m, int site)
{
    tree at = build_int_cst(sizetype, below_table(site));
    return make_compute(m, POINTER_PLUS_EXPR, ptr_type_node, make_table, at);
}

gcond *make_matters_not(making &m, int site)
{
    tree first = make_load(m, make_slot_at(make_site(m, site), 0), make_slot);
    gcond *condition =
        gimple_build_cond(EQ_EXPR, first, build_zero_cst(make_slot), NULL_TREE, NULL_TREE);
    make_add(m, condition);
    return condition;
}

void make_branch(gimple *condition, gimple_seq call)
{
    edge known = split_block(gimple_bb(condition), condition);
    basic_block from = known->src, to = known->dest, cold = create_empty_bb(from);
    if (current_loops) add_bb_to_loop(cold, from->loop_father);
    known->flags = EDGE_TRUE_VALUE;
    known->probability = profile_probability::very_likely();
    edge unknown = make_edge(from, cold, EDGE_FALSE_VALUE);
    unknown->probability = profile_probability::very_unlikely();
    cold->count = unknown->count();
    make_single_succ_edge(cold, to, EDGE_FALLTHRU);
    gimple_stmt_iterator gsi = gsi_start_bb(cold);
    gsi_insert_seq_after(&gsi, call, GSI_NEW_STMT);
}
