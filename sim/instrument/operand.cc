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

/* ---- accesses -------------------------------------------------------------------------------- */

void operation_take_address(operation &o, const touch &t)
{
    tree base = t.base;
    o.bytes = t.bytes;
    o.access = t.which;
    o.form = t.offset ? BLOCK_SCALED : BLOCK_BASE;
    if (TREE_CODE(base) == TARGET_MEM_REF) {
        operation_take_names(o, TMR_BASE(base));
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
    operation_take_names(o, at);
    operation_take_names(o, t.offset);
}

/* Does a register hold what is accessed? Not a structure, nor the bytes around a bit-field. */
static bool in_one(unsigned char type, const touch &t)
{
    return (HOST_WIDE_INT)block_type_bytes(type) * block_type_lanes(type) == t.bytes;
}

/* The type of the next piece of `left` bytes: of elements of at most 8 bytes. The elements of both
 * sides of a copy are the same, so that each piece stored is one that was loaded. */
static unsigned char piece(HOST_WIDE_INT left)
{
    unsigned bytes = 8, lanes = 1;
    while (bytes > left) bytes /= 2;
    while (lanes < 128 && 2 * lanes * bytes <= left) lanes *= 2;
    return block_type(bytes, lanes, 0);
}

size_t operation_load(gimple *stmt, tree type, const touch &t, std::vector<operation> &to)
{
    operation o = operation_make(stmt, BLOCK_LOAD, type);
    size_t before = to.size();
    operation_take_address(o, t);
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
    operation_take_address(o, t);
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
