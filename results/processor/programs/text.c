/* Bytes and tables: counting, comparing, dynamic programming, automata. */
#include "suite.h"

#include <string.h>

static void letters(struct work *w, size_t bytes)
{
    unsigned char *a = w->array[0] = make_array(bytes);
    for (size_t i = 0; i < bytes; i++) a[i] = (unsigned char)('a' + random_bits() % 26);
    w->n = w->elements = (long)bytes;
}
/* variants of each other: how many bytes are 'e', one by one, or eight in a word */
static uint64_t count_bytes(const struct work *w)
{
    const unsigned char *a = w->array[0];
    uint64_t count = 0;
    for (long i = 0; i < w->n; i++) {
        count += a[i] == 'e';
        __asm__ volatile("" : "+r"(count)); /* no vectors */
    }
    return count;
}
static uint64_t count_words(const struct work *w)
{
    const unsigned char *a = w->array[0];
    const uint64_t low = 0x0101010101010101u, seven = 0x7f7f7f7f7f7f7f7fu;
    uint64_t count = 0;
    for (long i = 0; i < w->n; i += 8) {
        uint64_t x;
        memcpy(&x, a + i, 8);
        x ^= low * 'e';
        x = ~(((x & seven) + seven) | x | seven); /* 0x80 where the byte was 'e' */
        count += (x >> 7) * low >> 56;
    }
    return count;
}
static uint64_t words(const struct work *w)
{
    const unsigned char *a = w->array[0];
    uint64_t count = 0, state = 0;
    for (long i = 0; i < w->n; i++) {
        uint64_t letter = a[i] > 'c';
        count += letter & ~state;
        state = letter;
    }
    return count;
}
static uint64_t checksum(const struct work *w)
{
    const unsigned char *a = w->array[0];
    uint32_t s = 1, t = 0;
    for (long i = 0; i < w->n; i += 2048) {
        for (long k = i; k < i + 2048; k++) s += a[k], t += s;
        s %= 65521, t %= 65521;
    }
    return t << 16 | s;
}

/* The distance of two words of letters, a row of the table at a time. */
static void words_of(struct work *w, size_t bytes)
{
    (void)bytes;
    long n = 512;
    letters(w, (size_t)(2 * n));
    w->array[1] = make_array((size_t)(n + 1) * 4);
    w->n = n;
    w->elements = n * n;
}
static uint64_t distance(const struct work *w)
{
    const unsigned char *a = w->array[0], *b = a + w->n;
    int32_t *row = w->array[1];
    for (long j = 0; j <= w->n; j++) row[j] = (int32_t)j;
    for (long i = 0; i < w->n; i++) {
        int32_t corner = row[0];
        row[0] = (int32_t)i + 1;
        for (long j = 0; j < w->n; j++) {
            int32_t best = corner + (a[i] != b[j]);
            corner = row[j + 1];
            if (row[j] + 1 < best) best = row[j] + 1;
            if (corner + 1 < best) best = corner + 1;
            row[j + 1] = best;
        }
    }
    return (uint64_t)row[w->n];
}
/* Knapsack: the best value of each weight. */
static void weights(struct work *w, size_t bytes)
{
    w->n = (long)(bytes / 8);
    w->array[0] = make_array(bytes);
    w->elements = w->n * 20;
}
static uint64_t knapsack(const struct work *w)
{
    int64_t *best = w->array[0];
    for (long i = 0; i < w->n; i++) best[i] = 0;
    for (long item = 0; item < 20; item++) {
        long weight = 37 + item * 11;
        for (long i = w->n - 1; i >= weight; i--) {
            int64_t with = best[i - weight] + 3 * weight + item;
            if (with > best[i]) best[i] = with;
        }
    }
    return (uint64_t)best[w->n - 1];
}
/* Conway's game on a torus of bytes. */
static void board(struct work *w, size_t bytes)
{
    long n = 1;
    while ((size_t)(8 * n * n) <= bytes) n *= 2;
    w->n = n;
    w->elements = n * n;
    unsigned char *a = w->array[0] = make_array((size_t)(n * n));
    w->array[1] = make_array((size_t)(n * n));
    for (long i = 0; i < n * n; i++) a[i] = random_bits() & 1;
}
static uint64_t life(const struct work *w)
{
    const unsigned char *restrict a = w->array[0];
    unsigned char *restrict b = w->array[1];
    long n = w->n;
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++) {
            const unsigned char *up = a + (i - 1) * n + j, *at = up + n, *down = at + n;
            int s = up[-1] + up[0] + up[1] + at[-1] + at[1] + down[-1] + down[0] + down[1];
            b[i * n + j] = (unsigned char)(s == 3 || (s == 2 && *at));
        }
    return b[n + 1];
}

const struct kernel text[] = {
    {"count_bytes", "12", letters, count_bytes},
    {"count_words", "12", letters, count_words},
    {"words", "2", letters, words},
    {"checksum", "2", letters, checksum},
    {"distance", "1", words_of, distance},
    {"knapsack", "12", weights, knapsack},
    {"life", "12", board, life},
    {0},
};
