/* Large windows that are hardly touched: untouched MIB TIMES. Prints the process's peak memory in
 * MiB. */
#include "check.h"

static int peak_mib(void)
{
    char line[128];
    int kib = 0;
    FILE *file = fopen("/proc/self/status", "r");
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %d", &kib) == 1) break;
    fclose(file);
    return kib / 1024;
}

int main(int argc, char **argv)
{
    int right = 1;
    check_begin(&argc, &argv, 2);
    MPI_Aint bytes = (MPI_Aint)atol(argv[1]) << 20, at = bytes - 12345;
    for (int i = 1; i <= atoi(argv[2]); i++) {
        MPI_Win win;
        char *memory;
        int seen = 0;
        MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
        MPI_Win_fence(0, win);
        if (check_rank == 0) MPI_Put(&i, sizeof i, MPI_BYTE, 1, at, sizeof i, MPI_BYTE, win);
        MPI_Win_fence(0, win);
        if (check_rank == 1) memcpy(&seen, memory + at, sizeof seen);
        right &= check_rank != 1 || (seen == i && memory[0] == 0 && memory[at - 1] == 0);
        MPI_Win_free(&win);
    }
    check(right, "what was put is there, and zeros beside it");
    if (check_rank == 0) printf("peak_mib=%d\n", peak_mib());
    return check_end();
}
