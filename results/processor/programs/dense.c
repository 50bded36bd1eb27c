/* Matrices: products, transposition, elimination, stencils. */
#include "suite.h"

/* Square matrices whose side is a power of two and eight more, `count` of them. */
static void squares(struct work *w, size_t bytes, int count)
{
    long n = 1;
    while ((size_t)count * 8 * (size_t)(4 * n * n) <= bytes) n *= 2;
    n += 8;
    for (int m = 0; m < count; m++) {
        double *a = w->array[m] = make_array((size_t)(n * n) * 8);
        for (long i = 0; i < n * n; i++) a[i] = i / n == i % n ? 2 : (double)(i % 7) * 0.0625 / n;
    }
    w->n = n;
    w->elements = n * n;
}
static void two_squares(struct work *w, size_t bytes) { squares(w, bytes, 2); }
static void product(struct work *w, size_t bytes)
{
    squares(w, bytes, 3);
    w->elements *= w->n;
}

/* variants of each other: the innermost loop goes along a row and a column, or along two rows, or
 * keeps four sums */
static uint64_t product_ijk(const struct work *w)
{
    const double *a = w->array[0], *b = w->array[1];
    double *c = w->array[2];
    long n = w->n;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double s = 0;
            for (long k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
    return bits_of(c[1]);
}
static uint64_t product_ikj(const struct work *w)
{
    const double *restrict a = w->array[0], *restrict b = w->array[1];
    double *restrict c = w->array[2];
    long n = w->n;
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < n; j++) c[i * n + j] = 0;
        for (long k = 0; k < n; k++) {
            double x = a[i * n + k];
            for (long j = 0; j < n; j++) c[i * n + j] += x * b[k * n + j];
        }
    }
    return bits_of(c[1]);
}
static uint64_t product_2x2(const struct work *w)
{
    const double *a = w->array[0], *b = w->array[1];
    double *c = w->array[2];
    long n = w->n;
    for (long i = 0; i < n; i += 2)
        for (long j = 0; j < n; j += 2) {
            double s = 0, t = 0, u = 0, v = 0;
            for (long k = 0; k < n; k++) {
                double x = a[i * n + k], y = a[i * n + n + k];
                double p = b[k * n + j], q = b[k * n + j + 1];
                s += x * p, t += x * q, u += y * p, v += y * q;
            }
            c[i * n + j] = s, c[i * n + j + 1] = t;
            c[i * n + n + j] = u, c[i * n + n + j + 1] = v;
        }
    return bits_of(c[1]);
}

/* variants of each other: as it stands, or in blocks of eight by eight */
static uint64_t transpose(const struct work *w)
{
    const double *restrict a = w->array[0];
    double *restrict b = w->array[1];
    long n = w->n;
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) b[j * n + i] = a[i * n + j];
    return bits_of(b[1]);
}
static uint64_t transpose_blocks(const struct work *w)
{
    const double *restrict a = w->array[0];
    double *restrict b = w->array[1];
    long n = w->n;
    for (long i = 0; i < n; i += 8)
        for (long j = 0; j < n; j += 8)
            for (long k = i; k < i + 8; k++)
                for (long l = j; l < j + 8; l++) b[l * n + k] = a[k * n + l];
    return bits_of(b[1]);
}

static uint64_t stencil(const struct work *w)
{
    const double *restrict a = w->array[0];
    double *restrict b = w->array[1];
    long n = w->n;
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++)
            b[i * n + j] = 0.25 * (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] +
                                   a[(i + 1) * n + j]);
    return bits_of(b[n + 1]);
}
/* Gauss and Seidel's: each point waits for the one before. */
static uint64_t relax(const struct work *w)
{
    double *a = w->array[0];
    long n = w->n;
    for (long i = 1; i < n - 1; i++)
        for (long j = 1; j < n - 1; j++)
            a[i * n + j] = 0.25 * (a[i * n + j - 1] + a[i * n + j + 1] + a[(i - 1) * n + j] +
                                   a[(i + 1) * n + j]);
    return bits_of(a[n + 1]);
}
/* Elimination without pivots, of a copy. */
static uint64_t eliminate(const struct work *w)
{
    const double *from = w->array[0];
    double *a = w->array[1];
    long n = w->n;
    for (long i = 0; i < n * n; i++) a[i] = from[i];
    for (long k = 0; k < n; k++)
        for (long i = k + 1; i < n; i++) {
            double x = a[i * n + k] / a[k * n + k];
            for (long j = k + 1; j < n; j++) a[i * n + j] -= x * a[k * n + j];
        }
    return bits_of(a[n * n - 1]);
}
static void elimination(struct work *w, size_t bytes)
{
    two_squares(w, bytes);
    w->elements *= w->n / 3;
}

const struct kernel dense[] = {
    {"product_ijk", "12", product, product_ijk},
    {"product_ikj", "12", product, product_ikj},
    {"product_2x2", "12", product, product_2x2},
    {"transpose", "123", two_squares, transpose},
    {"transpose_blocks", "123", two_squares, transpose_blocks},
    {"stencil", "123m", two_squares, stencil},
    {"relax", "12", two_squares, relax},
    {"eliminate", "12", elimination, eliminate},
    {0},
};
