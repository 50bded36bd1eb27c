/* Ranges of addresses that may overlap, and which of them meet a given one. Each lies among those
 * of its own size, by where it begins: adding, removing and looking take a time that does not
 * depend on how many there are, as long as few overlap. Looking in a range that is long beside
 * those takes a time by its places or by their number, whichever are fewer.
 *
 * A user embeds struct base_range; owners are numbers, and never meet each other's.
 */
#ifndef BASE_RANGES_RANGES_H
#define BASE_RANGES_RANGES_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

struct base_range {
    uintptr_t base, end;
    uint64_t owner;
    struct base_range *older, *newer; /* of those in the same place */
    struct base_range *below, *above; /* the same of all of its size */
};
struct base_ranges;
struct base_ranges *base_ranges_new(void);
void base_ranges_free(struct base_ranges *all); /* the ranges themselves are their users' */
/* One that is there; NULL: none. */
struct base_range *base_ranges_one(const struct base_ranges *all);
void base_ranges_add(struct base_ranges *all, struct base_range *range);
void base_ranges_remove(struct base_ranges *all, struct base_range *range);

/* Calls `meets` with each of that owner that has a byte of [from, to): by size; then by place, the
 * newest first, or where there are more places than ranges, just the newest first. True: the older
 * ones of that place may be left out. */
typedef bool base_ranges_fn(struct base_range *range, void *data);
void base_ranges_each(const struct base_ranges *all, uint64_t owner, uintptr_t from, uintptr_t to,
                      base_ranges_fn *meets, void *data);

#endif
