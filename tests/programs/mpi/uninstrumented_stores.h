/* Ways in which the C library stores where it is pointed to (uninstrumented_stores.c). */
#ifndef UNINSTRUMENTED_STORES_H
#define UNINSTRUMENTED_STORES_H

#include "check.h"

#include <aio.h>
#include <arpa/inet.h>
#include <complex.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <getopt.h>
#include <glob.h>
#include <iconv.h>
#include <ifaddrs.h>
#include <inttypes.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <uchar.h>
#include <unistd.h>
#include <wchar.h>

struct item {
    char text[96];
    int n[8], more[8];
    long longs[4];
    double reals[4];
    float small[4];
    wchar_t wide[24];
    void *pointer;
    size_t size;
    union {
        struct stat stat;
        struct statvfs statvfs;
        struct tm tm;
        struct timeval timeval;
        struct timespec timespec;
        struct utsname utsname;
        struct rusage rusage;
        struct rlimit rlimit;
        struct sysinfo sysinfo;
        struct tms tms;
        struct pollfd poll;
        struct sockaddr_in address;
        struct lconv lconv;
        fd_set set;
        sigset_t signals;
        cpu_set_t cpus;
        regmatch_t match[2];
        mbstate_t state;
        div_t division;
        sem_t semaphore;
        pthread_mutex_t mutex;
        pthread_attr_t attr;
        fenv_t fenv;
        MPI_Status status;
    } u;
} __attribute__((aligned(64)));

