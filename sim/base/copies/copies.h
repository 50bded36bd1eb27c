/* base/copies: files that are loaded more than once, as ranks' copies, and what they are copies of.
 * Code in any of them has one place: that in the first that was loaded. */
#ifndef BASE_COPIES_H
#define BASE_COPIES_H

#include <stdbool.h>
#include <stdint.h>

/* Does each rank need its own copy of the library or plug-in? Sidewinder cc has linked it. */
bool base_copies_wanted(const char *path);
/* `copy` is a path by which the loader knows a copy of `file`. */
void base_copies_add(const char *copy, const char *file);
/* What the path is a copy of; the path itself: of nothing. Kept. */
const char *base_copies_file(const char *path);
/* A copy lies in [base, end) now; other paths change nothing. */
void base_copies_loaded(const char *copy, uintptr_t base, uintptr_t end);
/* The same place in the first copy of that file that was loaded; outside copies the address. */
uintptr_t base_copies_place(uintptr_t address);

#endif
