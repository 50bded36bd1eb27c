/* The head of an ELF file and its tables. */
#include "cli/run/elf.h"

#include <string.h>

#if defined __x86_64__
static const Elf64_Half here = EM_X86_64;
#elif defined __aarch64__
static const Elf64_Half here = EM_AARCH64;
#else
static const Elf64_Half here = EM_NONE; /* any */
#endif

const Elf64_Ehdr *cli_run_elf(const struct cli_run_image *image)
{
    const Elf64_Ehdr *head = cli_run_part(image, 0, sizeof *head);
    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || (here != EM_NONE && head->e_machine != here))
        return NULL;
    return head->e_type == ET_DYN || head->e_type == ET_EXEC ? head : NULL;
}

const Elf64_Phdr *cli_run_segments(const struct cli_run_image *image, const Elf64_Ehdr *head)
{
    const Elf64_Phdr *segment =
        cli_run_part(image, head->e_phoff, (uint64_t)head->e_phnum * sizeof *segment);
    const bool good =
        head->e_phentsize == sizeof *segment && head->e_phoff % _Alignof(Elf64_Phdr) == 0;
    return good ? segment : NULL;
}

const Elf64_Shdr *cli_run_sections(const struct cli_run_image *image, const Elf64_Ehdr *head)
{
    const Elf64_Shdr *section =
        cli_run_part(image, head->e_shoff, (uint64_t)head->e_shnum * sizeof *section);
    const bool good =
        head->e_shentsize == sizeof *section && head->e_shoff % _Alignof(Elf64_Shdr) == 0;
    return good ? section : NULL;
}

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

struct cli_run_dynamic cli_run_dynamic(const struct cli_run_image *file, const Elf64_Ehdr *head)
{
    struct cli_run_dynamic out = {0};
    const Elf64_Phdr *segment = cli_run_segments(file, head);
    uint64_t strings = 0;
    for (int i = 0; segment && i < head->e_phnum; i++) {
        if (segment[i].p_type != PT_DYNAMIC || segment[i].p_offset % _Alignof(Elf64_Dyn)) continue;
        out.entry = cli_run_part(file, segment[i].p_offset, segment[i].p_filesz);
        out.entries = out.entry ? segment[i].p_filesz / sizeof *out.entry : 0;
    }
    for (uint64_t i = 0; i < out.entries && out.entry[i].d_tag != DT_NULL; i++)
        if (out.entry[i].d_tag == DT_STRTAB) strings = out.entry[i].d_un.d_ptr;
    out.text = strings ? at_address(file, head, strings, &out.bytes) : NULL;
    return out.text ? out : (struct cli_run_dynamic){0};
}
