/* Has sidewinder cc linked that library? */
#include "base/copies/copies.h"
#include "base/elf/elf.h"

#include <string.h>

/* The section of what its objects begin with (probe/in_line); no strip takes it. */
static const char marker[] = "sw_objects";

bool base_copies_wanted(const char *path)
{
    g_autoptr(GMappedFile) mapped = g_mapped_file_new(path, FALSE, NULL);
    if (!mapped) return false;
    const struct base_elf file = base_elf_of(mapped);
    const Elf64_Ehdr *head = base_elf_head(&file);
    const Elf64_Shdr *section = head ? base_elf_sections(&file, head) : NULL;
    for (int i = 0; section && i < head->e_shnum; i++)
        if (g_strcmp0(base_elf_name(&file, head, &section[i]), marker) == 0) return true;
    return false;
}
