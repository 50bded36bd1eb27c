/* Registers that a function saves for its callers and restores: as many as numbers and addresses
 * live across one of its calls (System V ABI, AMD64 supplement, 3.2.1; others have more of them, or
 * windows: cpu.saved_registers). gcc saves them where a call is certain to need it and no loop is
 * entered yet ("shrink-wrapping", shrink-wrap.cc): a way that calls nothing saves nothing.
 *
 * Left out: numbers of floating point, which x86-64 keeps in no such register, and what is spilled.
 */
#include "instrument/describe.h"

#include <map>

enum { STEPS_MAX = 1 << 22 }; /* of the search, in a function; then all registers are saved */

struct saving {
    std::map<int, std::vector<gimple *>> calls; /* of a block, by its index, in their order */
    std::map<gimple *, unsigned> crossed;       /* by so many values */
    std::map<gimple *, tree> last;              /* the value that was counted last */
    long steps;
};

static bool is_call(gimple *stmt)
{
    if (!is_gimple_call(stmt) || gimple_call_noreturn_p(stmt)) return false;
    std::vector<operation> to;
    operations_of(stmt, to);
    return !to.empty() && to.back().kind == BLOCK_CALL;
}

static bool is_kept(tree name)
{
    if (!name || virtual_operand_p(name) || has_zero_uses(name)) return false;
    tree type = TREE_TYPE(name);
    return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && int_size_in_bytes(type) <= 8;
}

static void cross(saving &s, gimple *call, tree name)
{
    tree &last = s.last[call];
    if (last == name) return;
    last = name;
    s.crossed[call]++;
}

/* Is the value there before a call of its block? */
static bool is_before(tree name, gimple *call)
{
    gimple *made = SSA_NAME_DEF_STMT(name);
    if (gimple_nop_p(made) || gimple_bb(made) != gimple_bb(call)) return true;
    return gimple_code(made) == GIMPLE_PHI || gimple_uid(made) < gimple_uid(call);
}

/* The value is needed behind a block, or in it (`by`). */
static void cross_all(saving &s, basic_block bb, tree name, gimple *by)
{
    std::map<int, std::vector<gimple *>>::iterator calls = s.calls.find(bb->index);
    if (calls == s.calls.end()) return;
    for (gimple *call : calls->second)
        if (is_before(name, call) && (!by || gimple_uid(call) < gimple_uid(by)))
            cross(s, call, name);
}

static void follow(saving &s, tree name, sbitmap behind)
{
    basic_block made = gimple_bb(SSA_NAME_DEF_STMT(name));
    if (!made) made = ENTRY_BLOCK_PTR_FOR_FN(cfun);
    std::vector<basic_block> waiting; /* it is needed at their begin */
    imm_use_iterator iterator;
    use_operand_p use;
    bitmap_clear(behind);
    FOR_EACH_IMM_USE_FAST(use, iterator, name)
    {
        gimple *by = USE_STMT(use);
        if (is_gimple_debug(by)) continue;
        basic_block bb = gimple_bb(by);
        if (gimple_code(by) == GIMPLE_PHI) {
            bb = gimple_phi_arg_edge(as_a<gphi *>(by), PHI_ARG_INDEX_FROM_USE(use))->src;
            if (!bitmap_set_bit(behind, bb->index)) continue;
            by = NULL;
        }
        cross_all(s, bb, name, by);
        if (bb != made) waiting.push_back(bb);
    }
    while (!waiting.empty() && s.steps++ < STEPS_MAX) {
        basic_block bb = waiting.back();
        waiting.pop_back();
        edge e;
        edge_iterator ei;
        FOR_EACH_EDGE(e, ei, bb->preds)
        {
            if (!bitmap_set_bit(behind, e->src->index)) continue;
            cross_all(s, e->src, name, NULL);
            if (e->src != made) waiting.push_back(e->src);
        }
    }
}

static bool has_code(basic_block bb)
{
    gimple *stmt = gsi_stmt(gsi_last_nondebug_bb(bb));
    return stmt && gimple_code(stmt) != GIMPLE_LABEL && gimple_code(stmt) != GIMPLE_PREDICT;
}

/* The block that all calls are behind, in no loop and with code. */
static basic_block where(const saving &s)
{
    basic_block at = NULL;
    calculate_dominance_info(CDI_DOMINATORS);
    for (const std::pair<const int, std::vector<gimple *>> &calls : s.calls) {
        basic_block bb = BASIC_BLOCK_FOR_FN(cfun, calls.first);
        at = at ? nearest_common_dominator(CDI_DOMINATORS, at, bb) : bb;
    }
    for (;;) {
        bool loops = at->loop_father && loop_outer(at->loop_father);
        if (!loops && has_code(at)) return at;
        basic_block from = loops ? at->loop_father->header : at;
        basic_block up = get_immediate_dominator(CDI_DOMINATORS, from);
        if (!up || up == ENTRY_BLOCK_PTR_FOR_FN(cfun)) return at;
        at = up;
    }
}

basic_block save_find(function *fun, operation *save)
{
    saving s = {};
    basic_block bb;
    unsigned most = 0, uid = 0;
    FOR_EACH_BB_FN(bb, fun)
    for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i)) {
        gimple_set_uid(gsi_stmt(i), ++uid);
        if (optimize > 0 && is_call(gsi_stmt(i))) s.calls[bb->index].push_back(gsi_stmt(i));
    }
    if (s.calls.empty()) return NULL;
    auto_sbitmap behind(last_basic_block_for_fn(fun));
    for (unsigned i = 1; i < num_ssa_names; i++)
        if (is_kept(ssa_name(i))) follow(s, ssa_name(i), behind);
    for (const std::pair<gimple *const, unsigned> &call : s.crossed) most = MAX(most, call.second);
    if (s.steps >= STEPS_MAX) most = BLOCK_SAVES_MAX;
    if (most == 0) return NULL;
    gimple *call = s.calls.begin()->second.front();
    *save = operation_make(call, BLOCK_SAVE, long_unsigned_type_node);
    save->times = MIN(most, (unsigned)BLOCK_SAVES_MAX);
    return where(s);
}
