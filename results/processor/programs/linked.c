/* Addresses that come from memory: lists, indices, tables. */
#include "suite.h"

struct cell {
    struct cell *next;
    long value[7];
};

/* Two rings of cells of a line each, one in either half; the order is that of a linear congruence,
 * which visits all of a power of two. */
static void rings(struct work *w, size_t bytes)
{
    enum { MOST = 1 << 21 };
    long cells = (long)(bytes / sizeof(struct cell)), half = cells / 2;
    struct cell *c = w->array[0] = make_array(bytes);
    /* a part of them that is more than caches hold */
    w->n = w->elements = cells < MOST ? cells : MOST;
    for (long h = 0; h < 2; h++)
        for (long i = 0; i < half; i++) {
            long next =
                (long)(((uint64_t)i * 2862933555777941757u + 3037000493u) & (uint64_t)(half - 1));
            c[h * half + i].next = &c[h * half + next];
            c[h * half + i].value[0] = i;
        }
    w->array[1] = c + half;
}
/* variants of each other: both rings one after the other, or side by side */
static uint64_t chase(const struct work *w)
{
    const struct cell *a = w->array[0], *b = w->array[1];
    for (long i = 0; i < w->n / 2; i++) a = a->next;
    for (long i = 0; i < w->n / 2; i++) b = b->next;
    return (uint64_t)(a->value[0] + b->value[0]);
}
static uint64_t chase2(const struct work *w)
{
    const struct cell *a = w->array[0], *b = w->array[1];
    for (long i = 0; i < w->n / 2; i++) a = a->next, b = b->next;
    return (uint64_t)(a->value[0] + b->value[0]);
}

/* A table that takes nearly all of the bytes, and 65,536 places in it. */
static void places(struct work *w, size_t bytes)
{
    long n = (long)(bytes / 8), count = n < 65536 ? n : 65536;
    uint32_t *index = w->array[0] = make_array((size_t)count * 4);
    double *a = w->array[1] = make_array((size_t)n * 8);
    for (long i = 0; i < n; i++) a[i] = 1;
    for (long i = 0; i < count; i++) index[i] = (uint32_t)(random_bits() & (uint64_t)(n - 1));
    w->n = w->elements = count;
}
static uint64_t gather(const struct work *w)
{
    const uint32_t *index = w->array[0];
    const double *a = w->array[1];
    double s = 0;
    for (long i = 0; i < w->n; i++) s += a[index[i]];
    return bits_of(s);
}
static uint64_t scatter(const struct work *w)
{
    const uint32_t *index = w->array[0];
    double *a = w->array[1];
    for (long i = 0; i < w->n; i++) a[index[i]] += 1;
    return bits_of(a[0]);
}
/* Places that are computed, so that every pass has new ones. */
static void table(struct work *w, size_t bytes)
{
    long n = (long)(bytes / 8);
    uint64_t *a = w->array[0] = make_array(bytes);
    for (long i = 0; i < n; i++) a[i] = 1;
    w->n = n;
    w->elements = 200000;
}
static uint64_t update(const struct work *w)
{
    uint64_t *a = w->array[0], x = a[0] | 1, mask = (uint64_t)w->n - 1;
    for (long i = 0; i < w->elements; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        a[x >> 32 & mask] ^= x;
    }
    return x;
}

/* A sparse matrix of eight entries a row, near the diagonal and far from it. */
static void sparse(struct work *w, size_t bytes)
{
    long rows = (long)(bytes / (8 * 12 + 16));
    uint32_t *column = w->array[0] = make_array((size_t)rows * 8 * 4);
    double *value = w->array[1] = make_array((size_t)rows * 8 * 8);
    double *x = w->array[2] = make_array((size_t)rows * 8);
    w->array[3] = make_array((size_t)rows * 8);
    for (long i = 0; i < rows; i++) {
        x[i] = 1;
        for (long k = 0; k < 8; k++) {
            long near = i + k - 3, far = (long)(random_bits() % (uint64_t)rows);
            column[i * 8 + k] = (uint32_t)(k < 6 && near >= 0 && near < rows ? near : far);
            value[i * 8 + k] = 0.125;
        }
    }
    w->n = rows;
    w->elements = rows * 8;
}
static uint64_t sparse_product(const struct work *w)
{
    const uint32_t *column = w->array[0];
    const double *value = w->array[1], *x = w->array[2];
    double *y = w->array[3];
    for (long i = 0; i < w->n; i++) {
        double s = 0;
        for (long k = i * 8; k < i * 8 + 8; k++) s += value[k] * x[column[k]];
        y[i] = s;
    }
    return bits_of(y[0]);
}

/* variants of each other: the bins of a histogram as they come, or dealt out to four */
static void bins(struct work *w, size_t bytes)
{
    unsigned char *a = w->array[0] = make_array(bytes);
    uint32_t *count = w->array[1] = make_array(4 * 256 * sizeof *count);
    for (size_t i = 0; i < bytes; i++) a[i] = i & 32 ? 7 : (unsigned char)random_bits();
    for (long i = 0; i < 4 * 256; i++) count[i] = 0;
    w->n = w->elements = (long)bytes;
}
static uint64_t histogram(const struct work *w)
{
    const unsigned char *a = w->array[0];
    uint32_t *count = w->array[1];
    for (long i = 0; i < w->n; i++) count[a[i]]++;
    return count[7];
}
static uint64_t histogram4(const struct work *w)
{
    const unsigned char *a = w->array[0];
    uint32_t *count = w->array[1];
    for (long i = 0; i < w->n; i += 4) {
        count[a[i]]++;
        count[256 + a[i + 1]]++;
        count[512 + a[i + 2]]++;
        count[768 + a[i + 3]]++;
    }
    return count[7];
}

const struct kernel linked[] = {
    {"chase", "123m", rings, chase},
    {"chase2", "123m", rings, chase2},
    {"gather", "123", places, gather},
    {"scatter", "12", places, scatter},
    {"update", "123m", table, update},
    {"sparse", "123", sparse, sparse_product},
    {"histogram", "1", bins, histogram},
    {"histogram4", "1", bins, histogram4},
    {0},
};
