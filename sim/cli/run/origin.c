/* Libraries beside the program: the places of its RPATH and RUNPATH that begin with $ORIGIN, where
 * its file lies. The ranks' copies lie elsewhere, so the loader would look there. */
#include "base/elf/elf.h"
#include "cli/run/parts.h"

#include <string.h>

/* What one of the paths says, and nothing else; NULL: there is none. */
static char *paths(const struct base_elf *file, const Elf64_Ehdr *head)
{
    const struct base_elf_dynamic dynamic = base_elf_dynamic(file, head);
    const Elf64_Dyn *entry = dynamic.entry;
    uint64_t at = 0;
    for (uint64_t i = 0; i < dynamic.entries && entry[i].d_tag != DT_NULL; i++)
        if (entry[i].d_tag == DT_RUNPATH || (entry[i].d_tag == DT_RPATH && at == 0))
            at = entry[i].d_un.d_val;
    return at && at < dynamic.bytes ? base_elf_text(dynamic.text + at, dynamic.bytes - at) : NULL;
}

char *cli_run_beside(const char *program)
{
    static const char *const origin[] = {"$ORIGIN", "${ORIGIN}"};
    g_autoptr(GMappedFile) mapped = g_mapped_file_new(program, FALSE, NULL);
    if (!mapped) return NULL;
    const struct base_elf file = base_elf_of(mapped);
    const Elf64_Ehdr *head = base_elf_head(&file);
    g_autofree char *text = head ? paths(&file, head) : NULL,
                    *real = g_canonicalize_filename(program, NULL),
                    *folder = g_path_get_dirname(real);
    if (!text) return NULL;
    GString *out = g_string_new(NULL);
    g_auto(GStrv) place = g_strsplit(text, ":", -1);
    for (char **p = place; *p; p++)
        for (size_t i = 0; i < G_N_ELEMENTS(origin); i++)
            if (g_str_has_prefix(*p, origin[i]))
                g_string_append_printf(out, "%s%s%s", out->len ? ":" : "", folder,
                                       *p + strlen(origin[i]));
    return g_string_free(out, out->len == 0);
}
