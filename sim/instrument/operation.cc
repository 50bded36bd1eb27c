/* Which operations a statement is, by class: near to what a RISC compiler makes of it
 * (cpu/block_format/block_format.h). Casts that need no code are no operations. */
#include "instrument/describe.h"

#include "instrument/touch.h"

#include "cpu/block_format/block_format.h"

unsigned char operation_type(tree type)
{
    unsigned lanes = 1, kind = 0;
    if (VECTOR_TYPE_P(type)) {
        unsigned HOST_WIDE_INT n;
        lanes = TYPE_VECTOR_SUBPARTS(type).is_constant(&n) ? (unsigned)MIN(n, 128u) : 1;
        type = TREE_TYPE(type);
    } else if (TREE_CODE(type) == COMPLEX_TYPE) {
        lanes = 2;
        type = TREE_TYPE(type);
    }
    HOST_WIDE_INT bytes = VOID_TYPE_P(type) ? 8 : int_size_in_bytes(type);
    if (SCALAR_FLOAT_TYPE_P(type))
        kind = BLOCK_FLOAT;
    else if (INTEGRAL_TYPE_P(type) && !TYPE_UNSIGNED(type))
        kind = BLOCK_SIGNED;
    if (!SCALAR_FLOAT_TYPE_P(type) && !INTEGRAL_TYPE_P(type) && !POINTER_TYPE_P(type))
        bytes = bytes > 8 ? 8 : bytes;
    bytes = bytes < 1 ? 1 : bytes > 16 ? 16 : bytes;
    return block_type((unsigned)bytes, lanes, kind);
}

static operation make(gimple *stmt, enum block_class kind, tree type)
{
    operation o = operation();
    o.kind = kind;
    o.type = operation_type(type);
    o.where = gimple_location(stmt);
    return o;
}

static void take(operation &o, tree value)
{
    if (value) o.operands.push_back(operand{value, -1});
}

/* The names an expression is made of. */
static void take_names(operation &o, tree expression)
{
    if (!expression) return;
    if (TREE_CODE(expression) == SSA_NAME) {
        take(o, expression);
        return;
    }
    if (!EXPR_P(expression)) return;
    for (int i = 0; i < TREE_OPERAND_LENGTH(expression); i++)
        take_names(o, TREE_OPERAND(expression, i));
}

/* An address: names in it, and its form. */
static void take_address(operation &o, const touch &t)
{
    tree base = t.base;
    o.bytes = t.bytes;
    o.form = t.offset ? BLOCK_SCALED : BLOCK_BASE;
    if (TREE_CODE(base) == TARGET_MEM_REF) {
        take_names(o, TMR_BASE(base));
        take_names(o, TMR_INDEX(base));
        take_names(o, TMR_INDEX2(base));
        tree step = TMR_STEP(base);
        if (TMR_INDEX(base))
            o.form = step && !integer_onep(step) ? BLOCK_SCALED : BLOCK_INDEXED;
        else if (TMR_INDEX2(base))
            o.form = BLOCK_INDEXED;
        return;
    }
    tree at = TREE_CODE(base) == MEM_REF ? TREE_OPERAND(base, 0) : base;
    if (TREE_CODE(at) == ADDR_EXPR) at = get_base_address(TREE_OPERAND(at, 0));
    if (at && DECL_P(at) && !t.offset) o.form = is_global_var(at) ? BLOCK_STATIC : BLOCK_STACK;
    take_names(o, at);
    take_names(o, t.offset);
}

static enum block_class class_of(enum tree_code code, bool real)
{
    switch (code) {
    case MULT_EXPR:
    case MULT_HIGHPART_EXPR:
    case WIDEN_MULT_EXPR: return real ? BLOCK_FP_MULTIPLY : BLOCK_MULTIPLY;
    case RDIV_EXPR: return BLOCK_FP_DIVIDE;
    case TRUNC_DIV_EXPR:
    case TRUNC_MOD_EXPR:
    case EXACT_DIV_EXPR:
    case FLOOR_DIV_EXPR:
    case FLOOR_MOD_EXPR:
    case CEIL_DIV_EXPR: return real ? BLOCK_FP_DIVIDE : BLOCK_DIVIDE;
    case BIT_AND_EXPR:
    case BIT_IOR_EXPR:
    case BIT_XOR_EXPR:
    case BIT_NOT_EXPR: return BLOCK_LOGIC;
    case LSHIFT_EXPR:
    case RSHIFT_EXPR:
    case LROTATE_EXPR:
    case RROTATE_EXPR: return BLOCK_SHIFT;
    case COND_EXPR:
    case VEC_COND_EXPR: return BLOCK_SELECT;
    case FIX_TRUNC_EXPR:
    case FLOAT_EXPR:
    CASE_CONVERT:
        return BLOCK_CONVERT;
    case NEGATE_EXPR:
    case ABS_EXPR: return real ? BLOCK_FP_MOVE : BLOCK_ADD;
    case VEC_PERM_EXPR:
    case BIT_INSERT_EXPR:
    case VEC_DUPLICATE_EXPR:
    case CONSTRUCTOR: return BLOCK_SHUFFLE;
    default: break;
    }
    if (TREE_CODE_CLASS(code) == tcc_comparison) return real ? BLOCK_FP_COMPARE : BLOCK_COMPARE;
    if (TREE_CODE_CLASS(code) == tcc_binary) return real ? BLOCK_FP_ADD : BLOCK_ADD;
    return real ? BLOCK_FP_MOVE : BLOCK_MOVE;
}

