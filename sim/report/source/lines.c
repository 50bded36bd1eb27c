/* Source lines of sites, from DWARF (elfutils' libdwfl).
 *
 * A site is a return address: the instruction asked about is the call before it, so one byte is
 * taken off. The line is the innermost one, where inlining put the access; in a header of the
 * compiler's or of the system's, such as C++'s templates, the innermost one outside of those. */
#include "report/source/source.h"
#include "report/source/object.h"
#include "report/source/statement.h"
#include "base/copies/copies.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

static bool is_fortran(Dwarf_Die *unit)
{
    switch (unit ? dwarf_srclang(unit) : 0) {
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08: return true;
    default: return false;
    }
}

/* Of Fortran: is it the line where the procedure around pc begins? */
static bool procedure_begins(Dwarf_Die *unit, GElf_Addr pc, Dwarf_Addr bias, int number)
{
    Dwarf_Die *scope = NULL;
    bool begins = false;
    int scopes = dwarf_getscopes(unit, pc - bias, &scope), line;
    for (int i = 0; i < scopes && !begins; i++)
        begins = dwarf_tag(&scope[i]) != DW_TAG_compile_unit &&
                 dwarf_decl_line(&scope[i], &line) == 0 && line == number;
    free(scope);
    return begins;
}

/* Does the file belong to the compiler or the system? */
static bool is_library(const char *file)
{
    return g_str_has_prefix(file, "/usr/include/") || g_str_has_prefix(file, "/usr/lib/") ||
           strstr(file, "/include/c++/");
}

/* Where the function was called that was put into its caller there; NULL: not known. */
static const char *called_from(Dwarf_Die *unit, Dwarf_Die *function, int *number)
{
    Dwarf_Attribute attribute;
    Dwarf_Files *files;
    Dwarf_Word file, line;
    size_t count;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0 ||
        dwarf_formudata(dwarf_attr(function, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(function, DW_AT_call_line, &attribute), &line) != 0 ||
        file >= count)
        return NULL;
    const char *name = dwarf_filesrc(files, file, NULL, NULL);
    *number = name && is_fortran(unit) ? report_source_statement(name, (int)line) : (int)line;
    return name;
}

/* The functions around pc that were put into their callers, and what those are in, innermost first;
 * scope: the caller frees it. */
static int scopes_at(const struct report_source_object *object, GElf_Addr pc, Dwarf_Die **unit,
                     Dwarf_Die **scope)
{
    Dwarf_Addr bias;
    Dwarf_Die *inner = NULL;
    int scopes = 0;
    *scope = NULL;
    *unit = dwfl_module_addrdie(object->module, pc, &bias);
    if (*unit && dwarf_getscopes(*unit, pc - bias, &inner) > 0)
        scopes = dwarf_getscopes_die(inner, scope);
    free(inner);
    return scopes;
}

/* The call that put the scope into its caller, outside of libraries; NULL: there is none. */
static const char *own_call(Dwarf_Die *unit, Dwarf_Die *scope, int *number)
{
    if (dwarf_tag(scope) != DW_TAG_inlined_subroutine) return NULL;
    const char *file = called_from(unit, scope, number);
    return file && !is_library(file) ? file : NULL;
}

/* The innermost call outside of libraries that led to pc by functions put into their callers; NULL:
 * there is none. */
static const char *users_call(const struct report_source_object *object, GElf_Addr pc, int *number)
{
    Dwarf_Die *unit, *scope;
    const char *found = NULL;
    const int scopes = scopes_at(object, pc, &unit, &scope);
    for (int i = 0; i < scopes && !found; i++) found = own_call(unit, &scope[i], number);
    free(scope);
    return found;
}

/* The line of the access at a site; NULL: none is known. */
static const char *line_of(const struct report_source_object *object, GElf_Addr pc, int *number)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = dwfl_module_addrdie(object->module, pc, &bias);
    Dwfl_Line *line = dwfl_module_getsrc(object->module, pc);
    const bool fortran = is_fortran(unit);
    *number = 0;
    const char *file = line ? dwfl_lineinfo(line, NULL, number, NULL, NULL, NULL) : NULL;
    /* gfortran puts references to COMMON variables where the procedure begins; the access itself,
     * next to come, is in its statement. */
    if (file && fortran && procedure_begins(unit, pc, bias, *number) &&
        (line = dwfl_module_getsrc(object->module, pc + 1)))
        file = dwfl_lineinfo(line, NULL, number, NULL, NULL, NULL);
    if (file && fortran) *number = report_source_statement(file, *number);
    int users;
    const char *outside = file && is_library(file) ? users_call(object, pc, &users) : NULL;
    if (outside) {
        *number = users;
        return outside;
    }
    return *number > 0 ? file : NULL;
}

