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
