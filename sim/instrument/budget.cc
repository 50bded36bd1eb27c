/* Loops that touch no memory: nothing in them would ever let other ranks go on. Nor would one that
 * waits, in memory of its own, for what a handler of signals stores there: that memory is volatile
 * or atomic (C11 7.14.1.1). Where such a loop goes back, what the processor owes is looked at, and
 * paid if it is much. A loop without any code, which has no price, takes a cycle a time round.
 *
 * Left out: loops that go back by an edge that no code can be put on (computed goto).
 */
#include "instrument/describe.h"
#include "instrument/make.h"

#include "probe/in_line/in_line.h"

#include <algorithm>

enum { BLOCKS_MOST = 256 }; /* of a loop that is searched for accesses: a longer one is looked at */
enum { CYCLE = 1 << 16 };   /* ticks */

typedef std::vector<basic_block> blocks;

static bool in(const blocks &sorted, basic_block bb)
{
    return std::binary_search(sorted.begin(), sorted.end(), bb);
}

static bool has_code(const part &p) { return p.first; }
static bool touches(const part &p) { return p.first && !p.touches.empty(); }
/* The program's own: motion.cc makes accesses volatile whose types are not. */
static bool is_volatile(tree ref)
{
    return ref && TREE_THIS_VOLATILE(ref) && TYPE_VOLATILE(TREE_TYPE(ref));
}
static bool waits(const part &p)
{
    return std::any_of(p.touches.begin(), p.touches.end(), [](const touch &t) {
        return t.atomic ||
               (gimple_assign_single_p(t.stmt) && is_volatile(gimple_assign_rhs1(t.stmt)));
    });
}

/* The blocks of which that holds, sorted. */
static blocks blocks_of(const std::vector<part> &parts, bool holds(const part &))
{
    blocks found;
    for (const part &p : parts)
        if (holds(p)) found.push_back(gimple_bb(p.first));
    std::sort(found.begin(), found.end());
    return found;
}

/* Of the loop that goes back by this edge, is no block among those? */
static bool has_none(edge back, const blocks &touched)
{
    blocks body(1, back->dest);
    if (in(touched, back->dest)) return false;
    if (back->src != back->dest) body.push_back(back->src);
    for (size_t i = 1; i < body.size() && body.size() < BLOCKS_MOST; i++) {
        if (in(touched, body[i])) return false;
        edge e;
        edge_iterator ei;
        FOR_EACH_EDGE(e, ei, body[i]->preds)
        if (std::find(body.begin(), body.end(), e->src) == body.end()) body.push_back(e->src);
    }
    return true;
}

/* `empty`: nothing charges what a time round costs. */
static void look(edge back, bool empty, tree call)
{
    basic_block bb = split_edge(back);
    making m = {NULL, UNKNOWN_LOCATION};
    if (empty)
        make_add_to(m, offsetof(struct probe_in_line, work), build_int_cst(make_slot, CYCLE));
    tree owed =
        make_load(m, make_slot_at(make_cpu, offsetof(struct probe_in_line, work)), make_slot);
    owed = make_compute(m, RSHIFT_EXPR, make_slot, owed,
                        build_int_cst(unsigned_type_node, PROBE_BUDGET_SHIFT));
    gcond *condition =
        gimple_build_cond(EQ_EXPR, owed, build_zero_cst(make_slot), NULL_TREE, NULL_TREE);
    make_add(m, condition);
    gimple_stmt_iterator gsi = gsi_start_bb(bb);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
    making cold = {NULL, m.where};
    make_add(cold, gimple_build_call(call, 1, make_cpu));
    make_branch(condition, cold.seq);
}

void budget_announce(function *fun, const std::vector<part> &parts, tree call)
{
    const blocks touched = blocks_of(parts, touches), any = blocks_of(parts, has_code),
                 waiting = blocks_of(parts, waits);
    std::vector<edge> back;
    mark_dfs_back_edges();
    basic_block bb;
    FOR_EACH_BB_FN(bb, fun)
    {
        edge e;
        edge_iterator ei;
        FOR_EACH_EDGE(e, ei, bb->succs)
        if (e->flags & EDGE_DFS_BACK && !(e->flags & EDGE_COMPLEX) &&
            (has_none(e, touched) || !has_none(e, waiting)))
            back.push_back(e);
    }
    std::vector<bool> empty;
    for (edge e : back) empty.push_back(has_none(e, any));
    for (size_t i = 0; i < back.size(); i++) look(back[i], empty[i], call);
}
