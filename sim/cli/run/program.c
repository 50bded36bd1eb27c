/* What `sidewinder run` checks about the program's file before the start. */
#include "cli/run/run.h"
#include "base/elf/elf.h"
#include "cpu/block_format/block_format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What `sidewinder cc` links into every program: a symbol in a section of its own, either of which
 * is enough (strip may take the symbol, never an allocated section). */
static const char marker_symbol[] = "sw_program_marker";
static const char marker_section[] = ".note.sidewinder";

/* ---- marks ----------------------------------------------------------------------------------- */

static bool table_has(const struct base_elf *image, const Elf64_Shdr *section,
                      const Elf64_Shdr *strings, const char *symbol)
{
    const char *name = base_elf_part(image, strings->sh_offset, strings->sh_size);
    const Elf64_Sym *entry = base_elf_part(image, section->sh_offset, section->sh_size);
    size_t length = strlen(symbol) + 1;
    if (!name || !entry) return false;
    for (uint64_t i = 0; i < section->sh_size / sizeof *entry; i++)
        if (entry[i].st_shndx != SHN_UNDEF && entry[i].st_name < strings->sh_size &&
            strings->sh_size - entry[i].st_name >= length &&
            memcmp(name + entry[i].st_name, symbol, length) == 0)
            return true;
    return false;
}

static bool marked(const struct base_elf *image, const Elf64_Ehdr *head)
{
    const Elf64_Shdr *section = base_elf_sections(image, head);
    if (!section) return false;
    for (int i = 0; i < head->e_shnum; i++)
        if (g_strcmp0(base_elf_name(image, head, &section[i]), marker_section) == 0) return true;
    for (int i = 0; i < head->e_shnum; i++)
        if ((section[i].sh_type == SHT_SYMTAB || section[i].sh_type == SHT_DYNSYM) &&
            section[i].sh_link < head->e_shnum && section[i].sh_offset % _Alignof(Elf64_Sym) == 0 &&
            table_has(image, &section[i], &section[section[i].sh_link], marker_symbol))
            return true;
    return false;
}

/* Do its objects describe their blocks as this version reads them? Where they do not describe them
 * at all, others say so. */
static bool of_this_version(const struct base_elf *image, const Elf64_Ehdr *head)
{
    const Elf64_Shdr *section = base_elf_sections(image, head);
    const uint32_t wanted = BLOCK_VERSION;
    for (int i = 0; section && i < head->e_shnum; i++) {
        const unsigned char *record = base_elf_part(image, section[i].sh_offset, BLOCK_HEAD);
        if (record && section[i].sh_size >= BLOCK_HEAD &&
            g_strcmp0(base_elf_name(image, head, &section[i]), BLOCK_SECTION) == 0 &&
            memcmp(record, BLOCK_MAGIC, 8) == 0 && memcmp(record + 8, &wanted, 4) != 0)
            return false;
    }
    return true;
}

/* ---- the program ----------------------------------------------------------------------------- */

static bool check_built(const char *path, const char *name, GError **error)
{
    g_autoptr(GError) why = NULL;
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, &why);
    if (!file) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot read program %s: %s", name,
                    why->message);
        return false;
    }
    struct base_elf image = base_elf_of(file);
    const Elf64_Ehdr *head = base_elf_head(&image);
    if (!head) {
        bool script = image.bytes >= 2 && memcmp(image.byte, "#!", 2) == 0;
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "%s is %s for this computer", name,
                    script ? "a script" : "not an ELF executable");
        return false;
    }
    if (!marked(&image, head)) {
        g_autofree char *base = g_path_get_basename(name);
        g_set_error(
            error, BASE_ERROR, BASE_ERROR_FILE,
            "%s was not built with sidewinder cc; compile it with: sidewinder cc -o %s %s.c", name,
            base, base);
        return false;
    }
    if (!of_this_version(&image, head)) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                    "%s was built by another version of sidewinder cc; build it again", name);
        return false;
    }
    return true;
}

char *cli_run_program(const char *name, GError **error)
{
    g_autofree char *path = NULL;
    if (strchr(name, '/') || g_file_test(name, G_FILE_TEST_IS_REGULAR))
        path = g_canonicalize_filename(name, NULL);
    else
        path = g_find_program_in_path(name);
    struct stat status;
    if (!path || stat(path, &status) != 0) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "cannot find program %s: %s", name,
                    path ? g_strerror(errno) : "not in this folder and not in PATH");
        return NULL;
    }
    if (!S_ISREG(status.st_mode)) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "%s is %s", name,
                    S_ISDIR(status.st_mode) ? "a folder" : "not a regular file");
        return NULL;
    }
    if (access(path, X_OK) != 0) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE,
                    "%s is not executable: %s; a program is what sidewinder cc -o writes", name,
                    g_strerror(errno));
        return NULL;
    }
    return check_built(path, name, error) ? g_steal_pointer(&path) : NULL;
}

uint64_t cli_run_variables(const char *program)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new(program, FALSE, NULL);
    if (!file) return 0;
    struct base_elf image = base_elf_of(file);
    const Elf64_Ehdr *head = base_elf_head(&image);
    const Elf64_Phdr *segment = head ? base_elf_segments(&image, head) : NULL;
    uint64_t bytes = 0;
    if (!segment) return 0;
    for (int i = 0; i < head->e_phnum; i++)
        if (segment[i].p_type == PT_LOAD && segment[i].p_flags & PF_W) bytes += segment[i].p_memsz;
    return bytes;
}
