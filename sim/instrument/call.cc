/* Which operations a call is: one of a function, an atomic operation, or what gcc makes
 * instructions of (GCC internals, Built-in functions). */
#include "instrument/describe.h"

static enum block_class class_of_function(internal_fn fn, bool real)
{
    switch (fn) {
    case IFN_FMA:
    case IFN_FMS:
    case IFN_FNMA:
    case IFN_FNMS: return BLOCK_FP_FMA;
    case IFN_SQRT: return BLOCK_FP_SQRT;
    case IFN_COPYSIGN:
    case IFN_XORSIGN: return BLOCK_FP_MOVE;
    case IFN_POPCOUNT:
    case IFN_PARITY:
    case IFN_CLZ:
    case IFN_CTZ:
    case IFN_FFS:
    case IFN_CLRSB: return BLOCK_SHIFT;
    case IFN_ADD_OVERFLOW:
    case IFN_SUB_OVERFLOW: return BLOCK_ADD;
    case IFN_MUL_OVERFLOW: return BLOCK_MULTIPLY;
    case IFN_DIVMOD: return BLOCK_DIVIDE;
    case IFN_VCOND:
    case IFN_VCONDU:
    case IFN_VCONDEQ:
    case IFN_VCOND_MASK: return BLOCK_SELECT;
    default: return real ? BLOCK_FP_ADD : BLOCK_LOGIC;
    }
}

#define BITS(name) CASE_INT_FN(BUILT_IN_##name)

/* A builtin that becomes instructions wherever it stands; BLOCK_CLASSES: it may be called. */
static enum block_class class_of_builtin(built_in_function code)
{
    switch (code) {
    BITS(POPCOUNT)
        : BITS(PARITY) : BITS(CLZ) : BITS(CTZ) : BITS(FFS) : BITS(CLRSB) : case BUILT_IN_BSWAP16:
    case BUILT_IN_BSWAP32:
    case BUILT_IN_BSWAP64:
        return BLOCK_SHIFT;
        CASE_FLT_FN(BUILT_IN_COPYSIGN) : CASE_FLT_FN(BUILT_IN_FABS) : return BLOCK_FP_MOVE;
    CASE_BUILT_IN_ALLOCA:
        return BLOCK_ADD;
    case BUILT_IN_STACK_SAVE:
    case BUILT_IN_STACK_RESTORE:
    case BUILT_IN_FRAME_ADDRESS:
    case BUILT_IN_RETURN_ADDRESS:
    case BUILT_IN_EH_POINTER:
    case BUILT_IN_EH_FILTER:
    case BUILT_IN_PREFETCH: return BLOCK_MOVE;
    default: return BLOCK_CLASSES;
    }
}

static bool has_no_code(gcall *stmt)
{
    if (gimple_call_internal_p(stmt)) return !gimple_call_lhs(stmt);
    return gimple_call_builtin_p(stmt, BUILT_IN_UNREACHABLE) ||
           gimple_call_builtin_p(stmt, BUILT_IN_ATOMIC_SIGNAL_FENCE);
}

