/* rows: see rows.h. */
#include "report/places/rows.h"

struct report_rows report_rows_new(guint bytes)
{
    return (struct report_rows){g_array_new(FALSE, FALSE, bytes),
                                g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL)};
}

void *report_rows_get(struct report_rows *rows, char *key, const void *fresh)
{
    guint at = GPOINTER_TO_UINT(g_hash_table_lookup(rows->by_key, key));
    if (at) {
        g_free(key);
    } else {
        g_array_append_vals(rows->row, fresh, 1);
        at = rows->row->len;
        g_hash_table_insert(rows->by_key, key, GUINT_TO_POINTER(at));
    }
    return rows->row->data + (size_t)(at - 1) * g_array_get_element_size(rows->row);
}

GArray *report_rows_sorted(struct report_rows *rows, GCompareFunc order)
{
    g_hash_table_unref(rows->by_key);
    g_array_sort(rows->row, order);
    return rows->row;
}