/* The same bits under another name? */
static bool is_free(tree to, tree from)
{
    if (TREE_CODE(from) != SSA_NAME) return false;
    tree a = TREE_TYPE(to), b = TREE_TYPE(from);
    bool whole =
        (INTEGRAL_TYPE_P(a) || POINTER_TYPE_P(a)) && (INTEGRAL_TYPE_P(b) || POINTER_TYPE_P(b));
    return whole ? TYPE_PRECISION(a) <= TYPE_PRECISION(b) : useless_type_conversion_p(a, b);
}

/* With a constant there are cheaper ways: shifts and masks for powers of two, a multiplication for
 * other divisors. */
static unsigned char with_constant(gassign *stmt, unsigned char kind)
{
    if (kind != BLOCK_MULTIPLY && kind != BLOCK_DIVIDE) return kind;
    tree by = gimple_assign_rhs2(stmt);
    if (!by || TREE_CODE(by) != INTEGER_CST) return kind;
    bool rest = gimple_assign_rhs_code(stmt) == TRUNC_MOD_EXPR;
    if (integer_pow2p(by)) return rest ? BLOCK_LOGIC : BLOCK_SHIFT;
    return BLOCK_MULTIPLY;
}

static tree of_assign(gassign *stmt, std::vector<operation> &to)
{
    tree left = gimple_assign_lhs(stmt);
    std::vector<touch> touches;
    touch_find(stmt, touches);
    int loaded = -1;
    for (const touch &t : touches) {
        tree type = TREE_TYPE(left);
        operation o = make(stmt, t.kind == TOUCH_LOAD ? BLOCK_LOAD : BLOCK_STORE, type);
        if (t.kind == TOUCH_LOAD && TREE_CODE(left) == SSA_NAME) o.result = left;
        if (t.kind == TOUCH_STORE) {
            if (loaded >= 0)
                o.operands.push_back(operand{NULL_TREE, loaded});
            else if (is_gimple_val(gimple_assign_rhs1(stmt)))
                take(o, gimple_assign_rhs1(stmt));
        }
        take_address(o, t);
        if (gimple_has_volatile_ops(stmt)) o.flags |= BLOCK_VOLATILE;
        loaded = (int)to.size();
        to.push_back(o);
    }
    if (!touches.empty() || TREE_CODE(left) != SSA_NAME) return NULL_TREE;
    enum tree_code code = gimple_assign_rhs_code(stmt);
    tree first = gimple_assign_rhs1(stmt);
    if ((CONVERT_EXPR_CODE_P(code) || code == SSA_NAME) && is_free(left, first)) return first;
    tree operands = first && TREE_CODE_CLASS(code) == tcc_comparison ? first : left;
    bool real = FLOAT_TYPE_P(TREE_TYPE(operands)) || (VECTOR_TYPE_P(TREE_TYPE(operands)) &&
                                                      FLOAT_TYPE_P(TREE_TYPE(TREE_TYPE(operands))));
    operation o = make(stmt, class_of(code, real), TREE_TYPE(operands));
    if (!real) o.kind = with_constant(stmt, o.kind);
    if (o.kind == BLOCK_CONVERT) o.from = operation_type(TREE_TYPE(first));
    o.result = left;
    for (unsigned i = 1; i < gimple_num_ops(stmt); i++) {
        tree value = gimple_op(stmt, i);
        if (!value) continue;
        if (is_gimple_val(value) && TREE_CODE(value) != ADDR_EXPR)
            take(o, value);
        else
            take_names(o, value);
    }
    to.push_back(o);
    return NULL_TREE;
}

