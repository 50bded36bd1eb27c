/* What a rank does not share with its neighbours or with the host: each rank runs this alone, they
 * interleave by messages, and every one must see what a process of its own would have seen.
 * Argument: what to look at. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <malloc.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int rank;
static int failures;

static void say(const char *what, int yes)
{
    int all;
    failures += !yes;
    MPI_Allreduce(&yes, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0) printf("%s %s\n", all ? "ok:" : "FAILED:", what);
}
static void others_run(void) { MPI_Barrier(MPI_COMM_WORLD); }

/* glibc's first numbers after srand(1): rand's manual promises that without srand it is the same.
 */
static void numbers(void)
{
    int first = rand();
    others_run();
    int second = rand();
    say("rand starts as after srand(1), with glibc's numbers",
        first == 1804289383 && second == 846930886);
    srand((unsigned)rank + 10);
    others_run();
    int a[3], b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = rand();
        others_run();
    }
    srand((unsigned)rank + 10);
    for (int i = 0; i < 3; i++) b[i] = rand();
    say("a rank's seed gives the rank's numbers again", memcmp(a, b, sizeof a) == 0);
    srand48(rank);
    others_run();
    double x = drand48();
    unsigned short state[3] = {0x330e, (unsigned short)rank, 0};
    say("srand48 and drand48 are the rank's", x == erand48(state));
}

static void options(void)
{
    char speed[32];
    snprintf(speed, sizeof speed, "--speed=%d", rank);
    char *words[] = {"own", "-ab", "word", "-c", "value", speed, "--loud", "--", "-x", NULL};
    static const struct option names[] = {
        {"speed", required_argument, NULL, 's'}, {"loud", no_argument, NULL, 'l'}, {0}};
    char seen[64] = "";
    for (int c; (c = getopt_long(9, words, "abc:", names, NULL)) != -1;) {
        others_run();
        char text[24];
        snprintf(text, sizeof text, "%c%s ", c, optarg ? optarg : "");
        strcat(seen, text);
    }
    char expected[64];
    snprintf(expected, sizeof expected, "a b cvalue s%d l ", rank);
    say("getopt_long parses a rank's arguments while others parse theirs",
        strcmp(seen, expected) == 0);
    say("optind stands at the words, which were moved behind",
        optind == 7 && !strcmp(words[7], "word") && !strcmp(words[8], "-x"));
    char *wrong[] = {"own", "-z", "-c", NULL};
    optind = 1;
    opterr = 0;
    int first = getopt(3, wrong, "abc:");
    int letter = optopt, second = getopt(3, wrong, ":abc:");
    say("an unknown option is '?', a missing argument ':'",
        first == '?' && letter == 'z' && second == ':' && optopt == 'c');
}

static void words(void)
{
    char line[] = "one,two;;three", joined[32] = "";
    for (char *word = strtok(line, ",;"); word; word = strtok(NULL, ",;")) {
        others_run();
        strcat(joined, word);
        strcat(joined, ".");
    }
    say("strtok keeps a rank's place", strcmp(joined, "one.two.three.") == 0);
    time_t t = rank * 86400;
    struct tm *day = gmtime(&t);
    others_run();
    say("gmtime's answer is the rank's", day->tm_mday == rank + 1);
    errno = rank + 1;
    others_run();
}

static void times(void)
{
    struct timeval a, b;
    struct timespec c, d;
    gettimeofday(&a, NULL);
    clock_gettime(CLOCK_MONOTONIC, &c);
    double start = MPI_Wtime();
    usleep(2500);
    double slept = MPI_Wtime() - start;
    gettimeofday(&b, NULL);
    clock_gettime(CLOCK_MONOTONIC, &d);
    say("usleep lasts as long as it says", slept > 0.0025 - 1e-9 && slept < 0.00251);
    double s = (double)(b.tv_sec - a.tv_sec) + 1e-6 * (double)(b.tv_usec - a.tv_usec);
    double e = (double)(d.tv_sec - c.tv_sec) + 1e-9 * (double)(d.tv_nsec - c.tv_nsec);
    say("gettimeofday and clock_gettime run with the simulated clock",
        s > 0.002498 && s < 0.00252 && e > 0.0025 - 1e-8 && e < 0.00252);
    time_t before = time(NULL);
    sleep(3);
    struct timespec half = {.tv_nsec = 500000000};
    nanosleep(&half, NULL);
    say("sleep takes simulated seconds, not the host's",
        time(NULL) - before >= 3 && time(NULL) - before <= 4);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    say("clock and getrusage are simulated too",
        clock() > 3 * CLOCKS_PER_SEC && clock() < 4 * CLOCKS_PER_SEC && usage.ru_utime.tv_sec == 3);
    pid_t mine = getpid(), most;
    MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    say("getpid is the rank's own, and no process of the host has it",
        mine == (1 << 22) + rank + 1 && most == (1 << 22) + ranks);
    static volatile double much[20000];
    gettimeofday(&a, NULL);
    for (int i = 0; i < 20000; i++) much[i] = much[i] + 1;
    gettimeofday(&b, NULL);
    say("time passes for loads and stores that are not paid yet", b.tv_usec != a.tv_usec);
}

