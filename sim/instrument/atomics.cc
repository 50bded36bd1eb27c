/* Atomic operations: calls of __atomic_ and __sync_ builtins that stand at the pass, and what gcc
 * has made of them, by gcc's lists of both. Their accesses are announced just before,
 * as one; the operation itself stays what it is. */
#include "instrument/touch.h"

static touch at(gimple *stmt, enum touch_kind kind, tree pointer, HOST_WIDE_INT bytes)
{
    touch t = touch();
    t.stmt = stmt;
    t.kind = kind;
    t.base = pointer;
    t.bytes = bytes;
    t.align = 1; /* nothing is promised */
    t.atomic = true;
    return t;
}

/* The five sizes of a family stand one behind the other in gcc's list. */
static bool sized(built_in_function code, built_in_function first, HOST_WIDE_INT *bytes)
{
    if (code < first || code > first + 4) return false;
    *bytes = HOST_WIDE_INT_1 << (code - first);
    return true;
}

static bool one_of(built_in_function code, const built_in_function *first, size_t n,
                   HOST_WIDE_INT *bytes)
{
    for (size_t i = 0; i < n; i++)
        if (sized(code, first[i], bytes)) return true;
    return false;
}

#define FETCHES(how)                                                                               \
    BUILT_IN_##how##_ADD_1, BUILT_IN_##how##_SUB_1, BUILT_IN_##how##_AND_1, BUILT_IN_##how##_OR_1, \
        BUILT_IN_##how##_XOR_1, BUILT_IN_##how##_NAND_1
#define FETCHED(how)                                                                               \
    BUILT_IN_##how##_ADD_FETCH_1, BUILT_IN_##how##_SUB_FETCH_1, BUILT_IN_##how##_AND_FETCH_1,      \
        BUILT_IN_##how##_OR_FETCH_1, BUILT_IN_##how##_XOR_FETCH_1, BUILT_IN_##how##_NAND_FETCH_1
#define SYNC(how)                                                                                  \
    BUILT_IN_SYNC_##how##_ADD_1, BUILT_IN_SYNC_##how##_SUB_1, BUILT_IN_SYNC_##how##_AND_1,         \
        BUILT_IN_SYNC_##how##_OR_1, BUILT_IN_SYNC_##how##_XOR_1, BUILT_IN_SYNC_##how##_NAND_1
static const built_in_function changing[] = {FETCHES(ATOMIC_FETCH),
                                             FETCHED(ATOMIC),
                                             SYNC(FETCH_AND),
                                             BUILT_IN_SYNC_ADD_AND_FETCH_1,
                                             BUILT_IN_SYNC_SUB_AND_FETCH_1,
                                             BUILT_IN_SYNC_AND_AND_FETCH_1,
                                             BUILT_IN_SYNC_OR_AND_FETCH_1,
                                             BUILT_IN_SYNC_XOR_AND_FETCH_1,
                                             BUILT_IN_SYNC_NAND_AND_FETCH_1,
                                             BUILT_IN_ATOMIC_EXCHANGE_1,
                                             BUILT_IN_SYNC_LOCK_TEST_AND_SET_1};
static const built_in_function storing[] = {BUILT_IN_ATOMIC_STORE_1, BUILT_IN_SYNC_LOCK_RELEASE_1};
static const built_in_function loading[] = {BUILT_IN_ATOMIC_LOAD_1};
static const built_in_function comparing[] = {BUILT_IN_SYNC_BOOL_COMPARE_AND_SWAP_1,
                                              BUILT_IN_SYNC_VAL_COMPARE_AND_SWAP_1};
static const built_in_function comparing_with[] = {BUILT_IN_ATOMIC_COMPARE_EXCHANGE_1};
#define ONE_OF(code, list, bytes) one_of(code, list, ARRAY_SIZE(list), bytes)

/* "memory_order_relaxed: no operation orders memory" (C11 7.17.3). */
static bool relaxed(gcall *stmt, unsigned arg)
{
    return tree_fits_uhwi_p(gimple_call_arg(stmt, arg)) &&
           memmodel_base(tree_to_uhwi(gimple_call_arg(stmt, arg))) == MEMMODEL_RELAXED;
}

bool touch_is_sequential(tree order)
{
    return tree_fits_uhwi_p(order) && memmodel_base(tree_to_uhwi(order)) == MEMMODEL_SEQ_CST;
}

