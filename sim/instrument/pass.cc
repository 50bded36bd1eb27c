/* The pass: after all that gcc does with statements, before they become instructions ("optimized"
 * is the name of the pass that follows).
 *
 * The parts of blocks are those that are described (describe.cc). The price of one is charged, and
 * its accesses are counted, where it begins; each access then knows how many of them are still to
 * come. All parts are found before anything is inserted, since what is inserted splits blocks.
 */
#include "instrument/pass.h"

#include "instrument/describe.h"
#include "instrument/touch.h"

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
    announce_block(p.first, p.block, loads, stores);
    for (const touch &t : p.touches) announce(t);
}

/* In a long function, what lives across calls is kept in registers only that calls leave alone, or
 * in memory: each call would have its own saves of the others, a quarter of the code of MrBayes'
 * likelihoods. In a short one they stay in registers: loops that add up floating point, of which
 * calls leave no register alone, are up to half faster. */
static void keep_short(function *fun, const std::vector<part> &parts)
{
    enum { LONG = 64 }; /* accesses */
    size_t touches = 0;
    for (const part &p : parts) touches += p.touches.size();
    flag_caller_saves = opt_for_fn(fun->decl, flag_caller_saves) && touches < LONG;
}

/* Behind all that is announced before them. */
static void announce_branches(const std::vector<part> &parts)
{
    unsigned nth = 0;
    for (const part &p : parts)
        if (p.end.stmt && p.end.kind != BRANCH_CERTAIN) announce_branch(p.end, nth++);
    nth = 0;
    for (const part &p : parts)
        if (p.target) announce_target(p, nth++);
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
    jump_function(fun);
    bounds_function(fun);
    select_function(fun);
    prepare_function(fun);
    std::vector<part> parts;
    describe_function(fun, parts);
    std::map<basic_block, tree> counted;
    for (part &p : parts)
        if (p.end.stmt) branch_count(&p.end, &counted);
    std::vector<fence> fences;
    std::vector<ended> ends;
    fences_find(fun, fences);
    ends_find(fun, ends);
    keep_short(fun, parts);
    announce_begin(fun, parts);
    for (const part &p : parts)
        if (!p.begins.empty()) announce_loop_begin(p);
    announce_budget(fun, parts);
    strip_loops(fun, parts);
    for (part &p : parts)
        if (p.first) announce_part(p);
    for (const fence &f : fences) announce_fence(f);
    for (const ended &e : ends) announce_end(e);
    announce_branches(parts);
    announce_stands(fun);
    mark_function(fun);
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    return 0;
}
}   // namespace

opt_pass *pass_new(void) { return new pass_sidewinder(g); }
