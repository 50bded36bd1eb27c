/* What is rewritten before accesses are announced.
 *
 * A library call that gcc could still expand in line becomes a call of a function it knows nothing
 * about: the program object's stand-in, which announces its accesses itself. So does a copy or a
 * clearing of many bytes; one of few bytes is loads and stores, as gcc makes them of it. An
 * aggregate that a call returns goes through a variable, so that storing it is a statement of its
 * own behind the call. A call at a function's end stays a call: as a jump it would have the place
 * of its caller.
 */
#include "instrument/touch.h"

#include "instrument/lanes.h"
#include "instrument/make.h"

/* Bytes of a copy that is announced as one load and one store; and of a clearing of which gcc makes
 * stores on x86 (of more, rep stos). */
enum { COPY_MOST = 128, CLEAR_MOST = 64 };

/* The program object has a stand-in for each (program/memory.c). */
static const char *kept_name(built_in_function code)
{
    switch (code) {
    case BUILT_IN_MEMCPY: return "memcpy";
    case BUILT_IN_MEMPCPY: return "mempcpy";
    case BUILT_IN_MEMMOVE: return "memmove";
    case BUILT_IN_MEMSET: return "memset";
    case BUILT_IN_MEMCMP:
    case BUILT_IN_MEMCMP_EQ: return "memcmp";
    case BUILT_IN_MEMCHR: return "memchr";
    case BUILT_IN_BCOPY: return "bcopy";
    case BUILT_IN_BZERO: return "bzero";
    case BUILT_IN_BCMP: return "bcmp";
    case BUILT_IN_STRLEN: return "strlen";
    case BUILT_IN_STRNLEN: return "strnlen";
    case BUILT_IN_STRCPY: return "strcpy";
    case BUILT_IN_STPCPY: return "stpcpy";
    case BUILT_IN_STRNCPY: return "strncpy";
    case BUILT_IN_STRCAT: return "strcat";
    case BUILT_IN_STRNCAT: return "strncat";
    case BUILT_IN_STRCMP:
    case BUILT_IN_STRCMP_EQ: return "strcmp";
    case BUILT_IN_STRNCMP:
    case BUILT_IN_STRNCMP_EQ: return "strncmp";
    case BUILT_IN_STRCASECMP: return "strcasecmp";
    case BUILT_IN_STRNCASECMP: return "strncasecmp";
    case BUILT_IN_STRCHR: return "strchr";
    case BUILT_IN_STRRCHR: return "strrchr";
    case BUILT_IN_INDEX: return "index";
    case BUILT_IN_RINDEX: return "rindex";
    case BUILT_IN_STRSTR: return "strstr";
    case BUILT_IN_STRDUP: return "strdup";
    case BUILT_IN_STRNDUP: return "strndup";
    case BUILT_IN_SPRINTF: return "sprintf";
    case BUILT_IN_SNPRINTF: return "snprintf";
    case BUILT_IN_VSPRINTF: return "vsprintf";
    case BUILT_IN_VSNPRINTF: return "vsnprintf";
    case BUILT_IN_FWRITE: return "fwrite";
    case BUILT_IN_FPUTS: return "fputs";
    default: return NULL;
    }
}

/* A function of that name and type that gcc knows nothing about. */
static tree plain_function(const char *name, tree type)
{
    tree decl = build_fn_decl(name, type);
    return decl;
}

static void keep_call(gimple_stmt_iterator *gsi)
{
    gcall *call = as_a<gcall *>(gsi_stmt(*gsi));
    if (!gimple_call_builtin_p(call, BUILT_IN_NORMAL)) return;
    built_in_function code = DECL_FUNCTION_CODE(gimple_call_fndecl(call));
    const char *name = kept_name(code);
    if (!name) return;
    tree known = gimple_call_fndecl(call), plain = plain_function(name, TREE_TYPE(known));
    TREE_NOTHROW(plain) = TREE_NOTHROW(known);
    gimple_call_set_fndecl(call, plain);
    update_stmt(call);
}

/* ---- copies ---------------------------------------------------------------------------------- */

static tree address(tree ref)
{
    tree base = get_base_address(ref);
    if (DECL_P(base)) make_addressable(base);
    return build_fold_addr_expr(unshare_expr(ref));
}

/* Its address can be taken: a bit-field's cannot, nor that of what a register holds. */
static bool is_whole(gimple *stmt, tree ref)
{
    touch t;
    if (TREE_CODE(ref) == STRING_CST) return true;
    return touch_of(stmt, ref, TOUCH_LOAD, &t) && TREE_CODE(ref) != BIT_FIELD_REF &&
           TREE_CODE(ref) != VIEW_CONVERT_EXPR && !TREE_THIS_VOLATILE(ref);
}

