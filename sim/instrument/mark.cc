/* Marks: where a function begins, where it is left, and where it goes on after others were left
 * behind its back (an exception, a longjmp). Each is an instruction that does nothing, until a
 * profile is asked for (in_line.h): then it is a jump to a stub, which calls. Other runs pay
 * nothing for them.
 *
 * A function that ends in a tail call is left before that call, as a debugger shows it.
 */
#include "instrument/describe.h"
#include "instrument/make.h"

#include "probe/in_line/in_line.h"

/* The stub keeps what lies below the stack pointer, and pushes which function it is. The list lies
 * with the code: where the program's variables lie must not depend on how many functions it has. */
#if defined __x86_64__
static const bool known = true;
#else
static const bool known = false;
#endif
static std::string assembly_of(const char *kind, int function)
{
    return std::string(".Lsw_mark%=:\n1:\t.byte 0x0f, 0x1f, 0x44, 0, 0\n"
                       "\t.pushsection .text.sw_mark, \"ax?\", @progbits\n"
                       "2:\tlea {-128(%%rsp), %%rsp|rsp, [rsp-128]}\n"
                       "\tpush {$|}") +
           std::to_string(function) + "\n\tcall __sw_mark_" + kind +
           "\n"
           "\tlea {136(%%rsp), %%rsp|rsp, [rsp+136]}\n"
           "\tjmp 1b+5\n"
           "\t.popsection\n"
           "\t.pushsection " PROBE_MARKS ", \"axo?\", @progbits, .Lsw_mark%=\n"
           "\t.balign 4\n"
           "\t.long 1b-., 2b-.\n"
           "\t.popsection";
}

/* Where a function without prices is entered: no mark, but what it calls keeps all registers as
 * theirs do, so that gcc has none to save for it where it calls nothing else. */
gasm *mark_price(tree object, unsigned first)
{
    const std::string assembly = "lea {-128(%%rsp), %%rsp|rsp, [rsp-128]}\n"
                                 "\tpush %0\n"
                                 "\tpush {$|}" +
                                 std::to_string(first) +
                                 "\n"
                                 "\tcall __sw_mark_price\n"
                                 "\tlea {144(%%rsp), %%rsp|rsp, [rsp+144]}";
    vec<tree, va_gc> *inputs = NULL, *clobbers = NULL;
    vec_safe_push(inputs,
                  build_tree_list(build_tree_list(NULL_TREE, build_string(1, "r")), object));
    vec_safe_push(clobbers, build_tree_list(NULL_TREE, build_string(6, "memory")));
    gasm *stmt = gimple_build_asm_vec(ggc_strdup(assembly.c_str()), inputs, NULL, clobbers, NULL);
    gimple_asm_set_volatile(stmt, true);
    return stmt;
}

/* What is charged before a mark stays before it. */
static gasm *mark(const char *kind)
{
    uint32_t function = 2166136261u; /* FNV-1a of its name */
    const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME(current_function_decl));
    for (const char *c = name; *c; c++) function = (function ^ (unsigned char)*c) * 16777619u;
    vec<tree, va_gc> *clobbers = NULL;
    vec_safe_push(clobbers, build_tree_list(NULL_TREE, build_string(6, "memory")));
    gasm *stmt = gimple_build_asm_vec(ggc_strdup(assembly_of(kind, (int)function).c_str()), NULL,
                                      NULL, clobbers, NULL);
    gimple_asm_set_volatile(stmt, true);
    gimple_set_location(stmt, DECL_SOURCE_LOCATION(current_function_decl));
    return stmt;
}

static void mark_before(gimple *stmt, const char *kind)
{
    gimple_stmt_iterator gsi = gsi_for_stmt(stmt);
    gsi_insert_before(&gsi, mark(kind), GSI_SAME_STMT);
}

/* On the way that the program goes on by. */
static void mark_behind(gimple *call)
{
    edge e;
    edge_iterator ei;
    if (!stmt_ends_bb_p(call)) {
        gimple_stmt_iterator gsi = gsi_for_stmt(call);
        gsi_insert_after(&gsi, mark("resume"), GSI_SAME_STMT);
        return;
    }
    FOR_EACH_EDGE(e, ei, gimple_bb(call)->succs)
    if (e->flags & EDGE_FALLTHRU) {
        gsi_insert_on_edge_immediate(e, mark("resume"));
        return;
    }
}

void mark_function(function *fun)
{
    if (!known) return;
    std::vector<gimple *> leave, twice;
    std::vector<basic_block> pads;
    basic_block bb;
    FOR_EACH_BB_FN(bb, fun)
    {
        bool tail = false;
        if (bb_has_eh_pred(bb)) pads.push_back(bb);
        for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
            gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
            bool tail_call = call && gimple_call_tail_p(call);
            bool returns = gimple_code(gsi_stmt(gsi)) == GIMPLE_RETURN;
            if (tail_call || (returns && !tail)) leave.push_back(gsi_stmt(gsi));
            tail |= tail_call;
            if (call && gimple_call_flags(call) & ECF_RETURNS_TWICE) twice.push_back(call);
        }
    }
    for (gimple *stmt : leave) mark_before(stmt, "leave");
    for (basic_block pad : pads) {
        gimple_stmt_iterator gsi = gsi_after_labels(pad);
        gsi_insert_before(&gsi, mark("resume"), GSI_SAME_STMT);
    }
    for (gimple *call : twice) mark_behind(call);
    gsi_insert_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(fun)), mark("enter"));
}
