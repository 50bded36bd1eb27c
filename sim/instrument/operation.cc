/* Which operations a statement is, by class: near to what a RISC compiler makes of it
 * (cpu/block_format/block_format.h). Casts that need no code are no operations, nor are the halves
 * of a complex value.
 *
 * Left out: what is kept in registers without being a name (structures of one machine mode), and
 * which operand of inline assembly becomes which result: each is made of all of them.
 */
#include "instrument/chosen.h"
#include "instrument/describe.h"

static enum block_class class_of_vector(enum tree_code code)
{
    switch (code) {
    case VEC_WIDEN_MULT_HI_EXPR:
    case VEC_WIDEN_MULT_LO_EXPR:
    case VEC_WIDEN_MULT_EVEN_EXPR:
    case VEC_WIDEN_MULT_ODD_EXPR:
    case DOT_PROD_EXPR: return BLOCK_MULTIPLY;
    case WIDEN_SUM_EXPR:
    case SAD_EXPR: return BLOCK_ADD;
    case VEC_PERM_EXPR:
    case VEC_DUPLICATE_EXPR:
    case VEC_PACK_TRUNC_EXPR:
    case VEC_PACK_SAT_EXPR:
    case VEC_PACK_FIX_TRUNC_EXPR:
    case VEC_PACK_FLOAT_EXPR:
    case VEC_UNPACK_HI_EXPR:
    case VEC_UNPACK_LO_EXPR:
    case VEC_UNPACK_FLOAT_HI_EXPR:
    case VEC_UNPACK_FLOAT_LO_EXPR:
    case VEC_UNPACK_FIX_TRUNC_HI_EXPR:
    case VEC_UNPACK_FIX_TRUNC_LO_EXPR:
    case CONSTRUCTOR: return BLOCK_SHUFFLE;
    default: return BLOCK_CLASSES;
    }
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
    case COMPLEX_EXPR: return real ? BLOCK_FP_MOVE : BLOCK_MOVE;
    case NEGATE_EXPR: return real ? BLOCK_FP_MOVE : BLOCK_ADD;
    case ABS_EXPR:
    case ABSU_EXPR: return real ? BLOCK_FP_MOVE : BLOCK_MINIMUM;
    default: break;
    }
    enum block_class vector = class_of_vector(code);
    if (vector != BLOCK_CLASSES) return vector;
    if (TREE_CODE_CLASS(code) == tcc_comparison) return real ? BLOCK_FP_COMPARE : BLOCK_COMPARE;
    if (code == MIN_EXPR || code == MAX_EXPR) return BLOCK_MINIMUM;
    if (TREE_CODE_CLASS(code) == tcc_binary) return real ? BLOCK_FP_ADD : BLOCK_ADD;
    return real ? BLOCK_FP_MOVE : BLOCK_MOVE;
}

/* A part of what a register holds: lanes of a vector, bits of a number. */
static enum block_class class_of_part(tree whole)
{
    return VECTOR_TYPE_P(TREE_TYPE(whole)) ? BLOCK_SHUFFLE : BLOCK_SHIFT;
}

/* With a constant there are cheaper ways: shifts and masks for powers of two, a multiplication for
 * other divisors. */
static enum block_class with_constant(gassign *stmt, enum block_class kind)
{
    if (kind != BLOCK_MULTIPLY && kind != BLOCK_DIVIDE) return kind;
    tree by = gimple_assign_rhs2(stmt);
    if (!by || TREE_CODE(by) != INTEGER_CST) return kind;
    bool rest = gimple_assign_rhs_code(stmt) == TRUNC_MOD_EXPR;
    if (integer_pow2p(by)) return rest ? BLOCK_LOGIC : BLOCK_SHIFT;
    return BLOCK_MULTIPLY;
}

