/* Library functions that move many of the program's bytes: files.
 *
 * What they put into the program's memory goes through a copy of ours first, so that the program's
 * memory is only written by stores that are played.
 */
#include "probe/stand_ins.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t probe_fread(void *to, size_t bytes, size_t n, FILE *file)
{
    size_t all;
    char *block = probe_active() && probe_product(bytes, n, &all) && all > 0 ? malloc(all) : NULL;
    if (!block) return fread(to, bytes, n, file);
    uintptr_t pc = PROBE_CALLER;
    size_t got = fread(block, 1, all, file);
    probe_deliver(to, block, got, pc);
    free(block);
    return got / bytes;
}

size_t probe_fwrite(const void *from, size_t bytes, size_t n, FILE *file)
{
    size_t all;
    if (probe_product(bytes, n, &all)) probe_load_range(from, all, PROBE_CALLER);
    return fwrite(from, bytes, n, file);
}

char *probe_fgets(char *to, int n, FILE *file)
{
    if (n < 1 || !probe_active()) return fgets(to, n, file);
    uintptr_t pc = PROBE_CALLER;
    char *block = malloc((size_t)n);
    if (!block) return NULL;
    /* A line may hold NULs: what was read ends at the last newline or NUL that fgets wrote. */
    memset(block, '\n', (size_t)n);
    char *line = fgets(block, n, file);
    if (line) {
        const char *end = memchr(block, '\n', (size_t)n);
        size_t got = end && end + 1 < block + n && end[1] == '\0' ? (size_t)(end - block) + 2 : 0;
        if (!got)
            for (got = (size_t)n; got > 0 && block[got - 1] != '\0';) got--;
        probe_deliver(to, block, got, pc);
    }
    free(block);
    return line ? to : NULL;
}

/* The line's block is the rank's, as malloc's are: C's library would take it from its own heap. */
ssize_t probe_getdelim(char **line, size_t *room, int delimiter, FILE *file)
{
    if (!probe_active() || !line || !room) return getdelim(line, room, delimiter, file);
    enum { FIRST = 120 }; /* glibc's */
    uintptr_t pc = PROBE_CALLER;
    char *text = NULL;
    size_t unused = 0;
    ssize_t got = getdelim(&text, &unused, delimiter, file);
    size_t needed = got < 0 ? 0 : (size_t)got + 1;
    if (!*line) *room = 0;
    if (needed > *room || !*line) {
        size_t more = MAX(MAX(2 * *room, needed), FIRST);
        char *grown = probe_realloc(*line, more);
        if (!grown)
            got = -1, needed = 0;
        else
            *line = grown, *room = more;
        probe_stored(line, sizeof *line, pc);
        probe_stored(room, sizeof *room, pc);
    }
    if (needed) probe_deliver(*line, text, needed, pc);
    free(text);
    return got;
}

int probe_fputs(const char *s, FILE *file)
{
    if (probe_active()) probe_load_to(s, 0, PTRDIFF_MAX, PROBE_CALLER);
    return fputs(s, file);
}

ssize_t probe_read(int file, void *to, size_t n)
{
    char *block = probe_active() && n > 0 && n <= SSIZE_MAX ? malloc(n) : NULL;
    if (!block) return read(file, to, n);
    uintptr_t pc = PROBE_CALLER;
    ssize_t got = read(file, block, n);
    int why = errno;
    if (got > 0) probe_deliver(to, block, (size_t)got, pc);
    free(block);
    errno = why;
    return got;
}

ssize_t probe_write(int file, const void *from, size_t n)
{
    probe_load_range(from, n, PROBE_CALLER);
    return write(file, from, n);
}

ssize_t probe_writev(int file, const struct iovec *piece, int pieces)
{
    probe_load_range(piece, (size_t)MAX(pieces, 0) * sizeof *piece, PROBE_CALLER);
    for (int i = 0; i < pieces; i++)
        probe_load_range(piece[i].iov_base, piece[i].iov_len, PROBE_CALLER);
    return writev(file, piece, pieces);
}
