/* elf: reading an ELF file of this host, which may be anything: every offset is checked. Inside
 * cli/run, not a door. */
#ifndef CLI_RUN_ELF_H
#define CLI_RUN_ELF_H

#include "base/base.h"

#include <elf.h>

struct cli_run_image {
    const char *byte;
    gsize bytes;
};
static inline struct cli_run_image cli_run_image(GMappedFile *file)
{
    return (struct cli_run_image){g_mapped_file_get_contents(file), g_mapped_file_get_length(file)};
}
/* So many bytes from there on; NULL: the file has not. */
static inline const void *cli_run_part(const struct cli_run_image *image, uint64_t offset,
                                       uint64_t bytes)
{
    return offset <= image->bytes && bytes <= image->bytes - offset ? image->byte + offset : NULL;
}
/* NULL: it is no program or library for this host. */
const Elf64_Ehdr *cli_run_elf(const struct cli_run_image *image);
/* Its table of e_phnum segments, of e_shnum sections; NULL: there is none that can be read. */
const Elf64_Phdr *cli_run_segments(const struct cli_run_image *image, const Elf64_Ehdr *head);
const Elf64_Shdr *cli_run_sections(const struct cli_run_image *image, const Elf64_Ehdr *head);
/* What the loader reads: entries, and the text that they point into. All 0: there is none. */
struct cli_run_dynamic {
    const Elf64_Dyn *entry;
    uint64_t entries, bytes;
    const char *text;
};
struct cli_run_dynamic cli_run_dynamic(const struct cli_run_image *image, const Elf64_Ehdr *head);

#endif