/* A constant as bits of a type; 0: it is wider than they are. */
static uint64_t bits_of(tree constant, tree type)
{
    if (TREE_CODE(constant) != INTEGER_CST || TYPE_PRECISION(type) > 64) return 0;
    uint64_t all = TYPE_PRECISION(type) > 32 ? ~(uint64_t)0 : 0xffffffff;
    return TREE_INT_CST_LOW(constant) & all;
}

/* The constant that a multiplication or a shift to the left multiplies by; 0: by none, or by a
 * wider one. */
static uint64_t factor(gassign *stmt, enum block_class kind)
{
    tree type = TREE_TYPE(gimple_assign_lhs(stmt)), by = gimple_assign_rhs2(stmt);
    if (kind != BLOCK_MULTIPLY && kind != BLOCK_SHIFT) return 0;
    if (gimple_assign_rhs_code(stmt) == MULT_EXPR) return bits_of(by, type);
    const bool shifts = gimple_assign_rhs_code(stmt) == LSHIFT_EXPR && tree_fits_uhwi_p(by);
    return shifts && tree_to_uhwi(by) < 64 ? bits_of(build_one_cst(type), type) << tree_to_uhwi(by)
                                           : 0;
}

/* ---- assignments ----------------------------------------------------------------------------- */

/* The name that the statement's is, if no code is needed: the same bits, or a half of a value that
 * two registers hold. NULL_TREE: there is code. */
static tree other_name(gassign *stmt)
{
    tree from = gimple_assign_rhs1(stmt);
    enum tree_code code = gimple_assign_rhs_code(stmt);
    if (code == REALPART_EXPR || code == IMAGPART_EXPR) from = TREE_OPERAND(from, 0);
    if (!from || TREE_CODE(from) != SSA_NAME) return NULL_TREE;
    if (code == REALPART_EXPR || code == IMAGPART_EXPR || code == PAREN_EXPR) return from;
    if (!CONVERT_EXPR_CODE_P(code) && code != SSA_NAME) return NULL_TREE;
    tree a = TREE_TYPE(gimple_assign_lhs(stmt)), b = TREE_TYPE(from);
    bool whole =
        (INTEGRAL_TYPE_P(a) || POINTER_TYPE_P(a)) && (INTEGRAL_TYPE_P(b) || POINTER_TYPE_P(b));
    bool free = whole ? TYPE_PRECISION(a) <= TYPE_PRECISION(b) : useless_type_conversion_p(a, b);
    return free ? from : NULL_TREE;
}

/* The value that a bit-field's is put into, or taken from, by a shift behind the load. */
static void add_bits(gassign *stmt, tree type, std::vector<operation> &to)
{
    operation o = operation_make(stmt, BLOCK_SHIFT, type);
    operation_take_here(o, to.size() - 1);
    tree left = gimple_assign_lhs(stmt), value = gimple_assign_rhs1(stmt);
    if (TREE_CODE(left) == SSA_NAME)
        o.result = left;
    else
        operation_take(o, value);
    to.push_back(o);
}

static bool is_bits(tree ref)
{
    return TREE_CODE(ref) == BIT_FIELD_REF ||
           (TREE_CODE(ref) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(ref, 1)));
}

static void add_accesses(gassign *stmt, const std::vector<touch> &touches,
                         std::vector<operation> &to)
{
    tree left = gimple_assign_lhs(stmt), right = gimple_assign_rhs1(stmt), type = TREE_TYPE(left);
    size_t from = 0;
    for (const touch &t : touches) {
        if (t.kind == TOUCH_LOAD) {
            from = operation_load(stmt, type, t, to);
            if (is_bits(TREE_CODE(left) == SSA_NAME ? right : left)) {
                add_bits(stmt, type, to);
                from = 1;
            } else if (TREE_CODE(left) == SSA_NAME) {
                to.back().result = left;
            }
        } else if (from > 0) {
            operation_store(stmt, type, t, NULL_TREE, from, to);
        } else {
            tree value = is_gimple_val(right) ? right : integer_zero_node;
            operation_store(stmt, type, t, value, 0, to);
        }
    }
}

