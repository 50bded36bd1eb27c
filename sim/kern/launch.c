/* Starting SMPI: every SimGrid option Sidewinder depends on, in one place. */
#include <smpi/smpi.h>

#include <simgrid/version.h> /* wants what is before it */
/* SMPI's headers turn these into simulated ones. */
#undef exit
#undef sleep

#include "kern/copies.h"
#include "kern/costs.h"
#include "kern/handing.h"
#include "kern/order.h"
#include "kern/idle.h"
#include "kern/kern.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* SimGrid takes its options apart at blanks, commas, colons and quotes: where the path has one, its
 * folder goes by the number under which it is open here, a name that holds in the processes SMPI
 * starts too (sed). */
static char *plain(const char *path)
{
    static const char plain[] = G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS "/._-+";
    if (path[strspn(path, plain)] == '\0') return g_strdup(path);
    g_autofree char *folder = g_path_get_dirname(path), *name = g_path_get_basename(path);
    int number = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return number < 0 ? g_strdup(path)
                      : g_strdup_printf("/proc/%d/fd/%d/%s", (int)getpid(), number, name);
}

/* A block that glibc maps alone begins with a page for its head, which it writes: a page a rank for
 * its stack. In the heap what lies before a stack is used by other blocks. */
static void stacks_in_heap(void)
{
    enum { GUARD = 1 << 20 }; /* more than SimGrid adds to a stack */
    mallopt(M_MMAP_THRESHOLD, KERN_STACK_BYTES + GUARD);
    /* Twice that, as glibc has it where nobody sets the other: else what a long transfer frees goes
     * back to the system, and each page of the next one is a fault. */
    mallopt(M_TRIM_THRESHOLD, 2 * (KERN_STACK_BYTES + GUARD));
}

void kern_main(const struct kern_run *run)
{
    g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *hostfile = plain(run->hostfile), *tmpdir = plain(run->tmpdir),
                    *log = plain(run->log);
    g_ptr_array_add(argv, g_strdup(run->program));
#define CFG(...) g_ptr_array_add(argv, g_strdup_printf("--cfg=" __VA_ARGS__))
    CFG("smpi/np:%d", run->ranks);
    CFG("smpi/hostfile:%s", hostfile);
    CFG("smpi/tmpdir:%s", tmpdir);
    CFG("contexts/stack-size:%d", KERN_STACK_BYTES >> 10);
    CFG("smpi/privatization:dlopen");
    if (run->keep_copies) CFG("smpi/keep-temps:yes");
    /* The closed form of the machine's parameters: no correction factors, no window limit, no cross
     * traffic. */
    CFG("surf/precision:1e-12");
    CFG("network/model:LV08");
    CFG("network/latency-factor:1");
    CFG("network/bandwidth-factor:1");
    CFG("network/TCP-gamma:0");
    CFG("network/weight-S:0");
    CFG("network/crosstraffic:0");
    /* The solver shares out a link among all messages there each time that one comes or goes: time
     * that grows with their square. Beyond so many, the next waits for its turn. */
    CFG("maxmin/concurrency-limit:%d", KERN_MEETING);
    /* Host time is never measured; what MPI calls cost belongs to the machine. */
    CFG("smpi/simulate-computation:no");
    CFG("smpi/grow-injected-times:no");
    CFG("smpi/wtime:0");
    CFG("smpi/init:0");
    CFG("smpi/test:%.17g", run->test_s);
    CFG("smpi/iprobe:%.17g", run->test_s);
    const double long_s = run->overhead_send_s + run->fetch_s;
#if SIMGRID_VERSION_MAJOR < 4
    CFG("smpi/os:0:%.17g:0;%.0f:%.17g:0", run->overhead_send_s, run->short_bytes, long_s);
    CFG("smpi/ois:0:%.17g:0;%.0f:%.17g:0", run->overhead_send_s, run->short_bytes, long_s);
    CFG("smpi/or:0:%.17g:0", run->overhead_receive_s);
#else
    kern_costs(run->overhead_send_s, long_s, run->short_bytes, run->overhead_receive_s);
#endif
    /* long messages are started as synchronous ones: order.h */
    CFG("smpi/async-small-thresh:%d", INT_MAX);
    CFG("smpi/send-is-detached-thresh:%d", INT_MAX);
    kern_handing();
    kern_order(run->eager_bytes, run->overhead_receive_s);
    kern_copies(run->tmpdir, tmpdir, run->libraries, run->keep_copies);
    /* The default selector makes start-up explode: 48 s of processor time at 256 ranks for a window
     * allocation. */
    CFG("smpi/coll-selector:mpich");
    /* These three of it first build communicators of the ranks that share a host: 3 s at 256 ranks,
     * growing with the third power. */
    CFG("smpi/allreduce:rdb");
    CFG("smpi/bcast:binomial_tree");
    CFG("smpi/reduce:binomial");
#undef CFG
    g_ptr_array_add(argv, g_strdup("--log=root.thres:error"));
    g_ptr_array_add(argv, g_strdup_printf("--log=root.app:file:%s", log));
    g_ptr_array_add(argv, g_strdup("--log=root.fmt:sidewinder:%eSimGrid:%e%m%n"));
    g_ptr_array_add(argv, g_strdup(run->platform));
    int argc = (int)argv->len;
    g_ptr_array_add(argv, NULL);
    /* SimGrid takes its own options out of the array it is given. */
    g_autofree char **shuffled = g_memdup2(argv->pdata, argv->len * sizeof *argv->pdata);
    kern_idle_begin(run->ranks);
    stacks_in_heap();
    smpi_main(run->program, argc, shuffled);
}

/* ---- when SimGrid gives up ------------------------------------------------------------------- */

enum { SECONDS = 5, FILES_MAX = 4096 };

/* What it says of a program's exception is for its author, the frames behind it are not. */
static void say(FILE *words)
{
    static const char exception[] = "sidewinder: SimGrid: Uncaught exception ";
    char *line = NULL;
    size_t room = 0;
    rewind(words);
    while (getline(&line, &room, words) >= 0) {
        bool programs = g_str_has_prefix(line, exception);
        if (programs) fputs("sidewinder: uncaught exception ", stderr);
        fputs(programs ? line + strlen(exception) : line, stderr);
        if (programs) break;
    }
}

/* It says why in the log and aborts; the words are then still in the buffer of a FILE that only
 * SimGrid knows. Here, in a copy of the process, that FILE is the only one left, and leads to
 * memory. */
static void flush_log(const char *log)
{
    struct stat its, one;
    signal(SIGABRT, SIG_DFL);
    signal(SIGSEGV, SIG_DFL);
    alarm(SECONDS);
    if (stat(log, &its) != 0) _exit(0);
    const int words = memfd_create("sidewinder", MFD_CLOEXEC); /* -1: it goes out as it is */
    for (int file = 0; file < FILES_MAX; file++) {
        if (file == STDERR_FILENO || file == words || fstat(file, &one) != 0) continue;
        if (one.st_dev == its.st_dev && one.st_ino == its.st_ino)
            dup2(words >= 0 ? words : STDERR_FILENO, file);
        else
            close(file);
    }
    fflush(NULL);
    FILE *in = words >= 0 ? fdopen(words, "r") : NULL;
    if (in) say(in);
    _exit(0);
}

void kern_last_words(const char *log)
{
    pid_t child = _Fork();
    if (child == 0) flush_log(log);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
    }
}
