/* Which objects of a program were not compiled by us, or by an older sidewinder: found at link
 * time, remembered in a note of the program.
 *
 * The compiler plugin gives every object a section of descriptions
 * (cpu/block_format/block_format.h), whose head has the version of what the object calls. An object
 * with code and without that section is not instrumented. Versions before the plugin called
 * __tsan_init instead. */
#include "cli/cc/parts.h"

#include "cpu/block_format/block_format.h"

#include <ar.h>
#include <elf.h>
#include <string.h>

#define NOTE_SECTION ".note.sidewinder"
#define NOTE_NAME    "Sidewinder"
enum { NOTE_UNINSTRUMENTED = 1 };

/* ---- reading ELF: every offset is checked, the file may be anything -------------------------- */

struct bytes {
    const char *at;
    uint64_t n;
};

static const void *part(struct bytes b, uint64_t offset, uint64_t n)
{
    return offset <= b.n && n <= b.n - offset ? b.at + offset : NULL;
}

static const Elf64_Shdr *sections(struct bytes b, int type, uint16_t *n)
{
    const Elf64_Ehdr *head = part(b, 0, sizeof *head);
    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_ident[EI_CLASS] != ELFCLASS64)
        return NULL;
    if ((type != ET_NONE && head->e_type != type) || head->e_shentsize != sizeof(Elf64_Shdr))
        return NULL;
    *n = head->e_shnum;
    return part(b, head->e_shoff, (uint64_t)*n * sizeof(Elf64_Shdr));
}

static const char *name_at(struct bytes b, const Elf64_Shdr *strings, uint64_t offset)
{
    const char *text = part(b, strings->sh_offset, strings->sh_size);
    if (!text || offset >= strings->sh_size ||
        !memchr(text + offset, '\0', strings->sh_size - offset))
        return "";
    return text + offset;
}

static bool mentions(struct bytes b, const Elf64_Shdr *section, uint16_t n, const char *symbol)
{
    for (uint16_t i = 0; i < n; i++) {
        if (section[i].sh_type != SHT_SYMTAB || section[i].sh_link >= n) continue;
        uint64_t symbols = section[i].sh_size / sizeof(Elf64_Sym);
        for (uint64_t s = 0; s < symbols; s++) {
            Elf64_Sym entry;
            const void *at = part(b, section[i].sh_offset + s * sizeof entry, sizeof entry);
            if (!at) return false;
            /* members of archives are aligned to two bytes only */
            memcpy(&entry, at, sizeof entry);
            if (strcmp(name_at(b, &section[section[i].sh_link], entry.st_name), symbol) == 0)
                return true;
        }
    }
    return false;
}

enum object { OBJECT_OURS, OBJECT_FOREIGN, OBJECT_OLDER };

static enum object judge(struct bytes b)
{
    uint16_t n;
    const Elf64_Ehdr *head = part(b, 0, sizeof *head);
    const void *table = sections(b, ET_REL, &n);
    if (!table || head->e_shstrndx >= n) return OBJECT_OURS;
    g_autofree Elf64_Shdr *section = g_memdup2(table, (gsize)n * sizeof *section);
    bool code = false;
    for (uint16_t i = 0; i < n; i++) {
        if (section[i].sh_type == SHT_PROGBITS && section[i].sh_flags & SHF_EXECINSTR &&
            section[i].sh_size > 0)
            code = true;
        if (strcmp(name_at(b, &section[head->e_shstrndx], section[i].sh_name), BLOCK_SECTION) != 0)
            continue;
        const char *blocks = part(b, section[i].sh_offset, BLOCK_HEAD);
        uint32_t version = 0;
        if (blocks) memcpy(&version, blocks + strlen(BLOCK_MAGIC), sizeof version);
        bool same = blocks && memcmp(blocks, BLOCK_MAGIC, strlen(BLOCK_MAGIC)) == 0 &&
                    version == BLOCK_VERSION;
        return same ? OBJECT_OURS : OBJECT_OLDER;
    }
    if (mentions(b, section, n, "__tsan_init")) return OBJECT_OLDER;
    return code ? OBJECT_FOREIGN : OBJECT_OURS;
}

