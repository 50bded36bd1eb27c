/* Jacobi's method on an n x n grid, spread in blocks over a grid of ranks: what every interface's
 * halo exchange shares, so that halo*.c differ in nothing but how edges travel.
 *
 * Each rank keeps its block twice, old and new, each with a halo one cell wide, the two grids one
 * behind the other. An iteration computes new from old, then new's edges go into the neighbours'
 * halos. Rows are contiguous, columns are vectors, and blocks may differ by one cell in size.
 *
 * The answer is known exactly: the mean of the four neighbours of u(i,j,t) = i^2 + 3j^2 + 2t is
 * u(i,j,t+1), all of it small integers. The outer boundary is set from it, so a halo one iteration
 * old, or of the wrong place, shows. */
#ifndef HALO_H
#define HALO_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum side { UP, DOWN, LEFT, RIGHT, SIDES };

struct block {
    /* of the interior, in the whole grid; cells are numbered from 1 */
    int first_row, first_column;
    int rows, columns;
};

static int rank, ranks, shape[2], place[2], n;
static struct block mine;
static int neighbour[SIDES]; /* MPI_PROC_NULL at the border */
/* what is sent, and as what it arrives */
static MPI_Datatype edge_here[SIDES], halo_there[SIDES];
/* in cells from the beginning of one grid */
static int edge_at[SIDES];
/* the same in the neighbour's; cells of one of its grids */
static MPI_Aint halo_at[SIDES], cells_there[SIDES];
static double *cell; /* both grids */

/* An interface: memory that the neighbours reach, and one way or several to iterate. */
struct halo_interface {
    const char *program;
    void (*allocate)(MPI_Aint bytes); /* sets `cell`; neighbours and types are known */
    /* after the first values, before the first iteration; NULL: nothing to do */
    void (*begin)(void);
    void (*release)(void);
    int ways;
    struct halo_way {
        const char *name;
        /* computes new from old and exchanges its edges; half: which of the two grids new is; t:
         * which iteration, from 1 */
        void (*iterate)(const double *old, double *new, int half, int t);
    } way[4];
};

static double exact(int i, int j, int t) { return (double)i * i + 3.0 * j * j + 2.0 * t; }

static struct block block_at(int row, int column)
{
    struct block b;
    b.first_row = row * n / shape[0] + 1;
    b.rows = (row + 1) * n / shape[0] + 1 - b.first_row;
    b.first_column = column * n / shape[1] + 1;
    b.columns = (column + 1) * n / shape[1] + 1 - b.first_column;
    return b;
}

static int stride(struct block b) { return b.columns + 2; }
static int cells(struct block b) { return (b.rows + 2) * stride(b); }

static void set_up_side(enum side side, int row, int column)
{
    neighbour[side] = MPI_PROC_NULL;
    if (row < 0 || row >= shape[0] || column < 0 || column >= shape[1]) return;
    neighbour[side] = row * shape[1] + column;
    struct block there = block_at(row, column);
    int here = stride(mine), other = stride(there);
    cells_there[side] = cells(there);
    if (side == UP || side == DOWN) {
        MPI_Type_contiguous(mine.columns, MPI_DOUBLE, &edge_here[side]);
        MPI_Type_contiguous(mine.columns, MPI_DOUBLE, &halo_there[side]);
        edge_at[side] = (side == UP ? 1 : mine.rows) * here + 1;
        halo_at[side] = (side == UP ? there.rows + 1 : 0) * other + 1;
    } else {
        MPI_Type_vector(mine.rows, 1, here, MPI_DOUBLE, &edge_here[side]);
        MPI_Type_vector(mine.rows, 1, other, MPI_DOUBLE, &halo_there[side]);
        edge_at[side] = here + (side == LEFT ? 1 : mine.columns);
        halo_at[side] = other + (side == LEFT ? there.columns + 1 : 0);
    }
    MPI_Type_commit(&edge_here[side]);
    MPI_Type_commit(&halo_there[side]);
}

