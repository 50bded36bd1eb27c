/* Every way in which code that nobody instrumented (the C library, MPI, inline assembly) loads from
 * a window gives what a remote put left there, once a fence has made it visible: the same as from
 * plain memory with the same bytes. Each way has an item of its own in the window of rank 0, whose
 * lines rank 0 had in its cache before; rank 1 puts. */
#define _GNU_SOURCE
#include "uninstrumented_loads.h"
#include "uninstrumented_loads_more.h"
#include "uninstrumented_loads_rest.h"

static void fill(struct item *p, int new)
{
    memset(p, 0, sizeof *p);
    strcpy(p->number, new ? "2345" : "1111");
    strcpy(p->real, new ? "2.75" : "1.5");
    strcpy(p->word, new ? "new" : "old");
    strcpy(p->sentence, new ? "west of the last fence" : "lines of an age");
    strcpy(p->path, new ? "/dev/null" : "/nowhere");
    strcpy(p->format, new ? "new%%" : "old%%");
    strcpy(p->address, new ? "10.0.0.7" : "10.1.1.1");
    for (int i = 0; i < 8; i++) p->ints[i] = new ? 1000 + i : 1 + i;
    for (int i = 0; i < 8; i++) p->more[i] = new ? 1 + 2000 * i : 3000 * i;
    for (int i = 0; i < 4; i++) p->longs[i] = new ? 4000 * i : 8000 * i;
    wcscpy(p->wide, new ? L"wide" : L"wid");
    p->date = new ? 86400 * 366 * 30l : 86400;
    p->tm = (struct tm){.tm_year = new ? 101 : 70, .tm_mday = new ? 9 : 1, .tm_mon = new};
}

int main(int argc, char **argv)
{
    check_begin(&argc, &argv, 2);
    const int N = (int)(__stop_ways - __start_ways);
    struct item *window, old, new;
    MPI_Win win;
    MPI_Win_allocate(check_rank ? 0 : N * sizeof *window, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window,
                     &win);
    fill(&old, 0);
    fill(&new, 1);
    setenv("new", "1", 1);
    if (check_rank == 0)
        for (int i = 0; i < N; i++) memcpy(&window[i], &old, sizeof old);
    MPI_Win_fence(0, win);
    unsigned long sum = 0; /* lines in the cache */
    for (size_t i = 0; check_rank == 0 && i < N * sizeof *window; i++)
        sum += ((const volatile unsigned char *)window)[i];
    MPI_Win_fence(0, win);
    if (check_rank == 1)
        for (int i = 0; i < N; i++)
            MPI_Put(&new, sizeof new, MPI_BYTE, 0, i * (MPI_Aint)sizeof new, sizeof new, MPI_BYTE,
                    win);
    MPI_Win_fence(0, win);
    int wrong = sum == 0 && check_rank == 0;
    if (check_rank == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) wrong++;
    for (int i = 0; check_rank == 0 && i < N; i++) {
        unsigned long expected = __start_ways[i]->way(&new), before = __start_ways[i]->way(&old),
                      seen = __start_ways[i]->way(&window[i]);
        if (expected == before) {
            printf("# %s gives the same for old and new\n", __start_ways[i]->name);
            wrong++;
        }
        if (seen == expected) continue;
        printf("# %s: %s\n", __start_ways[i]->name, seen == before ? "the old bytes" : "neither");
        wrong++;
    }
    check(!wrong, "after a put and a fence every way to load from a window gives the new bytes");
    check(check_rank || N >= 205, "there are 205 ways at least");
    MPI_Win_free(&win);
    return check_end();
}
