/* Before gcc moves accesses: none of a window or buffer happens that the program does not make, and
 * each keeps the line of the branch that makes it.
 *
 * gcc moves a load that cannot trap out of a loop although the loop makes it only perhaps
 * (its movement_possibility). Nobody could tell, but for another rank's put. So of variables that
 * others may change meanwhile those are volatile that a loop does not make each time. All others
 * move as they do natively.
 *
 * Of two alike loads in two branches gcc makes one before the branch, with the line of either
 * (its do_hoist_insertion). A function that has such keeps two.
 *
 * Left out: variables that calls of MPI know by a pointer alone. */
#include "instrument/pass.h"

#include "instrument/touch.h"

/* ---- which variables others may change meanwhile --------------------------------------------- */

static hash_set<tree> *known;

/* One-sided calls, and those that end before their operation does. What a call that blocks was
 * given is the program's alone again. */
static bool lends(tree function)
{
    if (!function || !DECL_NAME(function)) return false;
    const char *name = IDENTIFIER_POINTER(DECL_NAME(function));
    if (strncasecmp(name, "mpi_", 4) != 0) return false;
    static const char *const calls[] = {
        "win_create", "win_attach", "put",        "get",         "accumulate", "fetch_",
        "compare_",   "rput",       "rget",       "raccumulate", "isend",      "ibsend",
        "issend",     "irsend",     "irecv",      "imrecv",      "ibcast",     "ireduce",
        "iall",       "igather",    "iscatter",   "iscan",       "iexscan",    "ineighbor",
        "send_init",  "bsend_init", "ssend_init", "rsend_init",  "recv_init"};
    static const char *const others[] = {"get_count",   "get_elements",  "get_address",
                                         "get_version", "get_processor", "get_library"};
    for (const char *other : others)
        if (strncasecmp(name + 4, other, strlen(other)) == 0) return false;
    for (const char *call : calls)
        if (strncasecmp(name + 4, call, strlen(call)) == 0) return true;
    return false;
}

static tree original(tree variable)
{
    while (DECL_P(variable) && DECL_ABSTRACT_ORIGIN(variable) &&
           DECL_ABSTRACT_ORIGIN(variable) != variable)
        variable = DECL_ABSTRACT_ORIGIN(variable);
    return variable;
}

static void look(function *fun)
{
    basic_block bb;
    FOR_EACH_BB_FN(bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
        if (!call || !lends(gimple_call_fndecl(call))) continue;
        for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
            tree argument = gimple_call_arg(call, i);
            if (TREE_CODE(argument) != ADDR_EXPR) continue;
            tree base = get_base_address(TREE_OPERAND(argument, 0));
            if (base && VAR_P(base)) known->add(original(base));
        }
    }
}

void motion_look_for_buffers(void *, void *)
{
    known = new hash_set<tree>;
    cgraph_node *node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
    {
        function *fun = DECL_STRUCT_FUNCTION(node->decl);
        if (fun && fun->cfg) look(fun);
    }
}

/* NULL_TREE: no variable that they know. */
static tree variable_of(tree base)
{
    return base && VAR_P(base) && known->contains(original(base)) ? base : NULL_TREE;
}

bool motion_is_lent(tree variable) { return variable_of(variable) != NULL_TREE; }

/* ---- out of loops ---------------------------------------------------------------------------- */

static bool each_time(basic_block bb, class loop *loop)
{
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, loop->header->preds)
    if (flow_bb_inside_loop_p(loop, e->src) && !dominated_by_p(CDI_DOMINATORS, e->src, bb))
        return false;
    return true;
}

static bool perhaps(basic_block bb)
{
    for (class loop *loop = bb->loop_father; loop_outer(loop); loop = loop_outer(loop))
        if (!each_time(bb, loop)) return true;
    return false;
}

/* The reference, volatile; NULL_TREE: it is to none of those variables, or its place changes.
 * Nobody sends pointers. */
