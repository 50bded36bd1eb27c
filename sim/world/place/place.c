/* Places in the program, and messages. */
#include "world/place/place.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kern/kern.h"
#include "mach/mach.h"
#include "report/source/source.h"
#include "world/label/label.h"
#include "world/rank/state.h"

op_site world_site(const struct world_rank *rank)
{
    const struct world_rank_state *state = (const struct world_rank_state *)rank;
    return state->call ? world_site_of(state, state->pc) : 0;
}

const char *world_where(const struct world_rank *rank)
{
    return report_site(world_one.description.program, world_site(rank));
}

const char *world_place(op_site site) { return report_site(world_one.description.program, site); }

static GHashTable *libraries; /* site -> is it in a library, + 1 */

static bool in_library(op_site site)
{
    static op_site users[256]; /* found lately not to be in one, + 1 */
    op_site *lately = &users[site * UINT64_C(0x9e3779b97f4a7c15) >> 56];
    if (*lately == site + 1) return false;
    if (!libraries) libraries = g_hash_table_new(NULL, NULL);
    gpointer key = GSIZE_TO_POINTER(site);
    int known = GPOINTER_TO_INT(g_hash_table_lookup(libraries, key));
    if (!known) {
        known = !report_site_is_users(world_one.description.program, site) + 1;
        g_hash_table_insert(libraries, key, GINT_TO_POINTER(known));
    }
    if (known == 1) *lately = site + 1;
    return known == 2;
}

/* Of the calls that are under way, the innermost one of the program's own code. */
static op_site calling(op_site site)
{
    enum { MOST = 64 };
    void *pc[MOST];
    int n = backtrace(pc, MOST);
    const struct mem_cpu *cpu = world_one.state[kern_rank()].rank.proc->cpu;
    for (int i = 0; i < n; i++) {
        uintptr_t at = (uintptr_t)pc[i];
        if (at < cpu->code_base || at >= cpu->code_end) continue;
        op_site one = at - cpu->code_base;
        if (!in_library(one)) return one;
    }
    return site;
}

op_site world_users_site(op_site site) { return in_library(site) ? calling(site) : site; }

/* ---- wrappers -------------------------------------------------------------------------------- */

enum frame { USERS, WRAPPER, OUTSIDE };

static bool is_call(const char *function)
{
    return function &&
           (g_str_has_prefix(function, "MPI_") ||
            (g_str_has_prefix(function, "mpi_") && function[strlen(function) - 1] == '_'));
}

/* What a frame that goes on at pc belongs to, by the symbol of its function. */
static enum frame look_up(uintptr_t pc)
{
    const struct mem_cpu *cpu = world_one.state[kern_rank()].rank.proc->cpu;
    if (pc >= cpu->code_base && pc < cpu->code_end) {
        struct report_source_place place;
        report_source_place(world_one.description.program, pc - cpu->code_base, &place);
        return is_call(place.function) ? WRAPPER : USERS;
    }
    Dl_info info, own;
    if (!dladdr((void *)(pc - 1), &info) || !dladdr(&world_one, &own) ||
        info.dli_fbase == own.dli_fbase)
        return OUTSIDE;
    return is_call(info.dli_sname) ? WRAPPER : USERS;
}

static enum frame frame_at(uintptr_t pc)
{
    static GHashTable *known; /* pc -> enum frame */
    gpointer found, key = (gpointer)pc;
    if (!known) known = g_hash_table_new(NULL, NULL);
    if (g_hash_table_lookup_extended(known, key, NULL, &found)) return GPOINTER_TO_UINT(found);
    const enum frame frame = look_up(pc);
    g_hash_table_insert(known, key, GUINT_TO_POINTER(frame));
    return frame;
}

uintptr_t world_wrapped(uintptr_t pc)
{
    enum { MOST = 32 };
    void *at[MOST];
    if (!world_state_here()) return pc;
    const int n = backtrace(at, MOST);
    int i = 0;
    while (i < n && (uintptr_t)at[i] != pc) i++;
    while (i < n && frame_at((uintptr_t)at[i]) == USERS) i++;
    if (i >= n || frame_at((uintptr_t)at[i]) != WRAPPER) return pc;
    while (i < n && frame_at((uintptr_t)at[i]) == WRAPPER) i++;
    return i < n ? (uintptr_t)at[i] : pc;
}

void world_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    g_autofree char *line = g_strdup_printf("sidewinder: %s\n", text);
    fflush(stdout);
    if (world_labels)
        world_label_say(kern_rank(), line);
    else
        fputs(line, stderr);
}

void world_abort(int code)
{
    if (world_unseen_here()) { /* the engine cannot be stopped from outside its own thread */
        fflush(NULL);
        _exit(code);
    }
    world_one.aborted = true;
    world_one.exit_code = code;
    kern_stop();
}

void world_check_date(const struct world_rank *rank, double now_s)
{
    if (now_s < world_one.last_s || world_one.aborted) return;
    g_autofree char *clock = base_format(world_one.mach->cpu_clock, BASE_HERTZ);
    const char *at = world_site(rank) ? world_where(rank) : NULL;
    world_say("rank %d has come to the last simulated time that can be computed at cpu.clock=%s, "
              "%.0f s%s%s: the run is over",
              rank->rank, clock, world_one.last_s, at ? ", in a call at " : "", at ? at : "");
    world_abort(1);
}
