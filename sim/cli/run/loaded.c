/* What SMPI copies for every rank: the program without what no rank loads. Its bytes behind the
 * last segment (descriptions of blocks, debug information, symbols that only a report reads) are
 * left out, and with them the table of sections; a loader reads the table of segments. So is the
 * text, if the ranks can share it (split.h).
 *
 * Reports, the check and prices read the program's own file. Left out: programs whose segments are
 * not all in front, of which nothing is saved. */
#include "cli/run/parts.h"
#include "cli/run/split.h"

#include <glib/gstdio.h>

/* Where the last segment ends in the file; 0: it cannot be said. */
static uint64_t segments_end(const struct base_elf *file, const Elf64_Ehdr *head)
{
    const Elf64_Phdr *segment = base_elf_segments(file, head);
    uint64_t end = head->e_phoff + head->e_phnum * sizeof *segment;
    for (int i = 0; segment && i < head->e_phnum; i++) {
        if (!base_elf_part(file, segment[i].p_offset, segment[i].p_filesz)) return 0;
        end = MAX(end, segment[i].p_offset + segment[i].p_filesz);
    }
    return segment ? end : 0;
}

/* glibc 2.41 loads no object at run time that asks for an executable stack. The engine makes those
 * of the ranks executable itself (world/program). */
static void ask_for_no_code_on_stack(char *byte)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)byte;
    Elf64_Phdr *segment = (Elf64_Phdr *)(byte + head->e_phoff);
    for (int i = 0; i < head->e_phnum; i++)
        if (segment[i].p_type == PT_GNU_STACK) segment[i].p_flags &= ~(Elf64_Word)PF_X;
}

/* Its path; NULL: it could not be written. */
static char *written(const char *folder, const char *name, const char *byte, gsize bytes)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return g_file_set_contents_full(path, byte, (gssize)bytes, G_FILE_SET_CONTENTS_NONE, 0700, NULL)
               ? g_steal_pointer(&path)
               : NULL;
}

char *cli_run_loaded(const char *program, const char *folder, const char *name_of_folder,
                     char **shared)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new(program, FALSE, NULL);
    if (!file) return NULL;
    const struct base_elf whole = base_elf_of(file);
    const Elf64_Ehdr *old = base_elf_head(&whole);
    const gsize loaded = old ? (gsize)segments_end(&whole, old) : 0;
    g_autofree char *name = g_path_get_basename(program),
                    *place = g_build_filename(folder, name_of_folder, NULL);
    if (loaded < sizeof *old || g_mkdir(place, 0700) != 0) return NULL;

    struct cli_run_split split = {0};
    if (shared && cli_run_split(&whole, old, &split)) {
        g_autofree char *copy = split.copy, *text = split.text, *path = NULL;
        ask_for_no_code_on_stack(copy);
        path = written(place, name, copy, split.copy_bytes);
        *shared = path ? written(folder, "text", text, split.text_bytes) : NULL;
        return *shared ? g_steal_pointer(&path) : NULL;
    }
    if (loaded == whole.bytes) return NULL;
    g_autofree char *part = g_memdup2(whole.byte, loaded);
    Elf64_Ehdr *head = (Elf64_Ehdr *)part;
    head->e_shoff = 0;
    head->e_shnum = head->e_shstrndx = 0;
    ask_for_no_code_on_stack(part);
    return written(place, name, part, loaded);
}
