/* Memory that may not be written: read_only WHAT. "window": one over read-only pages, which is only
 * read; "get": a get into such memory; "put": a put there; "fetch": the result of a fetch. The
 * error, and "alive=1". */
#define _DEFAULT_SOURCE
#include "check.h"

#include <sys/mman.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    int *fixed = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    static int memory[4] = {5, 6, 7, 8};
    int got = -1, one = 1, code = MPI_SUCCESS, class;
    check_begin(&argc, &argv, 2);
    const char *what = argv[1];
    int read_only = strcmp(what, "window") == 0 || strcmp(what, "put") == 0, other = !check_rank;
    MPI_Win_create(read_only ? fixed : memory, sizeof memory, sizeof memory[0], MPI_INFO_NULL,
                   MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    if (strcmp(what, "window") == 0) MPI_Get(&got, 1, MPI_INT, other, 1, 1, MPI_INT, win);
    if (strcmp(what, "get") == 0) code = MPI_Get(fixed, 1, MPI_INT, other, 1, 1, MPI_INT, win);
    if (strcmp(what, "put") == 0) code = MPI_Put(&one, 1, MPI_INT, other, 1, 1, MPI_INT, win);
    if (strcmp(what, "fetch") == 0)
        code = MPI_Fetch_and_op(&one, fixed, MPI_INT, other, 1, MPI_SUM, win);
    MPI_Win_fence(0, win);
    if (strcmp(what, "window") == 0 && (got != 0 || fixed[1] != 0)) code = MPI_ERR_OTHER;
    MPI_Win_free(&win);
    MPI_Error_class(code, &class);
    if (check_rank == 0)
        printf("class=%s\nalive=1\n", class == MPI_SUCCESS         ? "none"
                                      : class == MPI_ERR_BUFFER    ? "buffer"
                                      : class == MPI_ERR_RMA_RANGE ? "range"
                                                                   : "other");
    return check_end();
}