static void copy_by_call(gimple_stmt_iterator *gsi)
{
    gassign *stmt = as_a<gassign *>(gsi_stmt(*gsi));
    if (!gimple_assign_single_p(stmt) || gimple_clobber_p(stmt)) return;
    tree to = gimple_assign_lhs(stmt), from = gimple_assign_rhs1(stmt);
    if (is_gimple_reg_type(TREE_TYPE(to)) || stmt_can_throw_internal(cfun, stmt)) return;
    HOST_WIDE_INT bytes = int_size_in_bytes(TREE_TYPE(to));
    if (bytes <= COPY_MOST || !is_whole(stmt, to)) return;
    bool clear = TREE_CODE(from) == CONSTRUCTOR && CONSTRUCTOR_NELTS(from) == 0;
    if (!clear && !is_whole(stmt, from)) return;
    location_t where = gimple_location(stmt);
    tree at = force_gimple_operand_gsi(gsi, address(to), true, NULL_TREE, true, GSI_SAME_STMT);
    tree other =
        clear ? integer_zero_node
              : force_gimple_operand_gsi(gsi, address(from), true, NULL_TREE, true, GSI_SAME_STMT);
    tree known = builtin_decl_explicit(clear ? BUILT_IN_MEMSET : BUILT_IN_MEMCPY);
    tree function = plain_function(clear ? "memset" : "memcpy", TREE_TYPE(known));
    TREE_NOTHROW(function) = 1;
    gcall *call = gimple_build_call(function, 3, at, other, size_int(bytes));
    gimple_set_location(call, where);
    gsi_replace(gsi, call, true);
}

/* The bytes behind a pointer. */
static tree bytes_at(gimple_stmt_iterator *gsi, tree pointer, unsigned HOST_WIDE_INT bytes)
{
    tree type = build_array_type_nelts(unsigned_char_type_node, bytes);
    tree any = build_pointer_type_for_mode(char_type_node, ptr_mode, true); /* aliases all */
    tree ref = fold_build2(MEM_REF, type, pointer, build_int_cst(any, 0));
    if (TREE_CODE(ref) == MEM_REF && !is_gimple_mem_ref_addr(TREE_OPERAND(ref, 0)))
        TREE_OPERAND(ref, 0) = force_gimple_operand_gsi(gsi, TREE_OPERAND(ref, 0), true, NULL_TREE,
                                                        true, GSI_SAME_STMT);
    return ref;
}

/* A call of memcpy, or of memset with 0, of so few bytes that gcc expands it in line where it makes
 * code for speed; 0: it is none. */
static unsigned HOST_WIDE_INT bytes_in_line(gcall *call)
{
    if (!gimple_call_builtin_p(call, BUILT_IN_NORMAL)) return 0;
    built_in_function code = DECL_FUNCTION_CODE(gimple_call_fndecl(call));
    const bool clear = code == BUILT_IN_MEMSET;
    if (code != BUILT_IN_MEMCPY && !clear) return 0;
    if (optimize == 0 || optimize_function_for_size_p(cfun)) return 0;
    if (clear && !integer_zerop(gimple_call_arg(call, 1))) return 0;
    tree bytes = gimple_call_arg(call, 2);
    if (!tree_fits_uhwi_p(bytes) || stmt_ends_bb_p(call)) return 0;
    return tree_to_uhwi(bytes) <= (clear ? CLEAR_MOST : COPY_MOST) ? tree_to_uhwi(bytes) : 0;
}

/* False: it stays a call. */
static bool copy_in_line(gimple_stmt_iterator *gsi)
{
    gcall *call = as_a<gcall *>(gsi_stmt(*gsi));
    const unsigned HOST_WIDE_INT bytes = bytes_in_line(call);
    if (bytes == 0) return false;
    tree at = gimple_call_arg(call, 0), left = gimple_call_lhs(call);
    tree to = bytes_at(gsi, at, bytes), type = TREE_TYPE(to);
    tree from = DECL_FUNCTION_CODE(gimple_call_fndecl(call)) == BUILT_IN_MEMSET
                    ? build_constructor(type, NULL)
                    : bytes_at(gsi, gimple_call_arg(call, 1), bytes);
    gassign *copy = gimple_build_assign(to, from);
    gimple_set_location(copy, gimple_location(call));
    if (left) {
        gimple_call_set_lhs(call, NULL_TREE);
        gassign *result = gimple_build_assign(left, fold_convert(TREE_TYPE(left), at));
        gimple_set_location(result, gimple_location(call));
        gsi_insert_after(gsi, result, GSI_SAME_STMT);
    }
    gimple_move_vops(copy, call);
    gsi_replace(gsi, copy, false);
    return true;
}

/* ---- results --------------------------------------------------------------------------------- */