/* ---- archives (ar(5), with GNU's long names) ------------------------------------------------- */

/* What the head at that offset stands before. */
static struct bytes body_at(struct bytes archive, uint64_t offset)
{
    const struct ar_hdr *head = part(archive, offset, sizeof *head);
    char number[sizeof head->ar_size + 1] = "";
    memcpy(number, head->ar_size, sizeof head->ar_size);
    struct bytes body = {archive.at + offset + sizeof *head, g_ascii_strtoull(number, NULL, 10)};
    return part(archive, offset + sizeof *head, body.n) ? body : (struct bytes){NULL, 0};
}

static struct bytes member(struct bytes archive, const char *wanted)
{
    struct bytes none = {NULL, 0}, names = none;
    /* thin ones name files; see below */
    if (archive.n < SARMAG || memcmp(archive.at, ARMAG, SARMAG) != 0) return none;
    for (uint64_t offset = SARMAG; part(archive, offset, sizeof(struct ar_hdr));) {
        const struct ar_hdr *head = part(archive, offset, sizeof *head);
        struct bytes body = body_at(archive, offset);
        if (!body.at) return none;
        const char *name = head->ar_name;
        size_t most = sizeof head->ar_name;
        if (memcmp(name, "// ", 3) == 0) names = body;
        if (name[0] == '/' && g_ascii_isdigit(name[1])) {
            uint64_t at = g_ascii_strtoull(name + 1, NULL, 10);
            name = at < names.n ? names.at + at : "";
            most = at < names.n ? names.n - at : 0;
        }
        size_t length = strlen(wanted);
        if (length < most && memcmp(name, wanted, length) == 0 && name[length] == '/') return body;
        offset += sizeof *head + body.n + (body.n & 1);
    }
    return none;
}

/* ---- the linker's list ----------------------------------------------------------------------- */

static bool toolchains_own(const char *path, const struct cli_cc_place *place)
{
    static const char *const name[] = {"crt1.o",
                                       "Scrt1.o",
                                       "rcrt1.o",
                                       "gcrt1.o",
                                       "grcrt1.o",
                                       "crti.o",
                                       "crtn.o",
                                       "crtbegin.o",
                                       "crtbeginS.o",
                                       "crtbeginT.o",
                                       "crtend.o",
                                       "crtendS.o",
                                       "crtfastmath.o",
                                       "libgcc.a",
                                       "libgcc_eh.a",
                                       "libc_nonshared.a",
                                       "libpthread_nonshared.a"};
    if (strcmp(path, place->start_object) == 0 || strcmp(path, place->program_object) == 0 ||
        strcmp(path, place->fortran_object) == 0 || strcmp(path, place->signal_archive) == 0 ||
        strcmp(path, place->cplusplus_archive) == 0 || strcmp(path, place->profile_archive) == 0)
        return true;
    g_autofree char *base = g_path_get_basename(path);
    for (size_t i = 0; i < G_N_ELEMENTS(name); i++)
        if (strcmp(base, name[i]) == 0) return true;
    return false;
}

static bool file_is(const char *path, const char *of_archive)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
    if (!file) return false;
    struct bytes b = {g_mapped_file_get_contents(file), g_mapped_file_get_length(file)};
    return judge(of_archive ? member(b, of_archive) : b) == OBJECT_FOREIGN;
}

/* One line of the list: "path", or "(archive)member"; a thin archive's members are paths
 * themselves. */
static char *named(const char *entry, const struct cli_cc_place *place)
{
    const char *close = entry[0] == '(' ? strchr(entry, ')') : NULL;
    if (!close) {
        g_autofree char *base = g_path_get_basename(entry);
        return !toolchains_own(entry, place) && file_is(entry, NULL) ? g_steal_pointer(&base)
                                                                     : NULL;
    }
    g_autofree char *archive = g_strndup(entry + 1, (gsize)(close - entry - 1));
    if (toolchains_own(archive, place) ||
        !(file_is(archive, close + 1) || file_is(close + 1, NULL)))
        return NULL;
    g_autofree char *base = g_path_get_basename(archive);
    g_autofree char *inside = g_path_get_basename(close + 1);
    return g_strdup_printf("%s(%s)", base, inside);
}

