/* More ways to load and to store, which race detectors leave out: aggregates that calls take and
 * return, vectors, inline assembly, atomics that fail, words across lines, what survives setjmp. */
#include "seen.h"

#include <complex.h>
#include <setjmp.h>

typedef float four __attribute__((vector_size(16), aligned(4)));
typedef double eight __attribute__((vector_size(64), aligned(8)));

static __attribute__((noinline)) struct three make_three(int i)
{
    return (struct three){opaque * i, i + 1, i + 2};
}
static __attribute__((noinline)) struct big make_big(int i)
{
    struct big b;
    for (int k = 0; k < (int)sizeof b.byte; k++) b.byte[k] = (char)(opaque * (i + 3 * k));
    return b;
}
static void by_results(void)
{
    for (int i = 0; i < 9; i++) w->three[i] = make_three(100 - i);
}
static void by_big_results(void)
{
    w->big[1] = make_big(5);
    w->big[opaque + 2] = make_big(6);
}
static void by_vectors(void)
{
    for (int i = 0; i < 7; i++) ((four *)w)[i] = (four){1, 2, 3, 4} * (float)(opaque + i);
}
static void by_long_vectors(void)
{
    for (int i = 0; i < 5; i++)
        ((eight *)(w->real + 1))[i] = (eight){1, 2, 3, 4, 5, 6, 7, 8} * (double)(opaque + i);
}
static void by_wide_numbers(void)
{
    __extension__ typedef unsigned __int128 wide;
    for (int i = 0; i < 6; i++) ((wide *)w)[i] = (wide)(unsigned)(opaque + i) << 60;
    for (int i = 0; i < 6; i++) ((complex double *)w)[20 + i] = opaque * (i - 2.5 * I);
    for (int i = 0; i < 6; i++) ((float complex *)w)[100 + i] = (float)opaque * (i - 2.5f * I);
    char *x87 = (char *)(w->byte + 2048); /* its padding stays */
    for (int i = 0; i < 6; i++) ((long double *)x87)[i] = opaque * 1.25L * i;
}
static void by_words_across_lines(void)
{
    struct __attribute__((packed)) at {
        char skip[29];
        double d;
    } *p = (void *)w;
    for (int i = 0; i < 40; i++) p[i].d = opaque * 1.5 * i;
}
static void by_parts(void)
{
    complex double *z = (void *)w;
    for (int i = 0; i < 20; i++) __real__ z[i] = opaque * i;
    for (int i = 0; i < 20; i += 3) __imag__ z[i] = opaque * -i;
}
static void by_condition(void)
{
    for (int i = 0; i < 900; i++)
        if (w->number[i & 63] % 3 == opaque) w->number[i & 63] = i;
}
static void by_assembly(void)
{
#if defined __x86_64__
    for (int i = 0; i < 40; i++) __asm__("movl %1, %0" : "=m"(w->number[i]) : "r"(opaque * 7 * i));
    for (int i = 0; i < 40; i++) __asm__("addl $5, %0" : "+m"(w->number[i]) : : "cc");
    for (int i = 0; i < 8; i++)
        __asm__("movl %3, %0; addl %3, %1; movl %3, %2"
                : "=m"(w->number[100 + i]), "+m"(w->number[200 + i]), "=m"(w->number[300 + i])
                : "r"(opaque * i)
                : "cc");
#else
    by_condition();
#endif
}
static void by_variable_length(void)
{
    int n = opaque * 37;
    char text[n];
    for (int i = 0; i < n; i++) text[i] = (char)(i * i);
    memcpy(w->text + 9, text, (size_t)n);
    for (int i = 0; i < n; i++) w->text[1000 + i] = text[n - 1 - i];
}
static void by_computed_goto(void)
{
    static const void *const way[] = {&&one, &&two, &&out};
    int i = 0;
    goto *way[i & 1];
one:
    w->number[i] = opaque * 3 * i;
    i++;
    goto *way[i == 60 ? 2 : i & 1];
two:
    w->number[i] = opaque * -i;
    i++;
    goto *way[i == 60 ? 2 : i & 1];
out:
    w->number[i] = 1;
}
static jmp_buf back;
static __attribute__((noinline)) void leap(int i)
{
    w->number[i] = -i;
    longjmp(back, i + 1);
}
static void by_jumps(void)
{
    int i = setjmp(back);
    w->number[100 + i] = i;
    if (i < 20) leap(i);
    w->number[200] = i;
}
static void by_exchanges(void)
{
    for (int i = 0; i < 16; i++) {
        int want = i % 2 ? atomic_load(&w->atomic[i]) : 12345;
        atomic_compare_exchange_strong(&w->atomic[i], &want, 77 + i);
        atomic_fetch_add(&w->atomic_long[20 % 16], want != 12345);
    }
    __sync_bool_compare_and_swap(&w->number[40], w->number[40], 4040);
    __sync_val_compare_and_swap(&w->number[41], -1, 4141);
    atomic_fetch_or(&w->atomic[3], 64);
    if (!(atomic_fetch_or(&w->atomic[9], 1 << 20) & 1 << 20)) w->number[50] = 9;
    if (atomic_fetch_sub(&w->atomic[5], 1) == 1) w->number[51] = 9;
    char flag = (char)__atomic_test_and_set(&w->byte[3000], __ATOMIC_SEQ_CST);
    w->byte[3001] = (unsigned char)flag;
    __atomic_clear(&w->byte[3002], __ATOMIC_SEQ_CST);
    __atomic_store_n(&w->byte[3003], 9, __ATOMIC_RELAXED);
}
/* A compare-exchange that fails stores what it found into the expected value. */
static void by_failed_exchange(void)
{
    static _Atomic int other = 5;
    for (int i = 0; i < 16; i++) atomic_compare_exchange_strong(&other, &w->number[i], 6);
    other = 5;
}
static void by_sums(void)
{
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < 500; i++) w->byte[i] = (unsigned char)(w->byte[i] + i * opaque);
}

