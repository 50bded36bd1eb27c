/* Random programs of get/put communicators: seeded, values known in advance, right on every machine
 * and under every policy. */
#include <stdlib.h>

#include <CUnit/CUnit.h>

#include "direct_scene.h"
#include "unit.h"

enum { BLOCK = 1024, BLOCKS = 4, PHASES = 2, OPS = 4 };

static unsigned next(unsigned *state)
{
    return *state = *state * 1664525u + 1013904223u, *state >> 8;
}

/* Everybody draws the whole program: in a phase each block of each window is one process's, which
 * puts to it and gets from it. Only the owner of a block writes what is expected of it, before the
 * barrier. */
static void random_program(int rank, void *data)
{
    struct scene *s = data;
    unsigned state = s->seed;
    for (int phase = 0; phase < PHASES; phase++) {
        for (int target = 0; target < s->ranks; target++)
            for (int block = 0; block < BLOCKS; block++) {
                int owner = (int)(next(&state) % (unsigned)s->ranks);
                unsigned pause = next(&state) % 6;
                if (owner == rank && pause == 0) compute(s, rank, 30e-6);
                for (int i = 0; i < OPS; i++) {
                    int from = (int)(next(&state) % BLOCK), most = BLOCK - from,
                        n = 1 + (int)(next(&state) % (unsigned)most);
                    bool puts = next(&state) % 3 > 0;
                    unsigned value = next(&state);
                    if (next(&state) % 2) n = 1 + (n - 1) % 12;
                    if (owner != rank) continue;
                    from += block * BLOCK;
                    uint8_t *expected = &s->expected[target][from];
                    if (puts) {
                        put(s, rank, target, from, n, value);
                        for (int k = 0; k < n; k++) expected[k] = (uint8_t)(value + (unsigned)k);
                    } else {
                        expect(s, memcmp(get(s, rank, target, from, n), expected, (size_t)n) == 0);
                    }
                }
            }
        barrier(s, rank);
        uint8_t seen[BLOCKS * BLOCK];
        load(s, rank, 0, seen, sizeof seen);
        expect(s, memcmp(seen, s->expected[rank], sizeof seen) == 0);
        barrier(s, rank);
    }
}

static void random_programs_see_the_right_values(void)
{
    const unsigned seeds = unit_sample("programs", 8, 100);
    for (unsigned seed = 1; seed <= seeds; seed++)
        for (size_t w = 0; w < G_N_ELEMENTS(worlds); w++) {
            static struct scene s;
            const char *const sets[] = {worlds[w].set, NULL};
            scene_open(&s, worlds[w].machine, sets, 2 + (int)(seed % 4));
            s.seed = seed;
            CU_ASSERT_EQUAL(engine_run(&s.e, random_program, &s), 0);
            if (s.wrong)
                printf("\n    seed %u: %d wrong on %s %s", seed, s.wrong, worlds[w].machine,
                       worlds[w].set ? worlds[w].set : "");
            CU_ASSERT_EQUAL(s.wrong, 0);
            scene_close(&s);
        }
}

UNIT_SUITE(direct_random, UNIT_TEST(random_programs_see_the_right_values))
