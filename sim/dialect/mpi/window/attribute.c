/* Attributes cached on windows (MPI-2 6.7.3, 11.2.1). Copy callbacks are kept but never run:
 * windows are not duplicated. */
#include "dialect/mpi/window/window.h"

enum { FIRST_KEYVAL = 100 }; /* clear of the predefined ones, which are negative */

struct keyval {
    MPI_Win_copy_attr_function *copy;
    MPI_Win_delete_attr_function *delete;
    void *extra;
    bool freed; /* no new attributes; old ones live on */
};
static GPtrArray *keyvals; /* by number - FIRST_KEYVAL */

static struct keyval *keyval_of(int number)
{
    int i = number - FIRST_KEYVAL;
    return keyvals && i >= 0 && (guint)i < keyvals->len ? g_ptr_array_index(keyvals, i) : NULL;
}

int MPI_Win_create_keyval(MPI_Win_copy_attr_function *copy_fn,
                          MPI_Win_delete_attr_function *delete_fn, int *keyval, void *extra_state)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    if (!keyvals) keyvals = g_ptr_array_new();
    struct keyval *made = g_new(struct keyval, 1);
    *made = (struct keyval){copy_fn, delete_fn, extra_state, false};
    g_ptr_array_add(keyvals, made);
    *keyval = FIRST_KEYVAL + (int)keyvals->len - 1;
    return MPI_SUCCESS;
}

int MPI_Win_free_keyval(int *keyval)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    struct keyval *known = keyval_of(*keyval);
    if (!known || known->freed)
        return dialect_error(world_here(), MPI_COMM_NULL, __func__, MPI_ERR_KEYVAL,
                             "%d is not a window attribute key", *keyval);
    known->freed = true;
    *keyval = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

/* Runs the delete callback, then forgets the value. An error of the callback leaves it. */
static int drop(struct dialect_win *w, int keyval)
{
    gpointer value;
    if (!w->attributes ||
        !g_hash_table_lookup_extended(w->attributes, GINT_TO_POINTER(keyval), NULL, &value))
        return MPI_SUCCESS;
    struct keyval *known = keyval_of(keyval);
    if (known->delete) {
        DIALECT_AWAY;
        struct world_rank *r = dialect_callback_begin();
        const int code = dialect_callback_end(
            r, known->delete(dialect_win_handle(w), keyval, value, known->extra));
        if (code != MPI_SUCCESS) return code;
    }
    g_hash_table_remove(w->attributes, GINT_TO_POINTER(keyval));
    return MPI_SUCCESS;
}

int dialect_attributes_delete_all(struct dialect_win *w)
{
    int worst = MPI_SUCCESS;
    for (guint i = 0; w->attributes && keyvals && i < keyvals->len; i++) {
        int code = drop(w, FIRST_KEYVAL + (int)i);
        if (code != MPI_SUCCESS) worst = code;
    }
    if (w->attributes) g_hash_table_destroy(w->attributes);
    w->attributes = NULL;
    return worst;
}

static int bad_key(struct dialect_win *w, const char *call, int keyval)
{
    if (keyval < 0 && keyval >= MPI_WIN_MODEL)
        return dialect_win_error(w, call, MPI_ERR_KEYVAL,
                                 "a predefined attribute cannot be changed");
    return dialect_win_error(w, call, MPI_ERR_KEYVAL, "%d is not a window attribute key", keyval);
}

int MPI_Win_set_attr(MPI_Win win, int keyval, void *value)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    struct dialect_win *w = dialect_win_find(win);
    if (!w) return dialect_bad_window(__func__);
    struct keyval *known = keyval_of(keyval);
    if (!known || known->freed) return bad_key(w, __func__, keyval);
    int code = drop(w, keyval);
    if (code != MPI_SUCCESS)
        return dialect_win_error(w, __func__, code, "the delete callback failed");
    if (!w->attributes) w->attributes = g_hash_table_new(NULL, NULL);
    g_hash_table_insert(w->attributes, GINT_TO_POINTER(keyval), value);
    return MPI_SUCCESS;
}

int MPI_Win_delete_attr(MPI_Win win, int keyval)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    struct dialect_win *w = dialect_win_find(win);
    if (!w) return dialect_bad_window(__func__);
    if (!keyval_of(keyval)) return bad_key(w, __func__, keyval);
    int code = drop(w, keyval);
    return code == MPI_SUCCESS ? code
                               : dialect_win_error(w, __func__, code, "the delete callback failed");
}

/* Where a program reads that number. Its page is aligned, and numbers lie in the order in which
 * they are first asked for: caches take them by their place in a page, so it must not be the
 * simulator's heap that decides it. */
static void *number_at(int64_t number)
{
    enum { PAGE = 4096, IN_A_PAGE = PAGE / sizeof(int64_t) };
    static GHashTable *known; /* of all ranks: no program may change them */
    static int64_t *page;
    static guint n;
    if (!known) known = g_hash_table_new(g_int64_hash, g_int64_equal);
    int64_t *at = g_hash_table_lookup(known, &number);
    if (at) return at;
    if (n % IN_A_PAGE == 0) page = g_aligned_alloc(IN_A_PAGE, sizeof *page, PAGE);
    at = page + n++ % IN_A_PAGE;
    *at = number;
    g_hash_table_add(known, at);
    return at;
}

int MPI_Win_get_attr(MPI_Win win, int keyval, void *value, int *flag)
{
    if (dialect_in_thread(__func__, DIALECT_PC)) return MPI_ERR_OTHER;
    struct dialect_win *w = dialect_win_find(win);
    if (!w) return dialect_bad_window(__func__);
    void **to = value;
    gpointer cached = NULL;
    *flag = 1;
    switch (keyval) { /* a base is given itself, the others by address (MPI-2 11.2.1) */
    case MPI_WIN_BASE: *to = w->flavor == MPI_WIN_FLAVOR_DYNAMIC ? MPI_BOTTOM : w->base; break;
    case MPI_WIN_SIZE: *to = number_at(w->bytes); break;
    case MPI_WIN_DISP_UNIT: *to = number_at(w->disp_unit); break;
    case MPI_WIN_CREATE_FLAVOR: *to = number_at(w->flavor); break;
    case MPI_WIN_MODEL: *to = number_at(w->model); break;
    default:
        if (!keyval_of(keyval)) {
            *flag = 0;
            return dialect_win_error(w, __func__, MPI_ERR_KEYVAL,
                                     "%d is not a window attribute key", keyval);
        }
        *flag = w->attributes &&
                g_hash_table_lookup_extended(w->attributes, GINT_TO_POINTER(keyval), NULL, &cached);
        if (*flag) *to = cached;
    }
    return MPI_SUCCESS;
}
