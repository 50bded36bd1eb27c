/* Libraries and plug-ins of which each rank has a copy, and those that are loaded once: those that
 * a plug-in asks for, and with them their static variables. One that stores into them gives a rank
 * what another stored: it is named.
 */
#include "world/program/program.h"
#include "base/copies/copies.h"
#include "base/elf/elf.h"
#include "kern/kern.h"
#include "world/rank/state.h"

#include <string.h>

struct library {
    char *name; /* of its file */
    GPtrArray *part;
};

/* A section of variables, and what it held before a rank of the program had begun. */
struct part {
    const uint8_t *at;
    gsize bytes;
    guint64 digest;
};

static GPtrArray *libraries;
static bool begun;

static guint64 digest(const struct part *part)
{
    guint64 sum = 0, word = 0;
    for (gsize i = 0; i < part->bytes; i += sizeof word, word = 0) {
        memcpy(&word, part->at + i, MIN(sizeof word, part->bytes - i));
        if (word) sum = ((sum ^ word) + i) * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    }
    return sum;
}

static void remember(struct library *library)
{
    for (guint i = 0; i < library->part->len; i++) {
        struct part *part = g_ptr_array_index(library->part, i);
        part->digest = digest(part);
    }
}

/* Not relocations, which the loader changes, nor what Sidewinder keeps there. */
static bool of_variables(const char *name)
{
    return strcmp(name, ".data") == 0 || strcmp(name, ".bss") == 0;
}

static void find_parts(struct library *library, GMappedFile *mapped, uintptr_t base)
{
    const struct base_elf file = base_elf_of(mapped);
    const Elf64_Ehdr *head = base_elf_head(&file);
    const Elf64_Shdr *section = head ? base_elf_sections(&file, head) : NULL;
    for (int i = 0; section && i < head->e_shnum; i++) {
        const char *name = base_elf_name(&file, head, &section[i]);
        if (!name || !of_variables(name)) continue;
        struct part *part = g_new0(struct part, 1);
        part->at = (const uint8_t *)(base + section[i].sh_addr);
        part->bytes = section[i].sh_size;
        g_ptr_array_add(library->part, part);
    }
}

const char *world_plug_in(const char *path) { return kern_copies_plug_in(kern_rank(), path); }
void world_plug_in_loaded(const char *copy) { kern_copies_loaded(copy); }

void world_library_start(const char *path, uintptr_t base)
{
    if (world_one.description.ranks < 2 || base_copies_file(path) != path)
        return; /* nobody to share them with */
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
    if (!file) return;
    if (!libraries) libraries = g_ptr_array_new();
    struct library *library = g_new0(struct library, 1);
    library->name = g_path_get_basename(path);
    library->part = g_ptr_array_new();
    find_parts(library, file, base);
    g_ptr_array_add(libraries, library);
    if (begun) remember(library);
}

void world_libraries_begin(void)
{
    if (begun) return;
    begun = true;
    for (guint i = 0; libraries && i < libraries->len; i++)
        remember(g_ptr_array_index(libraries, i));
}

static bool changed(const struct library *library)
{
    for (guint i = 0; i < library->part->len; i++) {
        const struct part *part = g_ptr_array_index(library->part, i);
        if (part->digest != digest(part)) return true;
    }
    return false;
}

char **world_libraries_changed(void)
{
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; libraries && i < libraries->len; i++) {
        const struct library *library = g_ptr_array_index(libraries, i);
        if (changed(library)) g_ptr_array_add(names, g_strdup(library->name));
    }
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(names, FALSE);
}
