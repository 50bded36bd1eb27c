/* Loads in loops that read what a store has just written, in this iteration or the one before:
 * their addresses are numbers that count, a constant apart.
 *
 * An address is followed back to a phi node that takes itself plus a constant, through conversions
 * and additions of constants. Where data decide the address, code asks whether it is that of the
 * last round. Left out: stores of more than one iteration ago, parts of what was stored. */
#include "instrument/describe.h"

struct linear {
    tree root; /* a name, or NULL_TREE: there is none */
    HOST_WIDE_INT constant;
};

static linear follow(tree value)
{
    linear at = {value, 0};
    for (int most = 16; most > 0 && at.root && TREE_CODE(at.root) == SSA_NAME; most--) {
        gimple *stmt = SSA_NAME_DEF_STMT(at.root);
        if (!is_gimple_assign(stmt)) break;
        enum tree_code code = gimple_assign_rhs_code(stmt);
        tree more = gimple_assign_rhs2(stmt);
        bool adds =
            (code == PLUS_EXPR || code == POINTER_PLUS_EXPR) && more && cst_and_fits_in_hwi(more);
        if (!adds && !CONVERT_EXPR_CODE_P(code)) break;
        if (TREE_CODE(gimple_assign_rhs1(stmt)) != SSA_NAME) break;
        if (adds) at.constant += int_cst_value(more);
        at.root = gimple_assign_rhs1(stmt);
    }
    return at;
}

/* What a phi node's value grows by each time round; 0: not known to be constant. */
static HOST_WIDE_INT grows(tree root)
{
    gphi *phi = TREE_CODE(root) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(root)) : NULL;
    for (unsigned i = 0; phi && i < gimple_phi_num_args(phi); i++) {
        linear next = follow(gimple_phi_arg_def(phi, i));
        if (next.root == root) return next.constant;
    }
    return 0;
}

/* Does a value stay as it is while a loop goes round? */
static bool stays(tree value, const class loop *loop)
{
    if (!value || TREE_CODE(value) != SSA_NAME) return true;
    basic_block bb = gimple_bb(SSA_NAME_DEF_STMT(value));
    return !bb || !flow_bb_inside_loop_p(loop, bb);
}

/* Is it an address that counts? Then its parts are filled in. */
static bool find_address(const touch &t, forward *a)
{
    HOST_WIDE_INT step = 1;
    tree base, index = NULL_TREE, offset;
    if (TREE_CODE(t.base) == MEM_REF) {
        base = TREE_OPERAND(t.base, 0);
        offset = TREE_OPERAND(t.base, 1);
    } else if (TREE_CODE(t.base) == TARGET_MEM_REF) {
        base = TMR_BASE(t.base);
        offset = TMR_OFFSET(t.base);
        index = TMR_INDEX(t.base);
        if (TMR_STEP(t.base)) step = int_cst_value(TMR_STEP(t.base));
        a->second = TMR_INDEX2(t.base);
    } else {
        return false;
    }
    linear from = follow(base), by = index ? follow(index) : linear{NULL_TREE, 0};
    a->base = from.root;
    a->index = by.root;
    a->step = step;
    a->constant = t.constant + int_cst_value(offset) + from.constant + by.constant * step;
    a->each = grows(from.root) + (index ? grows(by.root) * step : 0);
    bool counts = a->each != 0 && stays(a->second, a->loop);
    return counts && (grows(from.root) != 0 || stays(from.root, a->loop)) &&
           (!index || grows(by.root) != 0 || stays(by.root, a->loop));
}

void forward_add(std::vector<forward> &to, const touch &t, unsigned block, unsigned operation)
{
    forward a = forward();
    if (t.offset || t.kind > TOUCH_STORE || t.bytes > 16) return;
    if (!current_loops || loops_state_satisfies_p(LOOPS_NEED_FIXUP)) return;
    a.loop = gimple_bb(t.stmt)->loop_father;
    a.is_store = t.kind == TOUCH_STORE;
    a.block = block;
    a.operation = operation;
    a.bytes = t.bytes;
    if (a.loop && loop_depth(a.loop) > 0 && find_address(t, &a)) to.push_back(a);
}

