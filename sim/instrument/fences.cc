/* Fences of memory: what no access of their own has, and orders those before and behind them. Each
 * is announced just before it, behind the accesses that come earlier.
 */
#include "instrument/make.h"
#include "instrument/touch.h"

/* Assembly that only waits: "pause", "rep; nop". */
static bool only_waits(const char *text)
{
    static const char *const words[] = {"pause", "rep", "nop"};
    for (;;) {
        text += strspn(text, " \t\n;");
        if (!*text) return true;
        size_t known = 0;
        for (const char *word : words)
            if (startswith(text, word)) known = strlen(word);
        if (known == 0) return false;
        text += known;
    }
}

/* Nobody knows what else it does: with code, and a clobber of memory, it may be any fence. */
static bool of_asm(gasm *stmt, fence *f)
{
    f->order = build_int_cst(unsigned_type_node, MEMMODEL_SEQ_CST);
    return gimple_asm_clobbers_memory_p(stmt) && !only_waits(gimple_asm_string(stmt));
}

/* Of the instruction, by what x86 orders (Intel's manual, volume 3, 8.2.5). */
static bool of_instruction(gcall *stmt, fence *f)
{
    const char *name = IDENTIFIER_POINTER(DECL_NAME(gimple_call_fndecl(stmt)));
    enum memmodel order;
    if (!strcmp(name, "__builtin_ia32_mfence"))
        order = MEMMODEL_SEQ_CST;
    else if (!strcmp(name, "__builtin_ia32_sfence"))
        order = MEMMODEL_RELEASE;
    else if (!strcmp(name, "__builtin_ia32_lfence"))
        order = MEMMODEL_ACQUIRE;
    else
        return false;
    f->order = build_int_cst(unsigned_type_node, order);
    return true;
}

static bool is_fence(gimple *stmt, fence *f)
{
    f->stmt = stmt;
    if (gasm *text = dyn_cast<gasm *>(stmt)) return of_asm(text, f);
    gcall *call = dyn_cast<gcall *>(stmt);
    if (!call) return false;
    if (gimple_call_builtin_p(call, BUILT_IN_ATOMIC_THREAD_FENCE)) {
        f->order = gimple_call_arg(call, 0);
        return true;
    }
    if (gimple_call_builtin_p(call, BUILT_IN_SYNC_SYNCHRONIZE)) {
        f->order = build_int_cst(unsigned_type_node, MEMMODEL_SEQ_CST);
        return true;
    }
    return gimple_call_builtin_p(call, BUILT_IN_MD) && of_instruction(call, f);
}

void fences_find(function *fun, std::vector<fence> &to)
{
    basic_block bb;
    fence f;
    FOR_EACH_BB_FN(bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
        if (is_fence(gsi_stmt(gsi), &f)) to.push_back(f);
}

void fences_announce(const fence &f, tree call)
{
    making m = {NULL, gimple_location(f.stmt)};
    make_add(m, gimple_build_call(call, 2, announce_order(m, f.order), make_cpu));
    gimple_stmt_iterator gsi = gsi_for_stmt(f.stmt);
    gsi_insert_seq_before(&gsi, m.seq, GSI_SAME_STMT);
}

/* Assembly may be any fence, and has the price of the one that it names. */
static bool stands(gimple *stmt)
{
    fence f;
    if (gasm *text = dyn_cast<gasm *>(stmt)) return strstr(gimple_asm_string(text), "mfence");
    return is_fence(stmt, &f) ? touch_is_sequential(f.order) : touch_stores_in_order(stmt);
}

void fences_stand(function *fun, tree call)
{
    std::vector<gimple *> found;
    basic_block bb;
    FOR_EACH_BB_FN(bb, fun)
    for (gimple_stmt_iterator i = gsi_start_bb(bb); !gsi_end_p(i); gsi_next(&i))
        if (stands(gsi_stmt(i)) && !stmt_ends_bb_p(gsi_stmt(i))) found.push_back(gsi_stmt(i));
    for (gimple *stmt : found) {
        making m = {NULL, gimple_location(stmt)};
        make_add(m, gimple_build_call(call, 1, make_cpu));
        gimple_stmt_iterator at = gsi_for_stmt(stmt);
        gsi_insert_seq_after(&at, m.seq, GSI_SAME_STMT);
    }
}
