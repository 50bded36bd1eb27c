/* Lines of ranks that share two descriptors. Source of the label's form: srun --label (Slurm). */
#include "world/label/label.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STREAMS = 2, CHUNK = 4096 };

bool world_labels;

static int width; /* digits of the greatest rank */
static int count; /* ranks */
static struct stream {
    int out, memory; /* descriptors: where it leads, and where the program writes */
    GString **begun; /* of each rank, the line that has no end yet; NULL: none */
} streams[STREAMS];  /* standard output and standard error */

bool world_label_start(int ranks)
{
    count = ranks;
    width = snprintf(NULL, 0, "%d", ranks - 1);
    for (int i = 0; i < STREAMS; i++) {
        struct stream *s = &streams[i];
        int descriptor = STDOUT_FILENO + i;
        s->begun = g_new0(GString *, ranks);
        s->out = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        s->memory = memfd_create("sidewinder", MFD_CLOEXEC);
        if (s->out < 0 || s->memory < 0 || fcntl(s->memory, F_SETFL, O_APPEND) != 0 ||
            dup2(s->memory, descriptor) < 0)
            return false;
    }
    world_labels = true;
    return true;
}

static void write_all(int out, const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t wrote = write(out, text, bytes);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) return;
        text += wrote;
        bytes -= (size_t)wrote;
    }
}

/* Appends the whole lines that begun and text make to `lines`; the rest is begun. */
static void take(GString *lines, GString **begun, int rank, const char *text, size_t bytes)
{
    while (bytes > 0) {
        const char *end = memchr(text, '\n', bytes);
        size_t length = end ? (size_t)(end - text) + 1 : bytes;
        if (!*begun) {
            *begun = g_string_new(NULL);
            g_string_printf(*begun, "%*d: ", width, rank);
        }
        g_string_append_len(*begun, text, (gssize)length);
        text += length;
        bytes -= length;
        if (!end) return;
        g_string_append_len(lines, (*begun)->str, (gssize)(*begun)->len);
        g_string_free(*begun, TRUE);
        *begun = NULL;
    }
}

static void drain(struct stream *s, int rank)
{
    off_t bytes = lseek(s->memory, 0, SEEK_END);
    if (bytes <= 0) return;
    g_autoptr(GString) lines = g_string_new(NULL);
    char chunk[CHUNK];
    ssize_t n;
    for (off_t at = 0; at < bytes && (n = pread(s->memory, chunk, CHUNK, at)) > 0; at += n)
        take(lines, &s->begun[rank], rank, chunk, (size_t)n);
    if (ftruncate(s->memory, 0) == 0) write_all(s->out, lines->str, lines->len);
}

void world_label_drain(int rank)
{
    if (rank < 0 || rank >= count) return;
    fflush(stdout);
    fflush(stderr);
    for (int i = 0; i < STREAMS; i++) drain(&streams[i], rank);
}

void world_label_say(int rank, const char *line)
{
    world_label_drain(rank);
    write_all(streams[STREAMS - 1].out, line, strlen(line));
}

void world_label_off(void)
{
    if (!world_labels) return;
    world_labels = false;
    for (int i = 0; i < STREAMS; i++) dup2(streams[i].out, STDOUT_FILENO + i);
}

void world_label_end(void)
{
    if (!world_labels) return;
    for (int i = 0; i < STREAMS; i++)
        for (int rank = 0; rank < count; rank++)
            if (streams[i].begun[rank]) {
                g_string_append_c(streams[i].begun[rank], '\n');
                write_all(streams[i].out, streams[i].begun[rank]->str, streams[i].begun[rank]->len);
                g_string_free(streams[i].begun[rank], TRUE);
                streams[i].begun[rank] = NULL;
            }
    world_label_off();
}