static void take_arguments(operation &o, gcall *stmt)
{
    for (unsigned i = 0; i < gimple_call_num_args(stmt); i++) {
        tree arg = gimple_call_arg(stmt, i);
        if (is_gimple_val(arg) && TREE_CODE(arg) != ADDR_EXPR) operation_take(o, arg);
    }
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* One that loads or stores is an instruction like another. */
static enum block_class class_of_atomic(const touch &t)
{
    return t.kind == TOUCH_LOAD ? BLOCK_LOAD : t.kind == TOUCH_STORE ? BLOCK_STORE : BLOCK_ATOMIC;
}

/* What it stores, then its address. What it compares with comes from memory. */
static void add_atomic(gcall *stmt, const std::vector<touch> &touches, std::vector<operation> &to)
{
    const touch &object = touches.back();
    tree left = gimple_call_lhs(stmt);
    for (size_t i = 0; i + 1 < touches.size(); i++)
        operation_load(stmt, long_unsigned_type_node, touches[i], to);
    operation o = operation_make(stmt, class_of_atomic(object), long_unsigned_type_node);
    if (touches.size() > 1) operation_take_here(o, to.size() - 1);
    for (unsigned i = 0; i < gimple_call_num_args(stmt); i++) {
        tree arg = gimple_call_arg(stmt, i);
        if (o.kind != BLOCK_LOAD && TREE_CODE(arg) == SSA_NAME && arg != object.base)
            operation_take(o, arg);
    }
    if (o.kind == BLOCK_STORE && o.operands.empty()) operation_take(o, integer_zero_node);
    operation_take_address(o, object, to);
    o.type = block_type(o.bytes < 16 ? (unsigned)MAX(o.bytes, 1) : 16, 1, 0);
    if (left && TREE_CODE(left) == SSA_NAME) o.result = left;
    to.push_back(o);
}

static void add_fence(gcall *stmt, std::vector<operation> &to)
{
    to.push_back(operation_make(stmt, BLOCK_ATOMIC, long_unsigned_type_node));
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* gcc 12 selects between vectors by one function that compares first: two, then two, then how. */
static bool add_select(gcall *stmt, std::vector<operation> &to)
{
    if (!gimple_call_internal_p(stmt)) return false;
    internal_fn fn = gimple_call_internal_fn(stmt);
    if (fn != IFN_VCOND && fn != IFN_VCONDU && fn != IFN_VCONDEQ) return false;
    tree type = TREE_TYPE(gimple_call_arg(stmt, 0));
    operation test =
        operation_make(stmt, FLOAT_TYPE_P(type) ? BLOCK_FP_COMPARE : BLOCK_COMPARE, type);
    operation_take(test, gimple_call_arg(stmt, 0));
    operation_take(test, gimple_call_arg(stmt, 1));
    to.push_back(test);
    operation o = operation_make(stmt, BLOCK_SELECT, TREE_TYPE(gimple_call_lhs(stmt)));
    operation_take_here(o, to.size() - 1);
    operation_take(o, gimple_call_arg(stmt, 2));
    operation_take(o, gimple_call_arg(stmt, 3));
    o.result = gimple_call_lhs(stmt);
    to.push_back(o);
    return true;
}

/* An operation on what operation `of` of the block makes, and on a second one, or a name. */
static int add_on(gcall *stmt, enum block_class kind, tree type, int of, tree value,
                  std::vector<operation> &to)
{
    operation o = operation_make(stmt, kind, type);
    if (of >= 0) operation_take_here(o, (size_t)of);
    operation_take(o, value);
    to.push_back(o);
    return (int)to.size() - 1;
}

static bool rounds(internal_fn fn)
{
    return fn == IFN_FLOOR || fn == IFN_CEIL || fn == IFN_TRUNC || fn == IFN_RINT ||
           fn == IFN_NEARBYINT;
}

/* Without SSE4.1's roundsd a number is rounded by way of an integer, and what that leaves is
 * corrected; by the current mode, by adding 2^52 and taking it off. Then it gets its sign back. One
 * that has no fraction, by its size, stays (i386-expand.cc, ix86_expand_floorceil, _trunc, _rint).
 */
static bool add_rounding(gcall *stmt, std::vector<operation> &to)
{
    const internal_fn fn = replacement_internal_fn(stmt);
    tree left = gimple_call_lhs(stmt), type = left ? TREE_TYPE(left) : NULL_TREE;
    if (TARGET_SSE4_1 || !rounds(fn) || !type || !SCALAR_FLOAT_TYPE_P(type)) return false;
    tree x = gimple_call_arg(stmt, 0);
    const int size = add_on(stmt, BLOCK_FP_MOVE, type, -1, x, to);
    add_on(stmt, BLOCK_FP_COMPARE, type, size, NULL_TREE, to);
    int made = size;
    if (fn == IFN_RINT || fn == IFN_NEARBYINT) {
        made = add_on(stmt, BLOCK_FP_ADD, type, made, NULL_TREE, to);
        made = add_on(stmt, BLOCK_FP_ADD, type, made, NULL_TREE, to);
    } else {
        made = add_on(stmt, BLOCK_CONVERT, long_integer_type_node, -1, x, to);
        to.back().from = operation_make(stmt, BLOCK_CONVERT, type).type;
        made = add_on(stmt, BLOCK_CONVERT, type, made, NULL_TREE, to);
        to.back().from = operation_make(stmt, BLOCK_CONVERT, long_integer_type_node).type;
    }
    if (fn == IFN_FLOOR || fn == IFN_CEIL) { /* cmpnlesd, andpd, subsd */
        const int whole = made;
        made = add_on(stmt, BLOCK_FP_ADD, type, made, x, to);
        made = add_on(stmt, BLOCK_FP_MOVE, type, made, NULL_TREE, to);
        made = add_on(stmt, BLOCK_FP_ADD, type, made, NULL_TREE, to);
        operation_take_here(to.back(), (size_t)whole);
    }
    const int sign = add_on(stmt, BLOCK_FP_MOVE, type, -1, x, to);
    add_on(stmt, BLOCK_FP_MOVE, type, made, NULL_TREE, to);
    operation_take_here(to.back(), (size_t)sign);
    to.back().result = left;
    return true;
}

/* The class of a call that becomes instructions; BLOCK_CALL: it stays a call. */
static enum block_class class_of_call(gcall *stmt, bool real)
{
    if (gimple_call_internal_p(stmt)) return class_of_function(gimple_call_internal_fn(stmt), real);
    if (gimple_call_builtin_p(stmt, BUILT_IN_MD)) return real ? BLOCK_FP_ADD : BLOCK_LOGIC;
    if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL)) return BLOCK_CALL;
    enum block_class kind = class_of_builtin(DECL_FUNCTION_CODE(gimple_call_fndecl(stmt)));
    if (kind != BLOCK_CLASSES) return kind;
    if (gimple_vdef(stmt)) return BLOCK_CALL; /* may set errno */
    internal_fn fn = replacement_internal_fn(stmt);
    return fn == IFN_LAST ? BLOCK_CALL : class_of_function(fn, real);
}