/* The order, where the program says at run time which: in functions of <atomic> that were not
 * compiled into their callers. */
static tree order(gcall *stmt, unsigned arg)
{
    tree given = gimple_call_arg(stmt, arg);
    return tree_fits_uhwi_p(given) ? NULL_TREE : given;
}

/* One that loads and stores, of that order. Where it does not acquire, it counts as if it did,
 * unless it is relaxed: what others released there it goes on with (C11 5.1.2.4). */
static void ordered(touch *t, gcall *stmt, unsigned arg)
{
    tree given = gimple_call_arg(stmt, arg);
    t->order = order(stmt, arg);
    if (!tree_fits_uhwi_p(given)) return;
    const enum memmodel model = memmodel_base(tree_to_uhwi(given));
    t->load_relaxed = model == MEMMODEL_RELAXED;
    t->store_relaxed = model <= MEMMODEL_ACQUIRE;
}

/* __sync's have no order of their own. */
static bool has_order(gcall *stmt)
{
    return startswith(IDENTIFIER_POINTER(DECL_NAME(gimple_call_fndecl(stmt))), "__atomic");
}

/* Of any size: the library does it (__atomic_load and so on, by the ABI of libatomic). */
static bool generic(gcall *stmt, built_in_function code, std::vector<touch> &to)
{
    if (code != BUILT_IN_ATOMIC_LOAD && code != BUILT_IN_ATOMIC_STORE &&
        code != BUILT_IN_ATOMIC_EXCHANGE && code != BUILT_IN_ATOMIC_COMPARE_EXCHANGE)
        return false;
    tree size = gimple_call_arg(stmt, 0);
    if (!tree_fits_uhwi_p(size)) return true;
    HOST_WIDE_INT bytes = tree_to_uhwi(size);
    tree object = gimple_call_arg(stmt, 1), other = gimple_call_arg(stmt, 2);
    if (code == BUILT_IN_ATOMIC_LOAD) {
        to.push_back(at(stmt, TOUCH_LOAD, object, bytes));
    } else if (code == BUILT_IN_ATOMIC_STORE) {
        to.push_back(at(stmt, TOUCH_LOAD, other, bytes));
        to.back().atomic = false;
        to.push_back(at(stmt, TOUCH_STORE, object, bytes));
    } else if (code == BUILT_IN_ATOMIC_EXCHANGE) {
        to.push_back(at(stmt, TOUCH_LOAD, other, bytes));
        to.back().atomic = false;
        to.push_back(at(stmt, TOUCH_CHANGE, object, bytes));
        ordered(&to.back(), stmt, 4);
    } else {
        to.push_back(at(stmt, TOUCH_COMPARE_WITH, object, bytes));
        to.back().expected = other;
        ordered(&to.back(), stmt, 4);
    }
    return true;
}

static bool by_builtin(gcall *stmt, built_in_function code, std::vector<touch> &to)
{
    HOST_WIDE_INT bytes;
    if (generic(stmt, code, to)) return true;
    if (gimple_call_num_args(stmt) == 0) return false;
    tree object = gimple_call_arg(stmt, 0);
    if (code == BUILT_IN_ATOMIC_TEST_AND_SET) {
        to.push_back(at(stmt, TOUCH_CHANGE, object, 1));
        ordered(&to.back(), stmt, 1);
    } else if (code == BUILT_IN_ATOMIC_CLEAR) {
        to.push_back(at(stmt, TOUCH_STORE, object, 1));
        to.back().relaxed = relaxed(stmt, 1);
        to.back().order = order(stmt, 1);
    } else if (ONE_OF(code, changing, &bytes)) {
        to.push_back(at(stmt, TOUCH_CHANGE, object, bytes));
        if (has_order(stmt)) ordered(&to.back(), stmt, 2);
    } else if (ONE_OF(code, storing, &bytes)) {
        to.push_back(at(stmt, TOUCH_STORE, object, bytes));
        if (gimple_call_num_args(stmt) == 3) {
            to.back().relaxed = relaxed(stmt, 2);
            to.back().order = order(stmt, 2);
        }
    } else if (ONE_OF(code, loading, &bytes)) {
        to.push_back(at(stmt, TOUCH_LOAD, object, bytes));
        to.back().relaxed = relaxed(stmt, 1);
        to.back().order = order(stmt, 1);
    } else if (ONE_OF(code, comparing, &bytes)) {
        /* a value of 16 bytes has no register to be passed in: both accesses are announced */
        to.push_back(at(stmt, bytes > 8 ? TOUCH_CHANGE : TOUCH_COMPARE, object, bytes));
        to.back().expected = gimple_call_arg(stmt, 1);
    } else if (ONE_OF(code, comparing_with, &bytes)) {
        to.push_back(at(stmt, TOUCH_COMPARE_WITH, object, bytes));
        to.back().expected = gimple_call_arg(stmt, 1);
        ordered(&to.back(), stmt, 4); /* where it stores; no weaker than where it does not */
    } else {
        return false;
    }
    return true;
}

