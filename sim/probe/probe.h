/* probe: what a program compiled by `sidewinder cc` calls in place of the compiler's race detector
 * and of C's library.
 *
 * The compiler plugin (instrument) puts a look into the processor's filters before every load and
 * store of memory, and a call of a hook (hooks.c) where they have no answer (in_line/in_line.h). A
 * hook hands the access to mem and, when mem asks, lets world move the rank's clock; it models
 * nothing. What a library touches, the bytes that memcpy, strlen or fread touch, the program
 * object's stand-ins send here (string.c, stream.c). The rank's heap (heap.c) and its time
 * (clock.c) are here for one reason: nothing a program sees may depend on the host.
 *
 * What code that is not instrumented stores into segments is found and carried (foreign.h).
 *
 * Left out: variables that the compiler keeps in registers, what it passes on the stack, and the
 * time of what an uninstrumented object does itself.
 */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H

#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>

struct mem_cpu;
struct mem_site;
struct probe_object;
struct probe_mark;

#define PROBE_EXPORT __attribute__((visibility("default")))

/* Everything a program's own copy of the program object needs, behind one symbol: a rank's copy
 * then has one relocation for all. The functions take and return what C's library says. Each finds
 * its caller by its return address, so the stand-ins reach them by a jump (a tail call). Natively,
 * outside a simulation, each is the library's function. */
struct probe_calls {
    size_t bytes; /* of this structure: a program built by another version knows another one */
    /* A copy of the program is loaded at [base, end); called by its first constructor. */
    void (*program_start)(uintptr_t base, uintptr_t end);
    /* The same for a shared library that sidewinder cc has linked. */
    void (*library_start)(uintptr_t base, uintptr_t end);
    /* Runs the program with its arguments and ends the rank with what it returns. */
    void (*run_main)(int (*main)(int argc, char **argv, char **env));
    bool (*simulated)(void);

    /* string.c */
    void *(*memcpy)(void *to, const void *from, size_t n);
    void *(*mempcpy)(void *to, const void *from, size_t n);
    void *(*memmove)(void *to, const void *from, size_t n);
    void *(*memset)(void *to, int byte, size_t n);
    int (*memcmp)(const void *a, const void *b, size_t n);
    void *(*memchr)(const void *s, int byte, size_t n);
    size_t (*strlen)(const char *s);
    size_t (*strnlen)(const char *s, size_t n);
    char *(*strcpy)(char *to, const char *from);
    char *(*stpcpy)(char *to, const char *from);
    char *(*strncpy)(char *to, const char *from, size_t n);
    char *(*strcat)(char *to, const char *from);
    char *(*strncat)(char *to, const char *from, size_t n);
    int (*strcmp)(const char *a, const char *b);
    int (*strncmp)(const char *a, const char *b, size_t n);
    int (*strcasecmp)(const char *a, const char *b);
    int (*strncasecmp)(const char *a, const char *b, size_t n);
    char *(*strchr)(const char *s, int c);
    char *(*strrchr)(const char *s, int c);
    char *(*strstr)(const char *s, const char *part);
    char *(*strdup)(const char *s);
    char *(*strndup)(const char *s, size_t n);
    size_t (*strspn)(const char *s, const char *accepted);
    size_t (*strcspn)(const char *s, const char *rejected);
    char *(*strpbrk)(const char *s, const char *sought);
    char *(*strtok_r)(char *s, const char *delimiters, char **rest);
    char *(*stpncpy)(char *to, const char *from, size_t n);
    char *(*strchrnul)(const char *s, int c);

    /* string_gnu.c */
    void *(*memmem)(const void *in, size_t n, const void *part, size_t m);
    void *(*memrchr)(const void *s, int byte, size_t n);
    void *(*rawmemchr)(const void *s, int byte);
    void *(*memccpy)(void *to, const void *from, int byte, size_t n);
    char *(*strcasestr)(const char *s, const char *part);
    char *(*strsep)(char **rest, const char *delimiters);

