/* Random race-free programs that store into windows and load from them in many ways, instrumented
 * or not: ways SEED EPOCHS fence|lock.
 *
 * Every rank draws the same epochs. In each, every window is cut into pieces of 1 to 40 bytes, side
 * by side in lines and words; a piece is left alone, stored to by its owner in one of the ways
 * below, or put to by one rank (not both in one epoch where the model is separate). The standard
 * allows one outcome: after the epoch the owner loads every piece in one of the ways, and another
 * rank gets it. Both compare with plain memory. */
#define _GNU_SOURCE
#include <mpi.h>
#include <iconv.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>
#if defined __x86_64__
#include <emmintrin.h>
#endif

enum { BYTES = 1500, RANKS_MAX = 16, LONGEST = 40 };

static uint64_t state;
static unsigned draw(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

/* ---- ways to store, from plain memory -------------------------------------------------------- */

static int ends[2]; /* a pair of sockets */
static FILE *file;
static jmp_buf out;
static unsigned char *signal_to;
static const unsigned char *signal_from;
static size_t signal_bytes;

static void by_loop(unsigned char *to, const unsigned char *from, size_t n)
{
    for (size_t i = 0; i < n; i++) ((volatile unsigned char *)to)[i] = from[i];
}
static void by_memcpy(unsigned char *to, const unsigned char *from, size_t n)
{
    memcpy(to, from, n);
}
static void by_words(unsigned char *to, const unsigned char *from, size_t n)
{
    size_t i = 0;
    for (; i < n && ((uintptr_t)(to + i) & 7); i++) to[i] = from[i];
    for (; i + 8 <= n; i += 8) {
        uint64_t word;
        memcpy(&word, from + i, 8);
        *(volatile uint64_t *)(void *)(to + i) = word;
    }
    for (; i < n; i++) to[i] = from[i];
}
static void by_strncpy(unsigned char *to, const unsigned char *from, size_t n)
{
    strncpy((char *)to, (const char *)from, n);
}
static void by_memccpy(unsigned char *to, const unsigned char *from, size_t n)
{
    memccpy(to, from, 0, n);
}
static void by_socket(unsigned char *to, const unsigned char *from, size_t n)
{
    if (send(ends[0], from, n, 0) != (ssize_t)n || recv(ends[1], to, n, 0) != (ssize_t)n) abort();
}
static void by_readv(unsigned char *to, const unsigned char *from, size_t n)
{
    struct iovec part[2] = {{to, n / 2}, {to + n / 2, n - n / 2}};
    if (write(ends[0], from, n) != (ssize_t)n || readv(ends[1], part, 2) != (ssize_t)n) abort();
}
static void by_file(unsigned char *to, const unsigned char *from, size_t n)
{
    rewind(file);
    fwrite(from, 1, n, file);
    rewind(file);
    if (fread(to, 1, n, file) != n) abort();
}
static void by_pread(unsigned char *to, const unsigned char *from, size_t n)
{
    if (pwrite(fileno(file), from, n, 0) != (ssize_t)n ||
        pread(fileno(file), to, n, 0) != (ssize_t)n)
        abort();
}
static void by_scanf(unsigned char *to, const unsigned char *from, size_t n)
{
    char format[16], text[LONGEST + 1] = {0};
    memcpy(text, from, n);
    snprintf(format, sizeof format, "%%%zuc", n);
    if (sscanf(text, format, to) != 1) abort();
}
static void by_iconv(unsigned char *to, const unsigned char *from, size_t n)
{
    iconv_t latin = iconv_open("ISO-8859-1", "ISO-8859-1");
    char *in = (char *)(uintptr_t)from, *at = (char *)to;
    size_t in_left = n, left = n;
    if (iconv(latin, &in, &in_left, &at, &left) == (size_t)-1) abort();
    iconv_close(latin);
}
static int order(const void *a, const void *b, void *bytes)
{
    ++*(size_t *)bytes;
    return *(const unsigned char *)b - *(const unsigned char *)a;
}
/* The greatest first, then one by one where they belong. */
static void by_qsort(unsigned char *to, const unsigned char *from, size_t n)
{
    size_t compared = 0;
    by_loop(to, from, n);
    qsort_r(to, n, 1, order, &compared);
    by_socket(to, from, n);
}
static int leaves(const void *a, const void *b)
{
    by_memcpy(signal_to, signal_from, signal_bytes);
    longjmp(out, a != b);
}
/* Out of a callback of code that nobody instrumented. */
static void by_longjmp(unsigned char *to, const unsigned char *from, size_t n)
{
    int two[2] = {2, 1};
    signal_to = to, signal_from = from, signal_bytes = n;
    if (setjmp(out) == 0) qsort(two, 2, sizeof two[0], leaves);
}
static void handler(int number)
{
    (void)number;
    by_memccpy(signal_to, signal_from, signal_bytes);
}
static void by_signal(unsigned char *to, const unsigned char *from, size_t n)
{
    signal_to = to, signal_from = from, signal_bytes = n;
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
}
static void *threaded(void *unused)
{
    (void)unused;
    by_words(signal_to, signal_from, signal_bytes);
    return NULL;
}
static void by_thread(unsigned char *to, const unsigned char *from, size_t n)
{
    pthread_t thread;
    signal_to = to, signal_from = from, signal_bytes = n;
    pthread_create(&thread, NULL, threaded, NULL);
    pthread_join(thread, NULL);
}
static void by_message(unsigned char *to, const unsigned char *from, size_t n)
{
    MPI_Sendrecv(from, (int)n, MPI_BYTE, 0, 1, to, (int)n, MPI_BYTE, 0, 1, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
}
static void by_unpack(unsigned char *to, const unsigned char *from, size_t n)
{
    int at = 0;
    MPI_Unpack((void *)(uintptr_t)from, (int)n, &at, to, (int)n, MPI_BYTE, MPI_COMM_SELF);
}
static void by_reduce(unsigned char *to, const unsigned char *from, size_t n)
{
    MPI_Allreduce(from, to, (int)n, MPI_UNSIGNED_CHAR, MPI_MAX, MPI_COMM_SELF);
}
#if defined __x86_64__
static void by_assembly(unsigned char *to, const unsigned char *from, size_t n)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}
static void by_mask(unsigned char *to, const unsigned char *from, size_t n)
{
    for (size_t i = 0; i < n; i += 16) { /* the masked bytes beyond are another's, or the margin */
        char bytes[16] = {0}, mask[16] = {0};
        memcpy(bytes, from + i, n - i < 16 ? n - i : 16);
        memset(mask, 0xff, n - i < 16 ? n - i : 16);
        _mm_maskmoveu_si128(_mm_loadu_si128((void *)bytes), _mm_loadu_si128((void *)mask),
                            (char *)to + i);
    }
    _mm_sfence();
}
static void by_stream(unsigned char *to, const unsigned char *from, size_t n)
{
    size_t i = 0;
    for (; i < n && ((uintptr_t)(to + i) & 3); i++) to[i] = from[i];
    for (; i + 4 <= n; i += 4) {
        int word;
        memcpy(&word, from + i, 4);
        _mm_stream_si32((int *)(void *)(to + i), word);
    }
    for (; i < n; i++) to[i] = from[i];
    _mm_sfence();
}
#endif

typedef void way(unsigned char *to, const unsigned char *from, size_t n);
#define WAY(f) {#f, f}
static const struct {
    const char *name;
    way *f;
} ways[] = {
    WAY(by_loop),     WAY(by_memcpy), WAY(by_words),   WAY(by_strncpy), WAY(by_memccpy),
    WAY(by_socket),   WAY(by_readv),  WAY(by_file),    WAY(by_pread),   WAY(by_scanf),
    WAY(by_iconv),    WAY(by_qsort),  WAY(by_longjmp), WAY(by_signal),  WAY(by_thread),
    WAY(by_message),  WAY(by_unpack), WAY(by_reduce),
#if defined __x86_64__
    WAY(by_assembly), WAY(by_mask),   WAY(by_stream),
#endif
};
enum { WAYS = sizeof ways / sizeof ways[0] };

/* ---- epochs ---------------------------------------------------------------------------------- */

static unsigned char plain[RANKS_MAX][BYTES], text[BYTES], seen[BYTES];
static unsigned char held[BYTES + 64];  /* a window over a part of the program's own variables */
static int rank, ranks, wrong, unified; /* the model: stores and puts in one epoch may meet */

static void compare(int owner, size_t at, size_t n, const unsigned char *found, const char *what,
                    const char *how, int epoch)
{
    if (memcmp(found, &plain[owner][at], n) == 0) return;
    if (!wrong++)
        printf("epoch %d: rank %d, %s %s: bytes %zu to %zu of window %d are wrong\n", epoch, rank,
               what, how, at, at + n - 1, owner);
}

static void stores(unsigned char *mine, MPI_Win win, int epoch, int fence)
{
    if (!fence) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    for (int owner = 0; owner < ranks; owner++) {
        unsigned one = 1 + draw(2);
        for (size_t at = 0, n; at < BYTES; at += n) {
            unsigned act = draw(3), w = draw(WAYS), load = draw(WAYS);
            int by = (owner + 1 + (int)draw((unsigned)ranks - 1)) % ranks;
            n = 1 + draw(LONGEST);
            if (n > BYTES - at) n = BYTES - at;
            for (size_t i = 0; i < n; i++) text[at + i] = (unsigned char)(1 + draw(255));
            if (act == 0 || (act != one && fence && !unified)) continue;
            memcpy(&plain[owner][at], &text[at], n);
            if (act == 2 && rank == by && fence) {
                static unsigned char kept[RANKS_MAX][BYTES];
                memcpy(&kept[owner][at], &text[at], n);
                MPI_Put(&kept[owner][at], (int)n, MPI_BYTE, owner, (MPI_Aint)at, (int)n, MPI_BYTE,
                        win);
            }
            if (rank != owner || (act == 2 && fence)) continue;
            ways[w].f(mine + at, &text[at], n);
            ways[load].f(&seen[at], mine + at, n);
            compare(owner, at, n, &seen[at], "loaded at once after", ways[w].name, epoch);
        }
    }
    if (!fence) MPI_Win_unlock(rank, win);
}

static void loads(unsigned char *mine, MPI_Win win, int epoch, int fence)
{
    if (!fence) MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    for (size_t at = 0, n; at < BYTES; at += n) {
        unsigned load = draw(WAYS);
        n = 1 + draw(LONGEST);
        if (n > BYTES - at) n = BYTES - at;
        ways[load].f(&seen[at], mine + at, n);
        compare(rank, at, n, &seen[at], "loads", ways[load].name, epoch);
    }
    if (!fence) MPI_Win_unlock(rank, win);
    int owner = (rank + 1 + epoch) % ranks;
    static unsigned char got[BYTES];
    if (!fence) MPI_Win_lock(MPI_LOCK_SHARED, owner, 0, win);
    MPI_Get(got, BYTES, MPI_BYTE, owner, 0, BYTES, MPI_BYTE, win);
    if (fence)
        MPI_Win_fence(0, win);
    else
        MPI_Win_unlock(owner, win);
    compare(owner, 0, BYTES, got, "gets", "", epoch);
}

int main(int argc, char **argv)
{
    unsigned char *mine = held + 7;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc < 4 || ranks < 2 || ranks > RANKS_MAX) return 2;
    state = (uint64_t)atoi(argv[1]) * 2654435761u + 1;
    int fence = argv[3][0] == 'f', all;
    file = tmpfile();
    if (!file || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 2;
    if (draw(2))
        MPI_Win_create(mine, BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    else
        MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
    int *model, has = 0;
    MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &has);
    unified = has && *model == MPI_WIN_UNIFIED;
    memset(mine, 1, BYTES); /* strings have no zeros */
    memset(plain, 1, sizeof plain);
    for (int epoch = 0; epoch < atoi(argv[2]); epoch++) {
        if (fence)
            MPI_Win_fence(0, win);
        else
            MPI_Barrier(MPI_COMM_WORLD);
        stores(mine, win, epoch, fence);
        if (fence)
            MPI_Win_fence(0, win);
        else
            MPI_Barrier(MPI_COMM_WORLD);
        uint64_t common = state;
        state += (unsigned)rank;
        loads(mine, win, epoch, fence);
        state = common;
    }
    for (size_t i = 0; i < 7; i++) wrong += held[i] != 0;
    MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) printf("%s: %d pieces are wrong\n", all ? "FAILED" : "ok", all);
    MPI_Win_free(&win);
    MPI_Finalize();
    return all > 0;
}
