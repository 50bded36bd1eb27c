/* Elements of predefined datatypes have the size of what they stand for in C, C++ and Fortran, and
 * a put of one stores so many bytes. */
#include "check.h"

#include <stdbool.h>
#include <stdint.h>

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    const struct {
        MPI_Datatype type;
        int bytes;
    } each[] = {
        {MPI_INTEGER1, 1},
        {MPI_INTEGER2, 2},
        {MPI_INTEGER4, 4},
        {MPI_INTEGER8, 8},
        {MPI_REAL4, 4},
        {MPI_REAL8, 8},
        {MPI_REAL16, 16},
        {MPI_COMPLEX8, 8},
        {MPI_COMPLEX16, 16},
        {MPI_LOGICAL, 4},
        {MPI_CHARACTER, 1},
        {MPI_C_BOOL, sizeof(bool)},
        {MPI_CXX_BOOL, sizeof(bool)},
        {MPI_CXX_FLOAT_COMPLEX, sizeof(float _Complex)},
        {MPI_CXX_DOUBLE_COMPLEX, sizeof(double _Complex)},
        {MPI_CXX_LONG_DOUBLE_COMPLEX, sizeof(long double _Complex)},
        {MPI_LONG_DOUBLE, sizeof(long double)},
        {MPI_INT8_T, 1},
        {MPI_AINT, sizeof(MPI_Aint)},
        {MPI_WCHAR, 4},
    };
    unsigned char *window, ones[64];
    int sizes = 1, puts = 1;
    MPI_Win win;
    memset(ones, 1, sizeof ones);
    MPI_Win_allocate(64, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
        int bytes = -1;
        MPI_Type_size(each[i].type, &bytes);
        sizes &= bytes == each[i].bytes;
        MPI_Win_fence(0, win);
        memset(window, 0, 64);
        MPI_Win_fence(0, win);
        if (check_rank == 0) MPI_Put(ones, 1, each[i].type, 1, 0, 1, each[i].type, win);
        MPI_Win_fence(0, win);
        for (int k = 0; check_rank == 1 && k < 64; k++) puts &= window[k] == (k < each[i].bytes);
    }
    check(sizes, "MPI_Type_size gives the bytes of what they stand for");
    check(puts, "a put of one element stores so many bytes");
    MPI_Win_free(&win);
    return check_end();
}