    /* stream.c */
    void (*qsort)(void *base, size_t n, size_t bytes, int (*compare)(const void *, const void *));
    size_t (*fread)(void *to, size_t bytes, size_t n, FILE *file);
    size_t (*fwrite)(const void *from, size_t bytes, size_t n, FILE *file);
    char *(*fgets)(char *to, int n, FILE *file);
    ssize_t (*getdelim)(char **line, size_t *room, int delimiter, FILE *file);
    int (*fputs)(const char *s, FILE *file);
    ssize_t (*read)(int file, void *to, size_t n);
    ssize_t (*write)(int file, const void *from, size_t n);
    ssize_t (*writev)(int file, const struct iovec *piece, int pieces);

    /* format.c; pc: of the call. text NULL: from the file */
    int (*vsnprintf)(char *to, size_t n, const char *format, va_list args, uintptr_t pc);
    int (*vasprintf)(char **to, const char *format, va_list args, uintptr_t pc);
    int (*vfprintf)(FILE *file, const char *format, va_list args, uintptr_t pc);
    int (*vdprintf)(int file, const char *format, va_list args, uintptr_t pc);
    int (*vscanf)(const char *text, FILE *file, const char *format, va_list args, uintptr_t pc);
    int (*puts)(const char *s);
    long (*strtol)(const char *s, char **end, int base);
    unsigned long (*strtoul)(const char *s, char **end, int base);
    double (*strtod)(const char *s, char **end);
    float (*strtof)(const char *s, char **end);
    int (*atoi)(const char *s);

    /* heap.c */
    void *(*malloc)(size_t n);
    void *(*calloc)(size_t n, size_t bytes);
    void *(*realloc)(void *p, size_t n);
    void (*free)(void *p);
    void *(*memalign)(size_t alignment, size_t n);
    size_t (*malloc_usable_size)(void *p);

    /* clock.c */
    int (*gettimeofday)(struct timeval *tv, void *zone);
    int (*clock_gettime)(clockid_t clock, struct timespec *t);
    time_t (*time)(time_t *t);
    clock_t (*clock)(void);
    uint64_t (*time_stamp)(void); /* of x86: cycles of the machine's processor */
    clock_t (*times)(struct tms *t);
    int (*getrusage)(int who, struct rusage *usage);
    unsigned (*sleep)(unsigned seconds);
    int (*usleep)(unsigned us);
    int (*nanosleep)(const struct timespec *t, struct timespec *left);
    void (*exit)(int code);
    int (*at_exit)(void (*run)(void *data), void *data, void *object); /* at_exit.c */
    /* A library that is not instrumented is about to load, to store, for the statement at pc
     * (access.h). */
    void (*loaded)(const void *from, size_t n, uintptr_t pc);
    void (*stored)(const void *to, size_t n, uintptr_t pc);
    /* A stand-in has stored there, and that has no price (access.h, probe_stored). */
    void (*gave)(void *to, size_t n, uintptr_t pc);
    /* It executes as much as so many calls of a function that library.def lists (access.h). */
    void (*executed)(const char *function, uint64_t times, uintptr_t pc);
    void (*exit_at_once)(int code);

    /* computer.c */
    int (*uname)(struct utsname *about);
    long (*sysconf)(int name);
    int (*processor)(void); /* of its node's */

    /* process.c */
    int (*chdir)(const char *path);
    int (*fchdir)(int file);
    void *(*plug_in)(const char *path, int mode); /* dlopen; NULL: it is no plug-in of the rank's */
    mode_t (*umask)(mode_t mask);
    int (*setenv)(const char *name, const char *value, int overwrite);
    int (*putenv)(char *text);
    int (*unsetenv)(const char *name);
    int (*clearenv)(void);
    int (*dup2)(int from, int to);
    FILE *(*freopen)(const char *path, const char *mode, FILE *stream);
    /* execve, execvpe or execveat, for the call at pc of a function of that name. */
    int (*become)(const char *path, char *const *argv, char *const *env, const char *function,
                  uintptr_t pc);
    int (*become_found)(const char *file, char *const *argv, char *const *env, const char *function,
                        uintptr_t pc);
    int (*become_at)(int folder, const char *path, char *const *argv, char *const *env, int flags,
                     const char *function, uintptr_t pc);

