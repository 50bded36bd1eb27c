/* Stand-ins for the Fortran library's functions of whole arrays: RESHAPE, PACK, UNPACK, SPREAD,
 * CSHIFT, EOSHIFT, MATMUL, NORM2, reductions along a dimension, MAXLOC, MINLOC, RANDOM_NUMBER, and
 * the copies of arguments that are not contiguous.
 *
 * The library loads its operands and stores a result, which the caller has laid out or it
 * allocates. Interface: gcc/fortran/iresolve.cc, trans-array.cc. Left out: operands besides the
 * first (masks, shifts; MATMUL's second is played), reductions with a mask, results of character
 * kind 4; a product's operands are loaded once, since it goes by blocks. */
#include "program/fortran.h"

#include <sys/param.h>

static void load(const struct descriptor *operand, uintptr_t pc)
{
    if (operand && operand->base) program_load_array(operand, pc);
}
static void store(const struct descriptor *result, uintptr_t pc)
{
    if (result->base) program_store_array(result, pc);
}

/* What a product executes: by 64 multiplications and additions, as they were counted of
 * DOUBLE PRECISION (library.def). Vectors have twice as many lanes of REAL; the other kinds are
 * taken to be as DOUBLE PRECISION. */
static void multiply(const struct descriptor *result, const struct descriptor *b, size_t lanes,
                     uintptr_t pc)
{
    uint64_t n = (uint64_t)MAX(b->dim[0].upper - b->dim[0].lower + 1, 0);
    for (int i = 0; i < result->rank; i++)
        n *= (uint64_t)MAX(result->dim[i].upper - result->dim[i].lower + 1, 0);
    probe_calls.executed("multiply_add_64", n / (64 * lanes), pc);
}

#define ARRAY struct descriptor *
#define OF_3(name)                                                                                 \
    STORING(name, load(a, PC), store(r, PC), (ARRAY r, ARRAY a, void *b, void *c), r, a, b, c)
#define OF_4(name)                                                                                 \
    STORING(name, load(a, PC), store(r, PC), (ARRAY r, ARRAY a, void *b, void *c, void *d), r, a,  \
            b, c, d)

OF_4(_gfortran_reshape)
OF_4(_gfortran_reshape_4)
OF_4(_gfortran_reshape_8)
OF_4(_gfortran_reshape_16)
OF_4(_gfortran_reshape_r4)
OF_4(_gfortran_reshape_r8)
OF_4(_gfortran_reshape_r10)
OF_4(_gfortran_reshape_r16)
OF_4(_gfortran_reshape_c4)
OF_4(_gfortran_reshape_c8)
OF_4(_gfortran_reshape_c10)
OF_4(_gfortran_reshape_c16)
OF_3(_gfortran_pack)
OF_3(_gfortran_pack_s)
OF_3(_gfortran_unpack0)
OF_3(_gfortran_unpack1)
OF_3(_gfortran_spread)
OF_3(_gfortran_cshift0_1)
OF_3(_gfortran_cshift0_2)
OF_3(_gfortran_cshift0_4)
OF_3(_gfortran_cshift0_8)
OF_3(_gfortran_cshift1_4)
OF_3(_gfortran_cshift1_8)
OF_4(_gfortran_eoshift0_1)
OF_4(_gfortran_eoshift0_2)
OF_4(_gfortran_eoshift0_4)
OF_4(_gfortran_eoshift0_8)

#define MATMUL(kind, lanes)                                                                        \
    STORING(_gfortran_matmul_##kind, load(a, PC); load(b, PC), store(r, PC);                       \
            multiply(r, b, lanes, PC),                                                             \
            (ARRAY r, ARRAY a, ARRAY b, int blas, int limit, void *gemm), r, a, b, blas, limit,    \
            gemm)
MATMUL(i4, 2)
MATMUL(i8, 1)
MATMUL(r4, 2)
MATMUL(r8, 1)
MATMUL(c4, 1)
MATMUL(c8, 1)
MATMUL(l4, 2)
OF_3(_gfortran_norm2_r4)
OF_3(_gfortran_norm2_r8)
#define ALONG(kind)                                                                                \
    OF_3(_gfortran_sum_##kind)                                                                     \
    OF_3(_gfortran_product_##kind)                                                                 \
    OF_3(_gfortran_maxval_##kind)                                                                  \
    OF_3(_gfortran_minval_##kind)                                                                  \
    OF_3(_gfortran_maxloc0_4_##kind)                                                               \
    OF_3(_gfortran_minloc0_4_##kind)                                                               \
    OF_3(_gfortran_maxloc1_4_##kind)                                                               \
    OF_3(_gfortran_minloc1_4_##kind)
ALONG(i4)
ALONG(i8)
ALONG(r4)
ALONG(r8)

#define RANDOM(kind, bytes)                                                                        \
    PROCEDURE(_gfortran_random_##kind, probe_calls.stored(p, bytes, PC), (void *p), p)             \
    STORING(_gfortran_arandom_##kind, program_execute_elements(r, "_gfortran_random_" #kind, PC),  \
            program_store_array(r, PC), (ARRAY r), r)
RANDOM(r4, 4)
RANDOM(r8, 8)

/* To a contiguous copy of an argument, and back. */
FUNCTION(void *, _gfortran_internal_pack, load(a, PC), (ARRAY a), a)
STORING(_gfortran_internal_unpack, mine = r->base != a, mine ? store(r, PC) : (void)0,
        (ARRAY r, void *a), r, a)