static void set_up(void)
{
    place[0] = rank / shape[1], place[1] = rank % shape[1];
    mine = block_at(place[0], place[1]);
    set_up_side(UP, place[0] - 1, place[1]);
    set_up_side(DOWN, place[0] + 1, place[1]);
    set_up_side(LEFT, place[0], place[1] - 1);
    set_up_side(RIGHT, place[0], place[1] + 1);
}

/* The halo cells that lie on the outer boundary, and at time 0 everything. */
static void set_known(double *grid, int t)
{
    int width = stride(mine);
    for (int i = 0; i <= mine.rows + 1; i++)
        for (int j = 0; j <= mine.columns + 1; j++) {
            int row = mine.first_row + i - 1, column = mine.first_column + j - 1;
            int border = row == 0 || row == n + 1 || column == 0 || column == n + 1;
            if (t == 0 || border)
                grid[i * width + j] = exact(row, column, t);
            else if (i > 0 && i <= mine.rows && j < mine.columns)
                j = mine.columns;
        }
}

static void compute(const double *old, double *new, int t)
{
    int width = stride(mine);
    for (int i = 1; i <= mine.rows; i++)
        for (int j = 1; j <= mine.columns; j++) {
            const double *c = &old[i * width + j];
            new[i * width + j] = 0.25 * (c[-width] + c[width] + c[-1] + c[1]);
        }
    set_known(new, t);
}

static int count_wrong(const double *grid, int t)
{
    int wrong = 0;
    for (int i = 1; i <= mine.rows; i++)
        for (int j = 1; j <= mine.columns; j++)
            wrong += grid[i * stride(mine) + j] !=
                     exact(mine.first_row + i - 1, mine.first_column + j - 1, t);
    return wrong;
}

static int run(const struct halo_interface *with, const struct halo_way *way, int iterations)
{
    set_up();
    with->allocate(2 * (MPI_Aint)cells(mine) * (MPI_Aint)sizeof *cell);
    double *grid[2] = {cell, cell + cells(mine)};
    set_known(grid[0], 0);
    set_known(grid[1], 0);

    if (with->begin) with->begin();
    double start = MPI_Wtime();
    for (int t = 1; t <= iterations; t++) way->iterate(grid[(t - 1) % 2], grid[t % 2], t % 2, t);
    double elapsed = MPI_Wtime() - start;

    int wrong = count_wrong(grid[iterations % 2], iterations);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("halo %s: %d x %d cells on %d x %d ranks, %d iterations of %.3f us: %s\n", way->name,
               n, n, shape[0], shape[1], iterations, elapsed / iterations * 1e6,
               wrong ? "WRONG" : "ok");
    with->release();
    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL)
            MPI_Type_free(&edge_here[s]), MPI_Type_free(&halo_there[s]);
    return wrong != 0;
}

/* The whole program but for its interface. */
static int halo(int argc, char **argv, const struct halo_interface *with)
{
    int w = 0;
    while (argc > 1 && w < with->ways && strcmp(argv[1], with->way[w].name) != 0) w++;
    int iterations = argc > 3 ? atoi(argv[3]) : 10;
    n = argc > 2 ? atoi(argv[2]) : 64;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, shape);
    int code = 2;
    if (w < with->ways && argc <= 4 && iterations >= 1 && iterations <= 1000000 && n >= shape[0] &&
        n <= 16384)
        code = run(with, &with->way[w], iterations);
    else if (rank == 0) {
        fprintf(stderr, "usage: %s [", with->program);
        for (int i = 0; i < with->ways; i++)
            fprintf(stderr, "%s%s", i ? "|" : "", with->way[i].name);
        fprintf(stderr,
                "] [n, 64] [iterations, 10]\n  n x n cells over a grid of %d x %d ranks: n between "
                "%d and 16384\n",
                shape[0], shape[1], shape[0]);
    }
    MPI_Finalize();
    return code;
}

#endif
