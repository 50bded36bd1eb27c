/* Operations that the target has no instruction for: gcc makes calls of its own library of them
 * when it expands them, behind this pass. The names are those of GCC internals, The GCC low-level
 * runtime library. A plugin's headers do not say which instructions a target has (that of
 * optabs is missing), so it is known of the modes that no x86-64 has: floating point of 128 bits,
 * and division and floating point of integers of 128 bits.
 *
 * Left out: divisions of wide integers by a constant, which are calls for some constants only.
 */
#include "instrument/describe.h"

static bool is_quad(const_tree type) { return TYPE_MODE(type) == TFmode; }
static bool is_wide(const_tree type) { return TYPE_MODE(type) == TImode; }

/* A mode as names have it: si, di, ti, sf, df, xf, tf. */
static std::string mode_of(const_tree type)
{
    std::string name = GET_MODE_NAME(TYPE_MODE(type));
    for (char &c : name) c = TOLOWER(c);
    return name;
}

/* Narrower ones are made words first. */
static std::string integer_mode(const_tree type)
{
    return TYPE_PRECISION(type) <= 32 ? "si" : mode_of(type);
}

static std::string convert_helper(tree to, tree from)
{
    const bool to_real = SCALAR_FLOAT_TYPE_P(to), from_real = SCALAR_FLOAT_TYPE_P(from);
    if (!is_quad(to) && !is_quad(from) && !is_wide(to) && !is_wide(from)) return "";
    if (to_real && from_real) {
        if (TYPE_MODE(to) == TYPE_MODE(from)) return "";
        return (is_quad(to) ? "__extend" : "__trunc") + mode_of(from) + mode_of(to) + "2";
    }
    if (to_real && INTEGRAL_TYPE_P(from))
        return (TYPE_UNSIGNED(from) ? "__floatun" : "__float") + integer_mode(from) + mode_of(to);
    if (from_real && INTEGRAL_TYPE_P(to))
        return (TYPE_UNSIGNED(to) ? "__fixuns" : "__fix") + mode_of(from) + integer_mode(to);
    return "";
}

static std::string computing_helper(enum tree_code code, tree type, tree by)
{
    const bool variable = is_wide(type) && INTEGRAL_TYPE_P(type) && TREE_CODE(by) != INTEGER_CST;
    const char *sign = TYPE_UNSIGNED(type) ? "__u" : "__";
    switch (code) {
    case PLUS_EXPR: return is_quad(type) ? "__addtf3" : "";
    case MINUS_EXPR: return is_quad(type) ? "__subtf3" : "";
    case MULT_EXPR: return is_quad(type) ? "__multf3" : "";
    case RDIV_EXPR: return is_quad(type) ? "__divtf3" : "";
    case TRUNC_DIV_EXPR: return variable ? std::string(sign) + "divti3" : "";
    case TRUNC_MOD_EXPR: return variable ? std::string(sign) + "modti3" : "";
    default: return "";
    }
}

std::string helper_of(gassign *stmt)
{
    const enum tree_code code = gimple_assign_rhs_code(stmt);
    tree type = TREE_TYPE(gimple_assign_lhs(stmt)), first = gimple_assign_rhs1(stmt);
    if (CONVERT_EXPR_CODE_P(code) || code == FLOAT_EXPR || code == FIX_TRUNC_EXPR)
        return convert_helper(type, TREE_TYPE(first));
    if (gimple_num_ops(stmt) != 3) return "";
    return computing_helper(code, type, gimple_assign_rhs2(stmt));
}

std::string helper_of_compare(enum tree_code code, tree type)
{
    if (!is_quad(type)) return "";
    switch (code) {
    case EQ_EXPR: return "__eqtf2";
    case NE_EXPR: return "__netf2";
    case LT_EXPR: return "__lttf2";
    case LE_EXPR: return "__letf2";
    case GT_EXPR: return "__gttf2";
    case GE_EXPR: return "__getf2";
    default: return "__unordtf2";
    }
}

/* A narrower number is made a word first. */
std::string helper_of_bits(gcall *stmt)
{
    const bool internal = gimple_call_internal_p(stmt);
    if (internal && gimple_call_internal_fn(stmt) != IFN_POPCOUNT) return "";
    if (!internal && !gimple_call_builtin_p(stmt, BUILT_IN_NORMAL)) return "";
    if (!internal) switch (DECL_FUNCTION_CODE(gimple_call_fndecl(stmt))) {
            CASE_INT_FN(BUILT_IN_POPCOUNT) : break;
        default: return "";
        }
    tree type = TREE_TYPE(gimple_call_arg(stmt, 0));
    const bool has = direct_internal_fn_supported_p(IFN_POPCOUNT, type, OPTIMIZE_FOR_SPEED);
    return has || is_wide(type) ? "" : "__popcountdi2";
}
