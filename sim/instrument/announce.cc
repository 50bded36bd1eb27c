/* The code where a block begins, its charge, and in front of an access: a look into the filter and,
 * when it has no answer, a call.
 *
 * The processor is that of the thread: an offset from the processor of nobody, so that code which
 * runs before anything is initialised (ifunc resolvers of a program the kernel starts) and threads
 * that are no rank's find nobody. It is loaded once a function: a rank's processor never changes.
 * Nor does the table of the object's prices, once the program has started.
 */
#include "instrument/describe.h"
#include "instrument/make.h"

#include "probe/in_line/in_line.h"

enum {
    CALLS = 0
#define CALL(name, parameters) +1
    PROBE_IN_LINE_CALLS(CALL)
#undef CALL
};
enum call {
#define CALL(name, parameters) CALL_##name,
    PROBE_IN_LINE_CALLS(CALL)
#undef CALL
};

static tree calls[CALLS], nobody, offset, zeros, object;
static tree shift; /* of an address to its line, in the function that is compiled */

static tree parameters_of(const char *text)
{
    tree list = void_list_node;
    for (size_t i = strlen(text); i-- > 0;) {
        tree type = text[i] == 'U'                     ? unsigned_type_node
                    : text[i] == 'C' || text[i] == 'S' ? ptr_type_node
                                                       : make_word();
        list = tree_cons(NULL_TREE, type, list);
    }
    return list;
}

static tree declare_call(const char *name, const char *parameters)
{
    tree type = build_function_type(void_type_node, parameters_of(parameters));
    tree decl = build_fn_decl(name, type);
    TREE_NOTHROW(decl) = 1;
    DECL_VISIBILITY(decl) = VISIBILITY_HIDDEN; /* each program and library has its own */
    DECL_VISIBILITY_SPECIFIED(decl) = 1;
    return decl;
}

static tree declare_variable(const char *name, tree type)
{
    tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), type);
    TREE_PUBLIC(decl) = 1;
    TREE_STATIC(decl) = 1;
    DECL_EXTERNAL(decl) = 1;
    DECL_ARTIFICIAL(decl) = 1;
    DECL_IGNORED_P(decl) = 1;
    TREE_USED(decl) = 1;
    return decl;
}

/* Of the object's own; describe_write defines it. */
static tree declare_own(const char *name)
{
    tree decl = declare_variable(name, make_slot);
    TREE_PUBLIC(decl) = 0;
    DECL_EXTERNAL(decl) = 0;
    TREE_ADDRESSABLE(decl) = 1;
    return decl;
}

static void declare(void)
{
#define CALL(name, parameters) calls[CALL_##name] = declare_call("__sw_" #name, parameters);
    PROBE_IN_LINE_CALLS(CALL)
#undef CALL
    make_types();
    nobody = declare_variable("world_nobody", make_slot);
    TREE_ADDRESSABLE(nobody) = 1;
    offset = declare_variable("world_offset", make_word());
    set_decl_tls_model(offset, TLS_MODEL_INITIAL_EXEC);
    zeros = declare_own(DESCRIBE_TABLE);
    object = declare_own(DESCRIBE_OBJECT);
}

void announce_register_roots(const char *plugin)
{
    static const ggc_root_tab roots[] = {
        {calls, CALLS, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&make_slot, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&make_slot_pointer, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&nobody, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&offset, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&zeros, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&object, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        LAST_GGC_ROOT_TAB};
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL, (void *)roots);
}

/* Where nothing has been charged yet: prices are there when the function needs them. */
static void look_for_prices(making &m, basic_block bb, unsigned first)
{
    const size_t at = first * sizeof(struct probe_block) + offsetof(struct probe_block, price);
    tree price = make_load(m, make_slot_at(make_table, at), make_slot);
    tree is = make_compute(m, NOP_EXPR, long_integer_type_node, price, NULL_TREE);
    gcond *condition = gimple_build_cond(GE_EXPR, is, build_zero_cst(long_integer_type_node),
                                         NULL_TREE, NULL_TREE);
    make_add(m, condition);
    gimple_stmt_iterator gsi = gsi_start_bb(bb);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
    making cold = {NULL, m.where};
    tree to = make_ssa_name(ptr_type_node);
    make_add(cold, gimple_build_assign(to, build_fold_addr_expr(object)));
    make_add(cold, mark_price(to, first));
    make_branch(condition, cold.seq);
}

