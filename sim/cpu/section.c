/* Finds the descriptions in an ELF file, 64 bit and little endian. Left out: compressed sections
 * (the section is not one that tools compress). */
#include "cpu/read.h"

#include <elf.h>
#include <string.h>

static bool inside(uint64_t offset, uint64_t size, size_t length)
{
    return offset <= length && size <= length - offset;
}

/* Header i of the file's sections; NULL: it has no such, or is cut off. */
static const Elf64_Shdr *section(const char *file, size_t length, size_t i)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
    if (i >= head->e_shnum || head->e_shoff % 8 != 0 ||
        !inside(head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr), length))
        return NULL;
    return (const Elf64_Shdr *)(file + head->e_shoff) + i;
}

static bool called(const char *file, size_t length, const Elf64_Shdr *s, const char *name)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
    const Elf64_Shdr *names = section(file, length, head->e_shstrndx);
    size_t size = strlen(name) + 1;
    return names && inside(names->sh_offset, names->sh_size, length) &&
           inside(s->sh_name, size, names->sh_size) &&
           memcmp(file + names->sh_offset + s->sh_name, name, size) == 0;
}

static bool is_elf(const char *file, size_t length)
{
    return length >= sizeof(Elf64_Ehdr) && memcmp(file, ELFMAG, SELFMAG) == 0 &&
           file[EI_CLASS] == ELFCLASS64 && file[EI_DATA] == ELFDATA2LSB;
}

static void free_bytes(void *bytes) { g_bytes_unref(bytes); }
static void free_object(void *object) { cpu_object_free(object); }

/* Copies: who compiles it again, while the program runs, may write over the file. */
GPtrArray *cpu_sections(const char *path, GError **error)
{
    GError *why = NULL;
    g_autoptr(GMappedFile) map = g_mapped_file_new(path, FALSE, &why);
    if (!map) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_FILE, "%s", why->message);
        g_error_free(why);
        return NULL;
    }
    const char *file = g_mapped_file_get_contents(map);
    size_t length = g_mapped_file_get_length(map);
    if (!is_elf(file, length)) {
        g_set_error(error, BASE_ERROR, BASE_ERROR_SYNTAX, "%s: not a program or object file", path);
        return NULL;
    }
    GPtrArray *sections = g_ptr_array_new_with_free_func(free_bytes);
    const Elf64_Shdr *s;
    for (size_t i = 0; (s = section(file, length, i)); i++)
        if (s->sh_type != SHT_NOBITS && called(file, length, s, BLOCK_SECTION) &&
            inside(s->sh_offset, s->sh_size, length))
            g_ptr_array_add(sections, g_bytes_new(file + s->sh_offset, s->sh_size));
    return sections;
}

void cpu_read_none(const char *path, GError **error)
{
    g_set_error(error, BASE_ERROR, BASE_ERROR_UNKNOWN,
                "%s has no descriptions of its blocks; compile it with 'sidewinder cc'", path);
}

GPtrArray *cpu_read_file(const char *path, GError **error)
{
    g_autoptr(GPtrArray) sections = cpu_sections(path, error);
    g_autoptr(GPtrArray) objects = g_ptr_array_new_with_free_func(free_object);
    if (!sections) return NULL;
    for (guint i = 0; i < sections->len; i++) {
        size_t length;
        const void *bytes = g_bytes_get_data(sections->pdata[i], &length);
        if (!cpu_read(bytes, length, path, objects, error)) return NULL;
    }
    if (objects->len == 0) {
        cpu_read_none(path, error);
        return NULL;
    }
    return g_steal_pointer(&objects);
}
