/* The code where a block begins, its charge, and in front of an access: a look into the filter and,
 * when it has no answer, a call.
 *
 * The processor is that of the thread: an offset from the processor of nobody, so that code which
 * runs before anything is initialised (ifunc resolvers of a program the kernel starts) and threads
 * that are no rank's find nobody. It is loaded once a function: a rank's processor never changes.
 * Nor does the table of the object's prices, once the program has started.
 */
#include "instrument/describe.h"

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

static tree calls[CALLS], slot_type, slot_pointer, nobody, offset, zeros, object;
/* Of the function that is compiled: its processor, the shift of an address to its line, the table.
 */
static tree cpu, shift, table;

static tree word(void) { return long_unsigned_type_node; }

static tree parameters_of(const char *text)
{
    tree list = void_list_node;
    for (size_t i = strlen(text); i-- > 0;) {
        tree type = text[i] == 'U'                     ? unsigned_type_node
                    : text[i] == 'C' || text[i] == 'S' ? ptr_type_node
                                                       : word();
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
    tree decl = declare_variable(name, slot_type);
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
    /* the processor's own memory: nothing of the program's is there */
    slot_type = make_unsigned_type(64);
    TYPE_ALIAS_SET(slot_type) = new_alias_set();
    slot_pointer = build_pointer_type(slot_type);
    nobody = declare_variable("world_nobody", slot_type);
    TREE_ADDRESSABLE(nobody) = 1;
    offset = declare_variable("world_offset", word());
    set_decl_tls_model(offset, TLS_MODEL_INITIAL_EXEC);
    zeros = declare_own(DESCRIBE_TABLE);
    object = declare_own(DESCRIBE_OBJECT);
}

void announce_register_roots(const char *plugin)
{
    static const ggc_root_tab roots[] = {
        {calls, CALLS, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&slot_type, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&slot_pointer, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&nobody, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&offset, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&zeros, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
        {&object, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node},
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

/* 64 bits of a processor or of a table. */
static tree slot_at(tree at, size_t offset_bytes)
{
    return build2(MEM_REF, slot_type, at, build_int_cst(slot_pointer, offset_bytes));
}

static tree load_of(making &m, tree ref, tree type)
{
    tree result = make_ssa_name(type);
    add(m, gimple_build_assign(result, ref));
    return result;
}

/* What lies so many bytes away from a variable. */
static tree away_from(making &m, tree variable, tree by)
{
    by = compute(m, NOP_EXPR, sizetype, by, NULL_TREE);
    tree at = fold_convert(ptr_type_node, build_fold_addr_expr(variable));
    return compute(m, POINTER_PLUS_EXPR, ptr_type_node, at, by);
}

void announce_begin(function *fun)
{
    if (!calls[0]) declare();
    making m = {NULL, UNKNOWN_LOCATION};
    cpu = away_from(m, nobody, load_of(m, offset, word()));
    tree to = slot_at(build_fold_addr_expr(object), offsetof(struct probe_object, offset));
    table = away_from(m, zeros, load_of(m, to, slot_type));
    tree type = unsigned_type_node;
    tree ref = build2(MEM_REF, type, cpu,
                      build_int_cst(slot_pointer, offsetof(struct probe_in_line, line_shift)));
    shift = load_of(m, ref, type);
    edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun));
    gsi_insert_seq_on_edge_immediate(entry, m.seq);
}

static void add_to(making &m, size_t at, tree more)
{
    tree old = load_of(m, slot_at(cpu, at), slot_type);
    tree sum = compute(m, PLUS_EXPR, slot_type, old, more);
    add(m, gimple_build_assign(slot_at(cpu, at), sum));
}

static void count(making &m, size_t at, uint32_t n)
{
    if (n > 0) add_to(m, at, build_int_cst(slot_type, (int)n));
}

void announce_block(gimple *before, unsigned block, uint32_t loads, uint32_t stores)
{
    making m = {NULL, UNKNOWN_LOCATION};
    tree price = load_of(m, slot_at(table, block * sizeof(uint64_t)), slot_type);
    add_to(m, offsetof(struct probe_in_line, work), price);
    count(m, offsetof(struct probe_in_line, loads), loads);
    count(m, offsetof(struct probe_in_line, stores), stores);
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
    tree known = load_of(m, slot_at(slot, slots), slot_type);
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
static void branch(gimple *condition, gimple_seq call)
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
    gsi_insert_seq_after(&gsi, call, GSI_NEW_STMT);
}

/* Where the table has the access's site. */
static tree site_of(making &m, const touch &t)
{
    gcc_assert(t.site >= 0);
    HOST_WIDE_INT at = -(HOST_WIDE_INT)sizeof(struct probe_site) * (t.site + 1);
    return compute(m, POINTER_PLUS_EXPR, ptr_type_node, table, build_int_cst(sizetype, at));
}

static gimple *call_for(const touch &t, tree at, tree expected, tree site)
{
    tree bytes = build_int_cst(unsigned_type_node, t.bytes);
    tree many = build_int_cst(word(), t.bytes);
    switch (t.kind) {
    case TOUCH_LOAD: return gimple_build_call(calls[CALL_load_range], 4, at, many, cpu, site);
    case TOUCH_STORE: return gimple_build_call(calls[CALL_store_range], 4, at, many, cpu, site);
    case TOUCH_CHANGE: return gimple_build_call(calls[CALL_change], 4, at, bytes, cpu, site);
    case TOUCH_COMPARE:
        return gimple_build_call(calls[CALL_compare], 5, at, bytes, expected, cpu, site);
    case TOUCH_COMPARE_WITH:
        return gimple_build_call(calls[CALL_compare_with], 5, at, bytes, expected, cpu, site);
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
        making cold = {NULL, m.where};
        tree site = site_of(cold, t);
        add(cold, gimple_build_call(calls[t.kind == TOUCH_LOAD ? CALL_load : CALL_store], 4, at,
                                    build_int_cst(unsigned_type_node, what), cpu, site));
        branch(condition, cold.seq);
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
    tree site = site_of(m, t);
    add(m, call_for(t, at, expected, site));
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
}