/* "file.c:42"; else "function+0x1c", when the object has symbols but no lines; else NULL. */
static char *describe(const struct report_source_object *object, uint64_t offset)
{
    GElf_Addr bias;
    if (!object->module || !dwfl_module_getelf(object->module, &bias)) return NULL;
    GElf_Addr pc = offset - 1 + bias;
    int number;
    const char *file = line_of(object, pc, &number);
    if (file) {
        g_autofree char *name = g_path_get_basename(file);
        return g_strdup_printf("%s:%d", name, number);
    }
    GElf_Off within;
    GElf_Sym symbol;
    const char *function = report_source_name(
        dwfl_module_addrinfo(object->module, pc, &within, &symbol, NULL, NULL, NULL));
    return function ? g_strdup_printf("%s+0x%" G_GINT64_MODIFIER "x", function, (guint64)within)
                    : NULL;
}

static const char *look_up(const char *path, uint64_t offset, bool foreign)
{
    struct report_source_object *object = report_source_open(path);
    gint64 key = (gint64)offset;
    const char *known = g_hash_table_lookup(object->line, &key);
    if (known) return known;
    char *text = describe(object, offset);
    if (!text || (foreign && !strchr(text, ':'))) {
        g_autofree char *bare = text;
        g_autofree char *name = g_path_get_basename(path);
        text = !foreign ? g_strdup("?")
               : bare   ? g_strdup_printf("%s in %s", bare, name)
                        : g_strdup(name);
    }
    g_hash_table_insert(object->line, g_memdup2(&key, sizeof key), text);
    return text;
}

/* The function that the scope is in, its calls put into their callers too. */
static const char *around(Dwarf_Die *scope, int n)
{
    for (int i = 1; i < n; i++)
        if (dwarf_tag(&scope[i]) == DW_TAG_subprogram ||
            dwarf_tag(&scope[i]) == DW_TAG_inlined_subroutine)
            return dwarf_diename(&scope[i]);
    return NULL;
}

/* Its functions that were put into others, the outermost first. */
GArray *report_source_inlined(const char *program, op_site site)
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(struct report_source_inlined));
    GElf_Addr pc, bias;
    const struct report_source_object *object = report_source_of(program, site, &pc);
    if (!object) return found;
    pc--; /* in the call */
    Dwarf_Die *unit = dwfl_module_addrdie(object->module, pc, &bias), *inner = NULL, *scope = NULL;
    int scopes = 0;
    if (unit && dwarf_getscopes(unit, pc - bias, &inner) > 0)
        scopes = dwarf_getscopes_die(inner, &scope);
    for (int i = 0; i < scopes; i++) {
        struct report_source_inlined in = {.function = dwarf_diename(&scope[i])};
        if (dwarf_tag(&scope[i]) != DW_TAG_inlined_subroutine || !in.function) continue;
        called_from(unit, &scope[i], &in.at);
        in.file = dwarf_decl_file(&scope[i]);
        dwarf_decl_line(&scope[i], &in.line);
        g_array_prepend_val(found, in);
    }
    free(inner);
    free(scope);
    return found;
}

bool report_source_frame(const char *program, op_site site, struct report_source_frame *frame)
{
    enum { BASE = 6, STACK = 7 }; /* registers of x86-64 */
    GElf_Addr pc, bias;
    const struct report_source_object *object = report_source_of(program, site, &pc);
    if (!object) return false;
    Dwarf_CFI *rules = dwfl_module_eh_cfi(object->module, &bias);
    Dwarf_Frame *at = NULL;
    Dwarf_Op *op;
    size_t ops;
    if (!rules || dwarf_cfi_addrframe(rules, pc - bias, &at) != 0) return false;
    const bool good = dwarf_frame_cfa(at, &op, &ops) == 0 && ops == 1 &&
                      op[0].atom == DW_OP_bregx && (op[0].number == STACK || op[0].number == BASE);
    *frame = (struct report_source_frame){op[0].number == BASE, (int64_t)op[0].number2};
    free(at);
    return good;
}

char *report_inlined(const char *program, op_site site)
{
    enum { LEVELS = 3 };
    GString *text = g_string_new(NULL);
    GElf_Addr pc;
    const struct report_source_object *object = report_source_of(program, site, &pc);
    if (!object) return g_string_free(text, FALSE);
    pc--;
    Dwarf_Die *unit, *scope;
    int line, number, levels = 0;
    const char *place = line_of(object, pc, &line), *file;
    const int scopes = scopes_at(object, pc, &unit, &scope);
    for (int i = 0; i < scopes && place && levels < LEVELS; i++) {
        if (!(file = own_call(unit, &scope[i], &number)) ||
            (number == line && strcmp(file, place) == 0))
            continue;
        const char *function = around(scope + i, scopes - i);
        g_autofree char *name = g_path_get_basename(file);
        g_string_append_printf(text, "%s'%s' at %s:%d", levels++ ? ", from " : "inlined from ",
                               function ? function : "?", name, number);
    }
    free(scope);
    return g_string_free(text, FALSE);
}