static tree made_volatile(tree ref)
{
    poly_int64 at;
    if (!is_gimple_reg_type(TREE_TYPE(ref)) || POINTER_TYPE_P(TREE_TYPE(ref)) ||
        TREE_THIS_VOLATILE(ref))
        return NULL_TREE;
    tree base = variable_of(get_addr_base_and_unit_offset(ref, &at));
    if (!base) return NULL_TREE;
    tree made = unshare_expr(ref);
    if (made == base) /* a variable: all of it would be */
        made = build2(MEM_REF, TREE_TYPE(ref), build_fold_addr_expr(base),
                      build_zero_cst(reference_alias_ptr_type(ref)));
    TREE_THIS_VOLATILE(made) = TREE_SIDE_EFFECTS(made) = 1;
    return made;
}

static void keep(gimple *stmt)
{
    if (!gimple_assign_single_p(stmt) || !gimple_vuse(stmt)) return;
    tree load = made_volatile(gimple_assign_rhs1(stmt)), store = NULL_TREE;
    if (!load && gimple_vdef(stmt)) store = made_volatile(gimple_assign_lhs(stmt));
    if (load) gimple_assign_set_rhs1(stmt, load);
    if (store) gimple_assign_set_lhs(stmt, store);
    if (load || store) update_stmt(stmt);
}

namespace {
const pass_data loop_data = {
    GIMPLE_PASS, "sidewinder_loops", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class pass_loops : public gimple_opt_pass {
  public:
    pass_loops(gcc::context *context) : gimple_opt_pass(loop_data, context) {}
    unsigned int execute(function *fun) final override;
};

unsigned int pass_loops::execute(function *fun)
{
    look(fun);
    if (known->is_empty()) return 0;
    loop_optimizer_init(AVOID_CFG_MODIFICATIONS);
    calculate_dominance_info(CDI_DOMINATORS);
    basic_block bb;
    if (number_of_loops(fun) > 1) FOR_EACH_BB_FN(bb, fun)
    if (perhaps(bb))
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            keep(gsi_stmt(gsi));
    loop_optimizer_finalize();
    return 0;
}
}   // namespace

opt_pass *pass_new_loops(void) { return new pass_loops(g); }

/* ---- out of two branches --------------------------------------------------------------------- */

/* The same bytes, as far as is known here. */
static bool alike(tree a, tree b)
{
    if (operand_equal_p(a, b, 0)) return true;
    return TREE_CODE(a) == MEM_REF && TREE_CODE(b) == MEM_REF &&
           TREE_CODE(TREE_OPERAND(a, 0)) == SSA_NAME && TREE_CODE(TREE_OPERAND(b, 0)) == SSA_NAME &&
           types_compatible_p(TREE_TYPE(a), TREE_TYPE(b)) &&
           tree_int_cst_equal(TREE_OPERAND(a, 1), TREE_OPERAND(b, 1));
}

/* It may be from a window or buffer: by a pointer, or from such a variable. Nobody sends pointers.
 */
static bool matters(gimple *stmt)
{
    if (!gimple_assign_load_p(stmt) || !gimple_vuse(stmt)) return false;
    if (POINTER_TYPE_P(TREE_TYPE(gimple_assign_rhs1(stmt)))) return false;
    tree base = get_base_address(gimple_assign_rhs1(stmt));
    return !base || !DECL_P(base) || variable_of(base);
}

static bool apart(basic_block a, basic_block b)
{
    return !dominated_by_p(CDI_DOMINATORS, a, b) && !dominated_by_p(CDI_DOMINATORS, b, a);
}

bool motion_has_twins(function *fun)
{
    std::map<unsigned, std::vector<gimple *>> loads; /* by version of memory */
    calculate_dominance_info(CDI_DOMINATORS);
    basic_block bb;
    FOR_EACH_BB_FN(bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        if (!matters(stmt)) continue;
        std::vector<gimple *> &others = loads[SSA_NAME_VERSION(gimple_vuse(stmt))];
        for (gimple *other : others)
            if (apart(bb, gimple_bb(other)) &&
                alike(gimple_assign_rhs1(stmt), gimple_assign_rhs1(other)))
                return true;
        others.push_back(stmt);
    }
    return false;
}