/* Is it a choice of the lesser or the greater one, and of which comparison? */
static bool is_minimum(gimple *stmt)
{
    gassign *chooses = dyn_cast<gassign *>(stmt);
    if (!chooses || gimple_assign_rhs_code(chooses) != COND_EXPR) return false;
    tree is = gimple_assign_rhs1(chooses), a, b;
    enum tree_code code = TREE_CODE(is);
    if (code == SSA_NAME) {
        gassign *compares = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(is));
        if (!compares || TREE_CODE_CLASS(gimple_assign_rhs_code(compares)) != tcc_comparison)
            return false;
        code = gimple_assign_rhs_code(compares);
        a = gimple_assign_rhs1(compares), b = gimple_assign_rhs2(compares);
    } else if (COMPARISON_CLASS_P(is)) {
        a = TREE_OPERAND(is, 0), b = TREE_OPERAND(is, 1);
    } else {
        return false;
    }
    return chosen_is_minimum(code, a, b, gimple_assign_rhs2(chooses), gimple_assign_rhs3(chooses));
}

/* Is it a comparison for nothing else? */
static bool is_of_minimum(gassign *stmt)
{
    use_operand_p use;
    gimple *by;
    tree is = gimple_assign_lhs(stmt);
    return TREE_CODE_CLASS(gimple_assign_rhs_code(stmt)) == tcc_comparison &&
           TREE_CODE(is) == SSA_NAME && single_imm_use(is, &use, &by) && is_minimum(by);
}

static void add_minimum(gassign *stmt, std::vector<operation> &to)
{
    operation o = operation_make(stmt, BLOCK_MINIMUM, TREE_TYPE(gimple_assign_lhs(stmt)));
    o.result = gimple_assign_lhs(stmt);
    operation_take(o, gimple_assign_rhs2(stmt));
    operation_take(o, gimple_assign_rhs3(stmt));
    to.push_back(o);
}

/* What a conditional move or a branch depends on; gcc 12 writes the former as one statement. */
static void add_compare(gimple *stmt, enum tree_code code, tree a, tree b,
                        std::vector<operation> &to)
{
    tree type = TREE_TYPE(a);
    const std::string helper = helper_of_compare(code, type);
    const enum block_class kind = FLOAT_TYPE_P(type) ? BLOCK_FP_COMPARE : BLOCK_COMPARE;
    operation o = operation_make(stmt, helper.empty() ? kind : BLOCK_CALL, type);
    operation_take(o, a);
    operation_take(o, b);
    o.callee = helper;
    to.push_back(o);
    if (helper.empty()) return;
    operation sign = operation_make(stmt, BLOCK_COMPARE, integer_type_node);
    operation_take_here(sign, to.size() - 1);
    to.push_back(sign);
}

/* An operation on the result of the last one. */
static operation &add_behind(gassign *stmt, enum block_class kind, tree type,
                             std::vector<operation> &to)
{
    operation o = operation_make(stmt, kind, type);
    operation_take_here(o, to.size() - 1);
    to.push_back(o);
    return to.back();
}

/* Behind the product with a constant's reciprocal, whose upper half is shifted: the sign of what is
 * divided is taken off; a remainder is what the quotient times the divisor leaves (Granlund and
 * Montgomery, Division by Invariant Integers using Multiplication, PLDI 1994). Left out: products
 * of a bit more than a register. */
static void add_quotient(gassign *stmt, tree type, std::vector<operation> &to)
{
    tree by = gimple_assign_rhs2(stmt);
    to.back().result = NULL_TREE;
    add_behind(stmt, BLOCK_SHIFT, type, to);
    if (!TYPE_UNSIGNED(type)) add_behind(stmt, BLOCK_ADD, type, to);
    if (gimple_assign_rhs_code(stmt) == TRUNC_MOD_EXPR) {
        add_behind(stmt, BLOCK_MULTIPLY, type, to).times = bits_of(by, type);
        operation_take(add_behind(stmt, BLOCK_ADD, type, to), gimple_assign_rhs1(stmt));
    }
    to.back().result = gimple_assign_lhs(stmt);
}

