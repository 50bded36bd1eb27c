/* Put, get and accumulate with derived datatypes on either side: every pair out of a list, against
 * places written down by hand. An element is an int; each entry moves twelve of them. What lies
 * between stays untouched. */
#include "check.h"

enum { MOVED = 12, CELLS = 96, KINDS = 14 };

struct layout {
    const char *name;
    MPI_Datatype type;
    int count;
    int place[MOVED]; /* in ints from the buffer's address, in the order of the type map */
};

static struct layout layout[KINDS];
static int kinds, rank;
static int *window;
static MPI_Win win;

static void add(const char *name, MPI_Datatype type, int count, const int *place)
{
    struct layout *l = &layout[kinds++];
    l->name = name, l->type = type, l->count = count;
    memcpy(l->place, place, sizeof l->place);
    MPI_Type_commit(&l->type);
}

#define ADD(NAME, TYPE, COUNT, ...) add(NAME, TYPE, COUNT, (const int[MOVED]){__VA_ARGS__})

static void list_layouts(void)
{
    const MPI_Aint one = sizeof(int);
    MPI_Datatype t, u;
    MPI_Type_contiguous(MOVED, MPI_INT, &t);
    ADD("contiguous", t, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    MPI_Type_vector(3, 2, 5, MPI_INT, &t); /* extent 12 ints */
    ADD("vector", t, 2, 0, 1, 5, 6, 10, 11, 12, 13, 17, 18, 22, 23);
    MPI_Type_vector(6, 1, 4, MPI_INT, &t);
    MPI_Type_create_resized(t, 0, one, &u);
    ADD("resized vector: columns of a matrix", u, 2, 0, 4, 8, 12, 16, 20, 1, 5, 9, 13, 17, 21);
    MPI_Type_create_hvector(4, 3, 7 * one, MPI_INT, &t);
    ADD("hvector", t, 1, 0, 1, 2, 7, 8, 9, 14, 15, 16, 21, 22, 23);
    /* 0 to 23: extent 23 ints from 0 */
    MPI_Type_indexed(3, (int[]){3, 1, 2}, (int[]){20, 0, 9}, MPI_INT, &t);
    ADD("indexed, out of order", t, 2, 20, 21, 22, 0, 9, 10, 43, 44, 45, 23, 32, 33);
    /* 2 to 10: extent 8 */
    MPI_Type_create_hindexed(2, (int[]){2, 4}, (MPI_Aint[]){8 * one, 2 * one}, MPI_INT, &t);
    ADD("hindexed", t, 2, 8, 9, 2, 3, 4, 5, 16, 17, 10, 11, 12, 13);
    MPI_Type_create_indexed_block(4, 3, (int[]){30, 20, 10, 0}, MPI_INT, &t);
    ADD("indexed block", t, 1, 30, 31, 32, 20, 21, 22, 10, 11, 12, 0, 1, 2);
    MPI_Type_vector(2, 1, 2, MPI_INT, &u);
    MPI_Type_create_struct(3, (int[]){1, 2, 1}, (MPI_Aint[]){0, 10 * one, 5 * one},
                           (MPI_Datatype[]){MPI_INT, u, MPI_INT}, &t);
    /* extent 16 */
    ADD("struct of ints and vectors", t, 2, 0, 10, 12, 13, 15, 5, 16, 26, 28, 29, 31, 21);
    MPI_Type_create_subarray(2, (int[]){6, 8}, (int[]){3, 4}, (int[]){2, 3}, MPI_ORDER_C, MPI_INT,
                             &t);
    ADD("subarray, C order", t, 1, 19, 20, 21, 22, 27, 28, 29, 30, 35, 36, 37, 38);
    MPI_Type_create_subarray(2, (int[]){6, 8}, (int[]){3, 4}, (int[]){2, 3}, MPI_ORDER_FORTRAN,
                             MPI_INT, &t);
    ADD("subarray, Fortran order", t, 1, 20, 21, 22, 26, 27, 28, 32, 33, 34, 38, 39, 40);
    MPI_Type_vector(2, 1, 3, MPI_INT, &u); /* 0, 3; extent 4 */
    MPI_Type_create_hvector(3, 2, 12 * one, u, &t);
    ADD("hvector of vectors", t, 1, 0, 3, 4, 7, 12, 15, 16, 19, 24, 27, 28, 31);
    MPI_Type_contiguous(3, MPI_INT, &u);
    MPI_Type_create_resized(u, 0, 5 * one, &t);
    ADD("resized, with a gap at the end", t, 4, 0, 1, 2, 5, 6, 7, 10, 11, 12, 15, 16, 17);
    MPI_Type_dup(layout[1].type, &t);
    ADD("dup of vector", t, 2, 0, 1, 5, 6, 10, 11, 12, 13, 17, 18, 22, 23);
    MPI_Type_create_resized(MPI_INT, -2 * one, 3 * one, &t); /* a lower bound below zero */
    ADD("resized, lower bound below zero", t, MOVED, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33);
}

static int before_at(int i) { return 1000 + i; }
static int origin_at(int i) { return 1 + 3 * i; }

static void set(int *cell, int (*value)(int))
{
    for (int i = 0; i < CELLS; i++) cell[i] = value(i);
}

enum what { PUT, GET, SUM };

/* Rank 0 operates on rank 1's window with origin layout o and target layout t: is every cell of the
 * changed side right? */
static int right(enum what what, const struct layout *o, const struct layout *t)
{
    static int buffer[CELLS], expected[CELLS];
    set(window, before_at);
    set(buffer, origin_at);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    if (rank == 0) {
        if (what == PUT) MPI_Put(buffer, o->count, o->type, 1, 0, t->count, t->type, win);
        if (what == GET) MPI_Get(buffer, o->count, o->type, 1, 0, t->count, t->type, win);
        if (what == SUM)
            MPI_Accumulate(buffer, o->count, o->type, 1, 0, t->count, t->type, MPI_SUM, win);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    int changed = what == GET ? 0 : 1; /* the rank whose memory changes */
    if (rank != changed) return 1;
    set(expected, what == GET ? origin_at : before_at);
    for (int i = 0; i < MOVED; i++) {
        if (what == GET) expected[o->place[i]] = before_at(t->place[i]);
        if (what == PUT) expected[t->place[i]] = origin_at(o->place[i]);
        if (what == SUM) expected[t->place[i]] += origin_at(o->place[i]);
    }
    return memcmp(what == GET ? buffer : window, expected, sizeof expected) == 0;
}

int main(int argc, char **argv)
{
    static const char *const verb[] = {"put", "get", "accumulate"};
    check_begin(&argc, &argv, 2);
    rank = check_rank;
    MPI_Win_allocate(CELLS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window,
                     &win);
    list_layouts();
    for (enum what what = PUT; what <= SUM; what++)
        for (int t = 0; t < kinds; t++) {
            int good = 1;
            for (int o = 0; o < kinds; o++) good &= right(what, &layout[o], &layout[t]);
            char sentence[160];
            snprintf(sentence, sizeof sentence, "%s with target type %s, from every origin type",
                     verb[what], layout[t].name);
            check(good, sentence);
        }
    for (int i = 0; i < kinds; i++) MPI_Type_free(&layout[i].type);
    MPI_Win_free(&win);
    return check_end();
}
