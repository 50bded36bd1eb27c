/* What one call of C's library stores into a window is what others get after a fence, also where it
 * is the only call of a library in its epoch, so that nothing else has the window looked through.
 */
#define _GNU_SOURCE
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>

enum { BYTES = 1024, FIRST = 64, FILL = 0xAA };

static FILE *lines, *nowhere;
static int nobody;

static void by_gettimeofday(char *p) { gettimeofday((struct timeval *)p, NULL); }
static void by_clock_gettime(char *p) { clock_gettime(CLOCK_MONOTONIC, (struct timespec *)p); }
static void by_timespec_get(char *p) { timespec_get((struct timespec *)p, TIME_UTC); }
static void by_time(char *p) { time((time_t *)p); }
static void by_times(char *p) { times((struct tms *)p); }
static void by_getrusage(char *p) { getrusage(RUSAGE_SELF, (struct rusage *)p); }
static void by_strtok_r(char *p)
{
    char text[] = "one two";
    strtok_r(text, " ", (char **)p);
}
static void by_strtok_r_nothing(char *p)
{
    char text[] = "  ";
    strtok_r(text, " ", (char **)p);
}
static void by_asprintf(char *p) { nobody = asprintf((char **)p, "%d", 5); }
static void by_snprintf_n(char *p)
{
    char text[9];
    snprintf(text, sizeof text, "abc%nd", (int *)p);
}
static void by_snprintf_hhn(char *p)
{
    char text[9];
    snprintf(text, sizeof text, "%s%5d%hhn", "x", 4, (signed char *)p);
}
static void by_snprintf_of_none(char *p) { nobody = snprintf(NULL, 0, "abc%ln", (long *)p); }
static void by_sprintf_n(char *p)
{
    char text[9];
    sprintf(text, "abc%nd", (int *)p);
}
static void by_fprintf_n(char *p) { fprintf(nowhere, "%*d%n", 7, 3, (int *)p); }
static void by_asprintf_n(char *p)
{
    char *text;
    nobody = asprintf(&text, "abcde%n", (int *)p);
    free(text);
}
static void by_getline(char *p)
{
    memset(p, 0, 16);
    nobody = (int)getline((char **)p, (size_t *)(p + 8), lines);
}
static void by_getdelim(char *p)
{
    memset(p, 0, 16);
    nobody = (int)getdelim((char **)p, (size_t *)(p + 8), 'n', lines);
}
static void by_fgets_of_one(char *p) { fgets(p, 1, lines); }
static void by_fgets(char *p) { fgets(p + 1, 30, lines); }
static void by_fread(char *p) { nobody = (int)fread(p + 3, 1, 41, lines); }
static void by_posix_memalign(char *p) { nobody = posix_memalign((void **)p, 64, 100); }
static void by_getentropy(char *p) { nobody = getentropy(p + 5, 20); }
static void by_getrandom(char *p) { nobody = (int)getrandom(p + 5, 20, 0); }
static void by_sigaction(char *p) { sigaction(SIGUSR2, NULL, (struct sigaction *)p); }
static void by_setjmp(char *p) { nobody = setjmp(*(jmp_buf *)p); }
static void by_sigsetjmp(char *p) { nobody = sigsetjmp(*(sigjmp_buf *)p, 1); }
static void by_erand48(char *p) { erand48((unsigned short *)p); }
static void by_nrand48(char *p) { nrand48((unsigned short *)p); }
static void by_strtol(char *p) { nobody = (int)strtol("12x", (char **)p, 10); }
static void by_sscanf(char *p) { nobody = sscanf("12", "%d", (int *)p); }
static void by_localtime_r(char *p)
{
    const time_t t = 5;
    localtime_r(&t, (struct tm *)p);
}

#define WAY(name) {#name, name}
static const struct {
    const char *name;
    void (*store)(char *p);
} ways[] = {
    WAY(by_gettimeofday),   WAY(by_clock_gettime), WAY(by_timespec_get), WAY(by_time),
    WAY(by_times),          WAY(by_getrusage),     WAY(by_strtok_r),     WAY(by_strtok_r_nothing),
    WAY(by_asprintf),       WAY(by_snprintf_n),    WAY(by_snprintf_hhn), WAY(by_snprintf_of_none),
    WAY(by_sprintf_n),      WAY(by_fprintf_n),     WAY(by_asprintf_n),   WAY(by_getline),
    WAY(by_getdelim),       WAY(by_fgets_of_one),  WAY(by_fgets),        WAY(by_fread),
    WAY(by_posix_memalign), WAY(by_getentropy),    WAY(by_getrandom),    WAY(by_sigaction),
    WAY(by_setjmp),         WAY(by_sigsetjmp),     WAY(by_erand48),      WAY(by_nrand48),
    WAY(by_strtol),         WAY(by_sscanf),        WAY(by_localtime_r)};

int main(int argc, char **argv)
{
    static char seen[BYTES], got[BYTES];
    char *window;
    int me, lost = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Win_allocate(BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    lines = fopen(argv[0], "r");
    nowhere = fopen("/dev/null", "w");
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        MPI_Win_fence(0, win);
        for (int k = 0; me == 0 && k < BYTES; k++) window[k] = (char)FILL;
        MPI_Win_fence(0, win);
        if (me == 0) ways[i].store(window + FIRST);
        MPI_Win_fence(0, win);
        if (me == 1) MPI_Get(got, BYTES, MPI_BYTE, 0, 0, BYTES, MPI_BYTE, win);
        MPI_Win_fence(0, win);
        if (me == 0) MPI_Send(window, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        if (me == 1) {
            int stored = 0;
            MPI_Recv(seen, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            for (int k = 0; k < BYTES; k++) stored += seen[k] != (char)FILL;
            if (stored > 0 && memcmp(seen, got, BYTES) == 0) continue;
            lost++;
            printf("FAILED: %s: %s\n", ways[i].name, stored ? "lost" : "it stored nothing");
        }
    }
    if (me == 1 && lost == 0)
        printf("ok: others get what each of %zu calls stored\n", sizeof ways / sizeof *ways);
    MPI_Win_free(&win);
    MPI_Finalize();
    return lost > 0;
}
