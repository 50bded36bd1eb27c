/* Memory that C's library, or MPI, gives a program, loaded a byte at a time: argument 1 says whose.
 * Prints a sum, and the time it took. */
#define _GNU_SOURCE
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long sum(const char *text)
{
    long all = 0;
    for (; *text; text++) all = all * 31 % 1000003 + *text;
    return all;
}

static long of_lines(void)
{
    char *line = NULL;
    size_t room = 0;
    long all = 0;
    rewind(stdin);
    while (getline(&line, &room, stdin) > 0) all += sum(line);
    free(line);
    return all;
}

static long of_text(void)
{
    char *text = NULL;
    if (asprintf(&text, "%0*d", 300, 7) != 300) return -1;
    long all = sum(text);
    free(text);
    return all;
}

static long of_mpi(void)
{
    char *block;
    MPI_Alloc_mem(1000, MPI_INFO_NULL, &block);
    memset(block, 'x', 999);
    block[999] = '\0';
    long all = sum(block);
    MPI_Free_mem(block);
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    const char *what = argc > 1 ? argv[1] : "";
    long all = strcmp(what, "getenv") == 0          ? sum(getenv("GIVEN"))
               : strcmp(what, "getline") == 0       ? of_lines()
               : strcmp(what, "asprintf") == 0      ? of_text()
               : strcmp(what, "MPI_Alloc_mem") == 0 ? of_mpi()
                                                    : -1;
    printf("%s: %ld after %.3f ns\n", what, all, MPI_Wtime() * 1e9);
    MPI_Finalize();
    return all < 0;
}
