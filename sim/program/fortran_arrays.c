/* Stand-ins for the Fortran library's functions of whole arrays: RESHAPE, PACK, UNPACK, SPREAD,
 * CSHIFT, EOSHIFT, and the copies of arguments that are not contiguous.
 *
 * The library loads its operands and stores a result that the caller has laid out; where it
 * allocates the result itself, that block is nobody's yet. Interface: gcc/fortran/iresolve.cc,
 * trans-array.cc. Left out: operands besides the first (masks, shifts), results of character
 * kind 4. */
#include "program/fortran.h"

/* The caller has laid out the result, or the library allocates it: then it is nobody's yet. */
static void load(const struct descriptor *operand, uintptr_t pc)
{
    if (operand && operand->base) program_load_array(operand, pc);
}
static void store(const struct descriptor *result, bool laid_out, uintptr_t pc)
{
    if (laid_out) program_store_array(result, pc);
}

#define ARRAY struct descriptor *
#define OF_3(name)                                                                                 \
    STORING(name, mine = r->base != NULL;                                                          \
            load(a, PC), store(r, mine, PC), (ARRAY r, ARRAY a, void *b, void *c), r, a, b, c)
#define OF_4(name)                                                                                 \
    STORING(name, mine = r->base != NULL; load(a, PC), store(r, mine, PC),                         \
                                          (ARRAY r, ARRAY a, void *b, void *c, void *d), r, a, b,  \
                                          c, d)

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

/* To a contiguous copy of an argument, and back. */
FUNCTION(void *, _gfortran_internal_pack, load(a, PC), (ARRAY a), a)
STORING(_gfortran_internal_unpack, (void)0, store(r, r->base != a, PC), (ARRAY r, void *a), r, a)
