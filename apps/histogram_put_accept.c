/* The histogram of histogram.h with PUT/ACCEPT, which has no accumulate: the owner of a bin adds to
 * it. Each rank collects the numbers of the bins it increments, a list for each owner, and puts the
 * lists into the owners' inboxes, where every origin has its own place and a list begins with its
 * length. The collective ACCEPT finds out how many lists come; then each owner counts. */
#include "histogram.h"
#include "put_accept.h"

static long *bin, *inbox, *list; /* inbox: the list of each origin; list: one for each owner */

static MPI_Aint room(void) { return (MPI_Aint)updates + 1; } /* cells of the longest list */

static long *allocate(void)
{
    bin = calloc((size_t)bins, sizeof *bin);
    list = calloc((size_t)(ranks * room()), sizeof *list);
    PA_Rma_malloc(&inbox, ranks * room() * (MPI_Aint)sizeof *inbox);
    /* who sends nothing has an empty list */
    for (int origin = 0; origin < ranks; origin++) inbox[origin * room()] = 0;
    return bin;
}

static void begin(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void increment(int owner, long where)
{
    long *to = list + owner * room();
    to[++to[0]] = where;
}

static void finish(void)
{
    for (int i = 0; i < ranks; i++) {
        int owner = (rank + i) % ranks; /* not everybody to the same one first */
        long *to = list + owner * room();
        if (to[0])
            PA_Putc(to, (int)to[0] + 1, MPI_LONG, owner, rank * room(), (int)to[0] + 1, MPI_LONG, 0,
                    MPI_COMM_WORLD);
    }
    PA_Acceptc(inbox, ranks * room() * (MPI_Aint)sizeof *inbox, sizeof *inbox, 0, MPI_COMM_WORLD);
    for (int origin = 0; origin < ranks; origin++) {
        const long *from = inbox + origin * room();
        for (long k = 1; k <= from[0]; k++) bin[from[k]]++;
    }
}

static void release(void)
{
    PA_Rma_free(inbox);
    free(list);
    free(bin);
}

int main(int argc, char **argv)
{
    static const struct histogram_interface put_accept = {
        "histogram_put_accept", allocate, begin, increment, finish, release};
    return histogram(argc, argv, &put_accept);
}
