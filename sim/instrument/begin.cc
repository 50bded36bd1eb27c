/* Where a loop begins whose rounds hand on what they load: a list, a walk down a tree. Its first
 * round has a value from in front of it, not that of the last round of its last execution: said to
 * the processor on each way into the loop (BLOCK_BEGUN). */
#include "instrument/make.h"
#include "instrument/touch.h"

#include "probe/in_line/in_line.h"

enum { VISITS = 32 }; /* statements that a value is followed through */

/* Is the value made of one that a statement of the loop loads? */
static bool is_loaded(tree value, const class loop *loop, std::vector<gimple *> &seen)
{
    gimple *stmt = TREE_CODE(value) == SSA_NAME ? SSA_NAME_DEF_STMT(value) : NULL;
    if (!stmt || !gimple_bb(stmt) || !flow_bb_inside_loop_p(loop, gimple_bb(stmt))) return false;
    if (gimple_assign_load_p(stmt)) return true;
    for (gimple *s : seen)
        if (s == stmt) return false;
    if (seen.size() == VISITS) return false;
    seen.push_back(stmt);
    if (gphi *phi = dyn_cast<gphi *>(stmt)) {
        for (unsigned i = 0; i < gimple_phi_num_args(phi); i++)
            if (is_loaded(gimple_phi_arg_def(phi, i), loop, seen)) return true;
        return false;
    }
    for (unsigned i = 1; is_gimple_assign(stmt) && i < gimple_num_ops(stmt); i++)
        if (gimple_op(stmt, i) && is_loaded(gimple_op(stmt, i), loop, seen)) return true;
    return false;
}

bool begin_hands_on(gphi *phi)
{
    if (!current_loops || loops_state_satisfies_p(LOOPS_NEED_FIXUP)) return false;
    const class loop *loop = gimple_bb(phi)->loop_father;
    tree type = TREE_TYPE(gimple_phi_result(phi));
    if (!loop || !loop_outer(loop) || loop->header != gimple_bb(phi)) return false;
    if (!INTEGRAL_TYPE_P(type) && !POINTER_TYPE_P(type)) return false;
    std::vector<gimple *> seen;
    bool loaded = false;
    for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
        edge e = gimple_phi_arg_edge(phi, i);
        if (e->flags & EDGE_COMPLEX) return false;
        if (flow_bb_inside_loop_p(loop, e->src))
            loaded = loaded || is_loaded(gimple_phi_arg_def(phi, i), loop, seen);
    }
    return loaded;
}

/* Calls where the table says that it matters. */
static void announce_way(basic_block before, const std::vector<int> &sites, tree call)
{
    for (int site : sites) {
        making m = {NULL, UNKNOWN_LOCATION};
        gcond *condition = make_matters_not(m, site);
        gimple_stmt_iterator gsi = gsi_after_labels(before);
        gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
        making cold = {NULL, m.where};
        make_add(cold, gimple_build_call(call, 2, make_cpu, make_site(cold, site)));
        make_branch(condition, cold.seq);
    }
}

void begin_announce(basic_block head, const std::vector<int> &sites, tree call)
{
    const class loop *loop = head->loop_father;
    std::vector<edge> ways;
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, head->preds)
    if (!flow_bb_inside_loop_p(loop, e->src)) ways.push_back(e);
    for (edge way : ways) announce_way(split_edge(way), sites, call);
}