    /* signal.c */
    pid_t (*getpid)(void);
    int (*kill)(pid_t pid, int number);
    int (*killpg)(pid_t group, int number);
    int (*sigqueue)(pid_t pid, int number, union sigval value);
    int (*tgkill)(pid_t process, pid_t thread, int number);
    int (*pause)(void);
    int (*sigsuspend)(const sigset_t *set);
    int (*mask)(int how, const sigset_t *set, sigset_t *before); /* an error number */
    int (*sigpending)(sigset_t *set);
    int (*sigtimedwait)(const sigset_t *set, siginfo_t *info, const struct timespec *most);
    /* setitimer(ITIMER_REAL, ...); NULL: getitimer */
    int (*itimer)(const struct itimerval *timer, struct itimerval *before);
    int (*sigaction)(int number, const struct sigaction *action, struct sigaction *before);
    __sighandler_t (*signal)(int number, __sighandler_t handler, int flags); /* SA_RESTART... */
    /* child.c; search: posix_spawnp */
    pid_t (*fork)(void);
    int (*spawn)(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const *argv, char *const *env,
                 bool search);
    pid_t (*wait4)(pid_t which, int *status, int options, struct rusage *usage);
    int (*waitid)(idtype_t kind, id_t which, siginfo_t *info, int options);
    /* hooks.c: what instrumented code calls (in_line/in_line.h) */
    void (*hook_load)(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                      const struct mem_site *site);
    void (*hook_store)(uintptr_t addr, uint32_t what, struct mem_cpu *cpu,
                       const struct mem_site *site);
    void (*hook_load_range)(uintptr_t addr, uint64_t bytes, struct mem_cpu *cpu,
                            const struct mem_site *site);
    void (*hook_store_range)(uintptr_t addr, uint64_t bytes, struct mem_cpu *cpu,
                             const struct mem_site *site);
    void (*hook_branch)(uint64_t against, uint32_t what, struct mem_cpu *cpu,
                        const struct mem_site *site);
    void (*hook_target)(uint64_t to, uint32_t what, struct mem_cpu *cpu,
                        const struct mem_site *site);
    void (*hook_rounds)(uint64_t rounds, struct mem_cpu *cpu, const struct mem_site *site);
    void (*hook_again)(uint64_t at, uint32_t number, struct mem_cpu *cpu, struct mem_site *site);
    void (*hook_begin)(struct mem_cpu *cpu, const struct mem_site *site);
    void (*hook_budget)(struct mem_cpu *cpu);
    void (*hook_stand)(struct mem_cpu *cpu);
    void (*hook_change)(uintptr_t addr, uint32_t change, struct mem_cpu *cpu,
                        const struct mem_site *site);
    void (*hook_compare)(uintptr_t addr, uint32_t change, uint64_t value, struct mem_cpu *cpu,
                         const struct mem_site *site);
    void (*hook_compare_with)(uintptr_t addr, uint32_t change, void *value, struct mem_cpu *cpu,
                              const struct mem_site *site);
    void (*hook_fence)(uint32_t order, struct mem_cpu *cpu);
    void (*hook_ends)(uintptr_t addr, uint64_t bytes, struct mem_cpu *cpu);
    void (*hook_price)(uintptr_t object, uint32_t first);
    /* marks.c: at a mark of a function (in_line.h). stub: where its call returns to. */
    void (*hook_mark)(int kind, int function, uintptr_t stub, uintptr_t stack, uintptr_t base);
    /* The marks of a program or library that has been loaded. */
    void (*marks)(const struct probe_mark *first, const struct probe_mark *end);
    /* The objects of a program or library that has been loaded, for their prices. */
    void (*objects)(struct probe_object *first, struct probe_object *end);

    /* allocate.c */
    int (*munmap)(void *p, size_t n);
    int (*madvise)(void *p, size_t n, int advice);
};
extern const struct probe_calls probe_calls PROBE_EXPORT;

/* Invariants the tests check:
 * - an access whose line the filter knows makes no call;
 * - a hook returns before the access, and nothing is between a store's hook and the store;
 * - two runs of a program give its blocks the same offsets inside their pages. */

#endif