static void add_computation(gassign *stmt, std::vector<operation> &to)
{
    tree left = gimple_assign_lhs(stmt), first = gimple_assign_rhs1(stmt);
    enum tree_code code = gimple_assign_rhs_code(stmt);
    bool compares = TREE_CODE_CLASS(code) == tcc_comparison;
    tree type = TREE_TYPE(compares ? first : left);
    bool real = FLOAT_TYPE_P(type), chooses = first && COMPARISON_CLASS_P(first);
    if (chooses)
        add_compare(stmt, TREE_CODE(first), TREE_OPERAND(first, 0), TREE_OPERAND(first, 1), to);
    enum block_class kind = class_of(code, real);
    if (code == BIT_FIELD_REF) kind = class_of_part(TREE_OPERAND(first, 0));
    if (code == BIT_INSERT_EXPR) kind = class_of_part(first);
    const bool divides = kind == BLOCK_DIVIDE;
    if (!real) kind = with_constant(stmt, kind);
    if (kind == BLOCK_MINIMUM && !real && VECTOR_TYPE_P(type)) kind = BLOCK_ADD;
    operation o = operation_make(stmt, kind, code == COMPLEX_EXPR ? TREE_TYPE(type) : type);
    o.times = factor(stmt, kind);
    if (kind == BLOCK_CONVERT) o.from = operation_make(stmt, kind, TREE_TYPE(first)).type;
    const std::string helper = compares ? "" : helper_of(stmt);
    if (!helper.empty()) o.kind = BLOCK_CALL, o.callee = helper, o.times = 0;
    o.result = left;
    if (chooses) operation_take_here(o, to.size() - 1);
    for (unsigned i = chooses ? 2 : 1; i < gimple_num_ops(stmt); i++) {
        tree value = gimple_op(stmt, i);
        if (value && is_gimple_val(value) && TREE_CODE(value) != ADDR_EXPR)
            operation_take(o, value);
        else
            operation_take_names(o, value);
    }
    if (divides && !helper.empty()) { /* it divides words by words, which its counts do not show */
        operation words = operation_make(stmt, BLOCK_DIVIDE, long_unsigned_type_node);
        words.operands = o.operands;
        to.push_back(words);
        o.operands.clear();
        operation_take_here(o, to.size() - 1);
    }
    to.push_back(o);
    if (divides && kind == BLOCK_MULTIPLY && !VECTOR_TYPE_P(type)) add_quotient(stmt, type, to);
}

static tree of_assign(gassign *stmt, std::vector<operation> &to)
{
    if (gimple_clobber_p(stmt)) return NULL_TREE;
    std::vector<touch> touches;
    touch_find(stmt, touches);
    add_accesses(stmt, touches, to);
    if (!touches.empty() || TREE_CODE(gimple_assign_lhs(stmt)) != SSA_NAME) return NULL_TREE;
    tree other = other_name(stmt);
    if (is_minimum(stmt))
        add_minimum(stmt, to);
    else if (!other && !is_of_minimum(stmt))
        add_computation(stmt, to);
    return other;
}

/* ---- other statements ------------------------------------------------------------------------ */

static void of_cond(gcond *stmt, std::vector<operation> &to)
{
    add_compare(stmt, gimple_cond_code(stmt), gimple_cond_lhs(stmt), gimple_cond_rhs(stmt), to);
    operation jump = operation_make(stmt, BLOCK_BRANCH, boolean_type_node);
    operation_take_here(jump, to.size() - 1);
    to.push_back(jump);
}

static bool has_code(gasm *stmt)
{
    const char *text = gimple_asm_string(stmt);
    return text[strspn(text, " \t\n;")] != 0;
}

