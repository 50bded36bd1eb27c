/* What calls of MPI load and store beside their buffers (beside.h). */
#include "world/beside/beside.h"

#include "serve/clock/clock.h"
#include "world/access/access.h"
#include "world/pair/pair.h"
#include "world/place/place.h"
#include "world/rank/state.h"

#include <string.h>

enum { TABLES = 2 };
static const struct world_beside_row *table[TABLES]; /* NULL: none yet */
static GPtrArray *names;                             /* by number, from 1 on; interned */
static GPtrArray *known; /* the same functions' rows, once there are any; NULL: none */
static struct judged {   /* the call that is judged */
    struct world_rank_state *state;
    const char *call;
    uintptr_t pc;
    op_site site; /* of the call; 0: nobody has asked yet */
} judged;

static const struct world_beside_row *row_named(const char *name)
{
    for (int i = 0; i < TABLES && table[i]; i++)
        for (const struct world_beside_row *row = table[i]; row->name; row++)
            if (strcmp(row->name, name) == 0) return row;
    return NULL;
}

void world_beside_use(const struct world_beside_row *rows)
{
    int i = 0;
    while (i < TABLES && table[i] && table[i] != rows) i++;
    g_assert(i < TABLES);
    if (table[i]) return;
    table[i] = rows;
    if (known) g_ptr_array_set_size(known, 0);
}

uint16_t world_beside_number(const char *name)
{
    static const char wrapped[] = "sw_profile_"; /* PMPI_X of the program's */
    if (!check_on) return 0;
    if (g_str_has_prefix(name, wrapped)) name += strlen(wrapped);
    if (!g_str_has_prefix(name, "MPI_") && !g_str_has_prefix(name, "mpi_") && !row_named(name))
        return 0;
    if (!names) names = g_ptr_array_new();
    if (names->len >= UINT16_MAX) return 0;
    g_ptr_array_add(names, (gpointer)g_intern_string(name));
    return (uint16_t)names->len;
}

static const struct world_beside_row *row_of(uint16_t number)
{
    if (!known) known = g_ptr_array_new();
    while (known->len < names->len)
        g_ptr_array_add(known, (gpointer)row_named(g_ptr_array_index(names, known->len)));
    return number > 0 && number <= known->len ? g_ptr_array_index(known, number - 1) : NULL;
}

static void judge(struct world_rank_state *state, const struct world_beside_row *row, bool over)
{
    const struct mem_foreign *f = &state->rank.proc->cpu->foreign;
    judged.state = state;
    judged.call = row->call;
    judged.pc = state->call ? state->pc : f->asked.pc;
    judged.site = 0;
    row->judge(f->asked.word, over);
}

void world_beside_begins(struct mem_cpu *cpu)
{
    struct world_rank_state *state = &world_one.state[cpu->rank];
    const struct world_beside_row *row =
        check_on && !state->call ? row_of(cpu->foreign.asked.number) : NULL;
    if (row) judge(state, row, false);
    if (row && row->local) judge(state, row, true);
    if (!row || row->local) cpu->foreign.asked.number = 0;
}

void world_beside_over(struct world_rank *rank)
{
    struct world_rank_state *state = (struct world_rank_state *)rank;
    struct mem_foreign *f = &rank->proc->cpu->foreign;
    const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    if (f->asked.number == 0 || state->finished) return;
    const struct world_beside_row *row = row_of(f->asked.number);
    if (row && state->call && g_str_has_prefix(row->call, state->call) &&
        mem_foreign_lasts(f->asked.sp, f->asked.pc, here))
        judge(state, row, true);
    f->asked.number = 0;
}

void world_beside(const void *at, uint64_t bytes, bool stores)
{
    /* below LEAST lie addresses that stand for something; check_again takes up to MOST bytes */
    enum { LEAST = 4096, MOST = 64 };
    const struct judged mine = judged;
    struct world_rank *rank = &mine.state->rank;
    const uintptr_t addr = (uintptr_t)at;
    if (bytes == 0 || addr < LEAST || addr > UINTPTR_MAX - bytes - LEAST) return;
    if (sync_guards == 0 && !check_pairing && bytes <= MOST &&
        check_again(rank->rank, addr, bytes, stores, mine.pc) == CHECK_FREE)
        return;
    if (judged.site == 0) judged.site = world_users_site(world_site_of(mine.state, mine.pc));
    const op_site site = judged.site;
    const double now_s = serve_now(rank->proc);
    const bool inside = mine.state->call;
    if (sync_guards > 0) sync_guard_check(rank->proc->cpu, addr, bytes, site, now_s);
    if (check_pairing && !inside) world_pair_goes_on(rank);
    if (check_access(rank->rank, addr, bytes, stores ? CHECK_STORE : CHECK_LOAD, mine.call, site,
                     now_s))
        world_unfilter(rank, addr, bytes);
    if (check_pairing) world_pair_comes(rank, inside); /* others may run meanwhile */
    judged = mine;
    judged.site = site;
}
