/* A triple-loop matrix product: the hook's benchmark. matmul [n] */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 512;
    double *a = malloc(sizeof *a * n * n), *b = malloc(sizeof *b * n * n),
           *c = malloc(sizeof *c * n * n);
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
        c[i] = 0;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    printf("%g\n", c[n + 1]);
    free(a);
    free(b);
    free(c);
    return 0;
}
