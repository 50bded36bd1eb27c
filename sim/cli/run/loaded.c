/* What SMPI copies for every rank: the program without what no rank loads. Its bytes behind the
 * last segment (descriptions of blocks, debug information, symbols that only a report reads) are
 * left out, and with them the table of sections; a loader reads the table of segments.
 *
 * Reports, the check and prices read the program's own file. Left out: programs whose segments are
 * not all in front, of which nothing is saved. */
#include "cli/run/parts.h"

#include <elf.h>
#include <glib/gstdio.h>

/* Where the last segment ends in the file; 0: it cannot be said. */
static uint64_t segments_end(const Elf64_Ehdr *head, gsize bytes)
{
    const uint64_t count = head->e_phnum;
    uint64_t end = 0;
    if (head->e_phentsize != sizeof(Elf64_Phdr) || head->e_phoff % _Alignof(Elf64_Phdr) ||
        head->e_phoff > bytes || count * sizeof(Elf64_Phdr) > bytes - head->e_phoff)
        return 0;
    const Elf64_Phdr *segment = (const Elf64_Phdr *)((const char *)head + head->e_phoff);
    for (uint64_t i = 0; i < count; i++) {
        if (segment[i].p_offset > bytes || segment[i].p_filesz > bytes - segment[i].p_offset)
            return 0;
        end = MAX(end, segment[i].p_offset + segment[i].p_filesz);
    }
    return MAX(end, head->e_phoff + count * sizeof(Elf64_Phdr));
}

char *cli_run_loaded(const char *program, const char *folder)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new(program, FALSE, NULL);
    if (!file || g_mapped_file_get_length(file) < sizeof(Elf64_Ehdr)) return NULL;
    const Elf64_Ehdr *whole = (const Elf64_Ehdr *)g_mapped_file_get_contents(file);
    const gsize bytes = g_mapped_file_get_length(file), loaded = (gsize)segments_end(whole, bytes);
    if (loaded < sizeof *whole || loaded == bytes) return NULL;

    g_autofree char *part = g_memdup2(whole, loaded);
    Elf64_Ehdr *head = (Elf64_Ehdr *)part;
    head->e_shoff = 0;
    head->e_shnum = head->e_shstrndx = 0;
    g_autofree char *name = g_path_get_basename(program),
                    *place = g_build_filename(folder, "loaded", NULL),
                    *path = g_build_filename(place, name, NULL);
    if (g_mkdir(place, 0700) != 0 ||
        !g_file_set_contents_full(path, part, (gssize)loaded, G_FILE_SET_CONTENTS_NONE, 0700, NULL))
        return NULL;
    return g_steal_pointer(&path);
}
