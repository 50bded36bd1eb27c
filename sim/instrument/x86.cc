/* Instructions of x86 that gcc calls by name and which load or store: what its headers of
 * intrinsics call, and what it makes itself of loops (gathers, scatters). By their names and
 * arguments, as gcc lists them (GCC sources, gcc/config/i386, the list of builtins):
 *
 *   movnt*(pointer, value)  movntdqa*, lddqu*(pointer)         streaming, unaligned
 *   storehps, storelps(pointer, vector)                         a half of 8 bytes
 *   loadhps, loadlps, loadhpd, loadlpd(vector, pointer)         a half, the other is kept
 *   maskload*(pointer, mask)  maskstore*(pointer, mask, value)  lanes under a vector of signs
 *   maskmovdqu(value, mask, pointer)
 *   load*_mask, movdqa*load*_mask(pointer, otherwise, bits)     lanes under bits
 *   store*_mask, movdqa*store*_mask(pointer, value, bits)
 *   expandload*_mask, compressstore*_mask                       the same, packed
 *   gather*(otherwise, pointer, index, mask, scale)
 *   scatter*(pointer, bits, index, value, scale)
 *
 * Streaming stores are priced as stores are: that they go around the caches is left out.
 * Left out: stores of lanes made narrower (vpmov), gathers that only prefetch.
 */
#include "instrument/lanes.h"
#include "instrument/make.h"

const char *x86_instruction(gcall *stmt)
{
    static const char prefix[] = "__builtin_ia32_";
    tree function = gimple_call_fndecl(stmt); /* arguments may be of other types than declared */
    if (!function || !fndecl_built_in_p(function, BUILT_IN_MD)) return NULL;
    const char *name = IDENTIFIER_POINTER(DECL_NAME(function));
    return strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : NULL;
}

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static bool is_pointer(gcall *stmt, unsigned i)
{
    return i < gimple_call_num_args(stmt) && POINTER_TYPE_P(TREE_TYPE(gimple_call_arg(stmt, i)));
}

static bool is_vector(tree value) { return value && VECTOR_TYPE_P(TREE_TYPE(value)); }

/* Memory of the type at the pointer, through which anything may be accessed. */
static tree at_pointer(tree type, tree at, unsigned align)
{
    tree alias = build_pointer_type_for_mode(type, ptr_mode, true);
    tree aligned = build_aligned_type(type, MIN(align, TYPE_ALIGN(type)));
    return build2(MEM_REF, aligned, at, build_int_cst(alias, 0));
}

/* ---- whole vectors and halves ---------------------------------------------------------------- */

static tree insert(gimple_stmt_iterator *gsi, tree type, tree expression)
{
    tree name = make_ssa_name(type);
    gassign *stmt = gimple_build_assign(name, expression);
    gimple_set_location(stmt, gimple_location(gsi_stmt(*gsi)));
    gsi_insert_before(gsi, stmt, GSI_SAME_STMT);
    return name;
}

static tree name_of(gimple_stmt_iterator *gsi, tree value)
{
    return TREE_CODE(value) == SSA_NAME ? value
                                        : insert(gsi, TREE_TYPE(value), unshare_expr(value));
}

static void replace(gimple_stmt_iterator *gsi, tree to, tree from)
{
    gassign *stmt = gimple_build_assign(to, from);
    gimple_set_location(stmt, gimple_location(gsi_stmt(*gsi)));
    gsi_replace(gsi, stmt, false);
}

static tree two_halves(void) { return build_vector_type(double_type_node, 2); }

static tree half_of(gimple_stmt_iterator *gsi, tree vector, unsigned half)
{
    tree whole = insert(gsi, two_halves(), build1(VIEW_CONVERT_EXPR, two_halves(), vector));
    return insert(
        gsi, double_type_node,
        build3(BIT_FIELD_REF, double_type_node, whole, bitsize_int(64), bitsize_int(64 * half)));
}

static void store_half(gimple_stmt_iterator *gsi, unsigned half)
{
    gcall *stmt = as_a<gcall *>(gsi_stmt(*gsi));
    tree at = name_of(gsi, gimple_call_arg(stmt, 0));
    tree value = half_of(gsi, name_of(gsi, gimple_call_arg(stmt, 1)), half);
    replace(gsi, at_pointer(double_type_node, at, BITS_PER_UNIT), value);
}

