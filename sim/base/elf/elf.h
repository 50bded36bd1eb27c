/* base/elf: reading an ELF file of this host, which may be anything: every offset is checked
 * (System V ABI, chapters 4 and 5). */
#ifndef BASE_ELF_H
#define BASE_ELF_H

#include <elf.h>
#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct base_elf {
    const char *byte;
    gsize bytes;
};
static inline struct base_elf base_elf_of(GMappedFile *file)
{
    return (struct base_elf){g_mapped_file_get_contents(file), g_mapped_file_get_length(file)};
}
/* So many bytes from there on; NULL: the file has not. */
static inline const void *base_elf_part(const struct base_elf *image, uint64_t offset,
                                        uint64_t bytes)
{
    return offset <= image->bytes && bytes <= image->bytes - offset ? image->byte + offset : NULL;
}
/* A copy of the text there, which ends after so many bytes at the latest. (g_strndup alone writes
 * as many zeros behind it as the file has bytes.) */
static inline char *base_elf_text(const char *from, uint64_t most)
{
    return g_strndup(from, strnlen(from, most));
}
/* NULL: it is no program or library for this host. */
const Elf64_Ehdr *base_elf_head(const struct base_elf *image);
/* Its table of e_phnum segments, of e_shnum sections; NULL: there is none that can be read. */
const Elf64_Phdr *base_elf_segments(const struct base_elf *image, const Elf64_Ehdr *head);
const Elf64_Shdr *base_elf_sections(const struct base_elf *image, const Elf64_Ehdr *head);
/* The name of a section; NULL: it has none that can be read. */
const char *base_elf_name(const struct base_elf *image, const Elf64_Ehdr *head,
                          const Elf64_Shdr *section);
/* The bytes at an address of what is loaded; NULL: not in the file. *most: so many follow. */
const void *base_elf_at(const struct base_elf *image, const Elf64_Ehdr *head, uint64_t address,
                        uint64_t *most);
/* What the loader reads: entries, and the text that they point into. All 0: there is none. */
struct base_elf_dynamic {
    const Elf64_Dyn *entry;
    uint64_t entries, bytes;
    const char *text;
};
struct base_elf_dynamic base_elf_dynamic(const struct base_elf *image, const Elf64_Ehdr *head);

#endif
