/* Random datatypes of n elements of one kind, with the places of the elements, which no code of the
 * program under test has worked out: what windows.c compares with. */
#ifndef LAYOUTS_H
#define LAYOUTS_H

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint64_t state; /* of the draws; the same on all ranks */
static unsigned draw(unsigned n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

enum { FEW = 48, ELEMENTS = 100000 };

struct layout {
    MPI_Datatype type;
    int count, named; /* named: `type` is not ours to free */
    int n;
    ptrdiff_t at[ELEMENTS]; /* bytes from the buffer's address, in order of the typemap */
    ptrdiff_t low, high;    /* all bytes of it lie in [low, high) */
};

/* n elements in blocks, with gaps, in any order. */
struct blocks {
    int n, length[FEW], at[FEW], span;
};
static void draw_blocks(struct blocks *b, int n)
{
    b->n = b->span = 0;
    while (n) {
        int length = 1 + (int)draw((unsigned)n);
        if (b->n == FEW - 1) length = n;
        b->span += (int)draw(3);
        b->length[b->n] = length;
        b->at[b->n++] = b->span;
        b->span += length;
        n -= length;
    }
    for (int i = b->n - 1; i > 0; i--) {
        int j = (int)draw((unsigned)i + 1), length = b->length[i], at = b->at[i];
        b->length[i] = b->length[j], b->at[i] = b->at[j];
        b->length[j] = length, b->at[j] = at;
    }
}
static void places_of_blocks(struct layout *l, const struct blocks *b, ptrdiff_t from, int size)
{
    for (int i = 0; i < b->n; i++)
        for (int k = 0; k < b->length[i]; k++)
            l->at[l->n++] = from + (ptrdiff_t)(b->at[i] + k) * size;
}
static int divisor(int n) /* one of n's, at most 16 */
{
    int d = 1 + (int)draw(16);
    while (n % d) d--;
    return d;
}

static void draw_vector(struct layout *l, MPI_Datatype element, int size, int n)
{
    int block = divisor(n), stride = block + (int)draw(4);
    if (draw(2))
        MPI_Type_vector(n / block, block, stride, element, &l->type);
    else
        MPI_Type_create_hvector(n / block, block, (MPI_Aint)stride * size, element, &l->type);
    for (int i = 0; i < n; i++) l->at[l->n++] = (ptrdiff_t)(i / block * stride + i % block) * size;
}
static void draw_indexed(struct layout *l, MPI_Datatype element, int size, int n)
{
    struct blocks b;
    MPI_Aint at[FEW];
    draw_blocks(&b, n);
    for (int i = 0; i < b.n; i++) at[i] = (MPI_Aint)b.at[i] * size;
    if (draw(2))
        MPI_Type_indexed(b.n, b.length, b.at, element, &l->type);
    else
        MPI_Type_create_hindexed(b.n, b.length, at, element, &l->type);
    places_of_blocks(l, &b, 0, size);
}
static void draw_struct(struct layout *l, MPI_Datatype element, int size, int n)
{
    struct blocks b;
    MPI_Datatype type[FEW];
    MPI_Aint at[FEW];
    int one[FEW];
    draw_blocks(&b, n);
    for (int i = 0; i < b.n; i++) {
        at[i] = (MPI_Aint)b.at[i] * size;
        one[i] = 1;
        MPI_Type_contiguous(b.length[i], element, &type[i]);
    }
    MPI_Type_create_struct(b.n, one, at, type, &l->type);
    for (int i = 0; i < b.n; i++) MPI_Type_free(&type[i]);
    places_of_blocks(l, &b, 0, size);
}
static void draw_resized(struct layout *l, MPI_Datatype element, int size, int n)
{
    struct blocks b;
    MPI_Datatype inner;
    MPI_Aint at[FEW];
    int count = divisor(n), below = (int)draw(3);
    draw_blocks(&b, n / count);
    for (int i = 0; i < b.n; i++) at[i] = (MPI_Aint)b.at[i] * size;
    ptrdiff_t extent = (ptrdiff_t)(b.span + (int)draw(3)) * size;
    MPI_Type_create_hindexed(b.n, b.length, at, element, &inner);
    MPI_Type_create_resized(inner, -below * size, extent, &l->type);
    MPI_Type_free(&inner);
    l->count = count;
    for (int i = 0; i < count; i++) places_of_blocks(l, &b, i * extent, size);
}
static void draw_subarray(struct layout *l, MPI_Datatype element, int size, int n)
{
    int width = divisor(n), rows = n / width;
    int sizes[2] = {rows + (int)draw(3), width + (int)draw(3)}, part[2] = {rows, width};
    int from[2] = {(int)draw((unsigned)(sizes[0] - rows) + 1),
                   (int)draw((unsigned)(sizes[1] - width) + 1)};
    MPI_Type_create_subarray(2, sizes, part, from, MPI_ORDER_C, element, &l->type);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < width; j++)
            l->at[l->n++] = (ptrdiff_t)((from[0] + i) * sizes[1] + from[1] + j) * size;
}

/* The layout from `shift` bytes on. */
static void shifted(struct layout *l, ptrdiff_t shift)
{
    int one = 1;
    MPI_Aint at = shift;
    MPI_Datatype inner = l->type, whole;
    if (l->count > 1)
        MPI_Type_contiguous(l->count, inner, &whole);
    else
        MPI_Type_dup(inner, &whole);
    if (!l->named) MPI_Type_free(&inner);
    MPI_Type_create_hindexed(1, &one, &at, whole, &l->type);
    MPI_Type_free(&whole);
    l->count = 1, l->named = 0;
    for (int i = 0; i < l->n; i++) l->at[i] += shift;
}

static void draw_layout(struct layout *l, MPI_Datatype element, int size, int n, int plain,
                        ptrdiff_t shift)
{
    unsigned kind = plain ? 0 : n > FEW ? draw(3) : draw(7);
    l->n = l->named = 0;
    l->count = 1;
    if (kind < 2) {
        l->count = n;
        l->type = element;
        l->named = 1;
        for (int i = 0; i < n; i++) l->at[l->n++] = (ptrdiff_t)i * size;
    } else if (kind == 2)
        draw_vector(l, element, size, n);
    else if (kind == 3)
        draw_indexed(l, element, size, n);
    else if (kind == 4)
        draw_struct(l, element, size, n);
    else if (kind == 5)
        draw_resized(l, element, size, n);
    else
        draw_subarray(l, element, size, n);
    if (shift) shifted(l, shift);
    l->low = l->high = l->at[0];
    for (int i = 0; i < n; i++) {
        if (l->at[i] < l->low) l->low = l->at[i];
        if (l->at[i] + size > l->high) l->high = l->at[i] + size;
    }
    if (!l->named) MPI_Type_commit(&l->type);
}
static void free_layout(struct layout *l)
{
    if (!l->named) MPI_Type_free(&l->type);
}

#endif