static __attribute__((noinline)) int of_argument(struct three t) { return t.a * 5 + t.b * 3 + t.c; }
static __attribute__((noinline)) int of_big_argument(struct big b)
{
    return b.byte[0] + 3 * b.byte[77] + 5 * b.byte[299];
}
static int of_arguments(void) { return of_argument(w->three[3]); }
static int of_big_arguments(void) { return of_big_argument(w->big[opaque]); }
static __attribute__((noinline)) struct three returned(void) { return w->three[opaque]; }
static __attribute__((noinline)) struct big big_returned(void) { return w->big[opaque]; }
static int of_result(void) { return returned().b + 1; }
static int of_big_result(void) { return big_returned().byte[250]; }
static int of_vectors(void)
{
    four sum = {0};
    for (int i = 0; i < 4; i++) sum += ((four *)w)[i] * 1e-12f;
    union {
        four f;
        int i[4];
    } u = {.f = sum};
    return u.i[0] ^ u.i[3];
}
static int of_assembly(void)
{
    int sum = 0;
#if defined __x86_64__
    for (int i = 0; i < 20; i++) __asm__("addl %1, %0" : "+r"(sum) : "m"(w->number[i]) : "cc");
#else
    for (int i = 0; i < 20; i++) sum += w->number[i];
#endif
    return sum;
}
static int of_bits(void) { return (int)(w->bits[3].b * 8 + w->bits[3].a); }
static int of_expected(void)
{
    int want = 'a';
    atomic_compare_exchange_strong(&w->atomic[2], &want, 1);
    return want == 0 ? 1 : want;
}
static int of_words_across_lines(void)
{
    long long x;
    memcpy(&x, w->byte + 30, sizeof x);
    return (int)(x ^ x >> 32);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    w = aligned_alloc(4096, sizeof *w);
    MPI_Win_create(w, sizeof *w, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    static const struct {
        const char *what;
        action store;
    } stores[] = {
        {"structures that a call returns", by_results},
        {"large structures that a call returns", by_big_results},
        {"vectors of 16 bytes", by_vectors},
        {"vectors of 64 bytes", by_long_vectors},
        {"numbers of 16 bytes", by_wide_numbers},
        {"words across lines", by_words_across_lines},
        {"real and imaginary parts", by_parts},
        {"stores under a condition", by_condition},
        {"inline assembly", by_assembly},
        {"arrays of variable length", by_variable_length},
        {"computed goto", by_computed_goto},
        {"setjmp and longjmp", by_jumps},
        {"atomics that fail and that do not", by_exchanges},
        {"what an exchange that fails found", by_failed_exchange},
        {"sums in place", by_sums},
    };
    static const struct {
        const char *what;
        int (*load)(void);
    } loads[] = {
        {"loads of a structure that is an argument", of_arguments},
        {"loads of a large structure that is an argument", of_big_arguments},
        {"loads of a structure that is a result", of_result},
        {"loads of a large structure that is a result", of_big_result},
        {"loads of vectors", of_vectors},
        {"loads by inline assembly", of_assembly},
        {"loads of bit-fields", of_bits},
        {"loads by an exchange that fails", of_expected},
        {"loads of words across lines", of_words_across_lines},
    };
    for (size_t i = 0; i < sizeof stores / sizeof stores[0]; i++)
        stored(stores[i].what, stores[i].store);
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++)
        loaded(loads[i].what, loads[i].load);
    MPI_Win_free(&win);
    free(w);
    MPI_Finalize();
    return 0;
}
