/* What a conditional move may choose, and by what. */
#include "instrument/chosen.h"

bool chosen_is_integer(tree type)
{
    return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && int_size_in_bytes(type) <= 8;
}

bool chosen_is_carried(tree value)
{
    return TREE_CODE(value) == SSA_NAME && gimple_code(SSA_NAME_DEF_STMT(value)) == GIMPLE_PHI;
}

bool chosen_may_be(tree value)
{
    return is_gimple_min_invariant(value) ||
           (TREE_CODE(value) == SSA_NAME && !SSA_NAME_OCCURS_IN_ABNORMAL_PHI(value));
}

bool chosen_is_real(tree type) { return SCALAR_FLOAT_TYPE_P(type) && int_size_in_bytes(type) <= 8; }

bool chosen_is_minimum(enum tree_code code, tree a, tree b, tree if_true, tree if_false)
{
    if (!chosen_is_real(TREE_TYPE(a)) || TREE_CODE(a) != SSA_NAME || TREE_CODE(b) != SSA_NAME)
        return false;
    if (code != LT_EXPR && code != GT_EXPR && code != UNGE_EXPR && code != UNLE_EXPR) return false;
    return (if_true == a && if_false == b) || (if_true == b && if_false == a);
}

bool chosen_orders(enum tree_code code)
{
    switch (code) {
    case LT_EXPR:
    case LE_EXPR:
    case GT_EXPR:
    case GE_EXPR:
    case UNLT_EXPR:
    case UNLE_EXPR:
    case UNGT_EXPR:
    case UNGE_EXPR: return true;
    default: return false;
    }
}

gcond *chosen_condition(basic_block bb)
{
    gimple *last = gsi_stmt(gsi_last_nondebug_bb(bb));
    return last ? dyn_cast<gcond *>(last) : NULL;
}