static edge way_on(basic_block bb)
{
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, bb->succs)
    if (e->flags & EDGE_FALLTHRU) return e;
    return NULL;
}

static void result_apart(gimple_stmt_iterator *gsi)
{
    gcall *call = as_a<gcall *>(gsi_stmt(*gsi));
    tree to = gimple_call_lhs(call);
    touch t;
    if (!to || TREE_CODE(to) == SSA_NAME || !touch_of(call, to, TOUCH_STORE, &t)) return;
    tree type = TREE_TYPE(to);
    if (TREE_ADDRESSABLE(type) || int_size_in_bytes(type) <= 0) return;
    tree result = is_gimple_reg_type(type) ? make_ssa_name(type) : create_tmp_var(type);
    gassign *store = gimple_build_assign(unshare_expr(to), result);
    /* left out: one that would have to be caught (-fnon-call-exceptions, inside a handler) */
    if (lookup_stmt_eh_lp(call) != 0 && stmt_could_throw_p(cfun, store)) return;
    gimple_set_location(store, gimple_location(call));
    gimple_call_set_lhs(call, result);
    if (TREE_CODE(result) == SSA_NAME) SSA_NAME_DEF_STMT(result) = call;
    update_stmt(call);
    if (!stmt_ends_bb_p(call)) {
        gsi_insert_after(gsi, store, GSI_SAME_STMT);
    } else if (edge on = way_on(gimple_bb(call))) {
        gsi_insert_on_edge_immediate(on, store);
    }
}

/* ---- inline assembly ------------------------------------------------------------------------- */

/* to = from, through a register if their type has one. Behind `gsi`, or before it. */
static void copy(gimple_stmt_iterator *gsi, tree to, tree from, bool behind, location_t where)
{
    gimple_seq seq = NULL;
    tree value = unshare_expr(from);
    if (is_gimple_reg_type(TREE_TYPE(to))) {
        value = make_ssa_name(TREE_TYPE(to));
        gimple_seq_add_stmt(&seq, gimple_build_assign(value, unshare_expr(from)));
    }
    gimple_seq_add_stmt(&seq, gimple_build_assign(unshare_expr(to), value));
    for (gimple_stmt_iterator i = gsi_start(seq); !gsi_end_p(i); gsi_next(&i))
        gimple_set_location(gsi_stmt(i), where);
    if (behind)
        gsi_insert_seq_after(gsi, seq, GSI_CONTINUE_LINKING);
    else
        gsi_insert_seq_before(gsi, seq, GSI_SAME_STMT);
}

/* Every store follows its announcement, so of several outputs in memory all but the first become
 * variables, which are stored behind the assembly. */
static void outputs_apart(gimple_stmt_iterator *gsi)
{
    gasm *stmt = as_a<gasm *>(gsi_stmt(*gsi));
    gimple_stmt_iterator behind = *gsi;
    bool first = true;
    for (unsigned i = 0; i < gimple_asm_noutputs(stmt); i++) {
        tree to = TREE_VALUE(gimple_asm_output_op(stmt, i));
        touch t;
        if (!touch_of(stmt, to, TOUCH_STORE, &t)) continue;
        if (first || stmt_ends_bb_p(stmt)) {
            first = false;
            continue;
        }
        tree result = create_tmp_var(TREE_TYPE(to));
        TREE_ADDRESSABLE(result) = 1;
        copy(gsi, result, to, false, gimple_location(stmt));
        copy(&behind, to, result, true, gimple_location(stmt));
        TREE_VALUE(gimple_asm_output_op(stmt, i)) = result;
        for (unsigned k = 0; k < gimple_asm_ninputs(stmt); k++)
            if (operand_equal_p(TREE_VALUE(gimple_asm_input_op(stmt, k)), to))
                TREE_VALUE(gimple_asm_input_op(stmt, k)) = result;
    }
    if (!first) update_stmt(stmt);
}

void prepare_function(function *fun)
{
    std::vector<gimple *> all;
    basic_block bb;
    FOR_EACH_BB_FN(bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
        all.push_back(gsi_stmt(gsi));
    for (gimple *stmt : all) {
        gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
        if (is_gimple_call(stmt)) {
            if (copy_in_line(&gsi)) continue;
            gimple_call_set_tail(as_a<gcall *>(stmt), false);
            keep_call(&gsi);
            result_apart(&gsi);
            x86_move(&gsi);
            if (gsi_stmt(gsi) == stmt) stamp_call(&gsi);
            if (gsi_stmt(gsi) == stmt) masked_apart(as_a<gcall *>(stmt));
        } else if (is_gimple_assign(stmt)) {
            copy_by_call(&gsi);
        } else if (gimple_code(stmt) == GIMPLE_ASM) {
            stamp_assembly(&gsi);
            outputs_apart(&gsi);
        }
    }
}
