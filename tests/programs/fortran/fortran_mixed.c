/* C and Fortran in one program. MPI_Init is called from C; requests are issued in Fortran, compiled
 * with --dialect put_accept (fortran_requests.f); a window is put into in Fortran compiled without
 * (fortran_window.f), and here. 2 ranks. */
#include "check.h"

extern void send_request_(int *value, MPI_Fint *comm); /* PUT/ACCEPT's MPI_PUT, to rank 1 */
extern void take_request_(int *value, MPI_Fint *comm);
extern void put_into_(int *value, MPI_Fint *win); /* MPI's MPI_PUT, to rank 1 */

int main(int argc, char **argv)
{
    static int memory[2], value = 31, taken;
    MPI_Win win;
    check_begin(&argc, &argv, 2);
    MPI_Fint comm = MPI_Comm_c2f(MPI_COMM_WORLD);
    if (check_rank == 0)
        send_request_(&value, &comm);
    else
        take_request_(&taken, &comm);
    check(check_rank == 0 || taken == 31,
          "MPI_PUT of a Fortran file compiled with --dialect put_accept is a PUT");
    MPI_Win_create(memory, sizeof memory, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Fint number = MPI_Win_c2f(win);
    MPI_Win_fence(0, win);
    if (check_rank == 0) put_into_(&value, &number);
    if (check_rank == 0) MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    check(check_rank == 0 || memory[0] == 31,
          "MPI_PUT of a Fortran file compiled without is MPI's");
    check(check_rank == 0 || memory[1] == 31, "so is MPI_Put of a C file beside them");
    MPI_Win_free(&win);
    return check_end();
}
