/* The suite: kernels that a machine file of --measure is judged on. None of them takes part in the
 * measuring. A kernel is a plain function of the arrays in struct work; a row is a kernel at a
 * size.
 */
#ifndef SUITE_H
#define SUITE_H

#include <stddef.h>
#include <stdint.h>

struct work {
    void *array[4];
    long n;        /* of the kernel's own unit: elements, rows of a matrix */
    long elements; /* that one call does: times are given for one */
};
struct kernel {
    const char *name;
    const char *sizes; /* a letter each: 1, 2, 3: in that cache level; m: memory; r: registers */
    /* Makes and fills the arrays, `bytes` in all; sets n and elements. */
    void (*prepare)(struct work *w, size_t bytes);
    uint64_t (*run)(const struct work *w); /* returns what it computed, or a part of that */
};

extern const struct kernel streams[], linked[], dense[], floating[], integer[], sorting[], text[];

/* Arrays of suite.c, uninitialised, each on a page boundary. */
void *make_array(size_t bytes);
uint64_t random_bits(void);     /* the same sequence everywhere */
double random_unit(void);       /* in [0, 1) */
uint64_t bits_of(double value); /* so that no result is computed in vain */

#endif