static enum block_class class_of_internal(internal_fn fn, bool real)
{
    switch (fn) {
    case IFN_FMA:
    case IFN_FMS:
    case IFN_FNMA:
    case IFN_FNMS: return BLOCK_FP_FMA;
    case IFN_SQRT: return BLOCK_FP_SQRT;
    case IFN_ADD_OVERFLOW:
    case IFN_SUB_OVERFLOW: return BLOCK_ADD;
    case IFN_MUL_OVERFLOW: return BLOCK_MULTIPLY;
    default: return real ? BLOCK_FP_ADD : BLOCK_LOGIC;
    }
}

static void of_call(gcall *stmt, std::vector<operation> &to)
{
    tree left = gimple_call_lhs(stmt), type = left ? TREE_TYPE(left) : void_type_node;
    std::vector<touch> touches;
    touch_find(stmt, touches);
    bool atomic = false;
    for (const touch &t : touches) {
        bool at_once = t.kind > TOUCH_STORE || !(REFERENCE_CLASS_P(t.base) || DECL_P(t.base));
        enum block_class kind = at_once                ? BLOCK_ATOMIC
                                : t.kind == TOUCH_LOAD ? BLOCK_LOAD
                                                       : BLOCK_STORE;
        if (kind == BLOCK_ATOMIC && atomic) continue;
        atomic |= kind == BLOCK_ATOMIC;
        operation o = make(stmt, kind, long_unsigned_type_node);
        take_address(o, t);
        if (kind == BLOCK_ATOMIC && left && TREE_CODE(left) == SSA_NAME) o.result = left;
        to.push_back(o);
    }
    if (atomic) return;
    bool real = FLOAT_TYPE_P(type);
    operation o = make(stmt, BLOCK_CALL, type);
    for (unsigned i = 0; i < gimple_call_num_args(stmt); i++) {
        tree arg = gimple_call_arg(stmt, i);
        if (is_gimple_val(arg) && TREE_CODE(arg) != ADDR_EXPR) take(o, arg);
    }
    if (gimple_call_internal_p(stmt)) {
        o.kind = class_of_internal(gimple_call_internal_fn(stmt), real);
        if (left && TREE_CODE(left) == SSA_NAME) o.result = left;
    } else if (tree callee = gimple_call_fndecl(stmt)) {
        o.callee = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(callee));
    }
    to.push_back(o);
}

static void of_cond(gcond *stmt, std::vector<operation> &to)
{
    tree a = gimple_cond_lhs(stmt), b = gimple_cond_rhs(stmt);
    operation compare =
        make(stmt, FLOAT_TYPE_P(TREE_TYPE(a)) ? BLOCK_FP_COMPARE : BLOCK_COMPARE, TREE_TYPE(a));
    take(compare, a);
    take(compare, b);
    to.push_back(compare);
    operation jump = make(stmt, BLOCK_BRANCH, boolean_type_node);
    jump.operands.push_back(operand{NULL_TREE, (int)to.size() - 1});
    to.push_back(jump);
}

tree operations_of(gimple *stmt, std::vector<operation> &to)
{
    switch (gimple_code(stmt)) {
    case GIMPLE_ASSIGN:
        if (gimple_clobber_p(stmt)) return NULL_TREE;
        return of_assign(as_a<gassign *>(stmt), to);
    case GIMPLE_CALL: of_call(as_a<gcall *>(stmt), to); return NULL_TREE;
    case GIMPLE_COND: of_cond(as_a<gcond *>(stmt), to); return NULL_TREE;
    case GIMPLE_SWITCH:
    case GIMPLE_GOTO: {
        operation o = make(stmt, BLOCK_SWITCH, ptr_type_node);
        take_names(o, gimple_code(stmt) == GIMPLE_SWITCH
                          ? gimple_switch_index(as_a<gswitch *>(stmt))
                          : gimple_goto_dest(stmt));
        to.push_back(o);
        return NULL_TREE;
    }
    case GIMPLE_RETURN: {
        operation o = make(stmt, BLOCK_RETURN, ptr_type_node);
        take_names(o, gimple_return_retval(as_a<greturn *>(stmt)));
        to.push_back(o);
        return NULL_TREE;
    }
    case GIMPLE_ASM: {
        std::vector<touch> touches;
        touch_find(stmt, touches);
        for (const touch &t : touches) {
            operation o = make(stmt, t.kind == TOUCH_LOAD ? BLOCK_LOAD : BLOCK_STORE,
                               long_unsigned_type_node);
            take_address(o, t);
            to.push_back(o);
        }
        to.push_back(make(stmt, BLOCK_ASM, ptr_type_node));
        return NULL_TREE;
    }
    default: return NULL_TREE;
    }
}

operation operation_phi(gphi *phi)
{
    operation o = make(phi, BLOCK_PHI, TREE_TYPE(gimple_phi_result(phi)));
    o.result = gimple_phi_result(phi);
    for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) take(o, gimple_phi_arg_def(phi, i));
    return o;
}