/* Assembly that is handed no address orders accesses with its clobber of memory, and no more. */
static bool stores_anywhere(gasm *stmt)
{
    if (!gimple_asm_clobbers_memory_p(stmt) || !has_code(stmt)) return false;
    for (unsigned i = 0; i < gimple_asm_ninputs(stmt); i++) {
        tree input = TREE_VALUE(gimple_asm_input_op(stmt, i)), type = TREE_TYPE(input);
        if (TREE_CODE(input) != SSA_NAME && TREE_CODE(input) != ADDR_EXPR) continue;
        if (POINTER_TYPE_P(type)) return true;
        if (INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) >= POINTER_SIZE) return true;
    }
    return false;
}

static void of_asm(gasm *stmt, std::vector<operation> &to)
{
    const size_t before = to.size();
    std::vector<touch> touches;
    touch_find(stmt, touches);
    for (const touch &t : touches)
        if (t.kind == TOUCH_LOAD)
            operation_load(stmt, long_unsigned_type_node, t, to);
        else
            operation_store(stmt, long_unsigned_type_node, t, integer_zero_node, 0, to);
    operation assembly = operation_make(stmt, BLOCK_ASM, ptr_type_node);
    for (size_t i = before; i < to.size(); i++)
        if (to[i].kind == BLOCK_LOAD) operation_take_here(assembly, i);
    for (unsigned i = 0; i < gimple_asm_ninputs(stmt); i++) {
        tree input = TREE_VALUE(gimple_asm_input_op(stmt, i));
        if (TREE_CODE(input) == SSA_NAME) operation_take(assembly, input);
    }
    for (unsigned i = 0; i < gimple_asm_noutputs(stmt) && !assembly.result; i++) {
        tree output = TREE_VALUE(gimple_asm_output_op(stmt, i));
        if (TREE_CODE(output) == SSA_NAME) assembly.result = output;
    }
    if (!has_code(stmt)) assembly.flags |= BLOCK_EMPTY;
    if (stores_anywhere(stmt)) assembly.flags |= BLOCK_ANYWHERE;
    to.push_back(assembly);
}

void operation_name_outputs(gasm *stmt, tree made, std::map<tree, tree> &same)
{
    for (unsigned i = 0; i < gimple_asm_noutputs(stmt); i++) {
        tree output = TREE_VALUE(gimple_asm_output_op(stmt, i));
        if (TREE_CODE(output) == SSA_NAME && output != made) same[output] = made;
    }
}

static void add_one(gimple *stmt, enum block_class kind, tree uses, std::vector<operation> &to)
{
    operation o = operation_make(stmt, kind, ptr_type_node);
    operation_take_names(o, uses);
    to.push_back(o);
}

tree operations_of(gimple *stmt, std::vector<operation> &to)
{
    switch (gimple_code(stmt)) {
    case GIMPLE_ASSIGN: return of_assign(as_a<gassign *>(stmt), to);
    case GIMPLE_CALL: operations_of_call(as_a<gcall *>(stmt), to); break;
    case GIMPLE_COND: of_cond(as_a<gcond *>(stmt), to); break;
    case GIMPLE_SWITCH:
        add_one(stmt, BLOCK_SWITCH, gimple_switch_index(as_a<gswitch *>(stmt)), to);
        break;
    case GIMPLE_GOTO: add_one(stmt, BLOCK_SWITCH, gimple_goto_dest(stmt), to); break;
    case GIMPLE_RETURN:
        add_one(stmt, BLOCK_RETURN, gimple_return_retval(as_a<greturn *>(stmt)), to);
        break;
    case GIMPLE_ASM: of_asm(as_a<gasm *>(stmt), to); break;
    default: break;
    }
    return NULL_TREE;
}

operation operation_phi(gphi *phi)
{
    operation o = operation_make(phi, BLOCK_PHI, TREE_TYPE(gimple_phi_result(phi)));
    o.result = gimple_phi_result(phi);
    for (unsigned i = 0; i < gimple_phi_num_args(phi); i++)
        operation_take(o, gimple_phi_arg_def(phi, i));
    return o;
}
