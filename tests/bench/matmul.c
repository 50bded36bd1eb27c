/* A triple-loop matrix product: the hook's benchmark. matmul [n]; where its arrays lie: place.h. */
#include "place.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 512;
    size_t bytes = sizeof(double) * n * n;
    double *a = place(&argc, &argv, 3 * bytes), *b = a + n * n, *c = b + n * n;
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
        c[i] = 0;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    printf("%g\n", c[n + 1]);
    unplace();
    return 0;
}
