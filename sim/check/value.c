/* What values carry: a word written by an atomic, or by a small put, is what its writer had done
 * before; whoever gets the word by an atomic, or by a load and then MPI_Win_sync, is behind it. A
 * word is 8 bytes. One that several atomics changed carries what all of them had done. */
#include "check/touch.h"

static GHashTable *cells; /* address / 8 -> struct check_clock */

void check_cells_open(void)
{
    cells = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)check_clock_unref);
}

void check_cells_close(void) { g_clear_pointer(&cells, g_hash_table_unref); }

void check_cell_write(uintptr_t addr, const struct check_clock *clock, bool replaces)
{
    gpointer key = GSIZE_TO_POINTER(addr >> 3);
    struct check_clock *sum = NULL;
    if (!replaces) check_clock_merge(&sum, g_hash_table_lookup(cells, key));
    check_clock_merge(&sum, clock);
    g_hash_table_replace(cells, key, sum);
    check_page_make(addr)->cells = true;
}

void check_cell_read(uintptr_t addr, struct check_clock **behind)
{
    check_clock_merge(behind, g_hash_table_lookup(cells, GSIZE_TO_POINTER(addr >> 3)));
}
