/* Copies of the program's shared libraries, one a rank (copies.h). */
#include "base/copies/copies.h"
#include "base/elf/elf.h"
#include "kern/copies.h"
#include "kern/kern.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAMES = 3, DIGITS = 6 }; /* of each library in the list; of a copy's name: its number */

static struct {
    const char *folder, *tmpdir;
    char *const *library;
    int libraries;
    bool keep;
} run;

void kern_copies(const char *folder, const char *tmpdir, char *const *libraries, bool keep)
{
    run.folder = g_intern_string(folder);
    run.tmpdir = g_intern_string(tmpdir);
    run.keep = keep;
    run.library = libraries;
    run.libraries = libraries ? (int)g_strv_length((char **)libraries) / NAMES : 0;
}

static const char *asked(int library) { return run.library[library * NAMES]; }
static const char *loaded(int library) { return run.library[library * NAMES + 1]; }
static const char *file_of(int library) { return run.library[library * NAMES + 2]; }

/* The rank's name of a library, as long as that by which it is asked for. */
static void rename_for(int rank, int library, char *name)
{
    static const char digit[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    uint64_t number = (uint64_t)rank * (uint64_t)run.libraries + (uint64_t)library;
    for (int i = DIGITS - 1; i >= 0; i--, number /= 36) name[i] = digit[number % 36];
    for (char *c = name; *c; c++)
        if (*c == '/') *c = '_';
}

/* ---- what a copy asks for -------------------------------------------------------------------- */

/* In the copy's own text. */
static void rename_string(int rank, const struct base_elf_dynamic *dynamic, uint64_t at)
{
    char *text = (char *)dynamic->text + at;
    if (at >= dynamic->bytes || !memchr(text, '\0', dynamic->bytes - at)) return;
    for (int i = 0; i < run.libraries; i++)
        if (strcmp(text, asked(i)) == 0) {
            rename_for(rank, i, text);
            return;
        }
}

/* The versions of a library's symbols are looked for by its name, too. */
static void rename_versions(const struct base_elf *file, const Elf64_Ehdr *head, int rank,
                            const struct base_elf_dynamic *dynamic, uint64_t address,
                            uint64_t number)
{
    for (uint64_t i = 0, most = 0; address && i < number; i++) {
        const Elf64_Verneed *need = base_elf_at(file, head, address, &most);
        if (!need || most < sizeof *need) return;
        rename_string(rank, dynamic, need->vn_file);
        address = need->vn_next ? address + need->vn_next : 0;
    }
}

static void rename_needs(const struct base_elf *file, int rank)
{
    const Elf64_Ehdr *head = base_elf_head(file);
    if (!head) return;
    const struct base_elf_dynamic dynamic = base_elf_dynamic(file, head);
    uint64_t versions = 0, number = 0;
    for (uint64_t i = 0; i < dynamic.entries && dynamic.entry[i].d_tag != DT_NULL; i++) {
        const Elf64_Dyn *entry = &dynamic.entry[i];
        switch (entry->d_tag) {
        case DT_NEEDED:
        case DT_SONAME: rename_string(rank, &dynamic, entry->d_un.d_val); break;
        case DT_VERNEED: versions = entry->d_un.d_ptr; break;
        case DT_VERNEEDNUM: number = entry->d_un.d_val; break;
        default: break;
        }
    }
    rename_versions(file, head, rank, &dynamic, versions, number);
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool filled(int to, const char *from)
{
    struct stat its;
    const int in = open(from, O_RDONLY | O_CLOEXEC);
    bool good = in >= 0 && fstat(in, &its) == 0;
    for (off_t left = good ? its.st_size : 0; good && left > 0;) {
        const ssize_t some = sendfile(to, in, NULL, (size_t)left);
        good = some > 0;
        left -= some;
    }
    if (in >= 0) close(in);
    return good;
}

static bool renamed(int file, int rank)
{
    struct stat its;
    if (fstat(file, &its) != 0) return false;
    char *byte = mmap(NULL, (size_t)its.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (byte == MAP_FAILED) return false;
    const struct base_elf image = {.byte = byte, .bytes = (gsize)its.st_size};
    rename_needs(&image, rank);
    return munmap(byte, image.bytes) == 0;
}

/* A copy of `from`, or what is at `path` if `from` is NULL, asks for the rank's copies. False:
 * errno.
 */
static bool made(const char *path, const char *from, int rank)
{
    const int flags = from ? O_RDWR | O_CREAT | O_EXCL : O_RDWR;
    const int file = open(path, flags | O_CLOEXEC, 0700);
    const bool good = file >= 0 && (!from || filled(file, from)) && renamed(file, rank);
    const int why = errno;
    if (file >= 0) close(file);
    if (!good && from) unlink(path);
    errno = why;
    return good;
}

static void make(const char *path, const char *from, int rank)
{
    if (made(path, from, rank)) return;
    fprintf(stderr, "sidewinder: %s: its copy for rank %d: %s\n", from ? from : path, rank,
            g_strerror(errno));
    _exit(2);
}

/* ---- loading --------------------------------------------------------------------------------- */

/* Of the rank whose copy of the program is at that path; -1: it is none of those. */
static int rank_of(const char *path)
{
    if (!path || !run.tmpdir || !g_str_has_prefix(path, run.tmpdir)) return -1;
    const char *number = strrchr(path, '_');
    char *end = NULL;
    const long rank = number ? strtol(number + 1, &end, 10) : -1;
    return end && strcmp(end, ".so") == 0 ? (int)rank : -1;
}

typedef void *opener(const char *path, int mode);

static opener *library(void)
{
    union {
        void *found;
        opener *call;
    } its = {.found = dlsym(RTLD_NEXT, "dlopen")};
    return its.call;
}

/* The same file under another name is the same library. */
static char *make_library(int library, int rank, char *const *copy)
{
    g_autofree char *name = g_strdup(asked(library));
    rename_for(rank, library, name);
    char *path = g_build_filename(run.folder, name, NULL);
    base_copies_add(path, file_of(library));
    for (int i = 0; i < library; i++)
        if (strcmp(file_of(i), file_of(library)) == 0 && link(copy[i], path) == 0) return path;
    make(path, loaded(library), rank);
    return path;
}

/* What the loader says begins with the copy's path, of which the user knows nothing. */
static void refused(const char *path, const char *why)
{
    if (why && g_str_has_prefix(why, path)) why += strlen(path) + strspn(why + strlen(path), ": ");
    fprintf(stderr, "sidewinder: the program cannot be loaded: %s\n",
            why ? why : "no reason given");
    _exit(2);
}

/* SimGrid's call of it. Programs call the one of C's library. */
__attribute__((visibility("default"))) void *dlopen(const char *path, int mode)
{
    static opener *others;
    if (!others) others = library();
    const int rank = rank_of(path);
    if (rank < 0) return others(path, mode);
    g_auto(GStrv) copy = g_new0(char *, run.libraries + 1);
    if (run.libraries > 0) make(path, NULL, rank);
    for (int i = 0; i < run.libraries; i++) copy[i] = make_library(i, rank, copy);
    void *handle = others(path, mode);
    for (int i = 0; i < run.libraries && !run.keep; i++) unlink(copy[i]);
    if (!handle) refused(path, dlerror());
    return handle;
}

/* ---- plug-ins -------------------------------------------------------------------------------- */

/* A name without a slash is looked for as the loader does: in LD_LIBRARY_PATH. NULL: not there. */
static char *found(const char *name)
{
    if (strchr(name, '/')) return realpath(name, NULL);
    const char *places = g_getenv("LD_LIBRARY_PATH");
    g_auto(GStrv) place = g_strsplit(places ? places : "", ":", -1);
    for (char **p = place; *p; p++) {
        g_autofree char *path = g_build_filename(**p ? *p : ".", name, NULL);
        if (access(path, R_OK) == 0) return realpath(path, NULL);
    }
    return NULL;
}

const char *kern_copies_plug_in(int rank, const char *path)
{
    static GHashTable *copies; /* "rank file" -> its copy */
    g_autofree char *file = run.folder && path ? found(path) : NULL;
    if (!file || !base_copies_wanted(file)) return NULL;
    if (!copies) copies = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    char *key = g_strdup_printf("%d %s", rank, file);
    char *copy = g_hash_table_lookup(copies, key);
    if (!copy) {
        g_autofree char *name = g_path_get_basename(file);
        copy = g_strdup_printf("%s/%u-%s", run.folder, g_hash_table_size(copies), name);
        base_copies_add(copy, file);
        g_hash_table_insert(copies, key, copy);
    } else
        g_free(key);
    return access(copy, R_OK) == 0 || made(copy, file, rank) ? copy : NULL;
}

void kern_copies_loaded(const char *copy)
{
    if (!run.keep) unlink(copy);
}