static int pair[2]; /* a pipe of sockets, what is written to [1] is read from [0] */
static FILE *file;  /* lines of words and numbers */
static void fill_pipe(const char *s) { (void)!write(pair[1], s, strlen(s)); }
static FILE *again(void)
{
    rewind(file);
    return file;
}
static int by_int(const void *a, const void *b, void *how)
{
    return *(const int *)how * (*(const int *)a - *(const int *)b);
}
static int same_int(const void *a, const void *b) { return *(const int *)a != *(const int *)b; }
static void numbers(struct item *p)
{
    static const int unsorted[] = {5, 3, 9, 1, 7, 2, 8, 4};
    for (int i = 0; i < 8; i++) p->n[i] = unsorted[i];
}
static int scanned(const char *s, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsscanf(s, format, args);
    va_end(args);
    return n;
}
static int filed(FILE *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vfscanf(f, format, args);
    va_end(args);
    return n;
}
static int wide_printed(wchar_t *to, size_t n, const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vswprintf(to, n, format, args);
    va_end(args);
    return length;
}
static int copy_key(MPI_Comm comm, int key, void *extra, void *in, void *out, int *flag)
{
    (void)comm, (void)key, (void)extra;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

struct way {
    const char *name;
    void (*way)(struct item *p);
    int varies; /* what it stores differs between two runs of it */
};
extern const struct way *const __start_ways[], *const __stop_ways[];

#define ONE(name, varies, ...)                                                                     \
    static __attribute__((noinline)) void name(struct item *p) { __VA_ARGS__ }                     \
    static const struct way way_##name = {#name, name, varies};                                    \
    static const struct way *const in_##name __attribute__((section("ways"), used)) = &way_##name;
#define WAY(name, ...)    ONE(name, 0, __VA_ARGS__)
#define VARIES(name, ...) ONE(name, 1, __VA_ARGS__)
/* stdio */
WAY(by_sscanf, sscanf("17 word", "%d %15s", p->n, p->text);)
WAY(by_sscanf_real, sscanf("1.5 2.5", "%lf %f", p->reals, p->small);)
WAY(by_sscanf_set, sscanf("abc123", "%[a-z]%n", p->text, p->n);)
WAY(by_sscanf_bytes, sscanf("hello", "%4c", p->text);)
WAY(by_sscanf_many, sscanf("1 2 3 4 5 6 7 8", "%d%d%d%d%d%d%d%d", p->n, p->n + 1, p->n + 2,
                           p->n + 3, p->n + 4, p->n + 5, p->n + 6, p->n + 7);)
WAY(by_sscanf_alloc, char *s; sscanf("allocated", "%ms", &s); strcpy(p->text, s); free(s);
    sscanf("3", "%d", p->n);)
WAY(by_vsscanf, scanned("18 more", "%d %15s", p->n, p->text);)
WAY(by_fscanf, fscanf(again(), "%15s %d", p->text, p->n);)
WAY(by_vfscanf, filed(again(), "%15s %d", p->text, p->n);)
WAY(by_fwscanf, FILE *f = fopen("/proc/sys/kernel/ostype", "r");
    fwscanf(f, L"%ls%n", p->wide, p->n); fclose(f);)
WAY(by_swscanf, swscanf(L"14 w", L"%d %ls", p->n, p->wide);)
WAY(by_percent_n, FILE *f = fopen("/dev/null", "w"); fprintf(f, "some%n", p->n); fclose(f);)
WAY(by_snprintf_n, char s[32]; snprintf(s, sizeof s, "%d%n", 12345, p->n);)
WAY(by_snprintf, snprintf(p->text, sizeof p->text, "%s-%d", "printed", 7);)
WAY(by_sprintf, sprintf(p->text, "%.3f", 2.25);)
WAY(by_swprintf, swprintf(p->wide, 20, L"%d wide", 7);)
WAY(by_vswprintf, wide_printed(p->wide, 20, L"%d wider", 8);)
WAY(by_fgets, fgets(p->text, 32, again());)
WAY(by_fgetws, FILE *f = fopen("/proc/sys/kernel/ostype", "r"); fgetws(p->wide, 16, f); fclose(f);)
WAY(by_fread, fread(p->text, 1, 12, again());)
WAY(by_fread_unlocked, fread_unlocked(p->text, 1, 12, again());)
WAY(by_fgets_unlocked, fgets_unlocked(p->text, 12, again());)
WAY(by_getline, char *s = NULL; p->size = 0; getline(&s, &p->size, again()); strcpy(p->text, s);
    free(s);)
WAY(by_getdelim, char *s = NULL; size_t n = 0; getdelim(&s, &n, ' ', again());
    p->n[0] = (int)strlen(s); free(s); sscanf("2", "%d", p->n + 1);)
WAY(by_fgetpos, fpos_t at; again(); fgetc(file); fgetpos(file, &at); p->n[0] = (int)at.__pos;
    memcpy(p->text, "fgetpos", 8);)
WAY(by_setvbuf, FILE *f = fopen("/proc/self/comm", "r"); setvbuf(f, p->text, _IOFBF, 64);
    p->n[0] = fgetc(f); fclose(f);)
WAY(by_fmemopen, FILE *f = fmemopen(p->text, 64, "w"); fprintf(f, "in memory"); fclose(f);)
WAY(by_fmemopen_late, FILE *f = fmemopen(p->text, 64, "w"); fputs("late", f); fflush(f);
    fputs("r", f); fclose(f);)
WAY(by_open_memstream, char *s; FILE *f = open_memstream(&s, &p->size); fputs("four", f); fclose(f);
    free(s);)
VARIES(by_mkstemp, strcpy(p->text, "/tmp/unseenXXXXXX"); int f = mkstemp(p->text); close(f);
       unlink(p->text); sscanf("unique", "%6s", p->text + 11);)
/* system calls */
WAY(by_read, fill_pipe("read these"); read(pair[0], p->text, 10);)
WAY(by_pread, pread(fileno(again()), p->text, 16, 2);)
WAY(by_readv, fill_pipe("two vectors"); struct iovec v[2] = {{p->text, 4}, {p->text + 8, 7}};
    readv(pair[0], v, 2);)
WAY(by_preadv, struct iovec v[2] = {{p->text, 4}, {p->text + 8, 7}};
    preadv(fileno(again()), v, 2, 1);)
WAY(by_aio_read, struct aiocb c = {.aio_fildes = fileno(again()),
                                   .aio_buf = p->text,
                                   .aio_nbytes = 9,
                                   .aio_offset = 1};
    aio_read(&c); while (aio_error(&c) == EINPROGRESS) p->n[1]++; /* as often in each run */
    p->n[0] = (int)aio_return(&c);)
WAY(by_aio_read_later,
    struct aiocb c = {.aio_fildes = pair[0], .aio_buf = p->text, .aio_nbytes = 9};
    aio_read(&c); p->n[0] = aio_error(&c); fill_pipe("came late");
    const struct aiocb *all[] = {NULL, &c}; aio_suspend(all, 2, NULL); p->n[1] = aio_error(&c);
    p->n[2] = (int)aio_return(&c);)
WAY(by_aio_cancel, struct aiocb c = {.aio_fildes = pair[0], .aio_buf = p->text, .aio_nbytes = 9};
    aio_read(&c); p->n[0] = aio_cancel(pair[0], &c) == AIO_CANCELED; p->n[1] = aio_error(&c);)
static sig_atomic_t told;
static void count(int number) { told += number == SIGUSR1; }
WAY(by_lio_listio, struct aiocb a = {.aio_fildes = fileno(again()),
                                     .aio_buf = p->text,
                                     .aio_nbytes = 5,
                                     .aio_lio_opcode = LIO_READ};
    struct aiocb b = a; struct sigevent e = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    b.aio_buf = p->text + 8; b.aio_offset = 2; struct aiocb * both[] = {&a, &b};
    signal(SIGUSR1, count); told = 0; lio_listio(LIO_WAIT, both, 2, NULL); p->n[0] = told;
    b.aio_buf = p->text + 16; lio_listio(LIO_NOWAIT, both, 2, &e);
    const struct aiocb *last[] = {&b}; aio_suspend(last, 1, NULL); while (!told) usleep(1);
    p->n[1] = told; signal(SIGUSR1, SIG_DFL);)
WAY(by_recv, fill_pipe("received"); recv(pair[0], p->text, 8, 0);)
WAY(by_recvfrom, fill_pipe("received"); recvfrom(pair[0], p->text, 8, 0, NULL, NULL);)
WAY(by_recvmsg, fill_pipe("a message"); struct iovec v = {p->text, 9};
    struct msghdr m = {.msg_iov = &v, .msg_iovlen = 1}; recvmsg(pair[0], &m, 0);)
WAY(by_pipe, int f[2]; pipe(f); close(f[0]); close(f[1]); socklen_t n = sizeof p->n[0];
    getsockopt(pair[0], SOL_SOCKET, SO_TYPE, p->n, &n);)
VARIES(by_pipe2, pipe2(p->n, O_CLOEXEC); close(p->n[0]); close(p->n[1]);)
VARIES(by_socketpair, socketpair(AF_UNIX, SOCK_STREAM, 0, p->n); close(p->n[0]); close(p->n[1]);)
WAY(by_getsockname, socklen_t n = sizeof p->u.address;
    getsockname(pair[0], (struct sockaddr *)&p->u.address, &n);)
WAY(by_stat, stat("/dev/null", &p->u.stat);)
VARIES(by_fstat, fstat(pair[0], &p->u.stat);)
WAY(by_lstat, lstat("/dev/null", &p->u.stat);)
WAY(by_fstatat, fstatat(AT_FDCWD, "/dev/null", &p->u.stat, 0);)
VARIES(by_statvfs, statvfs("/dev", &p->u.statvfs);)
WAY(by_getcwd, getcwd(p->text, sizeof p->text);)
WAY(by_readlink, readlink("/proc/self/exe", p->text, 20);)
WAY(by_realpath, char s[PATH_MAX]; realpath("/dev/../dev/null", s); strncpy(p->text, s, 90);
    sscanf("r", "%c", p->text);)
WAY(by_uname, uname(&p->u.utsname);)
WAY(by_gethostname, gethostname(p->text, 64);)
VARIES(by_sysinfo, sysinfo(&p->u.sysinfo);)
WAY(by_getrlimit, getrlimit(RLIMIT_CORE, &p->u.rlimit);)
WAY(by_prlimit, prlimit(0, RLIMIT_STACK, NULL, &p->u.rlimit);)
VARIES(by_getrusage, getrusage(RUSAGE_SELF, &p->u.rusage); p->n[0] = 1;)
WAY(by_poll, p->u.poll = (struct pollfd){.fd = pair[1], .events = POLLOUT}; poll(&p->u.poll, 1, 0);)
WAY(by_select, FD_ZERO(&p->u.set); FD_SET(pair[0], &p->u.set); FD_SET(pair[1], &p->u.set);
    struct timeval zero = {0}; select(FD_SETSIZE, &p->u.set, NULL, NULL, &zero);)
WAY(by_ioctl_pipe, fill_pipe("xyz"); recv(pair[0], p->text, 3, MSG_PEEK); char s[4];
    read(pair[0], s, 3);)
WAY(by_sigprocmask, sigprocmask(SIG_BLOCK, NULL, &p->u.signals); p->n[0] = 1;)
WAY(by_sigemptyset, memset(&p->u, 1, sizeof p->u.signals); sigemptyset(&p->u.signals);)
WAY(by_sigfillset, sigfillset(&p->u.signals);)
WAY(by_sigaddset, memset(&p->u.signals, 0, sizeof p->u.signals); sigaddset(&p->u.signals, SIGUSR1);)
WAY(by_sched_getaffinity, sched_getaffinity(0, sizeof p->u.cpus, &p->u.cpus);)
WAY(by_getgroups, p->n[0] = getgroups(0, NULL);
    getresuid((uid_t *)p->more, (uid_t *)p->more + 1, (uid_t *)p->more + 2); p->n[1] = 4;)
WAY(by_getpwuid, struct passwd w; struct passwd * found; getpwuid_r(0, &w, p->text, 96, &found);)
WAY(by_read_zeros, int f = open("/dev/zero", O_RDONLY); read(f, p->n, 8); close(f);)
VARIES(by_gettimeofday, gettimeofday(&p->u.timeval, NULL); p->n[0] = 1;)
VARIES(by_clock_gettime, clock_gettime(CLOCK_REALTIME, &p->u.timespec); p->n[0] = 1;)
WAY(by_clock_getres, clock_getres(CLOCK_REALTIME, &p->u.timespec);)
VARIES(by_time, time((time_t *)p->longs); p->n[0] = 1;)
VARIES(by_times, times(&p->u.tms); p->n[0] = 1;)
WAY(by_getopt, struct option o[2] = {{"x", no_argument, &p->n[3], 77}, {NULL, 0, NULL, 0}};
    char word[2][4] = {"p", "--x"}; char *argv[3] = {word[0], word[1], NULL}; optind = 1;
    getopt_long(2, argv, "", o, &p->n[5]);)
WAY(by_gmtime, time_t t = 1000000; gmtime_r(&t, &p->u.tm); p->u.tm.tm_zone = NULL;)
WAY(by_localtime, time_t t = 2000000; localtime_r(&t, &p->u.tm); p->u.tm.tm_zone = NULL;)
VARIES(by_mktime, p->u.tm = (struct tm){.tm_mday = 40}; mktime(&p->u.tm); p->u.tm.tm_zone = NULL;)
WAY(by_strptime, strptime("2021-03-04", "%Y-%m-%d", &p->u.tm); p->u.tm.tm_zone = NULL;)
WAY(by_strftime, time_t t = 0; struct tm tm; strftime(p->text, 40, "%Y %j", gmtime_r(&t, &tm));)
WAY(by_asctime, struct tm tm = {.tm_mday = 1}; asctime_r(&tm, p->text);)
WAY(by_ctime, time_t t = 86400; setenv("TZ", "UTC", 1); ctime_r(&t, p->text);)
/* numbers and sorting */
WAY(by_strtol, char *end; strtol("12x", &end, 10); strtol("77z", (char **)&p->pointer, 10);
    p->pointer = (void *)(intptr_t)(*(char *)p->pointer + *end);)
WAY(by_strtod, strtod("1.5e3q", (char **)&p->pointer); p->n[0] = *(char *)p->pointer;
    p->pointer = NULL;)
WAY(by_strtoull, char **at = (char **)&p->pointer; strtoull("99y", at, 10); p->n[0] = **at;
    p->pointer = NULL;)
WAY(by_frexp, p->reals[0] = frexp(48.0, p->n);)
WAY(by_modf, p->reals[0] = modf(3.25, p->reals + 1);)
WAY(by_remquo, p->reals[0] = remquo(29.0, 3.0, p->n);)
WAY(by_sincos, sincos(1.0, p->reals, p->reals + 1);)
WAY(by_sincosf, sincosf(1.0f, p->small, p->small + 1);)
WAY(by_lgamma, p->reals[0] = lgamma_r(-2.5, p->n);)
WAY(by_div, p->u.division = div(17, 5);)
WAY(by_fenv, fegetenv(&p->u.fenv);)
VARIES(by_fexcept, feraiseexcept(FE_INEXACT); fegetexceptflag((fexcept_t *)p->text, FE_ALL_EXCEPT);
       p->n[0] = 5; feclearexcept(FE_ALL_EXCEPT);)
WAY(by_qsort, numbers(p); int up = 1; qsort_r(p->n, 8, sizeof(int), by_int, &up);)
WAY(by_qsort_down, numbers(p); int down = -1; qsort_r(p->n, 8, sizeof(int), by_int, &down);)
WAY(by_lsearch, p->size = 3; int key = 44; memset(p->n, 0, sizeof p->n);
    lsearch(&key, p->n, &p->size, sizeof(int), same_int);)
WAY(by_rand_r, rand_r((unsigned *)p->n);)
WAY(by_drand48, unsigned short *seed = (unsigned short *)p->n; erand48(seed);)
WAY(by_nrand48, nrand48((unsigned short *)p->n);)
WAY(by_random_r, struct random_data d = {0}; char state[64]; initstate_r(5, state, 64, &d);
    random_r(&d, p->n);)
WAY(by_initstate, struct random_data d = {0}; initstate_r(5, p->text, 64, &d);)
WAY(by_ecvt, int sign; ecvt_r(3.25, 4, p->n, &sign, p->text, 32);)
WAY(by_a64l, strcpy(p->text, l64a(123456));)
WAY(by_strfromd, strfromd(p->text, 32, "%.4f", 2.125);)
/* strings */
WAY(by_strcpy, strcpy(p->text, "copied");)
WAY(by_strcat, strcpy(p->text, "a"); strcat(p->text, "bc");)
WAY(by_strncpy, strncpy(p->text, "padded", 20);)
WAY(by_memccpy, memccpy(p->text, "up to here, no more", ',', 20);)
WAY(by_memfrob, strcpy(p->text, "frobbed"); memfrob(p->text, 7);)
WAY(by_strfry_none, swab("badcfe", p->text, 6);)
WAY(by_strsep, strcpy(p->text, "one,two"); char *s = p->text; strsep(&s, ",");)
WAY(by_strsep_inside, p->pointer = (char[]){"a,b"}; strsep((char **)&p->pointer, ",");
    p->n[0] = *(char *)p->pointer; p->pointer = NULL;)
WAY(by_strtok_r, strcpy(p->text, "one two"); char *rest; strtok_r(p->text, " ", &rest);)
WAY(by_strtok, strcpy(p->text, "one two"); strtok(p->text, " ");)
WAY(by_strxfrm, strxfrm(p->text, "collate", 32);)
WAY(by_strerror, p->n[0] = 0; char *s = strerror_r(12345, p->text, 64); (void)s;)
WAY(by_basename, strcpy(p->text, "/a/b/"); char *s = strrchr(p->text, '/'); *s = 0;
    explicit_bzero(p->text + 4, 2); p->text[6] = 'x';)
WAY(by_explicit_bzero, memset(p->text, 7, 20); explicit_bzero(p->text + 3, 9);)
WAY(by_argz, char *argz = NULL; p->size = 0; (void)argz; sscanf("4", "%zu", &p->size);)
WAY(by_inet_pton, inet_pton(AF_INET, "10.0.0.7", p->n);)
WAY(by_inet_aton, inet_aton("10.0.0.8", (struct in_addr *)p->n);)
WAY(by_inet_ntop, int a = 7; inet_ntop(AF_INET, &a, p->text, 32);)
WAY(by_regexec, regex_t r; regcomp(&r, "b(c)", REG_EXTENDED); regexec(&r, "abcd", 2, p->u.match, 0);
    regfree(&r);)
WAY(by_regerror, regerror(REG_EBRACK, NULL, p->text, 40);)
WAY(by_confstr, confstr(_CS_PATH, p->text, 40);)
/* wide characters */
WAY(by_mbstowcs, mbstowcs(p->wide, "wide", 8);)
WAY(by_mbrtowc, mbstate_t s = {0}; mbrtowc(p->wide, "w", 1, &s);)
WAY(by_mbsrtowcs, const char *from = "many"; mbstate_t s = {0}; mbsrtowcs(p->wide, &from, 8, &s);)
WAY(by_mbtowc, mbtowc(p->wide, "w", 1);)
WAY(by_wcstombs, wcstombs(p->text, L"narrow", 16);)
WAY(by_wcrtomb, mbstate_t s = {0}; wcrtomb(p->text, L'n', &s);)
WAY(by_wctomb, wctomb(p->text, L'm');)
WAY(by_c16, mbstate_t s = {0}; mbrtoc16((char16_t *)p->text, "c", 1, &s);)
WAY(by_c32, mbstate_t s = {0}; mbrtoc32((char32_t *)p->text, "d", 1, &s);)
WAY(by_wcscpy, wcscpy(p->wide, L"copy");)
WAY(by_wcsncpy, wcsncpy(p->wide, L"copy", 8);)
WAY(by_wcscat, wcscpy(p->wide, L"a"); wcscat(p->wide, L"b");)
WAY(by_wmemset, wmemset(p->wide, L'z', 5);)
WAY(by_wmemcpy, wmemcpy(p->wide, L"memory", 6);)
WAY(by_wmemmove, wcscpy(p->wide, L"abcdef"); wmemmove(p->wide + 1, p->wide, 4);)
WAY(by_wcstok, wcscpy(p->wide, L"a b"); wchar_t * rest; wcstok(p->wide, L" ", &rest);)
WAY(by_wcstol, wcstol(L"55k", (wchar_t **)&p->pointer, 10); p->n[0] = (int)*(wchar_t *)p->pointer;
    p->pointer = NULL;)
WAY(by_wcsftime, struct tm tm = {.tm_year = 99}; wcsftime(p->wide, 16, L"%Y", &tm);)
WAY(by_wcsxfrm, wcsxfrm(p->wide, L"abc", 16);)
WAY(by_iconv, iconv_t c = iconv_open("UTF-16LE", "UTF-8"); char in[] = "conv"; char *from = in;
    char *to = p->text; size_t n = 4; p->size = 20; iconv(c, &from, &n, &to, &p->size);
    iconv_close(c);)
/* threads' and processes' objects */
WAY(by_sem_init, sem_init(&p->u.semaphore, 0, 3);)
WAY(by_sem_getvalue, sem_t s; sem_init(&s, 0, 6); sem_getvalue(&s, p->n);)
WAY(by_mutex_lock, pthread_mutexattr_t a; pthread_mutexattr_init(&a);
    pthread_mutex_init(&p->u.mutex, &a); pthread_mutex_lock(&p->u.mutex);)
WAY(by_attr_init, pthread_attr_init(&p->u.attr);)
WAY(by_attr_get, pthread_attr_t a; pthread_attr_init(&a); pthread_attr_getdetachstate(&a, p->n);
    pthread_attr_getguardsize(&a, &p->size);)
WAY(by_memalign, posix_memalign(&p->pointer, 64, 64); free(p->pointer); p->pointer = NULL;
    p->n[0] = 3;)
WAY(by_pointer_to_function, int (*scan)(const char *, const char *, ...) = sscanf;
    __asm__("" : "+r"(scan)); scan("21", "%d", p->n);)
WAY(by_glob, glob_t g; glob("/dev/nul*", 0, NULL, &g); strcpy(p->text, g.gl_pathv[0]); globfree(&g);
    sscanf("8", "%d", p->n);)
#endif
