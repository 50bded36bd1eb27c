/* Errors, and the name that was probably meant. */
#include <string.h>

#include "base/base.h"

G_DEFINE_QUARK(base - error - quark, base_error)

/* Levenshtein distance; names are short. */
static size_t distance(const char *a, const char *b)
{
    size_t n = strlen(b);
    g_autofree size_t *row = g_new(size_t, n + 1);
    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            size_t above = row[j + 1];
            size_t cost = MIN(MIN(row[j], above) + 1, diagonal + (a[i] != b[j]));
            diagonal = above;
            row[j + 1] = cost;
        }
    }
    return row[n];
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
