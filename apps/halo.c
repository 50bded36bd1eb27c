/* Jacobi's method on an n x n grid, spread in blocks over a grid of ranks that exchange their edges with
 * one-sided puts.
 *
 * Each rank keeps its block twice, old and new, each with a halo one cell wide; one window covers both. An
 * iteration computes new from old, then puts new's edges into the neighbours' halos, synchronised in one of
 * three ways. Rows are contiguous, columns are vectors, and blocks may differ by one cell in size.
 *
 * The answer is known exactly: the mean of the four neighbours of u(i,j,t) = i^2 + 3j^2 + 2t is u(i,j,t+1), all
 * of it small integers. The outer boundary is set from it, so a halo one iteration old, or of the wrong place,
 * shows. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum side { UP, DOWN, LEFT, RIGHT, SIDES };

struct block {
    int first_row, first_column;   /* of the interior, in the whole grid; cells are numbered from 1 */
    int rows, columns;
};

static int rank, ranks, shape[2], place[2], n;
static struct block mine;
static int neighbour[SIDES];
static MPI_Datatype edge_here[SIDES], halo_there[SIDES];   /* what is put, and as what it arrives */
static int edge_at[SIDES];                                 /* in cells from the beginning of one grid */
static MPI_Aint halo_at[SIDES], cells_there[SIDES];
static MPI_Group neighbours;
static double *cell;                                       /* both grids */
static MPI_Win win;

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

    int member[SIDES], members = 0;
    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL) member[members++] = neighbour[s];
    MPI_Group world;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, members, member, &neighbours);
    MPI_Group_free(&world);
    MPI_Win_allocate(2 * (MPI_Aint)cells(mine) * (MPI_Aint)sizeof *cell, sizeof *cell, MPI_INFO_NULL, MPI_COMM_WORLD,
                     &cell, &win);
}

/* The halo cells that lie on the outer boundary, and at time 0 everything. */
static void set_known(double *grid, int t)
{
    int width = stride(mine);
    for (int i = 0; i <= mine.rows + 1; i++)
        for (int j = 0; j <= mine.columns + 1; j++) {
            int row = mine.first_row + i - 1, column = mine.first_column + j - 1;
            int border = row == 0 || row == n + 1 || column == 0 || column == n + 1;
            if (t == 0 || border) grid[i * width + j] = exact(row, column, t);
            else if (i > 0 && i <= mine.rows && j < mine.columns) j = mine.columns;
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

static void put_edge(const double *grid, int half, enum side s)
{
    MPI_Put(&grid[edge_at[s]], 1, edge_here[s], neighbour[s], half * cells_there[s] + halo_at[s], 1, halo_there[s], win);
}

static void iterate_with_fence(const double *old, double *new, int half, int t)
{
    compute(old, new, t);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);      /* local stores before, puts after: never both in one epoch */
    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL) put_edge(new, half, s);
    MPI_Win_fence(MPI_MODE_NOSTORE | MPI_MODE_NOSUCCEED, win);
}

static void iterate_with_post(const double *old, double *new, int half, int t)
{
    compute(old, new, t);
    MPI_Win_post(neighbours, 0, win);
    MPI_Win_start(neighbours, 0, win);
    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL) put_edge(new, half, s);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
}

static void iterate_with_lock(const double *old, double *new, int half, int t)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);      /* the neighbours' puts become visible to loads */
    compute(old, new, t);
    MPI_Win_unlock(rank, win);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL) {
            MPI_Win_lock(MPI_LOCK_SHARED, neighbour[s], 0, win);      /* the edges of the neighbours do not overlap */
            put_edge(new, half, s);
            MPI_Win_unlock(neighbour[s], win);
        }
    MPI_Barrier(MPI_COMM_WORLD);
}

static int count_wrong(const double *grid, int t)
{
    int wrong = 0;
    for (int i = 1; i <= mine.rows; i++)
        for (int j = 1; j <= mine.columns; j++)
            wrong += grid[i * stride(mine) + j] != exact(mine.first_row + i - 1, mine.first_column + j - 1, t);
    return wrong;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*iterate)(const double *old, double *new, int half, int t);
    } variant[] = {{"fence", iterate_with_fence}, {"pscw", iterate_with_post}, {"lock", iterate_with_lock}};
    size_t v = 0, variants = sizeof variant / sizeof *variant;
    while (argc > 1 && v < variants && strcmp(argv[1], variant[v].name) != 0) v++;
    int iterations = argc > 3 ? atoi(argv[3]) : 10;
    n = argc > 2 ? atoi(argv[2]) : 64;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, shape);
    if (v == variants || argc > 4 || iterations < 1 || iterations > 1000000 || n < shape[0] || n > 16384) {
        if (rank == 0)
            fprintf(stderr, "usage: halo [fence|pscw|lock] [n, 64] [iterations, 10]\n"
                            "  n x n cells over a grid of %d x %d ranks: n between %d and 16384\n", shape[0], shape[1], shape[0]);
        MPI_Finalize();
        return 2;
    }
    set_up();
    double *grid[2] = {cell, cell + cells(mine)};
    set_known(grid[0], 0);
    set_known(grid[1], 0);

    MPI_Win_fence(MPI_MODE_NOPRECEDE | MPI_MODE_NOSUCCEED, win);
    double start = MPI_Wtime();
    for (int t = 1; t <= iterations; t++) variant[v].iterate(grid[(t - 1) % 2], grid[t % 2], t % 2, t);
    double elapsed = MPI_Wtime() - start;

    int wrong = count_wrong(grid[iterations % 2], iterations);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("halo %s: %d x %d cells on %d x %d ranks, %d iterations of %.3f us: %s\n", variant[v].name, n, n, shape[0],
               shape[1], iterations, elapsed / iterations * 1e6, wrong ? "WRONG" : "ok");

    for (int s = 0; s < SIDES; s++)
        if (neighbour[s] != MPI_PROC_NULL) MPI_Type_free(&edge_here[s]), MPI_Type_free(&halo_there[s]);
    MPI_Group_free(&neighbours);
    MPI_Win_free(&win);
    MPI_Finalize();
    return wrong != 0;
}
