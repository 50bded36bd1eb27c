/* Variables whose function has returned, where the compiler has put it into its caller: its frame
 * goes on, and nobody sees it go. gcc says where a variable's storage ends by a clobber (GCC
 * internals, GIMPLE_ASSIGN); those that calls of MPI know are announced there.
 *
 * Left out: blocks of a function that goes on, whose storage most programs take for the function's;
 * Fortran, whose front end tells nobody of its functions. */
#include "instrument/make.h"
#include "instrument/touch.h"

#include <unordered_set>

#if GCCPLUGIN_VERSION_MAJOR >= 14
static const clobber_kind storage_ends = CLOBBER_STORAGE_END;
#else
static const clobber_kind storage_ends = CLOBBER_EOL;
#endif

static std::unordered_set<unsigned> outermost; /* by DECL_UID: their blocks are gone later */

static void note(tree block)
{
    for (tree v = BLOCK_VARS(block); v; v = DECL_CHAIN(v))
        if (VAR_P(v)) outermost.insert(DECL_UID(v));
}

/* g++ has such variables in a block within that of the parameters. */
void ends_note_variables(void *parsed, void *)
{
    tree block = DECL_INITIAL((tree)parsed);
    if (!block || TREE_CODE(block) != BLOCK) return;
    note(block);
    block = BLOCK_SUBBLOCKS(block);
    if (block && startswith(lang_hooks.name, "GNU C++")) note(block);
}

static tree origin_of(tree decl)
{
    tree origin = DECL_ABSTRACT_ORIGIN(decl);
    return origin ? origin : decl;
}

/* Was it one of the outermost variables, or a parameter, of a function that is part of this one
 * now? */
static bool was_of_a_function(tree variable)
{
    tree given = origin_of(variable);
    if (DECL_CONTEXT(given) == origin_of(current_function_decl)) return false;
    return TREE_CODE(given) == PARM_DECL || outermost.count(DECL_UID(given)) > 0;
}

static tree ends_here(gimple *stmt)
{
    if (!gimple_clobber_p(stmt) || CLOBBER_KIND(gimple_assign_rhs1(stmt)) != storage_ends)
        return NULL_TREE;
    tree variable = gimple_assign_lhs(stmt);
    if (!VAR_P(variable) || !motion_is_lent(variable)) return NULL_TREE;
    return was_of_a_function(variable) ? variable : NULL_TREE;
}

void ends_find(function *fun, std::vector<ended> &to)
{
    basic_block bb;
    FOR_EACH_BB_FN(bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
        if (tree variable = ends_here(gsi_stmt(gsi))) to.push_back({gsi_stmt(gsi), variable});
}

void ends_announce(const ended &e, tree call)
{
    making m = {NULL, gimple_location(e.stmt)};
    make_addressable(e.variable);
    tree address = build_fold_addr_expr(e.variable), at = make_ssa_name(TREE_TYPE(address));
    make_add(m, gimple_build_assign(at, address));
    at = make_compute(m, NOP_EXPR, make_word(), at, NULL_TREE);
    tree bytes = fold_convert(make_word(), DECL_SIZE_UNIT(e.variable));
    make_add(m, gimple_build_call(call, 3, at, bytes, make_cpu));
    gimple_stmt_iterator gsi = gsi_for_stmt(e.stmt);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
}
