/* Integer work on few numbers: chains, multiplications, divisions, branches, calls. */
#include "suite.h"

static void hundred_thousand(struct work *w, size_t bytes)
{
    (void)bytes;
    w->n = w->elements = 100000;
}

static uint64_t crc(const struct work *w)
{
    uint32_t c = 0xffffffff;
    for (long i = 0; i < w->n / 8; i++) {
        c ^= (uint32_t)i & 255;
        for (int k = 0; k < 8; k++) c = c >> 1 ^ (0xedb88320u & (0 - (c & 1)));
    }
    return c;
}
static uint64_t hash(const struct work *w)
{
    uint64_t h = 1;
    for (long i = 0; i < w->n; i++) {
        h ^= (uint64_t)i;
        h *= 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
    }
    return h;
}
/* variants of each other: the remainder of a division, or of a power of two by a mask */
static uint64_t remainder_of(const struct work *w)
{
    uint64_t s = 0, n = (uint64_t)w->n, d = n % 1000 + 1021;
    for (uint64_t i = 0; i < n; i++) s += (i * 2654435761u) % d;
    return s;
}
static uint64_t mask_of(const struct work *w)
{
    uint64_t s = 0, n = (uint64_t)w->n, d = n % 1000 + 1024;
    for (uint64_t i = 0; i < n; i++) s += (i * 2654435761u) & (d - 1);
    return s;
}
static uint64_t gcd(const struct work *w)
{
    uint64_t s = 0;
    for (long i = 0; i < w->n / 10; i++) {
        uint32_t a = 1836311903u - (uint32_t)i, b = 1134903170u;
        while (b) {
            uint32_t t = a % b;
            a = b;
            b = t;
        }
        s += a;
    }
    return s;
}
static uint64_t collatz(const struct work *w)
{
    uint64_t s = 0;
    for (uint64_t i = 1; i < (uint64_t)w->n / 100; i++)
        for (uint64_t x = i; x != 1; s++) x = x & 1 ? 3 * x + 1 : x / 2;
    return s;
}
static uint64_t bits(const struct work *w)
{
    uint64_t s = 0;
    for (uint64_t i = 0; i < (uint64_t)w->n; i++)
        for (uint64_t x = i; x; x &= x - 1) s++;
    return s;
}
/* variants of each other: calls of itself, or a loop, for the same numbers */
__attribute__((noinline)) static long fib_of(long n)
{
    return n < 2 ? n : fib_of(n - 1) + fib_of(n - 2);
}
static void calls(struct work *w, size_t bytes)
{
    (void)bytes;
    w->n = 20;
    w->elements = 21891;
}
static uint64_t fib(const struct work *w) { return (uint64_t)fib_of(w->n); }
static uint64_t fib_loop(const struct work *w)
{
    uint64_t s = 0;
    for (long k = 0; k < w->elements / 20; k++) {
        uint64_t a = 0, b = 1;
        for (long i = 0; i < w->n; i++) {
            uint64_t t = a + b;
            a = b;
            b = t;
        }
        s += a;
    }
    return s;
}
static uint64_t xorshift(const struct work *w)
{
    uint64_t x = 88172645463325252u, s = 0;
    for (long i = 0; i < w->n; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        s += x & 63;
    }
    return s;
}

/* variants of each other: what is over the middle is summed, of numbers in random order, or of the
 * same in ascending order */
static void numbers(struct work *w, size_t bytes)
{
    long n = (long)(bytes / 4);
    int32_t *a = w->array[0] = make_array(bytes);
    for (long i = 0; i < n; i++) a[i] = (int32_t)(random_bits() % 1000);
    w->n = w->elements = n;
}
static void ascending(struct work *w, size_t bytes)
{
    numbers(w, bytes);
    int32_t *a = w->array[0];
    for (long i = 0; i < w->n; i++) a[i] = (int32_t)(i * 1000 / w->n);
}
static uint64_t over(const struct work *w)
{
    const int32_t *a = w->array[0];
    int32_t product = 1, count = 0;
    for (long i = 0; i < w->n; i++)
        if (a[i] >= 500) {
            product = product * 3 + a[i];
            count++;
            __asm__ volatile("" : "+r"(count)); /* a branch, whatever the compiler thinks of it */
        }
    return (uint32_t)(product + count);
}
static uint64_t sieve(const struct work *w)
{
    unsigned char *a = w->array[0];
    uint64_t count = 0;
    for (long i = 0; i < w->n; i++) a[i] = 1;
    for (long i = 2; i < w->n; i++) {
        if (!a[i]) continue;
        count++;
        for (long k = 2 * i; k < w->n; k += i) a[k] = 0;
    }
    return count;
}
static void flags(struct work *w, size_t bytes)
{
    w->array[0] = make_array(bytes);
    w->n = w->elements = (long)bytes;
}

const struct kernel integer[] = {
    {"crc", "r", hundred_thousand, crc},
    {"hash", "r", hundred_thousand, hash},
    {"remainder", "r", hundred_thousand, remainder_of},
    {"mask", "r", hundred_thousand, mask_of},
    {"gcd", "r", hundred_thousand, gcd},
    {"collatz", "r", hundred_thousand, collatz},
    {"bits", "r", hundred_thousand, bits},
    {"xorshift", "r", hundred_thousand, xorshift},
    {"fib", "r", calls, fib},
    {"fib_loop", "r", calls, fib_loop},
    {"over_random", "2", numbers, over},
    {"over_ascending", "2", ascending, over},
    {"sieve", "12", flags, sieve},
    {0},
};