static void load_half(gimple_stmt_iterator *gsi, unsigned half)
{
    gcall *stmt = as_a<gcall *>(gsi_stmt(*gsi));
    tree left = gimple_call_lhs(stmt);
    tree at = name_of(gsi, gimple_call_arg(stmt, 1));
    tree kept = half_of(gsi, name_of(gsi, gimple_call_arg(stmt, 0)), 1 - half);
    tree loaded = insert(gsi, double_type_node, at_pointer(double_type_node, at, BITS_PER_UNIT));
    vec<constructor_elt, va_gc> *halves = NULL;
    CONSTRUCTOR_APPEND_ELT(halves, NULL_TREE, half == 0 ? loaded : kept);
    CONSTRUCTOR_APPEND_ELT(halves, NULL_TREE, half == 0 ? kept : loaded);
    tree whole = insert(gsi, two_halves(), build_constructor(two_halves(), halves));
    replace(gsi, left, build1(VIEW_CONVERT_EXPR, TREE_TYPE(left), whole));
}

void x86_move(gimple_stmt_iterator *gsi)
{
    gcall *stmt = as_a<gcall *>(gsi_stmt(*gsi));
    const char *name = x86_instruction(stmt);
    tree left = gimple_call_lhs(stmt);
    if (!name || stmt_ends_bb_p(stmt)) return;
    unsigned count = gimple_call_num_args(stmt);
    bool streams = begins(name, "movnt") && strcmp(name, "movntsd") != 0 &&
                   strcmp(name, "movntss") != 0; /* those of SSE4a store one lane */
    if (is_pointer(stmt, 0) && streams && count == 2 && !left) {
        tree at = name_of(gsi, gimple_call_arg(stmt, 0));
        tree value = name_of(gsi, gimple_call_arg(stmt, 1));
        tree type = TREE_TYPE(value);
        replace(gsi, at_pointer(type, at, TYPE_ALIGN(type)), value);
    } else if (is_pointer(stmt, 0) && count == 1 && left && (streams || begins(name, "lddqu"))) {
        tree at = name_of(gsi, gimple_call_arg(stmt, 0)), type = TREE_TYPE(left);
        replace(gsi, left, at_pointer(type, at, streams ? TYPE_ALIGN(type) : BITS_PER_UNIT));
    } else if (is_pointer(stmt, 0) && strcmp(name, "storelps") == 0) {
        store_half(gsi, 0);
    } else if (is_pointer(stmt, 0) && strcmp(name, "storehps") == 0) {
        store_half(gsi, 1);
    } else if (is_pointer(stmt, 1) && left && begins(name, "loadlp")) {
        load_half(gsi, 0);
    } else if (is_pointer(stmt, 1) && left && begins(name, "loadhp")) {
        load_half(gsi, 1);
    }
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static bool is_negative(tree number)
{
    return TREE_CODE(number) == REAL_CST ? REAL_VALUE_NEGATIVE(TREE_REAL_CST(number))
                                         : tree_int_cst_sgn(number) < 0;
}

/* Does a comparison of a constant with itself make it? So the headers have all lanes gathered. */
static bool compares_equal(gcall *stmt)
{
    const char *name = x86_instruction(stmt);
    if (!name || !begins(name, "cmp") || gimple_call_num_args(stmt) < 2) return false;
    bool equal = begins(name, "cmpeq");
    if (!equal && gimple_call_num_args(stmt) == 3) equal = integer_zerop(gimple_call_arg(stmt, 2));
    return equal && uniform_vector_p(gimple_call_arg(stmt, 0)) &&
           operand_equal_p(gimple_call_arg(stmt, 0), gimple_call_arg(stmt, 1));
}

/* Are the first lanes asked for, whatever runs? */
static bool asks_all(tree mask, unsigned count)
{
    enum { STEPS = 8 };
    for (int i = 0; i < STEPS && TREE_CODE(mask) == SSA_NAME; i++) {
        gimple *made = SSA_NAME_DEF_STMT(mask);
        if (is_gimple_call(made)) return compares_equal(as_a<gcall *>(made));
        if (!gimple_assign_single_p(made)) return false;
        tree from = gimple_assign_rhs1(made);
        mask = TREE_CODE(from) == VIEW_CONVERT_EXPR ? TREE_OPERAND(from, 0) : from;
    }
    if (TREE_CODE(mask) == INTEGER_CST) {
        unsigned HOST_WIDE_INT bits = wi::to_wide(mask).to_uhwi();
        return count == 64 ? bits == HOST_WIDE_INT_M1U : (bits + 1) << (64 - count) == 0;
    }
    if (TREE_CODE(mask) != VECTOR_CST) return false;
    for (unsigned lane = 0; lane < count; lane++)
        if (!is_negative(vector_cst_elt(mask, lane))) return false;
    return true;
}

static unsigned lanes_of(tree vector)
{
    return (unsigned)TYPE_VECTOR_SUBPARTS(TREE_TYPE(vector)).to_constant();
}

static bool find_indexed(gcall *stmt, const char *name, lanes *m)
{
    m->load = begins(name, "gather");
    if (gimple_call_num_args(stmt) != 5) return false;
    m->at = gimple_call_arg(stmt, m->load ? 1 : 0);
    tree type = TREE_TYPE(m->at); /* gcc 14 has the base of its own gathers as a number */
    if (!POINTER_TYPE_P(type) && !(INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) == POINTER_SIZE))
        return false;
    m->mask = gimple_call_arg(stmt, m->load ? 3 : 1);
    m->value = m->load ? gimple_call_lhs(stmt) : gimple_call_arg(stmt, 3);
    m->otherwise = m->load ? gimple_call_arg(stmt, 0) : NULL_TREE;
    m->index = gimple_call_arg(stmt, 2);
    tree scale = gimple_call_arg(stmt, 4);
    if (!is_vector(m->value) || !is_vector(m->index) || !tree_fits_shwi_p(scale)) return false;
    m->scale = tree_to_shwi(scale);
    m->count = MIN(lanes_of(m->value), lanes_of(m->index));
    return true;
}

