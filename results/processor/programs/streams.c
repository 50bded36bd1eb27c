/* Arrays read and written from one end to the other, or in rows and columns. */
#include "suite.h"

/* Up to four arrays of doubles, `bytes` in all. */
static void doubles(struct work *w, size_t bytes, int arrays)
{
    w->n = w->elements = (long)(bytes / 8) / arrays;
    for (int a = 0; a < arrays; a++) {
        double *x = w->array[a] = make_array((size_t)w->n * 8);
        for (long i = 0; i < w->n; i++) x[i] = 1.0 + (double)(i & 7) * 0.125;
    }
}
static void one(struct work *w, size_t bytes) { doubles(w, bytes, 1); }
static void two(struct work *w, size_t bytes) { doubles(w, bytes, 2); }
static void three(struct work *w, size_t bytes) { doubles(w, bytes, 3); }

static uint64_t sum(const struct work *w)
{
    const double *a = w->array[0];
    double s = 0;
    for (long i = 0; i < w->n; i++) s += a[i];
    return bits_of(s);
}
/* variant of sum: four chains instead of one */
static uint64_t sum4(const struct work *w)
{
    const double *a = w->array[0];
    double s = 0, t = 0, u = 0, v = 0;
    for (long i = 0; i + 3 < w->n; i += 4) s += a[i], t += a[i + 1], u += a[i + 2], v += a[i + 3];
    return bits_of(s + t + u + v);
}
static uint64_t dot(const struct work *w)
{
    const double *a = w->array[0], *b = w->array[1];
    double s = 0;
    for (long i = 0; i < w->n; i++) s += a[i] * b[i];
    return bits_of(s);
}
static uint64_t scale(const struct work *w)
{
    const double *restrict a = w->array[0];
    double *restrict b = w->array[1];
    for (long i = 0; i < w->n; i++) b[i] = a[i] * 0.75;
    return bits_of(b[0]);
}
static uint64_t triad(const struct work *w)
{
    const double *restrict a = w->array[0], *restrict b = w->array[1];
    double *restrict c = w->array[2];
    for (long i = 0; i < w->n; i++) c[i] = a[i] + b[i] * 0.75;
    return bits_of(c[0]);
}
/* variants of each other: two loops over the arrays, or one */
static uint64_t two_loops(const struct work *w)
{
    const double *restrict a = w->array[0];
    double *restrict b = w->array[1], *restrict c = w->array[2];
    for (long i = 0; i < w->n; i++) b[i] = a[i] * 0.75;
    for (long i = 0; i < w->n; i++) c[i] = b[i] + a[i];
    return bits_of(c[0]);
}
static uint64_t one_loop(const struct work *w)
{
    const double *restrict a = w->array[0];
    double *restrict b = w->array[1], *restrict c = w->array[2];
    for (long i = 0; i < w->n; i++) {
        b[i] = a[i] * 0.75;
        c[i] = b[i] + a[i];
    }
    return bits_of(c[0]);
}
/* variants of each other: a matrix summed along its rows, or its columns */
static void matrix(struct work *w, size_t bytes)
{
    one(w, bytes);
    long rows = 1;
    while (rows * rows * 4 <= w->n) rows *= 2;
    w->n = rows;
    w->elements = rows * rows;
}
static uint64_t by_rows(const struct work *w)
{
    const double *a = w->array[0];
    double s = 0;
    for (long i = 0; i < w->n; i++)
        for (long j = 0; j < w->n; j++) s += a[i * w->n + j];
    return bits_of(s);
}
static uint64_t by_columns(const struct work *w)
{
    const double *a = w->array[0];
    double s = 0;
    for (long j = 0; j < w->n; j++)
        for (long i = 0; i < w->n; i++) s += a[i * w->n + j];
    return bits_of(s);
}
/* variants of each other: one field of a structure of eight, or of an array of its own */
static void structures(struct work *w, size_t bytes)
{
    one(w, bytes);
    w->elements = w->n /= 8;
}
static uint64_t of_structures(const struct work *w)
{
    const struct {
        double x, y, z, u, v, t, mass, charge;
    } *a = w->array[0];
    double s = 0;
    for (long i = 0; i < w->n; i++) s += a[i].mass;
    return bits_of(s);
}
static uint64_t of_arrays(const struct work *w)
{
    const double *mass = (const double *)w->array[0] + 6 * w->n;
    double s = 0;
    for (long i = 0; i < w->n; i++) s += mass[i];
    return bits_of(s);
}
static uint64_t prefix(const struct work *w)
{
    const double *restrict a = w->array[0];
    double *restrict b = w->array[1], s = 0;
    for (long i = 0; i < w->n; i++) {
        s += a[i];
        b[i] = s;
    }
    return bits_of(s);
}

const struct kernel streams[] = {
    {"sum", "123m", one, sum},
    {"sum4", "1m", one, sum4},
    {"dot", "123m", two, dot},
    {"scale", "123m", two, scale},
    {"triad", "123m", three, triad},
    {"two_loops", "1m", three, two_loops},
    {"one_loop", "1m", three, one_loop},
    {"by_rows", "23", matrix, by_rows},
    {"by_columns", "23", matrix, by_columns},
    {"of_structures", "3", structures, of_structures},
    {"of_arrays", "3", structures, of_arrays},
    {"prefix", "12", two, prefix},
    {0},
};
