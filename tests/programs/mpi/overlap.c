/* What misses cost that do, or do not, depend on each other. Prints NAME=VALUE: nanoseconds a load.
 * One rank. */
#include <mpi.h>
#include <stdio.h>

enum { CELLS = 1 << 16, STEPS = 4000 };
struct cell {
    struct cell *next;
    long value[7];
};
static struct cell cell[CELLS];
static unsigned where[STEPS];
static volatile long kept;

static __attribute__((noipa)) struct cell *loop(struct cell *p)
{
    for (int i = 0; i < STEPS; i++) p = p->next;
    return p;
}

static __attribute__((noipa)) struct cell *successor(const struct cell *p) { return p->next; }

static __attribute__((noipa)) struct cell *callee(struct cell *p)
{
    for (int i = 0; i < STEPS; i++) p = successor(p);
    return p;
}

static __attribute__((noipa)) const struct cell *recursion(const struct cell *p, int steps)
{
    if (steps == 0) return p;
    const struct cell *end = recursion(p->next, steps - 1);
    return end == cell ? p : end;
}

/* Both ways at once: twice the loads in the time of one. */
static __attribute__((noipa)) long interleaved(struct cell *p, struct cell *q)
{
    for (int i = 0; i < STEPS; i++) p = p->next, q = q->next;
    return p - q;
}

static __attribute__((noipa)) long gather(void)
{
    long sum = 0;
    for (int i = 0; i < STEPS; i++) sum += cell[where[i]].value[0];
    return sum;
}

static __attribute__((noipa)) void scatter(void)
{
    for (int i = 0; i < STEPS; i++) cell[where[i]].value[1] = i;
}

static double start_s;
static void show(const char *name)
{
    printf("%s=%.3f\n", name, (MPI_Wtime() - start_s) / STEPS * 1e9);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    unsigned at = 0, random = 1;
    for (int i = 0; i < CELLS; i++, at = (at + 40503) % CELLS) /* odd: it comes to every cell */
        cell[at].next = &cell[(at + 40503) % CELLS];
    for (int i = 0; i < STEPS; i++) random = random * 1664525 + 1013904223, where[i] = random >> 16;
    start_s = MPI_Wtime();
    kept = loop(cell) - cell;
    show("loop");
    start_s = MPI_Wtime();
    kept = callee(&cell[1]) - cell;
    show("callee");
    start_s = MPI_Wtime();
    kept = recursion(&cell[2], STEPS) - cell;
    show("recursion");
    start_s = MPI_Wtime();
    kept = interleaved(&cell[3], &cell[4]);
    show("interleaved");
    start_s = MPI_Wtime();
    kept = gather();
    show("gather");
    start_s = MPI_Wtime();
    scatter();
    show("scatter");
    MPI_Finalize();
    return 0;
}
