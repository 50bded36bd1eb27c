/* Touches objects so often as it then prints: one at a time, by turns, around calls, blocks that
 * have an address one after the other, an array on the stack. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 64, TIMES = 5000 };
static volatile long alone[WORDS] __attribute__((aligned(64))), later[WORDS], turn0[WORDS],
    turn1[WORDS], turn2[WORDS], turn3[WORDS], turn4[WORDS], turn5[WORDS], turn6[WORDS],
    read_only[WORDS], write_only[WORDS], called[WORDS], caller[WORDS], small0, small1, small2;

static __attribute__((noinline)) void from_inside(int i)
{
    for (int k = 0; k < 10; k++) called[(i + k) % WORDS]++;
}

static __attribute__((noinline)) void on_the_stack(void)
{
    volatile long local[WORDS];
    for (int i = 0; i < TIMES; i++) local[i % WORDS] = i;
}

static __attribute__((noinline)) void blocks(void)
{
    for (int i = 0; i < TIMES / 10; i++) {
        volatile long *first = malloc(WORDS * sizeof *first);
        for (int k = 0; k < 100; k++) first[k % WORDS] = k;
        free((void *)first);
        volatile long *second = malloc(WORDS * sizeof *second);
        for (int k = 0; k < 200; k++) second[k % WORDS] = k;
        free((void *)second);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int i = 0; i < TIMES; i++) alone[i % WORDS]++;
    for (int i = 0; i < TIMES; i++) {
        turn0[i % WORDS]++, turn1[i % WORDS]++, turn2[i % WORDS]++, turn3[i % WORDS]++;
        turn4[i % WORDS]++, turn5[i % WORDS]++, turn6[i % WORDS]++;
    }
    for (int i = 0; i < TIMES; i++) later[i % WORDS]++;
    for (int i = 0; i < TIMES; i++) write_only[i % WORDS] = read_only[i % WORDS];
    for (int i = 0; i < TIMES; i++) {
        caller[i % WORDS]++;
        from_inside(i);
        caller[(i + 1) % WORDS]++;
    }
    for (int i = 0; i < TIMES; i++) small0++, small1 = i, small2++;
    on_the_stack();
    blocks();
    const char *const both[] = {"alone", "turn0", "turn1", "turn2",  "turn3", "turn4",
                                "turn5", "turn6", "later", "small0", "small2"};
    for (size_t i = 0; i < sizeof both / sizeof *both; i++)
        printf("static\t%s\t%d\n", both[i], 2 * TIMES);
    printf("static\tread_only\t%d\nstatic\twrite_only\t%d\nstatic\tsmall1\t%d\n", TIMES, TIMES,
           TIMES);
    printf("static\tcaller\t%d\nstatic\tcalled\t%d\n", 4 * TIMES, 20 * TIMES);
    printf("stack\tin on_the_stack\t%d\n", TIMES);
    printf("heap\tfirst\t%d\nheap\tsecond\t%d\n", 10 * TIMES, 20 * TIMES);
    MPI_Finalize();
    return 0;
}
