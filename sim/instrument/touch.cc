/* Which memory a statement touches.
 *
 * After optimisation memory appears in assignments of one operand, in arguments and results of
 * calls, and in inline assembly (GCC internals, GIMPLE). A variable that is not addressable and has
 * a machine mode is one the compiler keeps in a register, at -O0 too; constants of the compiler's
 * own making are not announced either.
 */
#include "instrument/touch.h"

/* Does the base lie in memory that is to be announced? */
static bool in_memory(tree base)
{
    if (TREE_CODE(base) == MEM_REF) {
        tree at = TREE_OPERAND(base, 0);
        if (TREE_CODE(at) != ADDR_EXPR) return true;
        base = TREE_OPERAND(at, 0);
    } else if (TREE_CODE(base) == TARGET_MEM_REF) {
        return true;
    }
    if (!VAR_P(base) && TREE_CODE(base) != PARM_DECL) return false;
    if (VAR_P(base) && DECL_HARD_REGISTER(base)) return false;
    if (is_global_var(base) || TREE_ADDRESSABLE(base)) return true;
    return DECL_MODE(base) == BLKmode || TREE_THIS_VOLATILE(base);
}

bool touch_of(gimple *stmt, tree ref, enum touch_kind kind, touch *t)
{
    if (TREE_CODE(ref) == WITH_SIZE_EXPR || TREE_CODE(ref) == SSA_NAME) return false;
    if (!REFERENCE_CLASS_P(ref) && !DECL_P(ref)) return false;
    poly_int64 bits, at;
    tree offset;
    machine_mode mode;
    int is_unsigned, reversed, is_volatile = 0;
    tree base =
        get_inner_reference(ref, &bits, &at, &offset, &mode, &is_unsigned, &reversed, &is_volatile);
    HOST_WIDE_INT size, first;
    if (!bits.is_constant(&size) || !at.is_constant(&first) || size <= 0) return false;
    if (!REFERENCE_CLASS_P(base) && !DECL_P(base)) return false;
    if (TYPE_ADDR_SPACE(TREE_TYPE(base)) != ADDR_SPACE_GENERIC || !in_memory(base)) return false;
    HOST_WIDE_INT from = first >> LOG2_BITS_PER_UNIT;
    *t = touch();
    t->stmt = stmt;
    t->kind = kind;
    t->base = base;
    t->offset = offset;
    t->constant = from;
    t->bytes = (first - from * BITS_PER_UNIT + size + BITS_PER_UNIT - 1) / BITS_PER_UNIT;
    t->align = MAX(get_object_alignment(ref) / BITS_PER_UNIT, 1u);
    return true;
}

static void add(gimple *stmt, tree ref, enum touch_kind kind, std::vector<touch> &to)
{
    touch t;
    if (touch_of(stmt, ref, kind, &t)) to.push_back(t);
}

static bool is_bit_field(tree ref)
{
    return TREE_CODE(ref) == BIT_FIELD_REF ||
           (TREE_CODE(ref) == COMPONENT_REF && DECL_BIT_FIELD(TREE_OPERAND(ref, 1)));
}

static void find_in_assign(gassign *stmt, std::vector<touch> &to)
{
    if (gimple_clobber_p(stmt)) return;
    tree left = gimple_assign_lhs(stmt);
    if (gimple_assign_single_p(stmt)) add(stmt, gimple_assign_rhs1(stmt), TOUCH_LOAD, to);
    if (TREE_CODE(left) == SSA_NAME) return;
    if (is_bit_field(left)) add(stmt, left, TOUCH_LOAD, to); /* its neighbours are put back */
    add(stmt, left, TOUCH_STORE, to);
}

/* Operands that are in memory by their constraint, or because only memory can hold them. */
static void find_in_asm(gasm *stmt, std::vector<touch> &to)
{
    for (unsigned i = 0; i < gimple_asm_ninputs(stmt); i++)
        add(stmt, TREE_VALUE(gimple_asm_input_op(stmt, i)), TOUCH_LOAD, to);
    for (unsigned i = 0; i < gimple_asm_noutputs(stmt); i++) {
        tree op = gimple_asm_output_op(stmt, i);
        const char *constraint = TREE_STRING_POINTER(TREE_VALUE(TREE_PURPOSE(op)));
        if (constraint[0] == '+') add(stmt, TREE_VALUE(op), TOUCH_LOAD, to);
    }
    for (unsigned i = 0; i < gimple_asm_noutputs(stmt); i++)
        add(stmt, TREE_VALUE(gimple_asm_output_op(stmt, i)), TOUCH_STORE, to);
}

static void find_in_call(gcall *stmt, std::vector<touch> &to)
{
    for (unsigned i = 0; i < gimple_call_num_args(stmt); i++)
        add(stmt, gimple_call_arg(stmt, i), TOUCH_LOAD, to);
    touch_atomic(stmt, to);
}

void touch_find(gimple *stmt, std::vector<touch> &to)
{
    size_t before = to.size();
    switch (gimple_code(stmt)) {
    case GIMPLE_ASSIGN: find_in_assign(as_a<gassign *>(stmt), to); break;
    case GIMPLE_CALL: find_in_call(as_a<gcall *>(stmt), to); break;
    case GIMPLE_ASM: find_in_asm(as_a<gasm *>(stmt), to); break;
    default: break;
    }
    for (size_t i = before; i < to.size(); i++) {
        to[i].which = (int)(i - before);
        to[i].site = to[i].again = -1;
    }
}