const char *report_site(const char *program, op_site site)
{
    if (site == 0) return "?";
    if (!(site & OP_SITE_FOREIGN)) return program ? look_up(program, site, false) : "?";
    uintptr_t address = (uintptr_t)(site & ~OP_SITE_FOREIGN);
    Dl_info info;
    if (!dladdr((void *)(address - 1), &info) || !info.dli_fname) return "?";
    return look_up(base_copies_file(info.dli_fname), address - (uintptr_t)info.dli_fbase, true);
}

bool report_source_place(const char *program, op_site site, struct report_source_place *place)
{
    *place = (struct report_source_place){0};
    GElf_Addr pc;
    const struct report_source_object *object = report_source_of(program, site, &pc);
    if (!object) return false;
    pc--;
    place->file = line_of(object, pc, &place->line);
    place->function = report_source_name(dwfl_module_addrname(object->module, pc));
    return place->file || place->function;
}

bool report_site_is_users(const char *program, op_site site)
{
    struct report_source_place place;
    report_source_place(program, site, &place);
    const char *name = place.function ? place.function : "";
    bool ours = g_str_has_prefix(name, "__sw_"),
         cplusplus =
             g_str_has_prefix(name, "operator new") || g_str_has_prefix(name, "operator delete");
    return !(place.file && is_library(place.file)) && !ours && !cplusplus;
}

char *report_variable(const char *program, uint64_t offset, uint64_t *within, uint64_t *bytes)
{
    const struct report_source_object *object = program ? report_source_open(program) : NULL;
    GElf_Addr bias;
    GElf_Sym symbol;
    if (!object || !object->module || !dwfl_module_getelf(object->module, &bias)) return NULL;
    const char *name =
        dwfl_module_addrinfo(object->module, offset + bias, within, &symbol, NULL, NULL, NULL);
    if (!name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || *within >= symbol.st_size)
        return NULL;
    *bytes = symbol.st_size;
    const char *module = strstr(name, "_MOD_"); /* of Fortran: "__halo_MOD_ghosts" */
    if (module) name = module + strlen("_MOD_");
    g_autofree char *bare = g_strndup(name, strcspn(name, ".")); /* of a function: "buffer.0" */
    return g_strdup(report_source_name(bare));
}

/* Bytes from the start of the variable that lies at a fixed place of its function's frame; -1: the
 * byte, so many from the frame's address (DWARF 5 6.4: the canonical frame address), is none of it.
 */
static int64_t within_local(Dwarf_Die *variable, Dwarf_Addr pc, int64_t byte)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Op *place;
    Dwarf_Word bytes;
    size_t ops;
    const int tag = dwarf_tag(variable);
    if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) ||
        !dwarf_attr(variable, DW_AT_location, &attribute) ||
        dwarf_getlocation_addr(&attribute, pc, &place, &ops, 1) != 1 || ops != 1 ||
        place->atom != DW_OP_fbreg ||
        !dwarf_formref_die(dwarf_attr_integrate(variable, DW_AT_type, &attribute), &type) ||
        dwarf_aggregate_size(&type, &bytes) != 0)
        return -1;
    const int64_t at = byte - (int64_t)place->number;
    return at >= 0 && at < (int64_t)bytes ? at : -1;
}

char *report_local(const char *program, op_site site, uintptr_t stack, uintptr_t base,
                   uintptr_t addr, uint64_t *within)
{
    struct report_source_frame frame;
    if (!report_source_frame(program, site - 1, &frame)) return NULL;
    GElf_Addr pc, bias;
    const struct report_source_object *object = report_source_of(program, site - 1, &pc);
    dwfl_module_getelf(object->module, &bias);
    const int64_t byte = (int64_t)(addr - (frame.by_base ? base : stack)) - frame.offset;
    Dwarf_Die *unit, *scope, child;
    char *name = NULL;
    const int scopes = scopes_at(object, pc, &unit, &scope);
    for (int i = 0; i < scopes && !name; i++)
        for (int more = dwarf_child(&scope[i], &child); more == 0 && !name;
             more = dwarf_siblingof(&child, &child)) {
            const int64_t at = within_local(&child, pc - bias, byte);
            if (at < 0) continue;
            name = g_strdup(dwarf_diename(&child));
            *within = (uint64_t)at;
        }
    free(scope);
    return name;
}

char *report_at(const char *program, op_site site)
{
    const char *place = report_site(program, site);
    return strcmp(place, "?") == 0 ? g_strdup("at a place without a known line")
                                   : g_strdup_printf("at %s", place);
}

void report_clear(void)
{
    report_source_objects_clear();
    report_source_statements_clear();
}