/* Does a file, or a member of an archive, come from an older version? */
bool cli_cc_older(const char *path)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new(path, FALSE, NULL);
    if (!file) return false;
    struct bytes b = {g_mapped_file_get_contents(file), g_mapped_file_get_length(file)};
    if (b.n < SARMAG || memcmp(b.at, ARMAG, SARMAG) != 0) return judge(b) == OBJECT_OLDER;
    for (uint64_t offset = SARMAG; part(b, offset, sizeof(struct ar_hdr));) {
        struct bytes body = body_at(b, offset);
        if (!body.at) return false;
        if (judge(body) == OBJECT_OLDER) return true;
        offset += sizeof(struct ar_hdr) + body.n + (body.n & 1);
    }
    return false;
}

GPtrArray *cli_cc_uninstrumented(const char *linker_list, const struct cli_cc_place *place)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    g_auto(GStrv) entries = g_strsplit(linker_list, "\n", -1);
    for (char **entry = entries; *entry; entry++) {
        if (!**entry || !g_hash_table_add(seen, *entry)) continue;
        char *name = named(*entry, place);
        if (name) g_ptr_array_add(names, name);
    }
    return names;
}

/* ---- the note: an ELF note, kept when a program is stripped ---------------------------------- */

char *cli_cc_note(const GPtrArray *names)
{
    GString *text = g_string_new(NULL);
    g_string_printf(text,
                    "\t.section %s,\"a\",@note\n\t.balign 4\n\t.long 2f-1f, 4f-3f, %d\n1:\t.asciz "
                    "\"%s\"\n2:\t.balign 4\n3:\n",
                    NOTE_SECTION, NOTE_UNINSTRUMENTED, NOTE_NAME);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *quoted = g_strescape(g_ptr_array_index(names, i), NULL);
        g_string_append_printf(text, "\t.asciz \"%s\"\n", quoted);
    }
    g_string_append(text, "4:\t.balign 4\n\t.section .note.GNU-stack,\"\",@progbits\n");
    return g_string_free(text, FALSE);
}

static char **names_in(struct bytes note)
{
    const Elf64_Nhdr *head = part(note, 0, sizeof *head);
    if (!head || head->n_type != NOTE_UNINSTRUMENTED || head->n_namesz != sizeof NOTE_NAME)
        return NULL;
    const char *name = part(note, sizeof *head, head->n_namesz);
    uint64_t offset = sizeof *head + (head->n_namesz + 3u) / 4 * 4;
    const char *text = part(note, offset, head->n_descsz);
    if (!name || memcmp(name, NOTE_NAME, sizeof NOTE_NAME) != 0 || !text) return NULL;
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();
    for (const char *end = text + head->n_descsz; text < end;) {
        g_autofree char *one = g_strndup(text, (gsize)(end - text));
        g_strv_builder_add(names, one);
        text += strlen(one) + 1;
    }
    return g_strv_builder_end(names);
}

char **cli_cc_read_note(const char *program)
{
    g_autoptr(GMappedFile) file = g_mapped_file_new(program, FALSE, NULL);
    if (!file) return NULL;
    struct bytes b = {g_mapped_file_get_contents(file), g_mapped_file_get_length(file)};
    uint16_t n;
    const Elf64_Shdr *section = sections(b, ET_NONE, &n);
    const Elf64_Ehdr *head = part(b, 0, sizeof *head);
    if (!section || head->e_shstrndx >= n) return NULL;
    for (uint16_t i = 0; i < n; i++) {
        if (section[i].sh_type != SHT_NOTE ||
            strcmp(name_at(b, &section[head->e_shstrndx], section[i].sh_name), NOTE_SECTION) != 0)
            continue;
        const char *at = part(b, section[i].sh_offset, section[i].sh_size);
        return at ? names_in((struct bytes){at, section[i].sh_size}) : NULL;
    }
    return NULL;
}
