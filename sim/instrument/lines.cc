/* Before gcc makes one block of two that are alike: two calls of MPI in a function keep their
 * lines.
 *
 * gcc compares calls by the declarations of what they call (gimple_call_same_target_p in its
 * merging of tails). So each call has a declaration of its own here, of the same name: the
 * code is what it would be, except that alike calls in two branches stay two.
 */
#include "instrument/pass.h"

#include "instrument/touch.h"

static bool is_of_mpi(tree function)
{
    if (!function || !DECL_EXTERNAL(function) || fndecl_built_in_p(function)) return false;
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
    return startswith(name, "MPI_") || startswith(name, "mpi_");
}

static void make_distinct(gcall *call)
{
    tree own = copy_node(gimple_call_fndecl(call));
    SET_DECL_RTL(own, NULL);
    gimple_call_set_fndecl(call, own);
    update_stmt(call);
}

namespace {
const pass_data data = {
    GIMPLE_PASS, "sidewinder_lines", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0};

class pass_lines : public gimple_opt_pass {
  public:
    pass_lines(gcc::context *context) : gimple_opt_pass(data, context) {}
    unsigned int execute(function *fun) final override;
};

/* gcc's next pass makes one of alike loads in two branches; not in this function. */
static void keep_twins(function *fun)
{
    static bool kept; /* of the function before */
    if (kept) flag_code_hoisting = 1;
    kept = flag_code_hoisting && motion_has_twins(fun);
    if (kept) flag_code_hoisting = 0;
}

unsigned int pass_lines::execute(function *fun)
{
    keep_twins(fun);
    hash_set<tree> called;
    basic_block bb;
    FOR_EACH_BB_FN(bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
        tree function = call ? gimple_call_fndecl(call) : NULL_TREE;
        if (is_of_mpi(function) && called.add(function)) make_distinct(call);
    }
    return 0;
}
}   // namespace

opt_pass *pass_new_lines(void) { return new pass_lines(g); }
