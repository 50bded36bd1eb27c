/* Windows by handle, by rank and by Fortran's number. */
#include "dialect/mpi/window/window.h"

static GHashTable *handles; /* every window alive -> itself: a handle may be garbage */
static GPtrArray *fortran;  /* windows by Fortran number, from 1 */

struct dialect_win *dialect_win_find(MPI_Win win)
{
    return handles ? g_hash_table_lookup(handles, win) : NULL;
}

void dialect_win_add(struct dialect_win *w)
{
    if (!handles) handles = g_hash_table_new(NULL, NULL);
    g_hash_table_add(handles, w);
    w->next = dialect_rank(w->rank)->windows;
    dialect_rank(w->rank)->windows = w;
}

void dialect_win_remove(struct dialect_win *w)
{
    struct dialect_win **link = &dialect_rank(w->rank)->windows;
    while (*link && *link != w) link = &(*link)->next;
    if (*link) *link = w->next;
    g_hash_table_remove(handles, w);
    if (w->fortran) g_ptr_array_index(fortran, w->fortran - 1) = NULL;
}

MPI_Fint MPI_Win_c2f(MPI_Win win)
{
    struct dialect_win *w = dialect_win_find(win);
    if (!w) return 0;
    if (!fortran) fortran = g_ptr_array_new();
    if (!w->fortran) {
        g_ptr_array_add(fortran, w);
        w->fortran = (MPI_Fint)fortran->len;
    }
    return w->fortran;
}

MPI_Win MPI_Win_f2c(MPI_Fint win)
{
    if (!fortran || win < 1 || (guint)win > fortran->len) return MPI_WIN_NULL;
    struct dialect_win *w = g_ptr_array_index(fortran, win - 1);
    return w ? dialect_win_handle(w) : MPI_WIN_NULL;
}
