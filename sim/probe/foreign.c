/* foreign: a program's calls of libraries that are not instrumented get a piece of code in front of
 * them (foreign.h). */
#include "world/prices/prices.h"
#include "world/rank/rank.h"
#include "world/unseen/unseen.h"
#include "probe/foreign.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- what is known of a function ------------------------------------------------------------- */

static const char *const harmless[] = {
#define HARMLESS(name) #name,
#define KEEPS(name)
#include "probe/foreign.def"
#undef HARMLESS
#undef KEEPS
};
static const char *const keeps[] = {
#define HARMLESS(name)
#define KEEPS(name) #name,
#include "probe/foreign.def"
#undef HARMLESS
#undef KEEPS
};
/* Of the mathematical functions, those that store where they are pointed to begin so. */
static const char *const with_results[] = {"frexp", "modf", "remquo", "sincos", "lgamma", "fe"};

static bool listed(const char *const *list, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i], name) == 0) return true;
    return false;
}

/* The file of its library; "": it is not known. Not dladdr, which looks for a name among all of the
 * library's symbols. */
static const char *file_of(void *function)
{
    struct dl_find_object found;
    return _dl_find_object(function, &found) == 0 && found.dlfo_link_map->l_name
               ? found.dlfo_link_map->l_name
               : "";
}

static bool of_library(void *function, const char *library)
{
    return strstr(file_of(function), library) != NULL;
}

static bool is_harmless(const char *name, void *function)
{
    if (listed(harmless, G_N_ELEMENTS(harmless), name)) return true;
    if (!of_library(function, "/libm.so") && !of_library(function, "/libmvec.so")) return false;
    for (size_t i = 0; i < G_N_ELEMENTS(with_results); i++)
        if (g_str_has_prefix(name, with_results[i])) return false;
    return true;
}

static bool is_ours(const char *name)
{
    static const char *const prefix[] = {"MPI_", "PMPI_", "PA_", "SHM_", "mpi_", "pmpi_", "sw_"};
    for (size_t i = 0; i < G_N_ELEMENTS(prefix); i++)
        if (g_str_has_prefix(name, prefix[i])) return true;
    return false;
}

static enum probe_foreign_kind kind_of(const char *name, void *function)
{
    if (is_ours(name)) return PROBE_FOREIGN_MPI;
    if (listed(keeps, G_N_ELEMENTS(keeps), name)) return PROBE_FOREIGN_KEEPS;
    return of_library(function, "/libc.so") || of_library(function, "/libm.so")
               ? PROBE_FOREIGN_PLAIN
               : PROBE_FOREIGN_KEEPS;
}

/* ---- instrumented libraries ------------------------------------------------------------------ */

struct library {
    uintptr_t base, end;
    int rank;   /* for which it was loaded; -1: for none */
    bool given; /* it has got a program's calls of MPI */
};

static GArray *instrumented; /* of struct library */

static int rank_here(void)
{
    const struct world_rank *r = world_here();
    return r ? r->rank : -1;
}

void probe_foreign_instrumented(uintptr_t base, uintptr_t end)
{
    const struct library its = {.base = base, .end = end, .rank = rank_here()};
    if (!instrumented) instrumented = g_array_new(FALSE, FALSE, sizeof its);
    g_array_append_val(instrumented, its);
}

static bool is_instrumented(const void *function)
{
    for (guint i = 0; instrumented && i < instrumented->len; i++) {
        const struct library *l = &g_array_index(instrumented, struct library, i);
        if ((uintptr_t)function >= l->base && (uintptr_t)function < l->end) return true;
    }
    return false;
}

/* ---- the pieces of code ---------------------------------------------------------------------- */

static size_t slots;
static GHashTable *slot_by_function; /* its slot's code; NULL: it needs none */
static GPtrArray *slot_name;         /* interned */

void probe_foreign_described(void)
{
    for (size_t i = 0; i < slots; i++)
        probe_foreign_words(i, world_call_words(g_ptr_array_index(slot_name, i)));
}

/* The function itself if it needs no piece of code. */
static void *code_of(const char *name, void *function)
{
    gpointer known;
    if (!slot_by_function) slot_by_function = g_hash_table_new(NULL, NULL);
    if (g_hash_table_lookup_extended(slot_by_function, function, NULL, &known)) return known;
    void *code = probe_thread_call(name, function);
    if (!code && !is_instrumented(function) && g_str_has_prefix(name, "GOMP_"))
        code = function; /* inside a region */
    if (code) {
        g_hash_table_insert(slot_by_function, function, code);
        return code;
    }
    code = function;
    if (!is_instrumented(function) && !is_harmless(name, function)) {
        struct probe_foreign_slot *slot = probe_foreign_slot(slots);
        slot->function = function;
        slot->kind = kind_of(name, function);
        world_beside_use(probe_beside);
        slot->beside = world_beside_number(name);
        if (!slot_name) slot_name = g_ptr_array_new();
        g_ptr_array_add(slot_name, (gpointer)g_intern_string(name));
        if (slot->kind == PROBE_FOREIGN_KEEPS)
            world_unseen_function(file_of(function), name, &slot->called);
        probe_foreign_words(slots, world_call_words(name));
        code = probe_cplusplus_call(name, probe_foreign_code(slots++));
    }
    g_hash_table_insert(slot_by_function, function, code);
    return code;
}

/* ---- a program's table ----------------------------------------------------------------------- */