static bool same_names(const forward &a, const forward &b)
{
    return a.loop == b.loop && a.base == b.base && a.index == b.index && a.second == b.second &&
           a.step == b.step && a.bytes == b.bytes;
}

/* The path from the store to the load crosses the loop's end, or it does not, as their blocks lie
 * in the code. */
static bool reads(const forward &load, const forward &store)
{
    HOST_WIDE_INT apart = store.constant - load.constant;
    return apart == (store.block < load.block ? 0 : load.each);
}

void forward_find(std::vector<forward> &all)
{
    std::map<tree, std::vector<const forward *>> stores; /* by base */
    for (const forward &f : all)
        if (f.is_store) stores[f.base].push_back(&f);
    for (forward &f : all)
        for (const forward *s : stores[f.base]) {
            if (f.is_store || !same_names(f, *s) || !reads(f, *s)) continue;
            f.store = true;
            f.from_block = (int)s->block;
            f.from = (int)s->operation;
        }
}

/* ---- addresses that data decide -------------------------------------------------------------- */

static bool made_in(tree value, basic_block bb)
{
    return value && TREE_CODE(value) == SSA_NAME && gimple_bb(SSA_NAME_DEF_STMT(value)) == bb;
}

/* The same of an element's offset in its array: an index times a size. */
static bool offset_made_in(tree offset, basic_block bb)
{
    while (CONVERT_EXPR_P(offset) ||
           (TREE_CODE(offset) == MULT_EXPR && TREE_CODE(TREE_OPERAND(offset, 1)) == INTEGER_CST))
        offset = TREE_OPERAND(offset, 0);
    return made_in(offset, bb) && grows(follow(offset).root) == 0;
}

/* Is its address made in its block, of more than what counts? */
static bool data_decide(const touch &t)
{
    forward a = forward();
    basic_block bb = gimple_bb(t.stmt);
    if (t.kind > TOUCH_STORE || t.bytes > 8 || t.atomic || !current_loops) return false;
    a.loop = bb->loop_father;
    if (t.offset) return offset_made_in(t.offset, bb);
    if (TREE_CODE(t.base) == MEM_REF)
        return made_in(TREE_OPERAND(t.base, 0), bb) && !find_address(t, &a);
    if (TREE_CODE(t.base) != TARGET_MEM_REF) return false;
    bool made = made_in(TMR_BASE(t.base), bb) || made_in(TMR_INDEX(t.base), bb) ||
                made_in(TMR_INDEX2(t.base), bb);
    return made && !find_address(t, &a);
}

static void make_again(touch &store, const touch &load, std::vector<operation> &operations,
                       int site)
{
    int loaded = 0;
    store.again = site;
    for (size_t k = 0; k < operations.size(); k++) {
        operation &o = operations[k];
        if (o.kind == BLOCK_LOAD && (int)o.site == load.site) loaded = (int)k;
        if (o.kind == BLOCK_STORE && (int)o.site == store.site) o.again = site, o.loaded = loaded;
    }
}

static bool same_address(const touch &a, const touch &b)
{
    return a.constant == b.constant && operand_equal_p(a.base, b.base, 0) &&
           !a.offset == !b.offset && (!a.offset || operand_equal_p(a.offset, b.offset, 0));
}

void forward_again(std::vector<touch> &touches, std::vector<operation> &operations, unsigned *sites)
{
    for (size_t s = 0; s < touches.size(); s++) {
        touch &store = touches[s];
        if (store.kind != TOUCH_STORE || !data_decide(store)) continue;
        for (size_t l = 0; l < s && store.again < 0; l++) {
            const touch &load = touches[l];
            if (load.kind != TOUCH_LOAD || load.bytes != store.bytes) continue;
            if (!same_address(load, store)) continue;
            make_again(store, load, operations, (int)*sites);
            *sites += 2;
        }
    }
}
