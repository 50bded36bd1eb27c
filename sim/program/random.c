/* rand, random and drand48 with a state of the rank's own: C's library would share one sequence
 * among all ranks. The numbers are the library's: its reentrant functions do the work. */
#include "program/program.h"

#include <stdlib.h>
#include <unistd.h>

static struct random_data sequence;
static int32_t table[32]; /* glibc's default: TYPE_3, 128 bytes */

static struct random_data *started(void)
{
    if (!sequence.state) initstate_r(1, (char *)table, sizeof table, &sequence);
    return &sequence;
}

STAND_IN long random(void)
{
    int32_t number;
    random_r(started(), &number);
    return number;
}
STAND_IN void srandom(unsigned seed) { srandom_r(seed, started()); }
STAND_IN int rand(void) { return (int)random(); }
STAND_IN void srand(unsigned seed) { srandom_r(seed, started()); }
STAND_IN char *initstate(unsigned seed, char *state, size_t bytes)
{
    char *before = (char *)(started()->state - 1);
    return initstate_r(seed, state, bytes, &sequence) == 0 ? before : NULL;
}
STAND_IN char *setstate(char *state)
{
    char *before = (char *)(started()->state - 1);
    return setstate_r(state, &sequence) == 0 ? before : NULL;
}

/* RANDOM_NUMBER begins with what the host's source of randomness gives: here with the rank's
 * number, which is the low part of its process's. */
OF_THE_RANK int getentropy(void *to, size_t n)
{
    static uint64_t state; /* each call goes on where the last one ended */
    if (state == 0) state = (uint64_t)probe_calls.getpid() % (1u << 22);
    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u; /* Knuth's, TAOCP 3.3.4 */
        ((unsigned char *)to)[i] = (unsigned char)(state >> 56);
    }
    probe_calls.gave(to, n, (uintptr_t)__builtin_return_address(0));
    return 0;
}

static struct drand48_data words;

STAND_IN double drand48(void)
{
    double number;
    drand48_r(&words, &number);
    return number;
}
STAND_IN double erand48(unsigned short x[3])
{
    double number;
    erand48_r(x, &words, &number);
    return number;
}
STAND_IN long lrand48(void)
{
    long number;
    lrand48_r(&words, &number);
    return number;
}
STAND_IN long nrand48(unsigned short x[3])
{
    long number;
    nrand48_r(x, &words, &number);
    return number;
}
STAND_IN long mrand48(void)
{
    long number;
    mrand48_r(&words, &number);
    return number;
}
STAND_IN long jrand48(unsigned short x[3])
{
    long number;
    jrand48_r(x, &words, &number);
    return number;
}
STAND_IN void srand48(long seed) { srand48_r(seed, &words); }
STAND_IN unsigned short *seed48(unsigned short x[3])
{
    static unsigned short before[3];
    for (int i = 0; i < 3; i++) before[i] = words.__x[i];
    seed48_r(x, &words);
    return before;
}
