/* The one symbol a program object needs. */
#include "base/copies/copies.h"
#include "base/floating/floating.h"
#include "probe/foreign.h"
#include "world/program/program.h"
#include "world/rank/rank.h"
#include "world/signal/signal.h"
#include "probe/hooks.h"
#include "probe/stand_ins.h"

#include "sidewinder.h"

#include <dlfcn.h>

static void compute(double seconds, uintptr_t pc)
{
    struct mem_cpu *cpu = world_cpu();
    int64_t before = cpu->ledger.work;
    world_compute(seconds, pc);
    if (cpu->ledger.work > before) profile_work(mem_place(cpu, pc), cpu->ledger.work - before);
}

/* These compute dates, with a state of floating point of their own. */

void sw_compute(double cycles)
{
    unsigned floating = base_sse_begin();
    compute(world_cycles(cycles), PROBE_CALLER);
    base_sse_end(floating);
}

void sw_compute_seconds(double seconds)
{
    unsigned floating = base_sse_begin();
    compute(seconds, PROBE_CALLER);
    base_sse_end(floating);
}

void sw_flush(const void *addr, size_t bytes)
{
    unsigned floating = base_sse_begin();
    world_flush((uintptr_t)addr, bytes);
    base_sse_end(floating);
}

void sw_invalidate(const void *addr, size_t bytes)
{
    unsigned floating = base_sse_begin();
    world_invalidate((uintptr_t)addr, bytes);
    base_sse_end(floating);
}

void sw_invalidate_all(void) { sw_invalidate(NULL, SIZE_MAX); }
int sw_counters(void) { return world_counters(); }

static void stored(const void *to, size_t n, uintptr_t pc)
{
    if (n > 0 && probe_active()) probe_store((uintptr_t)to, n, pc);
}

/* An instrumented library of the user: the rank's own copy, or all ranks share it. */
static void library_start(uintptr_t base, uintptr_t end)
{
    Dl_info found;
    if (!world_simulated()) return;
    if (dladdr((const void *)base, &found)) {
        base_copies_loaded(found.dli_fname, base, end);
        world_library_start(found.dli_fname, base);
    }
    probe_foreign_instrumented(base, end);
    probe_foreign_calls(base, end);
}

static void program_start(uintptr_t base, uintptr_t end)
{
    probe_answer();
    world_program_start(base, end);
    if (world_simulated()) probe_foreign_calls(base, end);
}

const struct probe_calls probe_calls = {
    .bytes = sizeof(struct probe_calls),
    .program_start = program_start,
    .library_start = library_start,
    .run_main = probe_run_main,
    .simulated = world_simulated,
    .memcpy = probe_memcpy,
    .mempcpy = probe_mempcpy,
    .memmove = probe_memmove,
    .memset = probe_memset,
    .memcmp = probe_memcmp,
    .memchr = probe_memchr,
    .strlen = probe_strlen,
    .strnlen = probe_strnlen,
    .strcpy = probe_strcpy,
    .stpcpy = probe_stpcpy,
    .strncpy = probe_strncpy,
    .strcat = probe_strcat,
    .strncat = probe_strncat,
    .strcmp = probe_strcmp,
    .strncmp = probe_strncmp,
    .strcasecmp = probe_strcasecmp,
    .strncasecmp = probe_strncasecmp,
    .strchr = probe_strchr,
    .strrchr = probe_strrchr,
    .strstr = probe_strstr,
    .strdup = probe_strdup,
    .strndup = probe_strndup,
    .strspn = probe_strspn,
    .strcspn = probe_strcspn,
    .strpbrk = probe_strpbrk,
    .stpncpy = probe_stpncpy,
    .strchrnul = probe_strchrnul,
    .memmem = probe_memmem,
    .memrchr = probe_memrchr,
    .rawmemchr = probe_rawmemchr,
    .memccpy = probe_memccpy,
    .strcasestr = probe_strcasestr,
    .strsep = probe_strsep,
    .strtok_r = probe_strtok_r,
    .qsort = probe_qsort,
    .fread = probe_fread,
    .fwrite = probe_fwrite,
    .fgets = probe_fgets,
    .getdelim = probe_getdelim,
    .fputs = probe_fputs,
    .read = probe_read,
    .write = probe_write,
    .writev = probe_writev,
    .vsnprintf = probe_vsnprintf,
    .vasprintf = probe_vasprintf,
    .vfprintf = probe_vfprintf,
    .vdprintf = probe_vdprintf,
    .vscanf = probe_vscanf,
    .puts = probe_puts,
    .strtol = probe_strtol,
    .strtoul = probe_strtoul,
    .strtod = probe_strtod,
    .strtof = probe_strtof,
    .atoi = probe_atoi,
    .malloc = probe_malloc,
    .calloc = probe_calloc,
    .realloc = probe_realloc,
    .free = probe_free,
    .memalign = probe_memalign,
    .malloc_usable_size = probe_malloc_usable_size,
    .gettimeofday = probe_gettimeofday,
    .clock_gettime = probe_clock_gettime,
    .time = probe_time,
    .clock = probe_clock,
    .time_stamp = probe_time_stamp,
    .times = probe_times,
    .getrusage = probe_getrusage,
    .sleep = probe_sleep,
    .usleep = probe_usleep,
    .nanosleep = probe_nanosleep,
    .loaded = probe_load_range,
    .stored = stored,
    .gave = probe_stored,
    .executed = probe_execute,
    .munmap = probe_munmap,
    .madvise = probe_madvise,
    .exit = probe_exit,
    .at_exit = probe_at_exit,
    .exit_at_once = probe_exit_at_once,
    .uname = probe_uname,
    .sysconf = probe_sysconf,
    .processor = probe_processor,
    .chdir = probe_chdir,
    .fchdir = probe_fchdir,
    .plug_in = probe_plug_in,
    .umask = probe_umask,
    .setenv = probe_setenv,
    .putenv = probe_putenv,
    .unsetenv = probe_unsetenv,
    .clearenv = probe_clearenv,
    .dup2 = probe_dup2,
    .freopen = probe_freopen,
    .become = probe_become,
    .become_found = probe_become_found,
    .become_at = probe_become_at,
    .getpid = probe_getpid,
    .kill = probe_kill,
    .killpg = probe_killpg,
    .sigqueue = probe_sigqueue,
    .tgkill = probe_tgkill,
    .pause = probe_pause,
    .sigsuspend = probe_sigsuspend,
    .mask = probe_sigmask,
    .sigpending = probe_sigpending,
    .sigtimedwait = probe_sigtimedwait,
    .itimer = probe_itimer,
    .fork = probe_fork,
    .spawn = probe_spawn,
    .wait4 = probe_wait4,
    .waitid = probe_waitid,
    .sigaction = probe_sigaction,
    .signal = probe_signal,
    .hook_load = probe_hook_load,
    .hook_store = probe_hook_store,
    .hook_load_range = probe_hook_load_range,
    .hook_store_range = probe_hook_store_range,
    .hook_branch = probe_hook_branch,
    .hook_target = probe_hook_target,
    .hook_rounds = probe_hook_rounds,
    .hook_again = probe_hook_again,
    .hook_begin = probe_hook_begin,
    .hook_budget = probe_hook_budget,
    .hook_stand = probe_hook_stand,
    .hook_change = probe_hook_change,
    .hook_compare = probe_hook_compare,
    .hook_compare_with = probe_hook_compare_with,
    .hook_fence = probe_hook_fence,
    .hook_ends = probe_hook_ends,
    .hook_price = probe_hook_price,
    .hook_mark = probe_hook_mark,
    .marks = probe_marks,
    .objects = probe_objects,
};
