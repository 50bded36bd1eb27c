/* report/page, inside: numbers as the page's script reads them, and numbers in texts' stead. Not a
 * door. */
#ifndef REPORT_PAGE_NUMBERS_H
#define REPORT_PAGE_NUMBERS_H

#include "base/base.h"

/* Texts, numbered in order of first use. */
struct report_numbers {
    GHashTable *number; /* text: number */
    GPtrArray *text;
};
struct report_numbers report_numbers_new(void);
void report_numbers_free(struct report_numbers *n);
/* takes text */
int64_t report_number_of(struct report_numbers *n, char *text);

void report_base36(GString *to, int64_t value);

#endif
