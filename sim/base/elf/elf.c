/* The head of an ELF file and its tables. */
#include "base/elf/elf.h"

#include <string.h>

#if defined __x86_64__
static const Elf64_Half here = EM_X86_64;
#elif defined __aarch64__
static const Elf64_Half here = EM_AARCH64;
#else
static const Elf64_Half here = EM_NONE; /* any */
#endif

const Elf64_Ehdr *base_elf_head(const struct base_elf *image)
{
    const Elf64_Ehdr *head = base_elf_part(image, 0, sizeof *head);
    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64 || (here != EM_NONE && head->e_machine != here))
        return NULL;
    return head->e_type == ET_DYN || head->e_type == ET_EXEC ? head : NULL;
}

const Elf64_Phdr *base_elf_segments(const struct base_elf *image, const Elf64_Ehdr *head)
{
    const Elf64_Phdr *segment =
        base_elf_part(image, head->e_phoff, (uint64_t)head->e_phnum * sizeof *segment);
    const bool good =
        head->e_phentsize == sizeof *segment && head->e_phoff % _Alignof(Elf64_Phdr) == 0;
    return good ? segment : NULL;
}

const Elf64_Shdr *base_elf_sections(const struct base_elf *image, const Elf64_Ehdr *head)
{
    const Elf64_Shdr *section =
        base_elf_part(image, head->e_shoff, (uint64_t)head->e_shnum * sizeof *section);
    const bool good =
        head->e_shentsize == sizeof *section && head->e_shoff % _Alignof(Elf64_Shdr) == 0;
    return good ? section : NULL;
}

const char *base_elf_name(const struct base_elf *image, const Elf64_Ehdr *head,
                          const Elf64_Shdr *section)
{
    const Elf64_Shdr *all = base_elf_sections(image, head);
    const Elf64_Shdr *names =
        all && head->e_shstrndx < head->e_shnum ? &all[head->e_shstrndx] : NULL;
    const char *text = names ? base_elf_part(image, names->sh_offset, names->sh_size) : NULL;
    if (!text || section->sh_name >= names->sh_size ||
        !memchr(text + section->sh_name, '\0', names->sh_size - section->sh_name))
        return NULL;
    return text + section->sh_name;
}

const void *base_elf_at(const struct base_elf *file, const Elf64_Ehdr *head, uint64_t address,
                        uint64_t *most)
{
    const Elf64_Phdr *segment = base_elf_segments(file, head);
    for (int i = 0; segment && i < head->e_phnum; i++) {
        const Elf64_Phdr *s = &segment[i];
        if (s->p_type != PT_LOAD || address < s->p_vaddr || address - s->p_vaddr >= s->p_filesz)
            continue;
        *most = s->p_filesz - (address - s->p_vaddr);
        return base_elf_part(file, s->p_offset + (address - s->p_vaddr), *most);
    }
    return NULL;
}

struct base_elf_dynamic base_elf_dynamic(const struct base_elf *file, const Elf64_Ehdr *head)
{
    struct base_elf_dynamic out = {0};
    const Elf64_Phdr *segment = base_elf_segments(file, head);
    uint64_t strings = 0;
    for (int i = 0; segment && i < head->e_phnum; i++) {
        if (segment[i].p_type != PT_DYNAMIC || segment[i].p_offset % _Alignof(Elf64_Dyn)) continue;
        out.entry = base_elf_part(file, segment[i].p_offset, segment[i].p_filesz);
        out.entries = out.entry ? segment[i].p_filesz / sizeof *out.entry : 0;
    }
    for (uint64_t i = 0; i < out.entries && out.entry[i].d_tag != DT_NULL; i++)
        if (out.entry[i].d_tag == DT_STRTAB) strings = out.entry[i].d_un.d_ptr;
    out.text = strings ? base_elf_at(file, head, strings, &out.bytes) : NULL;
    return out.text ? out : (struct base_elf_dynamic){0};
}
