/* What computes without loads and stores takes time; one rank, so that nothing else does. */
#include <dlfcn.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10000 };

static __attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

static __attribute__((noinline)) double polynomial(double x)
{
    double sum = 0;
    for (int i = 0; i < STEPS; i++) sum = sum * x + 0.5;
    return sum;
}

static __attribute__((noinline)) double logistic(double x)
{
    for (int i = 0; i < STEPS; i++) x = 3.9 * x * (1 - x);
    return x;
}

static __attribute__((noinline)) double sines(double x)
{
    for (int i = 0; i < STEPS; i++) x = sin(x) + 1;
    return x;
}

static double began;
static void begin(void) { began = MPI_Wtime(); }
static void end(const char *name) { printf("%s=%.12f\n", name, MPI_Wtime() - began); }

/* Of a library that is linked or loaded: steps like those of logistic(). */
double library_logistic(double x, int steps);

int main(int argc, char **argv)
{
    volatile double x = 0.3, y = 0.7, z;
    MPI_Init(&argc, &argv);
    static char to[16384], from[16384];
    for (int i = 0; i < 2; i++) { /* the second time in the first level */
        begin();
        memcpy(to, from, x > 0 ? sizeof to : 0);
        end(i ? "copy" : "first_copy");
    }
    begin();
    z = fib(15);
    end("fib");
    begin();
    z = polynomial(x);
    end("polynomial");
    begin();
    z = logistic(x);
    end("logistic");
    begin();
    z = sines(x);
    end("sines");
    double a = x, b = y;
    begin();
    end("nothing");
    begin();
    double quotient = a / b;
    __asm__ volatile("" : "+x"(quotient));
    end("divide");
    z = quotient;
#ifdef LINKED
    begin();
    z = library_logistic(x, STEPS);
    end("linked");
#endif
    void *plug_in = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (plug_in) {
        double (*loaded)(double, int);
        *(void **)&loaded = dlsym(plug_in, "library_logistic");
        begin();
        z = loaded(x, STEPS);
        end("loaded");
    }
    long *array = calloc(1 << 16, sizeof *array), sum = 0;
    begin();
    for (long i = 0; i < 1 << 16; i++) array[i * 61 & 0xffff] += i;
    for (long i = 0; i < 1 << 16; i++) sum += array[i];
    end("memory");
    printf("sum=%ld %d\n", sum, z > 1e9);
    MPI_Finalize();
    return 0;
}
