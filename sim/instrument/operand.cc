/* Operations and their operands: types, addresses, loads and stores. */
#include "instrument/describe.h"

static bool is_plain(tree type)
{
    return SCALAR_FLOAT_TYPE_P(type) || INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type);
}

static unsigned char type_of(tree type)
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
    HOST_WIDE_INT most = is_plain(type) ? 16 : 8;
    return block_type((unsigned)(bytes < 1 ? 1 : MIN(bytes, most)), lanes, kind);
}

unsigned operation_bits_of(tree value)
{
    if (integer_zerop(value)) return 0;
    if (TREE_CODE(value) == INTEGER_CST)
        return wi::min_precision(wi::to_wide(value), TYPE_SIGN(TREE_TYPE(value))) +
               (TYPE_UNSIGNED(TREE_TYPE(value)) ? 1 : 0);
    if (TREE_CODE(value) == REAL_CST) return real_zerop(value) ? 0 : 64;
    return 64;
}

operation operation_make(gimple *stmt, enum block_class kind, tree type)
{
    operation o = operation();
    o.kind = kind;
    o.type = type_of(type);
    o.where = gimple_location(stmt);
    o.access = o.stored.block = o.again = -1;
    return o;
}

void operation_take(operation &o, tree value)
{
    if (value) o.operands.push_back(operand{value, -1});
}

void operation_take_here(operation &o, size_t here)
{
    o.operands.push_back(operand{NULL_TREE, (int)here});
}

void operation_take_names(operation &o, tree expression)
{
    if (!expression) return;
    if (TREE_CODE(expression) == SSA_NAME) {
        operation_take(o, expression);
        return;
    }
    if (!EXPR_P(expression)) return;
    for (int i = 0; i < TREE_OPERAND_LENGTH(expression); i++)
        operation_take_names(o, TREE_OPERAND(expression, i));
}

const char *operation_name_of(tree function)
{
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(function));
    return *name == '*' ? name + 1 : name; /* asm("name"): as it is */
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* A name in an offset, times so many bytes. */
struct term {
    tree name;
    HOST_WIDE_INT times;
};

/* False: it is made of something else, too. */
static bool find_terms(tree offset, HOST_WIDE_INT times, std::vector<term> &terms)
{
    while (CONVERT_EXPR_P(offset)) offset = TREE_OPERAND(offset, 0);
    switch (TREE_CODE(offset)) {
    case INTEGER_CST: return true;
    case SSA_NAME: terms.push_back(term{offset, times}); return true;
    case PLUS_EXPR:
        return find_terms(TREE_OPERAND(offset, 0), times, terms) &&
               find_terms(TREE_OPERAND(offset, 1), times, terms);
    case MULT_EXPR: {
        tree by = TREE_OPERAND(offset, 1);
        return tree_fits_shwi_p(by) &&
               find_terms(TREE_OPERAND(offset, 0), times * tree_to_shwi(by), terms);
    }
    default: return false;
    }
}

/* Does the name change in the innermost loop around the statement? gcc computes others before. */
static bool changes(tree name, gimple *stmt)
{
    basic_block at = gimple_bb(SSA_NAME_DEF_STMT(name));
    class loop *loop = gimple_bb(stmt)->loop_father;
    return at && (!loop || flow_bb_inside_loop_p(loop, at));
}

static bool same_operands(const operation &a, const operation &b)
{
    if (a.operands.size() != b.operands.size()) return false;
    for (size_t i = 0; i < a.operands.size(); i++)
        if (a.operands[i].value != b.operands[i].value || a.operands[i].here != b.operands[i].here)
            return false;
    return true;
}

/* The operation of the block that does the same; if there is none, it is appended. */
static int once(const operation &o, std::vector<operation> &to)
{
    for (size_t i = 0; i < to.size(); i++)
        if (to[i].kind == o.kind && to[i].times == o.times && !to[i].result &&
            same_operands(to[i], o))
            return (int)i;
    to.push_back(o);
    return (int)to.size() - 1;
}

static bool is_scaled(const term &t) { return t.times <= 8 && pow2p_hwi(t.times); }

/* What an index is multiplied by, unless an address of x86 can. */
static operand multiplied(gimple *stmt, const term &t, std::vector<operation> &to)
{
    const bool shifts = pow2p_hwi(t.times);
    operation o = operation_make(stmt, shifts ? BLOCK_SHIFT : BLOCK_MULTIPLY, sizetype);
    operation_take(o, t.name);
    if (shifts)
        operation_take(o, size_int(exact_log2(t.times)));
    else
        o.times = (uint64_t)t.times;
    return operand{NULL_TREE, once(o, to)};
}

/* Adds the names of an offset to an address. One of x86 has a base, and one index times 1, 2, 4 or
 * 8: what changes in the loop beyond that is added to the base before the access, multiplied first.
 * An array of arrays with indices that data decide is the common case. */
