/* rows: rows by what makes two of them one, in the order of their first. Inside report/places. */
#ifndef REPORT_ROWS_H
#define REPORT_ROWS_H

#include "base/base.h"

struct report_rows {
    GArray *row;
    GHashTable *by_key; /* text -> place in row, from 1 */
};

struct report_rows report_rows_new(guint bytes);
/* The row of that key, which is taken; `fresh` is added if there is none. Valid until the next. */
void *report_rows_get(struct report_rows *rows, char *key, const void *fresh);
/* The rows, which the caller unrefs; nothing else is left. */
GArray *report_rows_sorted(struct report_rows *rows, GCompareFunc order);
/* The larger comes first. */
static inline int report_falling(double a, double b) { return a > b ? -1 : a < b; }

#endif
