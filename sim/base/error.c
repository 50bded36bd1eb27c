/* Errors, and the name that was probably meant. */
#include <string.h>

#include "base/base.h"

G_DEFINE_QUARK(base - error - quark, base_error)

/* Letters to add, to leave out, to change, and neighbours to exchange; names are short. */
static size_t distance(const char *a, const char *b)
{
    const size_t n = strlen(b) + 1;
    g_autofree size_t *rows = g_new(size_t, 3 * n);
    size_t *before = rows, *last = rows + n, *row = rows + 2 * n;
    for (size_t j = 0; j < n; j++) row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t *free_row = before;
        before = last, last = row, row = free_row;
        row[0] = i;
        for (size_t j = 1; j < n; j++) {
            row[j] = MIN(MIN(last[j], row[j - 1]) + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = MIN(row[j], before[j - 2] + 1);
        }
    }
    return row[n - 1];
}

enum { BEGUN = 5 }; /* letters that leave no doubt which names begin so */

const char *base_nearest(const char *name, const char *const *names, size_t n)
{
    const char *best = NULL;
    size_t least =
        strlen(name) / 2 + 1; /* names that differ in more letters than they share are not alike */
    for (size_t i = 0; i < n; i++) {
        /* a name that was not written to its end */
        bool begun = strlen(name) >= BEGUN && strncmp(name, names[i], strlen(name)) == 0;
        size_t d = begun ? 0 : distance(name, names[i]);
        if (d < least) {
            least = d;
            best = names[i];
        }
    }
    return best;
}
