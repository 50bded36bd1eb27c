/* Random programs of PUT/ACCEPT: seeded, counts known in advance; they complete with the right values on every machine and policy. */
#include <CUnit/CUnit.h>
#include <string.h>

#include "match_scene.h"
#include "unit.h"

static unsigned next(unsigned *state) { return *state = *state * 1664525u + 1013904223u, *state >> 8; }

/* Everybody knows every process's requests: who asks whom, in phases of one tag each. */
static void random_program(int rank, void *data)
{
    struct scene *s = data;
    unsigned state = s->seed;
    for (int phase = 0; phase < 3; phase++) {
        enum sync_kind kind = (enum sync_kind)(next(&state) % SYNC_KINDS);
        bool gets = kind == SYNC_GET || kind == SYNC_GETC, calm = kind == SYNC_PUT || kind == SYNC_GET;
        int cells = 1 + (int)(next(&state) % 12), mine = 0, base = 128 * phase;
        bool early = next(&state) % 2, avails = calm && next(&state) % 3 == 0;
        struct { int origin, target; bool hold; } plan[9];
        int n = (int)(next(&state) % 9);
        for (int i = 0; i < n; i++) {
            plan[i].origin = (int)(next(&state) % RANKS), plan[i].target = (int)(next(&state) % RANKS);
            plan[i].hold = calm && next(&state) % 2;
            if (plan[i].target == rank && !plan[i].hold) mine++;
        }
        unsigned kinds = avails ? 1u << SYNC_PUT | 1u << SYNC_GET : 1u << kind;
        for (int i = 0; i < CELLS; i++)
            if (i >= base && i < base + 128) s->memory[rank][i] = gets ? 7000 * (rank + 1) + i : 0;
        /* A hold that no counting request of its origin follows may stay behind: such ones count after all. */
        for (int i = 0; i < n; i++) {
            bool follows = false;
            for (int k = i + 1; k < n; k++) follows |= plan[k].origin == plan[i].origin && plan[k].target == plan[i].target && !plan[k].hold;
            if (plan[i].hold && !follows) {
                plan[i].hold = false;
                if (plan[i].target == rank) mine++;
            }
        }
        struct sync_servicer *servicer = NULL;
        if (next(&state) % RANKS == (unsigned)rank) compute(s, rank, 100e-6);
        if (early && !avails) servicer = post(s, rank, kinds, CELLS, phase, mine);
        for (int i = 0; i < n; i++)
            if (plan[i].origin == rank) ask(s, rank, kind, plan[i].hold, plan[i].target, base + 14 * i, cells, phase, base + 14 * i);
        struct sync_servicer *one[9];      /* all posted first, so that nobody waits in a circle */
        for (int k = 0; avails && k < mine; k++) one[k] = post(s, rank, 1u << SYNC_PUT | 1u << SYNC_GET, CELLS, phase, 1);
        serve_enter(s->e.proc[rank], true);
        for (int k = 0; avails && k < mine; k++) sync_servicer_try(one[k], true);
        serve_leave(s->e.proc[rank]);
        for (int k = 0; avails && k < mine; k++) finish(s, rank, one[k]);
        if (!servicer) servicer = post(s, rank, calm ? 1u << kind : kinds, CELLS, phase, avails ? 0 : mine);
        finish(s, rank, servicer);
        expect(s, s->error[rank] == NULL);
        for (int i = 0; i < n; i++)
            for (int c = base + 14 * i; c < base + 14 * i + cells; c++) {
                if (!gets && plan[i].target == rank) expect(s, s->memory[rank][c] == 1000 * (plan[i].origin + 1) + c);
                if (gets && plan[i].origin == rank) expect(s, s->buffer[rank][c] == 7000 * (plan[i].target + 1) + c);
            }
        serve_wait_until(s->e.proc[rank], kern_now() + 1e-6);
    }
}

static void random_programs_complete_with_the_right_values(void)
{
    for (unsigned seed = 1; seed <= 100; seed++)
        for (size_t w = 0; w < G_N_ELEMENTS(worlds); w++) {
            struct scene s;
            scene_open(&s, &worlds[w]);
            s.seed = seed;
            CU_ASSERT_EQUAL(engine_run(&s.e, random_program, &s), 0);
            if (s.wrong) printf("\n    seed %u: %d wrong on %s %s", seed, s.wrong, worlds[w].machine, worlds[w].set ? worlds[w].set : "");
            CU_ASSERT_EQUAL(s.wrong, 0);
            scene_close(&s);
        }
}

UNIT_SUITE(match_random, UNIT_TEST(random_programs_complete_with_the_right_values))