struct table {
    uintptr_t base, end;
    struct link_map *map,
        *program; /* program: itself, or what it was loaded for; NULL: not known */
    const ElfW(Rela) * all, *calls;
    size_t all_bytes, calls_bytes;
    bool again; /* all but calls of MPI was replaced when it started */
    const ElfW(Sym) * symbol;
    const char *text;
    uintptr_t sealed, sealed_end; /* pages that may not be written */
};

/* A library that the program is linked with has no scope of its own yet while it starts. */
static void *found(const struct table *t, const char *name)
{
    return dlsym(is_instrumented((const void *)t->base) ? RTLD_DEFAULT : t->map, name);
}

static bool is_mpi(const char *name)
{
    return g_str_has_prefix(name, "MPI_") || g_str_has_prefix(name, "mpi_");
}

/* A tool's, if one defines that call (MPI-3.1 14.2): in the program, in a library that it is linked
 * with, or in one of LD_PRELOAD. For SMPI loads a program so that each library looks into what it
 * is linked with first, and finds ours. */
static void *found_call(const struct table *t, const char *name)
{
    static const char *preloaded = "";
    if (preloaded && !*preloaded) preloaded = getenv("LD_PRELOAD");
    void *function = dlsym(t->program, name);
    const bool ours = !function || of_library(function, "/libsidewinder.so");
    void *other = ours && preloaded ? dlsym(RTLD_DEFAULT, name) : NULL;
    return other ? other : function;
}

/* One address of the table: of a function that the dynamic linker has found, or is to find at its
 * first call. */
static void replace(const struct table *t, const ElfW(Rela) * entry, bool open)
{
    const ElfW(Sym) *symbol = &t->symbol[ELF64_R_SYM(entry->r_info)];
    const char *name = t->text + symbol->st_name;
    void **at = (void **)(t->base + entry->r_offset);
    if (symbol->st_shndx != SHN_UNDEF || ELF64_ST_TYPE(symbol->st_info) != STT_FUNC) return;
    if (!open && is_ours(name)) return; /* MPI compares addresses of its own functions */
    const bool of_mpi = t->program && is_mpi(name);
    if (t->again && !of_mpi) return;
    void *function = *at;
    if (of_mpi)
        function = found_call(t, name);
    else if ((uintptr_t)function - t->base < t->end - t->base)
        function = found(t, name);
    if (!function) return;
    void *code = code_of(name, function);
    if (code != function || of_mpi) *at = code;
}

static void each(const struct table *t, const ElfW(Rela) * entry, size_t bytes, unsigned type)
{
    for (size_t i = 0; entry && i < bytes / sizeof *entry; i++)
        if (ELF64_R_TYPE(entry[i].r_info) == type)
            replace(t, &entry[i], type == R_X86_64_JUMP_SLOT);
}

/* Pages that the dynamic linker has sealed after it filled them. */
static void find_sealed(struct table *t)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)t->base;
    const ElfW(Phdr) *part = (const ElfW(Phdr) *)(t->base + head->e_phoff);
    for (int i = 0; i < head->e_phnum; i++) {
        if (part[i].p_type != PT_GNU_RELRO) continue;
        t->sealed = (t->base + part[i].p_vaddr) & ~(page - 1);
        t->sealed_end = (t->base + part[i].p_vaddr + part[i].p_memsz) & ~(page - 1);
    }
}

static void seal(const struct table *t, int protection)
{
    if (t->sealed_end > t->sealed)
        mprotect((void *)t->sealed, t->sealed_end - t->sealed, protection);
}

/* False: there is none. */
static bool open_table(struct table *t, uintptr_t base, uintptr_t end)
{
    *t = (struct table){.base = base, .end = end};
    Dl_info info;
    if (!dladdr1((void *)base, &info, (void **)&t->map, RTLD_DL_LINKMAP) || !t->map) return false;
    for (const ElfW(Dyn) *d = t->map->l_ld; d->d_tag != DT_NULL; d++) {
        const void *at = (const void *)d->d_un.d_ptr;
        switch (d->d_tag) {
        case DT_SYMTAB: t->symbol = at; break;
        case DT_STRTAB: t->text = at; break;
        case DT_RELA: t->all = at; break;
        case DT_RELASZ: t->all_bytes = d->d_un.d_val; break;
        case DT_JMPREL: t->calls = at; break;
        case DT_PLTRELSZ: t->calls_bytes = d->d_un.d_val; break;
        default: break;
        }
    }
    return true;
}

static void replace_all(struct table *t)
{
    find_sealed(t);
    seal(t, PROT_READ | PROT_WRITE);
    each(t, t->calls, t->calls_bytes, R_X86_64_JUMP_SLOT);
    each(t, t->all, t->all_bytes, R_X86_64_GLOB_DAT);
    seal(t, PROT_READ);
}

/* A rank's program and the libraries that were loaded with it, which have started before it. Others
 * may have begun to start meanwhile. */
void probe_foreign_calls(uintptr_t base, uintptr_t end)
{
    struct table t, of;
    if (!open_table(&t, base, end)) return;
    if (!is_instrumented((const void *)base)) t.program = t.map;
    replace_all(&t);
    const int rank = rank_here();
    for (guint i = 0; t.program && instrumented && i < instrumented->len; i++) {
        struct library *l = &g_array_index(instrumented, struct library, i);
        if (l->given || l->rank != rank || !open_table(&of, l->base, l->end)) continue;
        l->given = true;
        of.program = t.program;
        of.again = true;
        replace_all(&of);
    }
}
