/* What the ranks' copies of a program can have in common: its text segment, which no rank writes.
 * Each copy keeps only what is read of it before its first constructor, and the pages of that
 * (program/start.c), which has the simulator map the one file of the rest over them all. The rest
 * of the segment has addresses and no bytes in the copy.
 *
 * Left out: programs that an editor of files has robbed of their symbols, whose other code may run
 * first (indirect functions), or that are laid out in another way than link.c has it. Their copies
 * are whole. */
#include "cli/run/parts.h"
#include "cli/run/split.h"

#include <string.h>

/* The first constructor: its file and its name (program/start.c). */
static const char start_file[] = "start.c", start_name[] = "sw_program_start";

/* What a copy keeps of the text: [from, to), whole pages, but for the end of the last. */
struct kept {
    uint64_t from, to;
};
struct text {
    const struct base_elf *file;
    const Elf64_Ehdr *head;
    const Elf64_Phdr *segment; /* head->e_phnum of them */
    const Elf64_Phdr *text, *data;
    const Elf64_Shdr *section; /* head->e_shnum of them */
    uint64_t page;
    GArray *kept; /* of struct kept, in order */
};

static uint64_t page_of(const struct text *t, uint64_t at) { return at & ~(t->page - 1); }
static uint64_t page_after(const struct text *t, uint64_t at)
{
    return page_of(t, at + t->page - 1);
}

/* Two segments, the first the whole file's beginning and never written, no page in both? */
static bool find_segments(struct text *t)
{
    for (int i = 0; i < t->head->e_phnum; i++) {
        const Elf64_Phdr *s = &t->segment[i];
        if (s->p_type != PT_LOAD) continue;
        if (t->data) return false;
        *(t->text ? &t->data : &t->text) = s;
    }
    const Elf64_Phdr *text = t->text, *data = t->data;
    if (!data || text->p_offset || text->p_vaddr || text->p_filesz != text->p_memsz ||
        text->p_flags != (PF_R | PF_X) || data->p_flags != (PF_R | PF_W))
        return false;
    t->page = text->p_align;
    return t->page >= 4096 && (t->page & (t->page - 1)) == 0 && data->p_align == t->page &&
           page_after(t, text->p_filesz) <= page_of(t, data->p_vaddr) &&
           data->p_vaddr % t->page == data->p_offset % t->page &&
           base_elf_part(t->file, 0, text->p_filesz) &&
           base_elf_part(t->file, data->p_offset, data->p_filesz);
}

static const Elf64_Shdr *section_of(const struct text *t, Elf64_Word type)
{
    for (int i = 0; i < t->head->e_shnum; i++)
        if (t->section[i].sh_type == type) return &t->section[i];
    return NULL;
}

/* Where the first code is: what lies before it, a loader reads. 0: it cannot be said. */
static uint64_t code_begins(const struct text *t)
{
    for (int i = 0; i < t->head->e_shnum; i++) {
        const Elf64_Shdr *s = &t->section[i];
        if (s->sh_flags & SHF_ALLOC && s->sh_flags & SHF_EXECINSTR && s->sh_addr > 0 &&
            s->sh_addr < t->text->p_filesz && s->sh_size >= 64 && s->sh_entsize == 0)
            return s->sh_addr; /* .text: .init and the tables of jumps stand before it */
    }
    return 0;
}

/* The first constructor's address; 0: there is none that can be read. */
static uint64_t first_constructor(const struct text *t)
{
    const Elf64_Shdr *list = section_of(t, SHT_INIT_ARRAY);
    const void *at = list ? base_elf_part(t->file, list->sh_offset, sizeof(uint64_t)) : NULL;
    uint64_t first = 0;
    if (at) memcpy(&first, at, sizeof first);
    return first;
}

static int by_address(const void *a, const void *b)
{
    const struct kept *one = a, *two = b;
    return one->from < two->from ? -1 : one->from > two->from;
}

/* Keeps the pages of the object of the first constructor, all that it has of its own. False: the
 * first constructor is another's, or other code may run before it. */
static bool keep_start(struct text *t)
{
    const Elf64_Shdr *symbols = section_of(t, SHT_SYMTAB);
    if (!symbols || symbols->sh_link >= t->head->e_shnum) return false;
    const Elf64_Shdr *strings = &t->section[symbols->sh_link];
    const Elf64_Sym *symbol = base_elf_part(t->file, symbols->sh_offset, symbols->sh_size);
    const char *names = base_elf_part(t->file, strings->sh_offset, strings->sh_size);
    if (!symbol || !names || strings->sh_size == 0 || names[strings->sh_size - 1] != '\0' ||
        symbols->sh_offset % _Alignof(Elf64_Sym) != 0)
        return false;
    const uint64_t first = first_constructor(t);
    bool its = false, found = false;
    for (uint64_t i = 0; i < symbols->sh_size / sizeof *symbol; i++) {
        const Elf64_Sym *s = &symbol[i];
        const int type = ELF64_ST_TYPE(s->st_info);
        const char *name = s->st_name < strings->sh_size ? names + s->st_name : "";
        if (type == STT_GNU_IFUNC && s->st_shndx != SHN_UNDEF) return false;
        if (type == STT_FILE) its = strcmp(name, start_file) == 0;
        if (!its || ELF64_ST_BIND(s->st_info) != STB_LOCAL || s->st_size == 0) continue;
        if (type == STT_FUNC && s->st_value == first && strcmp(name, start_name) == 0) found = true;
        const uint64_t end = s->st_value + s->st_size;
        if (end > t->text->p_filesz) continue;
        struct kept pages = {page_of(t, s->st_value), MIN(page_after(t, end), t->text->p_filesz)};
        g_array_append_val(t->kept, pages);
    }
    return found;
}