void announce_begin(function *fun, const std::vector<part> &parts)
{
    if (!calls[0]) declare();
    making m = {NULL, UNKNOWN_LOCATION};
    make_cpu = make_away_from(m, nobody, make_load(m, offset, make_word()));
    tree to = make_slot_at(build_fold_addr_expr(object), offsetof(struct probe_object, offset));
    tree priced =
        make_load(m, make_slot_at(make_cpu, offsetof(struct probe_in_line, priced)), make_slot);
    to = make_compute(m, BIT_AND_EXPR, make_slot, make_load(m, to, make_slot), priced);
    make_table = make_away_from(m, zeros, to);
    tree type = unsigned_type_node;
    tree ref = build2(MEM_REF, type, make_cpu,
                      build_int_cst(make_slot_pointer, offsetof(struct probe_in_line, line_shift)));
    shift = make_load(m, ref, type);
    look_for_prices(m, split_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun))),
                    parts.front().block);
}

/* So many times `one`. */
static tree times(making &m, tree rounds, tree one)
{
    return make_compute(m, MULT_EXPR, make_slot, rounds, one);
}

static void count(making &m, size_t at, uint32_t n, tree rounds)
{
    tree each = build_int_cst(make_slot, (int)n);
    if (n > 0) make_add_to(m, at, rounds ? times(m, rounds, each) : each);
}

void announce_price(making &m, unsigned block, uint32_t loads, uint32_t stores, tree rounds)
{
    size_t at = block * sizeof(struct probe_block);
    tree price =
        make_load(m, make_slot_at(make_table, at + offsetof(struct probe_block, price)), make_slot);
    if (rounds) price = times(m, rounds, price);
    make_add_to(m, offsetof(struct probe_in_line, work), price);
    make_count(m, make_slot_at(make_table, at + offsetof(struct probe_block, count)), rounds);
    count(m, offsetof(struct probe_in_line, loads), loads, rounds);
    count(m, offsetof(struct probe_in_line, stores), stores, rounds);
}

void announce_block(gimple *before, unsigned block, uint32_t loads, uint32_t stores)
{
    making m = {NULL, UNKNOWN_LOCATION};
    announce_price(m, block, loads, stores, NULL_TREE);
    gimple_stmt_iterator gsi = gsi_for_stmt(before);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
}

