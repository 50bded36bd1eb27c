/* Kernels whose loops gcc's own schedule is compared on: one loop of one block each. */
double dot(const double *a, const double *b, long n)
{
    double s = 0;
    for (long i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
void axpy(double *restrict y, const double *restrict x, double a, long n)
{
    for (long i = 0; i < n; i++) y[i] += a * x[i];
}
long isum(const long *a, long n)
{
    long s = 0;
    for (long i = 0; i < n; i++) s += a[i];
    return s;
}
double poly(const double *c, double x, long n)
{
    double s = 0;
    for (long i = 0; i < n; i++) s = s * x + c[i];
    return s;
}
void scale(double *restrict y, const double *restrict x, double a, long n)
{
    for (long i = 0; i < n; i++) y[i] = x[i] * a;
}
void recip(double *restrict y, const double *restrict x, long n)
{
    for (long i = 0; i < n; i++) y[i] = 1.0 / x[i];
}
long bytes(const unsigned char *a, long n)
{
    long s = 0;
    for (long i = 0; i < n; i++) s += a[i];
    return s;
}
