/* The time stamp counter of x86 is the host's clock. What reads it reads the rank's own instead
 * (program/clocks.c): the instruction that gcc calls by name becomes a call; in assembly, two moves
 * from where a call in front of it has put the counter. That call changes no operand, and no
 * register that the assembly does not name.
 *
 * Left out: basic assembly, that of no function, and counters of other events (rdpmc). */
#include "instrument/lanes.h"
#include "instrument/touch.h"

/* Puts the counter into sw_stamp, and returns it. */
static tree time_stamp(void)
{
    tree type = build_function_type_list(long_long_unsigned_type_node, NULL_TREE);
    tree decl = build_fn_decl("__sw_time_stamp", type);
    TREE_NOTHROW(decl) = 1;
    DECL_VISIBILITY(decl) = VISIBILITY_HIDDEN; /* each program and library has its own */
    DECL_VISIBILITY_SPECIFIED(decl) = 1;
    return decl;
}

static gcall *read_before(gimple_stmt_iterator *gsi, tree to)
{
    gcall *read = gimple_build_call(time_stamp(), 0);
    if (to) gimple_call_set_lhs(read, to);
    gimple_set_location(read, gimple_location(gsi_stmt(*gsi)));
    gsi_insert_before(gsi, read, GSI_SAME_STMT);
    return read;
}

/* rdtscp has a pointer to where the number of the processor goes: 0. */
void stamp_call(gimple_stmt_iterator *gsi)
{
    gcall *stmt = as_a<gcall *>(gsi_stmt(*gsi));
    const char *name = x86_instruction(stmt);
    if (!name || (strcmp(name, "rdtsc") != 0 && strcmp(name, "rdtscp") != 0)) return;
    tree at = gimple_call_num_args(stmt) == 1 ? gimple_call_arg(stmt, 0) : NULL_TREE;
    if (!at) {
        gimple_call_set_fndecl(stmt, time_stamp());
        gimple_call_set_fntype(stmt, TREE_TYPE(time_stamp()));
        update_stmt(stmt);
        return;
    }
    tree left = gimple_call_lhs(stmt);
    if (left) gimple_call_set_lhs(stmt, NULL_TREE);
    gcall *read = read_before(gsi, left);
    if (left && TREE_CODE(left) == SSA_NAME) SSA_NAME_DEF_STMT(left) = read;
    tree alias = build_pointer_type_for_mode(unsigned_type_node, ptr_mode, true);
    tree word = build2(MEM_REF, unsigned_type_node, at, build_int_cst(alias, 0));
    gassign *number = gimple_build_assign(word, build_zero_cst(unsigned_type_node));
    gimple_set_location(number, gimple_location(stmt));
    gsi_replace(gsi, number, false);
}

/* ---- assembly -------------------------------------------------------------------------------- */

struct spelling {
    const char *text;
    bool number; /* that of the processor, too */
};
static const spelling spellings[] = {{"rdtscp", true},
                                     {"rdtsc", false},
                                     {".byte 0x0f, 0x31", false},
                                     {".byte 0x0f,0x31", false},
                                     {".byte 15, 49", false}};

static bool is_word(char c) { return ISALNUM(c) || c == '_'; }

static const spelling *spelled(const char *text, const char *at)
{
    if (at > text && is_word(at[-1])) return NULL;
    for (const spelling &s : spellings) {
        const size_t length = strlen(s.text);
        if (strncasecmp(at, s.text, length) == 0 && !is_word(at[length])) return &s;
    }
    return NULL;
}

/* Both syntaxes of x86, of which gcc takes one (GCC manual, Extended Asm). */
#define MOVES                                                                                      \
    "{movl\tsw_stamp(%%rip), %%eax|mov\teax, DWORD PTR sw_stamp[rip]}\n\t"                         \
    "{movl\t4+sw_stamp(%%rip), %%edx|mov\tedx, DWORD PTR sw_stamp[rip+4]}"
#define NUMBER "\n\t{movl\t$0, %%ecx|mov\tecx, 0}"

void stamp_assembly(gimple_stmt_iterator *gsi)
{
    gasm *stmt = as_a<gasm *>(gsi_stmt(*gsi));
    const char *text = gimple_asm_string(stmt);
    std::string to;
    bool reads = false;
    if (gimple_asm_input_p(stmt)) return;
    for (const char *at = text; *at;) {
        const spelling *s = spelled(text, at);
        if (s)
            to += s->number ? MOVES NUMBER : MOVES;
        else
            to += *at;
        at += s ? strlen(s->text) : 1;
        reads |= s != NULL;
    }
    if (!reads) return;
    read_before(gsi, NULL_TREE);
    stmt->string = ggc_strdup(to.c_str());
}
