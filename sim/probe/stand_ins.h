/* probe, inside: the members of probe_calls, by file. Not a door. */
#ifndef PROBE_STAND_INS_H
#define PROBE_STAND_INS_H

#include "probe/access.h"

#include <spawn.h>

#pragma GCC visibility push(hidden)

/* string.c */
void *probe_memcpy(void *to, const void *from, size_t n);
void *probe_mempcpy(void *to, const void *from, size_t n);
void *probe_memmove(void *to, const void *from, size_t n);
void *probe_memset(void *to, int byte, size_t n);
int probe_memcmp(const void *a, const void *b, size_t n);
void *probe_memchr(const void *s, int byte, size_t n);
size_t probe_strlen(const char *s);
size_t probe_strnlen(const char *s, size_t n);
char *probe_strcpy(char *to, const char *from);
char *probe_stpcpy(char *to, const char *from);
char *probe_strncpy(char *to, const char *from, size_t n);
char *probe_strcat(char *to, const char *from);
char *probe_strncat(char *to, const char *from, size_t n);
int probe_strcmp(const char *a, const char *b);
int probe_strncmp(const char *a, const char *b, size_t n);
int probe_strcasecmp(const char *a, const char *b);
int probe_strncasecmp(const char *a, const char *b, size_t n);
char *probe_strchr(const char *s, int c);
char *probe_strrchr(const char *s, int c);
char *probe_strstr(const char *s, const char *part);
char *probe_strdup(const char *s);
char *probe_strndup(const char *s, size_t n);
size_t probe_strspn(const char *s, const char *accepted);
size_t probe_strcspn(const char *s, const char *rejected);
char *probe_strpbrk(const char *s, const char *sought);
char *probe_strtok_r(char *s, const char *delimiters, char **rest);
/* s is read up to the first byte that ends the span, of those in the set or not; the set all. */
size_t probe_span(const char *s, const char *set, bool until, uintptr_t pc);
char *probe_stpncpy(char *to, const char *from, size_t n);
char *probe_strchrnul(const char *s, int c);

/* string_gnu.c */
void *probe_memmem(const void *in, size_t n, const void *part, size_t m);
void *probe_memrchr(const void *s, int byte, size_t n);
void *probe_rawmemchr(const void *s, int byte);
void *probe_memccpy(void *to, const void *from, int byte, size_t n);
char *probe_strcasestr(const char *s, const char *part);
char *probe_strsep(char **rest, const char *delimiters);

/* stream.c */
void probe_qsort(void *base, size_t n, size_t bytes, int (*compare)(const void *, const void *));
size_t probe_fread(void *to, size_t bytes, size_t n, FILE *file);
size_t probe_fwrite(const void *from, size_t bytes, size_t n, FILE *file);
char *probe_fgets(char *to, int n, FILE *file);
ssize_t probe_getdelim(char **line, size_t *room, int delimiter, FILE *file);
int probe_fputs(const char *s, FILE *file);
ssize_t probe_read(int file, void *to, size_t n);
ssize_t probe_write(int file, const void *from, size_t n);
ssize_t probe_writev(int file, const struct iovec *piece, int pieces);

/* format.c; pc: of the call */
int probe_vsnprintf(char *to, size_t n, const char *format, va_list args, uintptr_t pc)
    G_GNUC_PRINTF(3, 0);
int probe_vasprintf(char **to, const char *format, va_list args, uintptr_t pc) G_GNUC_PRINTF(2, 0);
int probe_vfprintf(FILE *file, const char *format, va_list args, uintptr_t pc) G_GNUC_PRINTF(2, 0);
int probe_vdprintf(int file, const char *format, va_list args, uintptr_t pc) G_GNUC_PRINTF(2, 0);
/* text NULL: from the file */
int probe_vscanf(const char *text, FILE *file, const char *format, va_list args, uintptr_t pc)
    G_GNUC_SCANF(3, 0);
int probe_puts(const char *s);
/* A library reads the text, up to and with its NUL (probe_look). */
void probe_look_text(const char *s, uintptr_t pc);
long probe_strtol(const char *s, char **end, int base);
unsigned long probe_strtoul(const char *s, char **end, int base);
double probe_strtod(const char *s, char **end);
float probe_strtof(const char *s, char **end);
int probe_atoi(const char *s);

/* heap.c */
void *probe_malloc(size_t n);
void *probe_calloc(size_t n, size_t bytes);
void *probe_realloc(void *p, size_t n);
void probe_free(void *p);
void *probe_memalign(size_t alignment, size_t n);
size_t probe_malloc_usable_size(void *p);
int probe_munmap(void *p, size_t n);
int probe_madvise(void *p, size_t n, int advice);

/* clock.c */
int probe_gettimeofday(struct timeval *tv, void *zone);
int probe_clock_gettime(clockid_t clock, struct timespec *t);
uint64_t probe_time_stamp(void);
time_t probe_time(time_t *t);
clock_t probe_clock(void);
clock_t probe_times(struct tms *t);
int probe_getrusage(int who, struct rusage *usage);
unsigned probe_sleep(unsigned seconds);
int probe_usleep(unsigned us);
int probe_nanosleep(const struct timespec *t, struct timespec *left);
void probe_run_main(int (*main)(int argc, char **argv, char **env));
void probe_exit(int code) G_GNUC_NORETURN;
void probe_exit_at_once(int code) G_GNUC_NORETURN;

/* at_exit.c */
int probe_at_exit(void (*run)(void *data), void *data, void *object);
void probe_at_exit_run(void);

/* computer.c */
int probe_uname(struct utsname *about);
long probe_sysconf(int name);
int probe_processor(void);

/* process.c */
int probe_chdir(const char *path);
int probe_fchdir(int file);
void *probe_plug_in(const char *path, int mode);
mode_t probe_umask(mode_t mask);
int probe_setenv(const char *name, const char *value, int overwrite);
int probe_putenv(char *text);
int probe_unsetenv(const char *name);
int probe_clearenv(void);
int probe_dup2(int from, int to);
FILE *probe_freopen(const char *path, const char *mode, FILE *stream);
int probe_become(const char *path, char *const *argv, char *const *env, const char *function,
                 uintptr_t pc);
int probe_become_found(const char *file, char *const *argv, char *const *env, const char *function,
                       uintptr_t pc);
int probe_become_at(int folder, const char *path, char *const *argv, char *const *env, int flags,
                    const char *function, uintptr_t pc);

/* signal.c */
pid_t probe_getpid(void);
int probe_sigaction(int number, const struct sigaction *action, struct sigaction *before);
int probe_kill(pid_t pid, int number);
int probe_killpg(pid_t group, int number);
int probe_sigqueue(pid_t pid, int number, union sigval value);
int probe_tgkill(pid_t process, pid_t thread, int number);
int probe_pause(void);
int probe_sigsuspend(const sigset_t *set);
int probe_sigmask(int how, const sigset_t *set, sigset_t *before);
int probe_sigpending(sigset_t *set);
int probe_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *most);
int probe_itimer(const struct itimerval *timer, struct itimerval *before);
__sighandler_t probe_signal(int number, __sighandler_t handler, int flags);

/* child.c */
pid_t probe_fork(void);
int probe_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const *argv, char *const *env,
                bool search);
pid_t probe_wait4(pid_t which, int *status, int options, struct rusage *usage);
int probe_waitid(idtype_t kind, id_t which, siginfo_t *info, int options);

#pragma GCC visibility pop

#endif