/* An instruction that is called by name and that x86.cc does not know. */
static bool stores_anywhere(gcall *stmt)
{
    if (!gimple_call_builtin_p(stmt, BUILT_IN_MD) || !gimple_vdef(stmt)) return false;
    for (unsigned i = 0; i < gimple_call_num_args(stmt); i++)
        if (POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(stmt, i)))) return true;
    return false;
}

/* Which registers of integers hold words of the arguments that may be addresses, as bits.
 * Structures that are handed over by value may hold them anywhere. */
static unsigned words_of(gcall *stmt)
{
    tree type = gimple_call_fntype(stmt);
    unsigned words = 0, next = 0;
    if (!type || stdarg_p(type)) return BLOCK_WORDS_ALL;
    if (aggregate_value_p(TREE_TYPE(type), type)) words |= 1u << next++; /* where it returns it */
    for (unsigned i = 0; i < gimple_call_num_args(stmt); i++) {
        tree arg = TREE_TYPE(gimple_call_arg(stmt, i));
        if (AGGREGATE_TYPE_P(arg)) return BLOCK_WORDS_ALL;
        if (SCALAR_FLOAT_TYPE_P(arg) || VECTOR_TYPE_P(arg) || COMPLEX_FLOAT_TYPE_P(arg)) continue;
        HOST_WIDE_INT bytes = int_size_in_bytes(arg);
        if (bytes < 0 || bytes > 8) return BLOCK_WORDS_ALL;
        if (next == BLOCK_WORDS_REGISTERS)
            words |= BLOCK_WORDS_STACK;
        else
            words |= (unsigned)(bytes == 8) << next++;
    }
    return words;
}

/* gcc makes sin(x) and cos(x) one call that has no name of a library, and expands it to one of
 * sincos. */
static const char *name_of(gcall *stmt, tree callee)
{
    if (gimple_call_builtin_p(stmt, BUILT_IN_CEXPI)) return "sincos";
    if (gimple_call_builtin_p(stmt, BUILT_IN_CEXPIF)) return "sincosf";
    return operation_name_of(callee);
}

static void add_call(gcall *stmt, std::vector<operation> &to)
{
    tree left = gimple_call_lhs(stmt), type = left ? TREE_TYPE(left) : void_type_node;
    enum block_class kind = class_of_call(stmt, FLOAT_TYPE_P(type));
    /* a result and whether it overflowed, quotient and remainder: made at once */
    bool pair = kind != BLOCK_CALL && TREE_CODE(type) == COMPLEX_TYPE;
    const std::string helper = helper_of_bits(stmt);
    operation o =
        operation_make(stmt, helper.empty() ? kind : BLOCK_CALL, pair ? TREE_TYPE(type) : type);
    take_arguments(o, stmt);
    if (stores_anywhere(stmt)) o.flags |= BLOCK_ANYWHERE;
    if (!helper.empty()) {
        o.callee = helper;
    } else if (kind == BLOCK_CALL) {
        tree callee = gimple_call_fndecl(stmt);
        if (callee) o.callee = name_of(stmt, callee);
        o.words = words_of(stmt);
    }
    if (left && TREE_CODE(left) == SSA_NAME) o.result = left;
    to.push_back(o);
}

void operations_of_call(gcall *stmt, std::vector<operation> &to)
{
    std::vector<touch> touches, atomic;
    touch_find(stmt, touches);
    if (touch_atomic(stmt, atomic) && !atomic.empty()) {
        add_atomic(stmt, touches, to);
    } else if (gimple_call_builtin_p(stmt, BUILT_IN_ATOMIC_THREAD_FENCE) ||
               gimple_call_builtin_p(stmt, BUILT_IN_SYNC_SYNCHRONIZE)) {
        add_fence(stmt, to);
    } else {
        for (const touch &t : touches) operation_load(stmt, long_unsigned_type_node, t, to);
        if (!has_no_code(stmt) && !add_select(stmt, to) && !add_rounding(stmt, to))
            add_call(stmt, to);
    }
}
