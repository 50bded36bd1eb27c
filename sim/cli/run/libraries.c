/* The program's shared libraries: where the loader finds them, and those of which each rank has a
 * copy. */
#include "base/copies/copies.h"
#include "cli/run/elf.h"
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
    const struct cli_run_image image = cli_run_image(file);
    const Elf64_Ehdr *head = cli_run_elf(&image);
    const Elf64_Phdr *s = head ? cli_run_segments(&image, head) : NULL;
    for (int i = 0; s && i < head->e_phnum; i++) {
        const char *path = cli_run_part(&image, s[i].p_offset, s[i].p_filesz);
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

static bool has_copies(const char *name, const char *file)
{
    return strlen(name) >= SHORTEST &&
           (g_str_has_prefix(name, fortran) || base_copies_wanted(file));
}

char **cli_run_libraries(const char *program, GError **error)
{
    g_autofree char *loader = loader_of(program),
                    *list = loader ? listed(loader, program, error) : g_strdup("");
    if (!list) return NULL;
    GPtrArray *out = g_ptr_array_new();
    g_auto(GStrv) line = g_strsplit(list, "\n", -1);
    for (char **l = line; *l; l++) {
        g_autofree char *name = NULL, *file = NULL;
        if (!entry(*l, &name, &file) || !has_copies(name, file)) continue;
        g_ptr_array_add(out, g_steal_pointer(&name));
        g_ptr_array_add(out, g_canonicalize_filename(file, NULL));
    }
    g_ptr_array_add(out, NULL);
    return (char **)g_ptr_array_free(out, FALSE);
}

bool cli_run_fortran(char *const *library)
{
    for (int i = 0; library && library[i]; i += 2)
        if (g_str_has_prefix(library[i], fortran)) return true;
    return false;
}
