/* The code in front of an access: a look into the filter and, when it has no answer, a call.
 *
 * The processor is that of the thread: an offset from the processor of nobody, so that code which
 * runs before anything is initialised (ifunc resolvers of a program the kernel starts) and threads
 * that are no rank's find nobody. It is loaded once a function: a rank's processor never changes.
 */
#include "instrument/touch.h"

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

static tree calls[CALLS], slot_type, slot_pointer, nobody, offset;
/* Of the function that is compiled: its processor and the shift of an address to its line. */
static tree cpu, shift;

static tree word(void) { return long_unsigned_type_node; }

static tree parameters_of(const char *text)
{
    tree list = void_list_node;
    for (size_t i = strlen(text); i-- > 0;) {
        tree type = text[i] == 'U' ? unsigned_type_node : text[i] == 'C' ? ptr_type_node : word();
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

static void declare(void)
{
#define CALL(name, parameters) calls[CALL_##name] = declare_call("__sw_" #name, parameters);
    PROBE_IN_LINE_CALLS(CALL)
#undef CALL
    /* the processor's own memory: nothing of the program's is there */
    slot_type = make_unsigned_type(64);
    TYPE_ALIAS_SET(slot_type) = new_alias_set();
    slot_pointer = build_pointer_type(slot_type);
    nobody = declare_variable("world_nobody", slot_type);
    TREE_ADDRESSABLE(nobody) = 1;
    offset = declare_variable("world_offset", word());
    set_decl_tls_model(offset, TLS_MODEL_INITIAL_EXEC);
}

void announce_register_roots(const char *plugin)
{
    static const ggc_root_tab roots[] = {
        {calls, CALLS, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&slot_type, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&slot_pointer, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&nobody, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&offset, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        LAST_GGC_ROOT_TAB};
    register_callback(plugin, PLUGIN_REGISTER_GGC_ROOTS, NULL, (void *)roots);
}

/* ---- statements ------------------------------------------------------------------------------ */

/* Statements of one place are made one behind the other. */
struct making {
    gimple_seq seq;
    location_t where;
};

static void add(making &m, gimple *stmt)
{
    gimple_set_location(stmt, m.where);
    gimple_seq_add_stmt(&m.seq, stmt);
}

static tree compute(making &m, enum tree_code code, tree type, tree a, tree b)
{
    tree result = make_ssa_name(type);
    add(m, b ? gimple_build_assign(result, code, a, b) : gimple_build_assign(result, code, a));
    return result;
}

static tree of_processor(tree at, size_t offset_bytes)
{
    return build2(MEM_REF, slot_type, at, build_int_cst(slot_pointer, offset_bytes));
}

static tree load_of(making &m, tree ref, tree type)
{
    tree result = make_ssa_name(type);
    add(m, gimple_build_assign(result, ref));
    return result;
}

void announce_begin(function *fun)
{
    if (!calls[0]) declare();
    making m = {NULL, UNKNOWN_LOCATION};
    tree by = load_of(m, offset, word());
    by = compute(m, NOP_EXPR, sizetype, by, NULL_TREE);
    tree at = build_fold_addr_expr(nobody);
    cpu = compute(m, POINTER_PLUS_EXPR, ptr_type_node, fold_convert(ptr_type_node, at), by);
    tree type = unsigned_type_node;
    tree ref = build2(MEM_REF, type, cpu,
                      build_int_cst(slot_pointer, offsetof(struct probe_in_line, line_shift)));
    shift = load_of(m, ref, type);
    edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
    gsi_insert_seq_on_edge_immediate(entry, m.seq);
}

void announce_count(gimple *before, uint32_t loads, uint32_t stores)
{
    making m = {NULL, UNKNOWN_LOCATION};
    const struct {
        uint32_t n;
        size_t at;
    } counts[] = {{loads, offsetof(struct probe_in_line, loads)},
                  {stores, offsetof(struct probe_in_line, stores)}};
    for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
        if (counts[i].n == 0) continue;
        tree old = load_of(m, of_processor(cpu, counts[i].at), slot_type);
        tree sum =
            compute(m, PLUS_EXPR, slot_type, old, build_int_cst(slot_type, (int)counts[i].n));
        add(m, gimple_build_assign(of_processor(cpu, counts[i].at), sum));
    }
    gimple_stmt_iterator gsi = gsi_for_stmt(before);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
}

/* The access's address, as a number; what it takes comes before the statement. */
static tree address_of(const touch &t, making &m)
{
    tree base = t.base, at;
    HOST_WIDE_INT constant = t.constant;
    if (TREE_CODE(base) == MEM_REF) {
        constant += (HOST_WIDE_INT)wi::to_offset(TREE_OPERAND(base, 1)).to_shwi();
        at = TREE_OPERAND(base, 0);
    } else if (REFERENCE_CLASS_P(base) || DECL_P(base)) {
        if (DECL_P(base)) TREE_ADDRESSABLE(base) = 1;
        tree address = build1(ADDR_EXPR, build_pointer_type(TREE_TYPE(base)), unshare_expr(base));
        at = make_ssa_name(TREE_TYPE(address));
        add(m, gimple_build_assign(at, address));
    } else {
        at = base;
    }
    if (TREE_CODE(at) == ADDR_EXPR) {
        if (DECL_P(TREE_OPERAND(at, 0))) TREE_ADDRESSABLE(TREE_OPERAND(at, 0)) = 1;
        tree whole = make_ssa_name(TREE_TYPE(at));
        add(m, gimple_build_assign(whole, unshare_expr(at)));
        at = whole;
    }
    at = compute(m, NOP_EXPR, word(), unshare_expr(at), NULL_TREE);
    if (t.offset) {
        gimple_seq seq = NULL;
        tree more = force_gimple_operand(fold_convert(word(), unshare_expr(t.offset)), &seq, true,
                                         NULL_TREE);
        gimple_seq_add_seq(&m.seq, seq);
        at = compute(m, PLUS_EXPR, word(), at, more);
    }
    if (constant != 0) at = compute(m, PLUS_EXPR, word(), at, build_int_cst(word(), constant));
    return at;
}

/* The condition that the filter knows the line: gcond, the last of the statements. */
static void look(making &m, const touch &t, tree at)
{
    size_t slots = t.kind == TOUCH_LOAD ? offsetof(struct probe_in_line, load_ok)
                                        : offsetof(struct probe_in_line, store_ok);
    tree line = compute(m, RSHIFT_EXPR, word(), at, shift);
    tree slot = compute(m, BIT_AND_EXPR, word(), line, build_int_cst(word(), PROBE_SLOTS - 1));
    slot = compute(m, MULT_EXPR, word(), slot, build_int_cst(word(), sizeof(uint64_t)));
    slot = compute(m, NOP_EXPR, sizetype, slot, NULL_TREE);
    slot = compute(m, POINTER_PLUS_EXPR, ptr_type_node, cpu, slot);
    tree known = load_of(m, of_processor(slot, slots), slot_type);
    known = compute(m, NOP_EXPR, word(), known, NULL_TREE);
    if (t.bytes <= (HOST_WIDE_INT)t.align) {
        add(m, gimple_build_cond(EQ_EXPR, known, line, NULL_TREE, NULL_TREE));
        return;
    }
    /* its last byte may lie in another line */
    tree last = compute(m, PLUS_EXPR, word(), at, build_int_cst(word(), t.bytes - 1));
    last = compute(m, RSHIFT_EXPR, word(), last, shift);
    last = compute(m, BIT_XOR_EXPR, word(), last, line);
    known = compute(m, BIT_XOR_EXPR, word(), known, line);
    known = compute(m, BIT_IOR_EXPR, word(), known, last);
    add(m, gimple_build_cond(EQ_EXPR, known, build_zero_cst(word()), NULL_TREE, NULL_TREE));
}

/* Where the condition fails the call is made; the block is split behind the condition. */
static void branch(gimple *condition, gimple *call)
{
    edge known = split_block(gimple_bb(condition), condition);
    basic_block from = known->src, to = known->dest, cold = create_empty_bb(from);
    if (current_loops) add_bb_to_loop(cold, from->loop_father);
    known->flags = EDGE_TRUE_VALUE;
    known->probability = profile_probability::very_likely();
    edge unknown = make_edge(from, cold, EDGE_FALSE_VALUE);
    unknown->probability = profile_probability::very_unlikely();
    cold->count = unknown->count();
    make_single_succ_edge(cold, to, EDGE_FALLTHRU);
    gimple_stmt_iterator gsi = gsi_start_bb(cold);
    gsi_insert_after(&gsi, call, GSI_NEW_STMT);
}

static gimple *call_for(const touch &t, tree at, tree expected)
{
    tree bytes = build_int_cst(unsigned_type_node, t.bytes);
    switch (t.kind) {
    case TOUCH_LOAD:
        return gimple_build_call(calls[CALL_load_range], 2, at, build_int_cst(word(), t.bytes));
    case TOUCH_STORE:
        return gimple_build_call(calls[CALL_store_range], 2, at, build_int_cst(word(), t.bytes));
    case TOUCH_CHANGE: return gimple_build_call(calls[CALL_change], 2, at, bytes);
    case TOUCH_COMPARE: return gimple_build_call(calls[CALL_compare], 3, at, bytes, expected);
    case TOUCH_COMPARE_WITH:
        return gimple_build_call(calls[CALL_compare_with], 3, at, bytes, expected);
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

/* Where the source makes the access. What the optimiser has made itself has no place: then that of
 * the next statement which has one. */
static location_t place_of(gimple *stmt)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
    for (; !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
        if (in_body(gimple_location(gsi_stmt(gsi)))) return gimple_location(gsi_stmt(gsi));
    return gimple_location(stmt);
}

void announce(const touch &t)
{
    making m = {NULL, place_of(t.stmt)};
    tree at = address_of(t, m);
    gimple_stmt_iterator gsi = gsi_for_stmt(t.stmt);
    if (touch_is_short(t)) {
        look(m, t, at);
        gimple *condition = gimple_seq_last_stmt(m.seq);
        gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
        uint32_t what = probe_what((uint32_t)t.bytes, t.loads_left, t.stores_left) |
                        (uint32_t)t.atomic << PROBE_ATOMIC_BIT;
        gimple *call = gimple_build_call(calls[t.kind == TOUCH_LOAD ? CALL_load : CALL_store], 3,
                                         at, build_int_cst(unsigned_type_node, what), cpu);
        gimple_set_location(call, m.where);
        branch(condition, call);
        return;
    }
    tree expected = NULL_TREE;
    if (t.expected) {
        tree type = TREE_TYPE(t.expected);
        tree same = TYPE_UNSIGNED(type) || POINTER_TYPE_P(type) ? type : unsigned_type_for(type);
        expected = unshare_expr(t.expected);
        if (same != type) expected = compute(m, NOP_EXPR, same, expected, NULL_TREE);
        expected = compute(m, NOP_EXPR, word(), expected, NULL_TREE);
    }
    add(m, call_for(t, at, expected));
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
}
