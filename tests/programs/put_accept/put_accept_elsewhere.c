/* PUT/ACCEPT: a part of a program that knows nothing of it probes for anything
 * (put_accept_elsewhere_probe.c), before anybody has put. */
#include "check.h"
#include "put_accept.h"
#include "sidewinder.h"

void probe_for_anything(MPI_Status *status);

int main(int argc, char **argv)
{
    static long memory[4], mine = 5;
    MPI_Status status = {0};
    check_begin(&argc, &argv, 2);
    if (check_rank == 1) {
        probe_for_anything(&status);
        if (status.MPI_OP == MPI_PUT_PROBED)
            PA_Accept(memory, sizeof memory, sizeof *memory, status.MPI_TAG, MPI_COMM_WORLD, 1);
    } else if (check_rank == 0) {
        sw_compute(1e6);
        PA_Put(&mine, 1, MPI_LONG, 1, 2, 1, MPI_LONG, 3, MPI_COMM_WORLD);
        PA_Accept(NULL, 0, 1, 3, MPI_COMM_WORLD, 0);
    }
    check(check_rank != 1 || (status.MPI_TAG == 3 && memory[2] == 5),
          "a probe sees requests, whichever part of the program calls it, and when");
    return check_end();
}
