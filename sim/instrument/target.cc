/* Where switches, computed gotos and calls through pointers go: what a processor predicts as the
 * program runs (mem/target). The target is looked up in the processor's table of targets, before a
 * jump or a call through a pointer; of a switch, whose values may share a way, on each of its ways.
 *
 * Switches that gcc makes comparisons of are no statements of this kind any more. */
#include "instrument/describe.h"
#include "instrument/make.h"

#include "probe/in_line/in_line.h"

/* The pointer; NULL_TREE: it goes through none. */
static tree pointer_of(gimple *stmt)
{
    tree to = NULL_TREE;
    if (gimple_code(stmt) == GIMPLE_GOTO) to = gimple_goto_dest(stmt);
    if (is_gimple_call(stmt) && !gimple_call_internal_p(stmt)) to = gimple_call_fn(stmt);
    if (to && TREE_CODE(to) == OBJ_TYPE_REF) to = OBJ_TYPE_REF_EXPR(to);
    return to && TREE_CODE(to) == SSA_NAME ? to : NULL_TREE;
}

void target_find(gimple *stmt, part &p, operation &last, unsigned *sites)
{
    tree pointer = pointer_of(stmt);
    if (!pointer && gimple_code(stmt) != GIMPLE_SWITCH) return;
    if (last.kind != BLOCK_SWITCH && last.kind != BLOCK_CALL) return;
    last.flags |= BLOCK_PREDICTED;
    if (last.kind == BLOCK_CALL)
        operation_take(last, pointer);
    else if (pointer)
        last.flags |= BLOCK_ADDRESS;
    last.site = (*sites)++;
    p.target = stmt;
    p.target_site = (int)last.site;
}

/* Calls unless that is the target which is expected. Ends in the condition. */
static gcond *look(making &m, making &cold, tree to, unsigned what, const part &p, tree call)
{
    tree entry_type = unsigned_type_node;
    HOST_WIDE_INT at = offsetof(struct probe_in_line, target) +
                       (what % PROBE_TARGETS) * sizeof(((struct probe_in_line *)0)->target[0]);
    tree place = build_int_cst(make_slot_pointer, at);
    tree entry = make_load(m, build2(MEM_REF, entry_type, make_cpu, place), entry_type);
    tree half = make_compute(m, NOP_EXPR, entry_type, to, NULL_TREE);
    gcond *condition = gimple_build_cond(EQ_EXPR, entry, half, NULL_TREE, NULL_TREE);
    make_add(m, condition);
    make_add(cold, gimple_build_call(call, 4, to, build_int_cst(unsigned_type_node, what), make_cpu,
                                     make_site(cold, p.target_site)));
    return condition;
}

static void announce_ways(const part &p, unsigned number, tree call)
{
    edge e;
    edge_iterator ei;
    std::vector<edge> ways;
    FOR_EACH_EDGE(e, ei, gimple_bb(p.target)->succs) ways.push_back(e);
    for (size_t i = 0; i < ways.size(); i++) {
        making m = {NULL, gimple_location(p.target)}, cold = {NULL, m.where};
        tree way = build_int_cst(make_word(), (HOST_WIDE_INT)i + 1);
        gcond *condition = look(m, cold, way, number, p, call);
        gimple_stmt_iterator gsi = gsi_after_labels(split_edge(ways[i]));
        gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
        make_branch(condition, cold.seq);
    }
}

void target_announce(const part &p, unsigned number, tree call)
{
    tree pointer = pointer_of(p.target);
    if (!pointer) {
        announce_ways(p, number, call);
        return;
    }
    making m = {NULL, gimple_location(p.target)}, cold = {NULL, m.where};
    tree to = make_compute(m, NOP_EXPR, make_word(), pointer, NULL_TREE);
    unsigned what =
        number | PROBE_TARGET_ADDRESS | (is_gimple_call(p.target) ? PROBE_TARGET_CALL : 0);
    gcond *condition = look(m, cold, to, what, p, call);
    gimple_stmt_iterator gsi = gsi_for_stmt(p.target);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
    make_branch(condition, cold.seq);
}
