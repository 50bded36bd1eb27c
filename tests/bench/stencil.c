/* Jacobi's five-point stencil, ten sweeps. stencil [n]; where its arrays lie: place.h. */
#include "place.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 256;
    double *old = place(&argc, &argv, 2 * sizeof(double) * n * n), *new = old + n *n;
    for (int i = 0; i < n * n; i++) old[i] = new[i] = i % 7;
    for (int sweep = 0; sweep < 10; sweep++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                new[i * n + j] = 0.25 * (old[(i - 1) * n + j] + old[(i + 1) * n + j] +
                                         old[i * n + j - 1] + old[i * n + j + 1]);
        double *last = old;
        old = new;
        new = last;
    }
    printf("%g\n", old[n + 1]);
    unplace();
    return 0;
}
