/* Libraries beside the program: the places of its RPATH and RUNPATH that begin with $ORIGIN, where
 * its file lies. The ranks' copies lie elsewhere, so the loader would look there. */
#include "cli/run/elf.h"
#include "cli/run/parts.h"

#include <string.h>

/* The file's bytes at an address of the loaded program; NULL: not in it. *most: so many follow. */
static const char *at_address(const struct cli_run_image *file, const Elf64_Ehdr *head,
                              uint64_t address, uint64_t *most)
{
    const Elf64_Phdr *segment = cli_run_segments(file, head);
    for (int i = 0; segment && i < head->e_phnum; i++) {
        const Elf64_Phdr *s = &segment[i];
        if (s->p_type != PT_LOAD || address < s->p_vaddr || address - s->p_vaddr >= s->p_filesz)
            continue;
        *most = s->p_filesz - (address - s->p_vaddr);
        return cli_run_part(file, s->p_offset + (address - s->p_vaddr), *most);
    }
    return NULL;
}

/* What one of the paths says, and nothing else; NULL: there is none. */
static char *paths(const struct cli_run_image *file, const Elf64_Ehdr *head)
{
    const Elf64_Phdr *segment = cli_run_segments(file, head), *dynamic = NULL;
    for (int i = 0; segment && i < head->e_phnum; i++)
        if (segment[i].p_type == PT_DYNAMIC) dynamic = &segment[i];
    const Elf64_Dyn *entry =
        dynamic ? cli_run_part(file, dynamic->p_offset, dynamic->p_filesz) : NULL;
    if (!entry || dynamic->p_offset % _Alignof(Elf64_Dyn) != 0) return NULL;

    uint64_t strings = 0, at = 0, most = 0;
    for (uint64_t i = 0; i < dynamic->p_filesz / sizeof *entry && entry[i].d_tag != DT_NULL; i++) {
        if (entry[i].d_tag == DT_STRTAB) strings = entry[i].d_un.d_ptr;
        if (entry[i].d_tag == DT_RUNPATH || (entry[i].d_tag == DT_RPATH && at == 0))
            at = entry[i].d_un.d_val;
    }
    const char *text = at && strings ? at_address(file, head, strings + at, &most) : NULL;
    return text ? g_strndup(text, most) : NULL;
}

char *cli_run_beside(const char *program)
{
    static const char *const origin[] = {"$ORIGIN", "${ORIGIN}"};
    g_autoptr(GMappedFile) mapped = g_mapped_file_new(program, FALSE, NULL);
    if (!mapped) return NULL;
    const struct cli_run_image file = cli_run_image(mapped);
    const Elf64_Ehdr *head = cli_run_elf(&file);
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
