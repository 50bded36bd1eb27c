/* The pass: after all that gcc does with statements, before they become instructions ("optimized"
 * is the name of the pass that follows).
 *
 * A part of a block ends at a call, an atomic operation and inline assembly. Its accesses are
 * counted where it begins; each then knows how many of them are still to come. All parts are found
 * before anything is inserted, since what is inserted splits blocks.
 */
#include "instrument/pass.h"

#include "instrument/describe.h"
#include "instrument/touch.h"

#include "probe/in_line/in_line.h"

/* Statements without a call between them. */
struct part {
    std::vector<touch> touches;
};

bool pass_ends_block(gimple *stmt)
{
    if (gimple_code(stmt) == GIMPLE_ASM) return true;
    if (!is_gimple_call(stmt)) return false;
    if (gimple_call_internal_p(stmt))
        return gimple_call_internal_fn(stmt) >= IFN_ATOMIC_BIT_TEST_AND_SET &&
               gimple_call_internal_fn(stmt) <= IFN_ATOMIC_XOR_FETCH_CMP_0;
    return true;
}

/* The short accesses of a part, counted from its end. */
static void number(part &p)
{
    uint32_t loads = 0, stores = 0;
    for (size_t i = p.touches.size(); i-- > 0;) {
        touch &t = p.touches[i];
        t.loads_left = loads;
        t.stores_left = stores;
        if (!touch_is_short(t)) continue;
        if (t.kind == TOUCH_LOAD)
            loads++;
        else
            stores++;
    }
}

static void find(basic_block bb, std::vector<part> &parts)
{
    parts.push_back(part());
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *stmt = gsi_stmt(gsi);
        if (is_gimple_debug(stmt)) continue;
        touch_find(stmt, parts.back().touches);
        if (pass_ends_block(stmt) || parts.back().touches.size() > PROBE_COUNT_MAX / 2)
            parts.push_back(part());
    }
}

static void announce_part(part &p)
{
    number(p);
    uint32_t loads = 0, stores = 0;
    for (const touch &t : p.touches) {
        if (!touch_is_short(t)) continue;
        if (t.kind == TOUCH_LOAD)
            loads++;
        else
            stores++;
    }
    if (loads + stores > 0) announce_count(p.touches[0].stmt, loads, stores);
    for (const touch &t : p.touches) announce(t);
}

/* A resolver of an ifunc runs before the program is relocated; a naked function is all assembly. */
static bool leaves_alone(function *fun)
{
    if (lookup_attribute("naked", DECL_ATTRIBUTES(fun->decl))) return true;
    cgraph_node *node = cgraph_node::get(fun->decl);
    struct ipa_ref *ref;
    if (!node) return false;
    FOR_EACH_ALIAS(node, ref)
    {
        symtab_node *alias = ref->referring;
        if (is_a<cgraph_node *>(alias) && alias->ifunc_resolver) return true;
    }
    return false;
}

namespace {
const pass_data data = {
    GIMPLE_PASS, "sidewinder",   OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0,
    0,           TODO_update_ssa};

class pass_sidewinder : public gimple_opt_pass {
  public:
    pass_sidewinder(gcc::context *context) : gimple_opt_pass(data, context) {}
    unsigned int execute(function *fun) final override;
};

unsigned int pass_sidewinder::execute(function *fun)
{
    if (leaves_alone(fun)) return 0;
    prepare_function(fun);
    describe_function(fun);
    std::vector<part> parts;
    basic_block bb;
    bool any = false;
    FOR_EACH_BB_FN(bb, fun) find(bb, parts);
    for (const part &p : parts) any |= !p.touches.empty();
    if (!any) return 0;
    announce_begin(fun);
    for (part &p : parts)
        if (!p.touches.empty()) announce_part(p);
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    return 0;
}
}   // namespace

opt_pass *pass_new(void) { return new pass_sidewinder(g); }
