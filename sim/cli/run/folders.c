/* Where the source of a program lies, as far as its compiler has said: in the table of names that
 * its lines refer to (DWARF 5, 7.5.5). Others' folders may stand there, too; a name that lies in
 * one of those alone is found there. */
#include "base/elf/elf.h"
#include "cli/run/parts.h"

#include <string.h>

enum { MOST = 256 }; /* folders */

static void add(GPtrArray *folders, const char *name)
{
    if (folders->len >= MOST || !g_file_test(name, G_FILE_TEST_IS_DIR)) return;
    if (g_ptr_array_find_with_equal_func(folders, name, g_str_equal, NULL)) return;
    g_ptr_array_add(folders, g_strdup(name));
}

/* The names of one section, each ended by 0: those that begin with a slash, and then what others
 * are in each of these, for a compiler may have been called with "../src/halo.c". */
static void add_names(GPtrArray *folders, const char *text, uint64_t bytes)
{
    const char *const end = text + bytes;
    for (const char *name = text; name < end; name += strlen(name) + 1)
        if (*name == '/') add(folders, name);
    const guint whole = folders->len;
    for (const char *name = text; name < end; name += strlen(name) + 1)
        for (guint i = 0; *name && *name != '/' && i < whole; i++) {
            g_autofree char *there = g_build_filename(folders->pdata[i], name, NULL);
            add(folders, there);
        }
}

char **cli_run_folders(const char *program)
{
    g_autofree char *beside = g_path_get_dirname(program);
    g_autoptr(GMappedFile) map = g_mapped_file_new(program, FALSE, NULL);
    GPtrArray *folders = g_ptr_array_new();
    g_ptr_array_add(folders, g_strdup("."));
    g_ptr_array_add(folders, g_steal_pointer(&beside));
    const struct base_elf image = map ? base_elf_of(map) : (struct base_elf){0};
    const Elf64_Ehdr *head = map ? base_elf_head(&image) : NULL;
    const Elf64_Shdr *section = head ? base_elf_sections(&image, head) : NULL;
    for (int i = 0; section && i < head->e_shnum; i++) {
        const Elf64_Shdr *s = &section[i];
        if (g_strcmp0(base_elf_name(&image, head, s), ".debug_line_str") != 0) continue;
        const char *text =
            s->sh_flags & SHF_COMPRESSED ? NULL : base_elf_part(&image, s->sh_offset, s->sh_size);
        if (text && s->sh_size > 0 && text[s->sh_size - 1] == 0)
            add_names(folders, text, s->sh_size);
    }
    g_ptr_array_add(folders, NULL);
    return (char **)g_ptr_array_free(folders, FALSE);
}
