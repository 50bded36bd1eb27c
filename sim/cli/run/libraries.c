/* The program's shared libraries: where the loader finds them, and those of which each rank has a
 * copy. */
#include "base/copies/copies.h"
#include "base/elf/elf.h"
#include "cli/run/parts.h"
#include "cli/run/run.h"

#include <string.h>

/* Its units and its random numbers belong to one rank. */
static const char fortran[] = "libgfortran.so.";
/* A copy goes by a number in front of what is left of the name (kern/copies). */
enum { SHORTEST = 7 };

/* ---- what the loader says -------------------------------------------------------------------- */

/* The loader that the program names; NULL: it needs none. */
static char *loader_of(const char *program)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new(program, FALSE, NULL);
    if (!file) return NULL;
    const struct base_elf image = base_elf_of(file);
    const Elf64_Ehdr *head = base_elf_head(&image);
    const Elf64_Phdr *s = head ? base_elf_segments(&image, head) : NULL;
    for (int i = 0; s && i < head->e_phnum; i++) {
        const char *path = base_elf_part(&image, s[i].p_offset, s[i].p_filesz);
        if (s[i].p_type == PT_INTERP && path) return g_strndup(path, s[i].p_filesz);
    }
    return NULL;
}

/* Its list of what the program loads. NULL: it is not there, *error. */
static char *listed(const char *loader, const char *program, GError **error)
{
    const char *argv[] = {loader, "--list", program, NULL};
    char *list = NULL;
    g_autofree char *words = NULL;
    int status = 0;
    if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &list, &words,
                      &status, error))
        return NULL;
    if (status == 0) return list;
    g_free(list);
    g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                "%s (LD_LIBRARY_PATH names folders of libraries, -Wl,-rpath=FOLDER links one in)",
                g_strstrip(words));
    return NULL;
}

/* "	NAME => FILE (0x7f...)", or "	FILE (0x7f...)": by its path. */
static bool entry(const char *line, char **name, char **file)
{
    static const char arrow[] = " => ";
    const char *end = g_strrstr(line, " (0x"), *to = strstr(line, arrow);
    if (!end) return false;
    const char *from = line + strspn(line, "\t ");
    *name = g_strndup(from, (gsize)((to ? to : end) - from));
    *file = to ? g_strndup(to + strlen(arrow), (gsize)(end - to) - strlen(arrow)) : g_strdup(*name);
    return true;
}

/* ---- which have copies ----------------------------------------------------------------------- */

/* The names that the file asks for. */
static char **needs(const char *path)
{
    GPtrArray *out = g_ptr_array_new();
    g_autoptr(GMappedFile) mapped = g_mapped_file_new(path, FALSE, NULL);
    const struct base_elf file = mapped ? base_elf_of(mapped) : (struct base_elf){0};
    const Elf64_Ehdr *head = mapped ? base_elf_head(&file) : NULL;
    const struct base_elf_dynamic dynamic =
        head ? base_elf_dynamic(&file, head) : (struct base_elf_dynamic){0};
    for (uint64_t i = 0; i < dynamic.entries && dynamic.entry[i].d_tag != DT_NULL; i++) {
        const uint64_t at = dynamic.entry[i].d_un.d_val;
        if (dynamic.entry[i].d_tag == DT_NEEDED && at < dynamic.bytes)
            g_ptr_array_add(out, base_elf_text(dynamic.text + at, dynamic.bytes - at));
    }
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_free(out, FALSE);
}

/* Every program asks for these; none of them is the user's. */
static bool is_usual(const char *name)
{
    static const char *const usual[] = {"libsidewinder.so", "libsimgrid.so.", "libc.so.",
                                        "libm.so.",         "libstdc++.so.",  "libgcc_s.so.",
                                        "ld-linux"};
    for (size_t i = 0; i < G_N_ELEMENTS(usual); i++)
        if (g_str_has_prefix(name, usual[i])) return true;
    return false;
}

/* Adds those that the file asks for, and what they ask for. */
static void add(GPtrArray *out, GHashTable *seen, GHashTable *file_of, char *const *names)
{
    for (; *names; names++) {
        const char *name = *names, *file = g_hash_table_lookup(file_of, name);
        const bool own = file && !is_usual(name) && base_copies_wanted(file);
        if (!file || strlen(name) < SHORTEST || (!own && !g_str_has_prefix(name, fortran)) ||
            !g_hash_table_add(seen, g_strdup(name)))
            continue;
        g_ptr_array_add(out, g_strdup(name));
        g_ptr_array_add(out, g_canonicalize_filename(file, NULL));
        g_auto(GStrv) its = needs(file);
        if (own) add(out, seen, file_of, its);
    }
}

char **cli_run_libraries(const char *program, GError **error)
{
    g_auto(GStrv) names = needs(program);
    bool any = false;
    for (char **name = names; *name; name++) any |= !is_usual(*name);
    g_autofree char *loader = any ? loader_of(program) : NULL,
                    *list = loader ? listed(loader, program, error) : g_strdup("");
    if (!list) return NULL;
    g_autoptr(GHashTable) file_of = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
                          seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_auto(GStrv) line = g_strsplit(list, "\n", -1);
    for (char **l = line; *l; l++) {
        char *name = NULL, *file = NULL;
        if (entry(*l, &name, &file)) g_hash_table_insert(file_of, name, file);
    }
    GPtrArray *out = g_ptr_array_new();
    add(out, seen, file_of, names);
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_free(out, FALSE);
}

bool cli_run_fortran(char *const *library)
{
    for (int i = 0; library && library[i]; i += 2)
        if (g_str_has_prefix(library[i], fortran)) return true;
    return false;
}
