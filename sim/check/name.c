/* Names that the program gave its windows; they outlive the windows, as findings do. */
#include "check/parts.h"

static GPtrArray *names; /* by the window's number; NULL: none */

void check_names_open(void) { names = g_ptr_array_new_with_free_func(g_free); }
void check_names_close(void) { g_clear_pointer(&names, g_ptr_array_unref); }

void check_window_named(int number, const char *name)
{
    if (names->len <= (guint)number) g_ptr_array_set_size(names, number + 1);
    g_free(names->pdata[number]);
    names->pdata[number] = g_strdup(name);
}

const char *check_window_name(int number)
{
    return number < 0 || (guint)number >= names->len ? NULL : names->pdata[number];
}