/* FNV-1a: two functions of one name share entries. */
static unsigned first_number(void)
{
    uint32_t hash = 2166136261u;
    for (const char *c = operation_name_of(current_function_decl); *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    return hash;
}

void announce_branch(const branch &b, unsigned nth)
{
    branch_announce(b, (first_number() + nth) % PROBE_BRANCHES, calls[CALL_branch],
                    calls[CALL_rounds]);
}

void announce_loop_begin(const part &p) { begin_announce(p.head, p.begins, calls[CALL_begin]); }

void announce_target(const part &p, unsigned nth)
{
    target_announce(p, (first_number() + nth) % PROBE_TARGETS, calls[CALL_target]);
}

void announce_fence(const fence &f) { fences_announce(f, calls[CALL_fence]); }

void announce_end(const ended &e) { ends_announce(e, calls[CALL_ends]); }

void announce_budget(function *fun, const std::vector<part> &parts)
{
    budget_announce(fun, parts, calls[CALL_budget]);
}

void announce_stands(function *fun) { fences_stand(fun, calls[CALL_stand]); }

/* The access's address, as a number; what it takes comes before the statement. */
static tree address_of(const touch &t, making &m)
{
    tree base = t.base, at;
    HOST_WIDE_INT constant = t.constant;
    if (TREE_CODE(base) == MEM_REF) {
        constant += (HOST_WIDE_INT)wi::to_offset(TREE_OPERAND(base, 1)).to_shwi();
        at = TREE_OPERAND(base, 0);
    } else if (REFERENCE_CLASS_P(base) || DECL_P(base)) {
        if (DECL_P(base)) make_addressable(base);
        tree address = build1(ADDR_EXPR, build_pointer_type(TREE_TYPE(base)), unshare_expr(base));
        at = make_ssa_name(TREE_TYPE(address));
        make_add(m, gimple_build_assign(at, address));
    } else {
        at = base;
    }
    if (TREE_CODE(at) == ADDR_EXPR) {
        if (DECL_P(TREE_OPERAND(at, 0))) make_addressable(TREE_OPERAND(at, 0));
        tree whole = make_ssa_name(TREE_TYPE(at));
        make_add(m, gimple_build_assign(whole, unshare_expr(at)));
        at = whole;
    }
    at = make_compute(m, NOP_EXPR, make_word(), unshare_expr(at), NULL_TREE);
    if (t.offset) {
        gimple_seq seq = NULL;
        tree more = force_gimple_operand(fold_convert(make_word(), unshare_expr(t.offset)), &seq,
                                         true, NULL_TREE);
        gimple_seq_add_seq(&m.seq, seq);
        at = make_compute(m, PLUS_EXPR, make_word(), at, more);
    }
    if (constant != 0)
        at = make_compute(m, PLUS_EXPR, make_word(), at, build_int_cst(make_word(), constant));
    return at;
}

tree announce_in_line(making &m)
{
    tree bytes = make_compute(m, LSHIFT_EXPR, make_word(), build_one_cst(make_word()), shift);
    return make_compute(m, PLUS_EXPR, make_word(), bytes, build_minus_one_cst(make_word()));
}

/* The condition that the filter knows the line: gcond, the last of the statements. */
static void look(making &m, const touch &t, tree at)
{
    size_t slots = t.kind == TOUCH_LOAD ? offsetof(struct probe_in_line, load_ok)
                                        : offsetof(struct probe_in_line, store_ok);
    tree line = make_compute(m, RSHIFT_EXPR, make_word(), at, shift);
    tree slot = make_compute(m, BIT_AND_EXPR, make_word(), line,
                             build_int_cst(make_word(), PROBE_SLOTS - 1));
    slot =
        make_compute(m, MULT_EXPR, make_word(), slot, build_int_cst(make_word(), sizeof(uint64_t)));
    slot = make_compute(m, NOP_EXPR, sizetype, slot, NULL_TREE);
    slot = make_compute(m, POINTER_PLUS_EXPR, ptr_type_node, make_cpu, slot);
    tree known = make_load(m, make_slot_at(slot, slots), make_slot);
    known = make_compute(m, NOP_EXPR, make_word(), known, NULL_TREE);
    if (t.bytes <= (HOST_WIDE_INT)t.align) {
        make_add(m, gimple_build_cond(EQ_EXPR, known, line, NULL_TREE, NULL_TREE));
        return;
    }
    /* its last byte may lie in another line */
    tree last =
        make_compute(m, PLUS_EXPR, make_word(), at, build_int_cst(make_word(), t.bytes - 1));
    last = make_compute(m, RSHIFT_EXPR, make_word(), last, shift);
    last = make_compute(m, BIT_XOR_EXPR, make_word(), last, line);
    known = make_compute(m, BIT_XOR_EXPR, make_word(), known, line);
    known = make_compute(m, BIT_IOR_EXPR, make_word(), known, last);
    make_add(m,
             gimple_build_cond(EQ_EXPR, known, build_zero_cst(make_word()), NULL_TREE, NULL_TREE));
}

static gimple *call_for(const touch &t, tree at, tree change, tree expected, tree site)
{
    tree many = build_int_cst(make_word(), t.bytes);
    switch (t.kind) {
    case TOUCH_LOAD: return gimple_build_call(calls[CALL_load_range], 4, at, many, make_cpu, site);
    case TOUCH_STORE:
        return gimple_build_call(calls[CALL_store_range], 4, at, many, make_cpu, site);
    case TOUCH_CHANGE: return gimple_build_call(calls[CALL_change], 4, at, change, make_cpu, site);
    case TOUCH_COMPARE:
        return gimple_build_call(calls[CALL_compare], 5, at, change, expected, make_cpu, site);
    case TOUCH_COMPARE_WITH:
        return gimple_build_call(calls[CALL_compare_with], 5, at, change, expected, make_cpu, site);
    }
    gcc_unreachable();
}

/* Is it a place in the function's body? gfortran gives a load of a common variable the place of the
 * program unit. */
static bool in_body(location_t where)
{
    return LOCATION_LOCUS(where) > BUILTINS_LOCATION &&
           LOCATION_LINE(where) != DECL_SOURCE_LINE(current_function_decl);
}

/* Where the source computes what the statement stores: a store that the optimiser has moved behind
 * a loop has lost its own place, and its value comes round the loop. */
static location_t place_of_value(gimple *stmt)
{
    enum { STEPS = 4 };
    tree value = gimple_assign_single_p(stmt) ? gimple_assign_rhs1(stmt) : NULL_TREE;
    for (int i = 0; i < STEPS && value && TREE_CODE(value) == SSA_NAME; i++) {
        gimple *made = SSA_NAME_DEF_STMT(value);
        if (in_body(gimple_location(made))) return gimple_location(made);
        value = NULL_TREE;
        gphi *phi = dyn_cast<gphi *>(made);
        for (unsigned k = 0; phi && !value && k < gimple_phi_num_args(phi); k++)
            if (TREE_CODE(gimple_phi_arg_def(phi, k)) == SSA_NAME)
                value = gimple_phi_arg_def(phi, k);
    }
    return UNKNOWN_LOCATION;
}

/* Where the source makes the access. What the optimiser has made itself has no place: then that of
 * the next statement which has one. */
static location_t place_of(gimple *stmt)
{
    if (in_body(gimple_location(stmt))) return gimple_location(stmt);
    location_t value = place_of_value(stmt);
    if (value != UNKNOWN_LOCATION) return value;
    gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
    for (; !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
        if (in_body(gimple_location(gsi_stmt(gsi)))) return gimple_location(gsi_stmt(gsi));
    return gimple_location(stmt);
}

/* Charges what it costs if the store of the round before was to that address. */
static void announce_again(making &m, const touch &t, tree at)
{
    size_t slot =
        offsetof(struct probe_in_line, again) + (size_t)t.again % PROBE_AGAIN * sizeof(uint64_t);
    tree last = make_load(m, make_slot_at(make_cpu, slot), make_slot);
    tree now = make_compute(m, NOP_EXPR, make_slot, at, NULL_TREE);
    make_add(m, gimple_build_assign(make_slot_at(make_cpu, slot), now));
    gcond *condition = gimple_build_cond(NE_EXPR, last, now, NULL_TREE, NULL_TREE);
    make_add(m, condition);
    gimple_stmt_iterator gsi = gsi_for_stmt(t.stmt);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
    making cold = {NULL, m.where};
    tree site = make_site(cold, t.again);
    tree rest = make_load(cold, make_slot_at(site, offsetof(struct probe_site, rest)), make_slot);
    make_add_to(cold, offsetof(struct probe_in_line, work), rest);
    make_count(cold, make_slot_at(site, offsetof(struct probe_site, slack)));
    tree number = build_int_cst(unsigned_type_node, t.again % PROBE_AGAIN),
         word = make_compute(cold, NOP_EXPR, make_word(), at, NULL_TREE);
    make_add(cold, gimple_build_call(calls[CALL_again], 4, word, number, make_cpu, site));
    make_branch(condition, cold.seq);
    m.seq = NULL;
}

tree announce_order(making &m, tree order)
{
    order = make_compute(m, NOP_EXPR, unsigned_type_node, order, NULL_TREE);
    return make_compute(m, BIT_AND_EXPR, unsigned_type_node, order,
                        build_int_cst(unsigned_type_node, MEMMODEL_MASK));
}

/* `what` with the bit, if the order is no stronger when the operation is made.
 * memory_order_relaxed is 0; acquire stands behind it. */
static tree with_order(making &m, const touch &t, memmodel weak, int bit_number, tree what)
{
    tree is = make_compute(m, LE_EXPR, boolean_type_node, announce_order(m, t.order),
                           build_int_cst(unsigned_type_node, weak));
    tree bit = make_compute(m, NOP_EXPR, unsigned_type_node, is, NULL_TREE);
    bit = make_compute(m, LSHIFT_EXPR, unsigned_type_node, bit,
                       build_int_cst(integer_type_node, bit_number));
    return make_compute(m, BIT_IOR_EXPR, unsigned_type_node, bit, what);
}

static tree change_of(making &m, const touch &t)
{
    const uint32_t known = (uint32_t)t.bytes | (uint32_t)t.load_relaxed << PROBE_LOAD_RELAXED_BIT |
                           (uint32_t)t.store_relaxed << PROBE_STORE_RELAXED_BIT;
    tree change = build_int_cst(unsigned_type_node, known);
    if (!t.order) return change;
    change = with_order(m, t, MEMMODEL_RELAXED, PROBE_LOAD_RELAXED_BIT, change);
    return with_order(m, t, MEMMODEL_ACQUIRE, PROBE_STORE_RELAXED_BIT, change);
}

void announce(const touch &t)
{
    making m = {NULL, place_of(t.stmt)};
    tree at = address_of(t, m);
    if (t.again >= 0) announce_again(m, t, at);
    gimple_stmt_iterator gsi = gsi_for_stmt(t.stmt);
    if (touch_is_short(t)) {
        look(m, t, at);
        gimple *condition = gimple_seq_last_stmt(m.seq);
        gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
        uint32_t what = probe_what((uint32_t)t.bytes, t.loads_left, t.stores_left) |
                        (uint32_t)t.atomic << PROBE_ATOMIC_BIT |
                        (uint32_t)t.relaxed << PROBE_RELAXED_BIT;
        making cold = {NULL, m.where};
        tree asked = build_int_cst(unsigned_type_node, what);
        if (t.order) asked = with_order(cold, t, MEMMODEL_RELAXED, PROBE_RELAXED_BIT, asked);
        tree site = make_site(cold, t.site);
        make_add(cold, gimple_build_call(calls[t.kind == TOUCH_LOAD ? CALL_load : CALL_store], 4,
                                         at, asked, make_cpu, site));
        make_branch(condition, cold.seq);
        return;
    }
    tree expected = NULL_TREE;
    if (t.expected) {
        tree type = TREE_TYPE(t.expected);
        tree same = TYPE_UNSIGNED(type) || POINTER_TYPE_P(type) ? type : unsigned_type_for(type);
        expected = unshare_expr(t.expected);
        if (same != type) expected = make_compute(m, NOP_EXPR, same, expected, NULL_TREE);
        expected = make_compute(m, NOP_EXPR, make_word(), expected, NULL_TREE);
    }
    tree site = make_site(m, t.site);
    make_add(m, call_for(t, at, change_of(m, t), expected, site));
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
}