/* Every block is filled with its number; overlaps and lost bytes show. */
static void heap(void)
{
    enum { BLOCKS = 400 };
    static unsigned char *block[BLOCKS];
    static size_t size[BLOCKS];
    uint64_t state = 12345;
    int good = 1, aligned = 1, usable = 1;
    for (int step = 0; step < 1500; step++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int i = (int)(state >> 33) % BLOCKS;
        size_t n = (state >> 40) % 7 == 0 ? (state >> 20) % 400000 : (state >> 20) % 3000;
        for (size_t at = 0; block[i] && at < size[i]; at += 97)
            good &= block[i][at] == (unsigned char)i;
        switch ((state >> 50) % 5) {
        case 0:
            free(block[i]);
            block[i] = malloc(n);
            break;
        case 1:
            free(block[i]);
            block[i] = calloc(1, n);
            for (size_t at = 0; at < n; at += 97) good &= block[i][at] == 0;
            break;
        case 2: {
            size_t alignment = (size_t)16 << (state >> 55) % 10;
            free(block[i]);
            if (posix_memalign((void **)&block[i], alignment, n) != 0) block[i] = NULL;
            aligned &= block[i] && (uintptr_t)block[i] % alignment == 0;
            break;
        }
        default: {
            size_t kept = block[i] && size[i] < n ? size[i] : block[i] ? n : 0;
            block[i] = realloc(block[i], n ? n : 1);
            for (size_t at = 0; at < kept; at += 97) good &= block[i][at] == (unsigned char)i;
        }
        }
        aligned &= (uintptr_t)block[i] % 16 == 0;
        usable &= malloc_usable_size(block[i]) >= n;
        size[i] = n;
        memset(block[i], i, n);
    }
    say("blocks never overlap and keep their bytes; calloc's are zero", good);
    say("blocks are aligned as asked", aligned);
    say("malloc_usable_size is at least what was asked", usable);
    for (int i = 0; i < BLOCKS; i++) free(block[i]);
    say("too much is refused", malloc((size_t)1 << 50) == NULL && errno == ENOMEM &&
                                   calloc((size_t)1 << 40, (size_t)1 << 40) == NULL);

    FILE *file = tmpfile();
    fputs("first line\na second line that is a good deal longer than the first, so that the buffer "
          "has to grow on the way, "
          "and longer than the hundred and twenty bytes that glibc begins with\n",
          file);
    rewind(file);
    char *line = malloc(8);
    size_t room = 8;
    ssize_t one = getline(&line, &room, file), two = getline(&line, &room, file);
    say("getline grows a block of the rank's heap",
        one == 11 && two > 150 && !strncmp(line, "a second", 8));
    free(line);
    fclose(file);
    char *copied = realpath("/", NULL);
    copied = realloc(copied, 10000);
    say("what C's library allocates is grown", !strcmp(copied, "/"));
    free(copied);
}

/* Standard output leads to a file of the rank, and back. */
static void output(void)
{
    char text[80] = "", expected[80];
    const int before = dup(1);
    if (rank % 2)
        dup2(open("printed", O_CREAT | O_RDWR, 0600), 1);
    else
        freopen("printed", "w+", stdout);
    printf("rank %d ", rank);
    others_run();
    printf("printed");
    others_run();
    fflush(stdout);
    const ssize_t n = pread(1, text, sizeof text - 1, 0);
    dup2(before, 1);
    snprintf(expected, sizeof expected, "rank %d printed", rank);
    say("what a rank prints to its file is there, and nothing else",
        n > 0 && !strcmp(text, expected));
    remove("printed");
}

/* What POSIX gives a process: its directory, its mask of permissions, its environment. */
static void process(void)
{
    char name[] = "/tmp/sidewinder_own_XXXXXX", number[16], where[4096];
    snprintf(number, sizeof number, "%d", rank);
    setenv("OWN", number, 1);
    umask(rank);
    say("a rank goes to a directory of its own", mkdtemp(name) && chdir(name) == 0);
    others_run();
    const char *value = getenv("OWN");
    say("a rank finds the variable that it has set", value && !strcmp(value, number));
    say("its mask of permissions is its own", umask(022) == (mode_t)rank);
    say("it is where it has gone", getcwd(where, sizeof where) && !strcmp(where, name));
    FILE *file = fopen("mine", "w");
    others_run();
    say("what it opens by name lies there", file && access("mine", F_OK) == 0);
    if (file) fclose(file);
    remove("mine");
    output();
    others_run();
    if (rank == 0) unsetenv("OWN");
    others_run();
    say("nobody else loses a variable that one takes away", (getenv("OWN") == NULL) == (rank == 0));
    say("a rank goes back", chdir("/") == 0 && rmdir(name) == 0);
}

/* Where blocks lie in their pages. */
static void offsets(void)
{
    uintptr_t sum = 0;
    for (int i = 1; i < 200; i++) {
        void *p = malloc((size_t)i * 531 % 200000);
        sum = sum * 31 + ((uintptr_t)p & 4095);
        if (i % 3) free(p);
    }
    others_run();
    if (rank == 1) printf("offsets=%lx\n", (unsigned long)sum);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    numbers();
    options();
    words();
    times();
    heap();
    offsets();
    process();
    MPI_Finalize();
    if (argc > 1 && rank == 1) exit(atoi(argv[1]));
    return failures > 0;
}
