/* Floating-point work on few numbers: chains, divisions, roots. */
#include "suite.h"

#include <math.h>

static void hundred_thousand(struct work *w, size_t bytes)
{
    (void)bytes;
    w->n = w->elements = 100000;
}

/* variants of each other: Horner's rule, or Estrin's */
static uint64_t horner(const struct work *w)
{
    double x = 0.5, s = 0;
    for (long i = 0; i < w->n; i++) {
        double p = 0.1;
        p = p * x + 0.2, p = p * x + 0.3, p = p * x + 0.4, p = p * x + 0.5;
        p = p * x + 0.6, p = p * x + 0.7, p = p * x + 0.8;
        x = p * 0.125;
        s += p;
    }
    return bits_of(s);
}
static uint64_t estrin(const struct work *w)
{
    double x = 0.5, s = 0;
    for (long i = 0; i < w->n; i++) {
        double y = x * x, z = y * y;
        double p =
            ((0.1 * x + 0.2) * y + (0.3 * x + 0.4)) * z + ((0.5 * x + 0.6) * y + (0.7 * x + 0.8));
        x = p * 0.125;
        s += p;
    }
    return bits_of(s);
}
/* variants of each other: a division each, or a multiplication by the reciprocal */
static uint64_t divide(const struct work *w)
{
    double s = 0, d = 1.25;
    for (long i = 0; i < w->n; i++) s += (double)i / (d + (double)(i & 3));
    return bits_of(s);
}
static uint64_t reciprocal(const struct work *w)
{
    double s = 0, r = 1 / 1.25;
    for (long i = 0; i < w->n; i++) s += (double)i * (r + (double)(i & 3));
    return bits_of(s);
}
static uint64_t logistic(const struct work *w)
{
    double x = 0.3;
    for (long i = 0; i < w->n; i++) x = 3.7 * x * (1 - x);
    return bits_of(x);
}
static uint64_t integrate(const struct work *w)
{
    double s = 0, h = 1.0 / (double)w->n;
    for (long i = 0; i < w->n; i++) {
        double x = ((double)i + 0.5) * h;
        s += 4 / (1 + x * x);
    }
    return bits_of(s * h);
}
static uint64_t root(const struct work *w)
{
    double s = 0;
    for (long i = 0; i < w->n; i++) s += sqrt((double)i);
    return bits_of(s);
}
static uint64_t newton(const struct work *w)
{
    double x = 1;
    for (long i = 0; i < w->n; i++) x = 0.5 * (x + (2 + (double)(i & 7)) / x);
    return bits_of(x);
}
static uint64_t mandelbrot(const struct work *w)
{
    long count = 0;
    for (long i = 0; i < w->n / 50; i++) {
        double a = -0.6 + 0.00001 * (double)i, b = 0.3, x = 0, y = 0;
        for (int k = 0; k < 50 && x * x + y * y < 4; k++) {
            double t = x * x - y * y + a;
            y = 2 * x * y + b;
            x = t;
            count++;
        }
    }
    return (uint64_t)count;
}

static void bodies(struct work *w, size_t bytes)
{
    long n = (long)(bytes / 56);
    double *a = w->array[0] = make_array((size_t)n * 56);
    for (long i = 0; i < n * 7; i++) a[i] = random_unit();
    w->n = n;
    w->elements = n * n;
}
struct body {
    double x[3], v[3], mass;
};
static uint64_t attract(const struct work *w)
{
    struct body *p = w->array[0];
    for (long i = 0; i < w->n; i++) {
        double f[3] = {0, 0, 0};
        for (long j = 0; j < w->n; j++) {
            double d[3], r2 = 0.01;
            for (int k = 0; k < 3; k++) d[k] = p[j].x[k] - p[i].x[k], r2 += d[k] * d[k];
            double s = p[j].mass / (r2 * sqrt(r2));
            for (int k = 0; k < 3; k++) f[k] += d[k] * s;
        }
        for (int k = 0; k < 3; k++) p[i].v[k] += f[k] * 1e-6;
    }
    return bits_of(p[0].v[0]);
}

const struct kernel floating[] = {
    {"horner", "r", hundred_thousand, horner},
    {"estrin", "r", hundred_thousand, estrin},
    {"divide", "r", hundred_thousand, divide},
    {"reciprocal", "r", hundred_thousand, reciprocal},
    {"logistic", "r", hundred_thousand, logistic},
    {"integrate", "r", hundred_thousand, integrate},
    {"root", "r", hundred_thousand, root},
    {"newton", "r", hundred_thousand, newton},
    {"mandelbrot", "r", hundred_thousand, mandelbrot},
    {"attract", "1", bodies, attract},
    {0},
};