static bool by_internal(gcall *stmt, std::vector<touch> &to)
{
    tree object;
    HOST_WIDE_INT bytes;
    switch (gimple_call_internal_fn(stmt)) {
    case IFN_ATOMIC_COMPARE_EXCHANGE:
        object = gimple_call_arg(stmt, 0);
        bytes = tree_to_uhwi(gimple_call_arg(stmt, 3)) & 255;
        to.push_back(at(stmt, bytes > 8 ? TOUCH_CHANGE : TOUCH_COMPARE, object, bytes));
        to.back().expected = gimple_call_arg(stmt, 1);
        ordered(&to.back(), stmt, 4);
        return true;
    case IFN_ATOMIC_BIT_TEST_AND_SET:
    case IFN_ATOMIC_BIT_TEST_AND_COMPLEMENT:
    case IFN_ATOMIC_BIT_TEST_AND_RESET:
    case IFN_ATOMIC_ADD_FETCH_CMP_0:
    case IFN_ATOMIC_SUB_FETCH_CMP_0:
    case IFN_ATOMIC_AND_FETCH_CMP_0:
    case IFN_ATOMIC_OR_FETCH_CMP_0:
    case IFN_ATOMIC_XOR_FETCH_CMP_0: {
        /* among their arguments: the object, and the builtin they were made of */
        object = NULL_TREE;
        bytes = 4;
        for (unsigned i = 0; i < gimple_call_num_args(stmt); i++) {
            tree arg = gimple_call_arg(stmt, i);
            if (!POINTER_TYPE_P(TREE_TYPE(arg))) continue;
            if (TREE_CODE(arg) != ADDR_EXPR || TREE_CODE(TREE_OPERAND(arg, 0)) != FUNCTION_DECL)
                object = arg;
            else if (fndecl_built_in_p(TREE_OPERAND(arg, 0), BUILT_IN_NORMAL))
                ONE_OF(DECL_FUNCTION_CODE(TREE_OPERAND(arg, 0)), changing, &bytes);
        }
        if (object) to.push_back(at(stmt, TOUCH_CHANGE, object, bytes));
        return true;
    }
    default: return false;
    }
}

bool touch_atomic(gimple *stmt, std::vector<touch> &to)
{
    gcall *call = as_a<gcall *>(stmt);
    if (gimple_call_internal_p(call)) return by_internal(call, to);
    if (!gimple_call_builtin_p(call, BUILT_IN_NORMAL)) return false;
    return by_builtin(call, DECL_FUNCTION_CODE(gimple_call_fndecl(call)), to);
}

/* ---- stores that have a fence behind them ------------------------------------------------------
 */

/* Where x86 has two instructions, or one that is locked, other machines have a fence behind the
 * store. Weaker orders take nothing there that it does not do anyway (Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 3, 8.2.3). Left out: an order that the program
 * says at run time. */
bool touch_stores_in_order(gimple *stmt)
{
    HOST_WIDE_INT bytes;
    if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL)) return false;
    gcall *call = as_a<gcall *>(stmt);
    built_in_function code = DECL_FUNCTION_CODE(gimple_call_fndecl(call));
    int order = -1;
    if (code == BUILT_IN_ATOMIC_CLEAR)
        order = 1;
    else if (code == BUILT_IN_ATOMIC_STORE)
        order = 3;
    else if (code != BUILT_IN_SYNC_LOCK_RELEASE_1 && ONE_OF(code, storing, &bytes) &&
             gimple_call_num_args(call) == 3)
        order = 2;
    return order >= 0 && touch_is_sequential(gimple_call_arg(call, order));
}
