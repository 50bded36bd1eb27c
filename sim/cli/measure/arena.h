/* Arrays of pages of the ordinary size, and rings of pointers in them. */
#ifndef CLI_MEASURE_ARENA_H
#define CLI_MEASURE_ARENA_H

#include "cli/measure/parts.h"

enum { CLI_PAGE = 4096 };
/* Bytes of touched memory, no huge pages; NULL: there is not so much. Free with cli_arena_free. */
char *cli_arena(size_t bytes);
void cli_arena_free(char *arena, size_t bytes);
uint64_t cli_random(void); /* the same sequence every time */
void cli_shuffle(uint32_t *number, size_t n);

/* Pointers at at[order[0]], at[order[1]] ..., each to the next, the last to the first. */
void cli_ring_link(char *arena, const uint32_t *order, size_t n, size_t unit);
/* A ring through every `unit` bytes of the array in random order; its number of elements. */
size_t cli_ring_random(char *arena, size_t bytes, size_t unit);
/* A ring that visits pages in random groups of 32, so that their translations stay at hand, and one
 * line in each 256 bytes of them, so that nothing is fetched ahead. */
size_t cli_ring_groups(char *arena, size_t bytes, size_t line);

/* What a ring is, beside how many elements it has: of the same one the quietest time counts. */
enum cli_ring {
    CLI_RING_SET,
    CLI_RING_LINES,
    CLI_RING_GROUPS,
    CLI_RING_PAGES,
    CLI_RING_ASCENDING,
    CLI_RING_BYTES,
    CLI_RING_PAIRS
};
/* A load of that ring, after it has been gone through once. */
struct cli_figure cli_chase(struct cli_bench *b, enum cli_ring ring, void *start, size_t elements);
/* The same of a ring whose lines were all read just before, side by side: of a cache that others
 * use, too, they are there even if a slow chain would come back to them too late. */
struct cli_figure cli_chase_read(struct cli_bench *b, void *start, size_t elements);
/* A load of the ring from `arena` on where no address waits for a load: n of its elements, a
 * multiple of 64, by an array of pointers to them. */
struct cli_figure cli_gather(struct cli_bench *b, enum cli_ring ring, char *arena, size_t n);
/* cli_best of the code as it stands, over that. */
struct cli_figure cli_best_over(struct cli_bench *b, enum cli_ring ring, size_t elements,
                                struct cli_figure figure);

#endif