/* What overlaps or touches becomes one. */
static void join(GArray *kept)
{
    g_array_sort(kept, by_address);
    guint n = 0;
    for (guint i = 1; i < kept->len; i++) {
        struct kept *last = &g_array_index(kept, struct kept, n);
        const struct kept next = g_array_index(kept, struct kept, i);
        if (next.from <= last->to)
            last->to = MAX(last->to, next.to);
        else
            g_array_index(kept, struct kept, ++n) = next;
    }
    g_array_set_size(kept, n + 1);
}

static bool is_needed(const Elf64_Phdr *s)
{
    return s->p_type != PT_LOAD && s->p_type != PT_INTERP && s->p_type != PT_NOTE &&
           s->p_type != PT_GNU_PROPERTY && s->p_type != PT_NULL;
}

/* Appends a part of the file to the copy. */
static void append(const struct text *t, GByteArray *copy, uint64_t from, uint64_t bytes)
{
    g_byte_array_append(copy, (const guint8 *)t->file->byte + from, (guint)bytes);
}

/* Zeros up to a page's place. */
static void pad(const struct text *t, GByteArray *copy, uint64_t place)
{
    const guint from = copy->len, to = (guint)(page_after(t, from) + place % t->page);
    g_byte_array_set_size(copy, to);
    memset(copy->data + from, 0, to - from);
}

/* The copy's bytes, and its segments at `new`, which has room for as many as there were. False:
 * there are more. */
static bool lay_out(const struct text *t, GByteArray *copy, Elf64_Phdr *new)
{
    int n = 0, room = t->head->e_phnum, needed = 0;
    for (int i = 0; i < room; i++) needed += is_needed(&t->segment[i]);
    if (needed + (int)t->kept->len + 1 > room) return false;
    for (int i = 0; i < room; i++) {
        const Elf64_Phdr *s = &t->segment[i];
        if (is_needed(s)) new[n++] = *s;
        for (guint k = 0; s == t->text && k < t->kept->len; k++) {
            const struct kept *part = &g_array_index(t->kept, struct kept, k);
            const uint64_t end = k + 1 < t->kept->len ? part[1].from : t->text->p_filesz;
            if (k) pad(t, copy, 0);
            new[n] = *s;
            new[n].p_offset = copy->len;
            new[n].p_vaddr = new[n].p_paddr = part->from;
            new[n].p_filesz = part->to - part->from;
            new[n++].p_memsz = end - part->from;
            append(t, copy, part->from, part->to - part->from);
        }
        if (s != t->data) continue;
        pad(t, copy, s->p_vaddr);
        new[n] = *s;
        new[n++].p_offset = copy->len;
        append(t, copy, s->p_offset, s->p_filesz);
    }
    const uint64_t moved = copy->len - t->data->p_filesz - t->data->p_offset;
    for (int i = 0; i < n; i++) {
        const bool loaded = new[i].p_type == PT_LOAD;
        if (!loaded && new[i].p_offset >= t->data->p_offset) new[i].p_offset += moved;
    }
    return true;
}

/* The head without sections, and the segments. */
static void put_head(const struct text *t, char *to, const Elf64_Phdr *segments)
{
    Elf64_Ehdr head = *t->head;
    head.e_shoff = 0;
    head.e_shnum = head.e_shstrndx = 0;
    memcpy(to, &head, sizeof head);
    memcpy(to + head.e_phoff, segments, head.e_phnum * sizeof *segments);
}

static bool find_kept(struct text *t)
{
    struct kept front = {0, page_after(t, code_begins(t))};
    const uint64_t table = t->head->e_phoff + t->head->e_phnum * sizeof *t->segment;
    if (front.to < MAX(table, sizeof *t->head) || front.to >= t->text->p_filesz) return false;
    g_array_append_val(t->kept, front);
    if (!keep_start(t)) return false;
    join(t->kept);
    return t->kept->len > 1 ||
           g_array_index(t->kept, struct kept, 0).to < page_of(t, t->text->p_filesz);
}

bool cli_run_split(const struct base_elf *file, const Elf64_Ehdr *head, struct cli_run_split *split)
{
    struct text t = {.file = file,
                     .head = head,
                     .segment = base_elf_segments(file, head),
                     .section = base_elf_sections(file, head),
                     .kept = g_array_new(FALSE, FALSE, sizeof(struct kept))};
    g_autoptr(GArray) kept = t.kept;
    if (!t.segment || !t.section || !find_segments(&t) || !find_kept(&t)) return false;
    g_autofree Elf64_Phdr *segments = g_new0(Elf64_Phdr, head->e_phnum);
    g_autoptr(GByteArray) copy = g_byte_array_new();
    if (!lay_out(&t, copy, segments)) return false;
    put_head(&t, (char *)copy->data, segments);
    split->text_bytes = t.text->p_filesz;
    split->text = g_memdup2(file->byte, split->text_bytes);
    put_head(&t, split->text, segments);
    split->copy_bytes = copy->len;
    split->copy = (char *)g_byte_array_free(g_steal_pointer(&copy), FALSE);
    return true;
}