static void take_offset(operation &o, const touch &t, std::vector<operation> &to)
{
    std::vector<term> terms;
    std::vector<operand> changing; /* those that can be an index are the last */
    if (!t.offset) return;
    if (!find_terms(t.offset, 1, terms)) {
        operation_take_names(o, t.offset);
        return;
    }
    for (const term &one : terms)
        if (one.times <= 0 || !changes(one.name, t.stmt))
            operation_take(o, one.name);
        else if (!is_scaled(one))
            changing.push_back(multiplied(t.stmt, one, to));
    for (const term &one : terms) {
        if (one.times <= 0 || !changes(one.name, t.stmt) || !is_scaled(one)) continue;
        changing.push_back(operand{one.name, -1});
        o.form = one.times > 1 ? BLOCK_SCALED : BLOCK_INDEXED;
    }
    for (size_t i = 0; i + 1 < changing.size(); i++) {
        operation add = operation_make(t.stmt, BLOCK_ADD, sizetype);
        add.operands.push_back(changing[i]);
        if (i > 0) operation_take_here(add, to.size() - 1);
        const int made = once(add, to);
        if (i + 2 == changing.size()) operation_take_here(o, (size_t)made);
    }
    if (changing.empty()) return;
    if (changing.back().here >= 0) o.form = BLOCK_INDEXED;
    o.operands.push_back(changing.back());
}

/* ---- accesses -------------------------------------------------------------------------------- */

/* A variable, its address, or a pointer. */
static void take_base(operation &o, tree base)
{
    tree at = TREE_CODE(base) == ADDR_EXPR ? get_base_address(TREE_OPERAND(base, 0)) : base;
    if (at && DECL_P(at))
        operation_take(o, at);
    else
        operation_take_names(o, base);
}

void operation_take_address(operation &o, const touch &t, std::vector<operation> &to)
{
    tree base = t.base;
    o.bytes = t.bytes;
    o.access = t.which;
    o.form = t.offset ? BLOCK_SCALED : BLOCK_BASE;
    if (TREE_CODE(base) == TARGET_MEM_REF) {
        take_base(o, TMR_BASE(base));
        operation_take_names(o, TMR_INDEX(base));
        operation_take_names(o, TMR_INDEX2(base));
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
    if (t.offset)
        take_base(o, at);
    else
        operation_take_names(o, at);
    take_offset(o, t, to);
}

/* Does a register hold what is accessed? Not a structure, nor the bytes around a bit-field. */
static bool in_one(unsigned char type, const touch &t)
{
    return (HOST_WIDE_INT)block_type_bytes(type) * block_type_lanes(type) == t.bytes;
}

/* The type of the next piece of `left` bytes: of elements of at most 8 bytes, as wide as gcc copies
 * for what it compiles for. The elements of both sides of a copy are the same, so that each piece
 * stored is one that was loaded. */
static unsigned char piece(HOST_WIDE_INT left)
{
    unsigned bytes = 8, lanes = 1;
    const HOST_WIDE_INT widest = MIN(left, (HOST_WIDE_INT)MOVE_MAX_PIECES);
    while (bytes > left) bytes /= 2;
    while (lanes < 128 && 2 * lanes * bytes <= widest) lanes *= 2;
    return block_type(bytes, lanes, 0);
}

size_t operation_load(gimple *stmt, tree type, const touch &t, std::vector<operation> &to)
{
    operation o = operation_make(stmt, BLOCK_LOAD, type);
    operation_take_address(o, t, to);
    const size_t before = to.size();
    if (gimple_has_volatile_ops(stmt)) o.flags |= BLOCK_VOLATILE;
    for (HOST_WIDE_INT left = t.bytes; left > 0; left -= o.bytes) {
        if (!in_one(o.type, t) || o.same_site) o.type = piece(left);
        o.bytes = block_type_bytes(o.type) * block_type_lanes(o.type);
        to.push_back(o);
        o.same_site = true;
    }
    return to.size() - before;
}

void operation_store(gimple *stmt, tree type, const touch &t, tree value, size_t from,
                     std::vector<operation> &to)
{
    operation o = operation_make(stmt, BLOCK_STORE, type);
    size_t first = to.size() - from, last = to.size() - 1;
    o.operands.push_back(operand{value, -1});
    operation_take_address(o, t, to);
    if (gimple_has_volatile_ops(stmt)) o.flags |= BLOCK_VOLATILE;
    for (HOST_WIDE_INT left = t.bytes; left > 0; left -= o.bytes) {
        if (!in_one(o.type, t) || o.same_site) o.type = piece(left);
        o.bytes = block_type_bytes(o.type) * block_type_lanes(o.type);
        if (!value) o.operands[0].here = (int)MIN(first, last);
        first++;
        to.push_back(o);
        o.same_site = true;
    }
}
