/* Has sidewinder cc linked that library? Every offset of the file is checked. */
#include "base/copies/copies.h"

#include <elf.h>
#include <glib.h>
#include <string.h>

/* The section of what its objects begin with (probe/in_line); no strip takes it. */
static const char marker[] = "sw_objects";

static const void *part(GMappedFile *file, uint64_t offset, uint64_t bytes)
{
    const uint64_t all = g_mapped_file_get_length(file);
    return offset <= all && bytes <= all - offset ? g_mapped_file_get_contents(file) + offset
                                                  : NULL;
}

bool base_copies_wanted(const char *path)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
    const Elf64_Ehdr *head = file ? part(file, 0, sizeof *head) : NULL;
    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof(Elf64_Shdr) ||
        head->e_shstrndx >= head->e_shnum || head->e_shoff % _Alignof(Elf64_Shdr) != 0)
        return false;
    const Elf64_Shdr *s = part(file, head->e_shoff, head->e_shnum * sizeof *s);
    const Elf64_Shdr *names = s ? &s[head->e_shstrndx] : NULL;
    const char *text = names ? part(file, names->sh_offset, names->sh_size) : NULL;
    for (int i = 0; text && i < head->e_shnum; i++)
        if (s[i].sh_name < names->sh_size && names->sh_size - s[i].sh_name >= sizeof marker &&
            memcmp(text + s[i].sh_name, marker, sizeof marker) == 0)
            return true;
    return false;
}