/* Under bits, behind the pointer. */
static bool find_bits(gcall *stmt, const char *name, lanes *m)
{
    if (gimple_call_num_args(stmt) != 3 || !is_pointer(stmt, 0)) return false;
    bool scalar = begins(name, "loadss") || begins(name, "loadsd") || begins(name, "storess") ||
                  begins(name, "storesd");
    bool expands = begins(name, "expandload"), compresses = begins(name, "compressstore");
    bool moves = begins(name, "movdqa");
    m->load = begins(name, "load") || expands || (moves && strstr(name, "load"));
    if (!m->load && !begins(name, "store") && !compresses && !moves) return false;
    m->packed = expands || compresses;
    m->at = gimple_call_arg(stmt, 0);
    m->mask = gimple_call_arg(stmt, 2);
    m->value = m->load ? gimple_call_lhs(stmt) : gimple_call_arg(stmt, 1);
    m->otherwise = m->load ? gimple_call_arg(stmt, 1) : NULL_TREE;
    if (!is_vector(m->value) || !INTEGRAL_TYPE_P(TREE_TYPE(m->mask))) return false;
    m->count = scalar ? 1 : lanes_of(m->value);
    return true;
}

/* Under signs, behind the pointer. */
static bool find_signs(gcall *stmt, const char *name, lanes *m)
{
    m->load = begins(name, "maskload");
    bool moves = strcmp(name, "maskmovdqu") == 0;
    if (!m->load && !begins(name, "maskstore") && !moves) return false;
    unsigned at = moves ? 2 : 0;
    if (!is_pointer(stmt, at)) return false;
    m->at = gimple_call_arg(stmt, at);
    m->mask = gimple_call_arg(stmt, 1);
    m->value = m->load ? gimple_call_lhs(stmt) : gimple_call_arg(stmt, moves ? 0 : 2);
    if (!is_vector(m->value) || !is_vector(m->mask)) return false;
    m->count = lanes_of(m->value);
    return true;
}

bool x86_lanes(gcall *stmt, lanes *m)
{
    const char *name = x86_instruction(stmt);
    if (!name) return false;
    size_t length = strlen(name);
    bool indexed = (begins(name, "gather") || begins(name, "scatter")) && !strstr(name, "pf");
    bool bits = length > 5 && (strcmp(name + length - 5, "_mask") == 0 ||
                               strcmp(name + length - 6, "_maskz") == 0);
    bool found = indexed ? find_indexed(stmt, name, m)
                 : bits  ? find_bits(stmt, name, m)
                         : find_signs(stmt, name, m);
    if (!found) return false;
    m->align = BITS_PER_UNIT;
    m->alias = build_pointer_type_for_mode(TREE_TYPE(TREE_TYPE(m->value)), ptr_mode, true);
    if (asks_all(m->mask, m->count)) {
        m->mask = NULL_TREE;
        m->packed = false;
    }
    return true;
}
