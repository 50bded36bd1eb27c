/* Every way a program can store: what rank 0 stored into its window, rank 1 gets after a fence; and
 * every way it can load: what rank 1 put, rank 0 loads after the fence. On a machine without
 * coherence either fails when an access is not seen. */
#include "seen.h"

static void by_bytes(void)
{
    for (int i = 0; i < 64; i++) w->byte[i] = (unsigned char)(200 - i);
}
static void by_ints(void)
{
    for (int i = 0; i < 40; i++) w->number[i] = opaque * (i - 20);
}
static void by_doubles(void)
{
    for (int i = 0; i < 40; i++) w->real[i] = opaque * 0.5 * i;
}
static void by_zeroing_loop(void)
{
    for (int i = 0; i < 64; i++) w->number[i] = 0;
}
static void by_short_loop(void)
{
    for (int i = 1; i < 5; i++) w->number[i] = 0;
}
static void by_unaligned(void)
{
    for (int i = 0; i < 8; i++) {
        w->odd[i].d = opaque * 3.25 * i;
        w->odd[i].i = opaque * i;
    }
}
static struct three three_from[4] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}, {10, 11, 12}};
static struct pair pair_from[4] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
static struct one one_from[4] = {{-1}, {-2}, {-3}, {-4}};
static struct big big_from;
static void by_three(void)
{
    for (int i = 0; i < 4; i++) w->three[i] = three_from[i];
}
static void by_pair(void)
{
    for (int i = 0; i < 4; i++) w->pair[i] = pair_from[i];
}
static void by_one(void)
{
    for (int i = 0; i < 4; i++) w->one[i] = one_from[i];
}
static void by_big(void)
{
    memset(&big_from, 77, sizeof big_from);
    w->big[opaque] = big_from;
    w->big[3] = w->big[opaque];
}
static void by_literal(void) { w->big[opaque] = (struct big){{0}}; }
static void by_bits(void)
{
    for (int i = 0; i < 8; i++) w->bits[i].b = (unsigned)(opaque * i * 77) & 0x1fff;
}
static void by_volatile(void)
{
    for (int i = 0; i < 8; i++) w->quiet[i] = opaque * i * 1001;
}
static void by_memcpy(void)
{
    memcpy(w->byte + 13, three_from, (size_t)opaque * sizeof three_from);
}
static void by_small_memcpy(void) { memcpy(w->byte + 8, one_from, 8); }
static void by_middle_memcpy(void)
{
    char *end = memcpy(w->byte + 3 + opaque, three_from, 47);
    end[46]++;
}
static void by_large_memcpy(void) { memcpy(w->byte + 5, &big_from, 200); }
static void by_clearing(void)
{
    memset(w->byte + 3, 0, 37);
    memset(w->byte + 50 + opaque, 0, 64);
    memset(w->byte + 130, 0, 90);
}
static void by_memmove(void) { memmove(w->byte + 100, w->byte + 60, (size_t)opaque * 90); }
static void by_memmove_down(void) { memmove(w->byte + 60, w->byte + 100, (size_t)opaque * 90); }
static void by_memset(void) { memset(w->byte + 5, 3, (size_t)opaque * 200); }
static void by_strcpy(void) { strcpy(w->text + 3, "The quick brown fox jumps over the lazy dog"); }
static void by_strncpy(void) { strncpy(w->text + 3, "fox", 40); }
static void by_strcat(void)
{
    w->text[0] = 0;
    for (int i = 0; i < 9; i++) strcat(w->text, "seven--");
    strncat(w->text, "much too long", 4);
}
static void by_sprintf(void)
{
    sprintf(w->text, "%d and %s", opaque * 42, "a longer piece of text");
}
static void by_snprintf(void)
{
    snprintf(w->text, 20, "%d and %s", opaque * 42, "a longer piece of text");
}
static int by_size(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
static void by_qsort(void)
{
    for (int i = 0; i < 50; i++) w->number[i] = i * 37 % 50;
    qsort(w->number, 50, sizeof(int), by_size);
}
static void by_atomics(void)
{
    atomic_store(&w->atomic[0], 7);
    atomic_store(&w->atomic[1], 100);
    atomic_fetch_add(&w->atomic[1], 5);
    atomic_fetch_sub(&w->atomic[1], 1);
    atomic_fetch_or(&w->atomic[2], 1 << 30);
    atomic_fetch_and(&w->atomic[3], 0xff);
    atomic_fetch_xor(&w->atomic[4], -1);
    atomic_exchange(&w->atomic[5], 55);
    int want = atomic_load(&w->atomic[6]);
    atomic_compare_exchange_strong(&w->atomic[6], &want, 66);
    atomic_fetch_add(&w->atomic_long[8], 1L << 40);
    __sync_fetch_and_add(&w->number[30], 3);
}
static void by_fread(void)
{
    FILE *file = tmpfile();
    for (int i = 0; i < 300; i++) fputc(i * 3 & 255, file);
    rewind(file);
    if (fread(w->byte + 7, 1, 300, file) != 300) abort();
    fclose(file);
}
static void by_fgets(void)
{
    FILE *file = tmpfile();
    fputs("a line of some length, longer than one line of the cache\nand another\n", file);
    rewind(file);
    if (!fgets(w->text + 1, 200, file)) abort();
    if (!fgets(w->text + 301, 8, file)) abort();
    fclose(file);
}
/* Two copies in a row, and a copy whose address needs computing between the hooks. */
static void by_copies_in_a_row(void)
{
    for (int i = 0; i < 4; i++) {
        w->one[2 * i + opaque] = one_from[(i * 7 + opaque) & 3];
        w->one[2 * i] = one_from[(i * 5 + opaque) & 3];
    }
}
/* A copy from the window to itself. */
static void by_copies_inside(void)
{
    for (int i = 0; i < 8; i++) w->three[i] = w->three[15 - i];
}

static struct three three_to;
static struct big big_to;
static int of_three(void)
{
    three_to = w->three[opaque];
    return three_to.a + three_to.c;
}
static int of_big(void)
{
    big_to = w->big[opaque];
    return big_to.byte[299] + big_to.byte[0];
}
static int of_unaligned(void) { return w->odd[2].i; }
static int of_strlen(void) { return (int)strlen(w->text) + 1; }
static int of_strcmp(void)
{
    return strcmp(w->text, "abcdefgabcdefgabcdefgabcdefgabcdefgabcdefgabcdefgabcdef!") > 0;
}
static int of_memcmp(void)
{
    return memcmp(w->text, "abcdefgabcdefgabcdefgabcdefgabcdefgabcdefg", 42) == 0;
}
static int of_memchr(void)
{
    const char *p = memchr(w->text, 'f', 4096);
    return p ? (int)(p - w->text) : -1;
}
static int of_strchr(void)
{
    const char *p = strchr(w->text + 40, 'e');
    return p ? (int)(p - w->text) : -1;
}
static int of_strrchr(void)
{
    const char *p = strrchr(w->text, 'c');
    return p ? (int)(p - w->text) : -1;
}
static int of_strstr(void)
{
    const char *p = strstr(w->text + 50, "cde");
    return p ? (int)(p - w->text) : -1;
}
static int of_strdup(void)
{
    char *p = strdup(w->text);
    int n = (int)strlen(p) + p[0];
    free(p);
    return n;
}
static int of_memcpy(void)
{
    int number[20];
    memcpy(number, w->byte + 4, (size_t)opaque * sizeof number);
    return number[0] ^ number[19];
}
static int of_middle_memcpy(void)
{
    int number[11];
    memcpy(number, w->byte + 4 + opaque, sizeof number);
    return number[0] ^ number[10] ^ number[opaque];
}
static int of_atomic(void) { return atomic_load(&w->atomic[3]); }
static int of_fwrite(void)
{
    FILE *file = tmpfile();
    int last = 0;
    fwrite(w, 1, 256, file);
    rewind(file);
    for (int c; (c = fgetc(file)) != EOF;) last = last * 31 + c;
    fclose(file);
    return last;
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
        {"stores of one byte", by_bytes},
        {"stores of four bytes", by_ints},
        {"stores of eight bytes", by_doubles},
        {"a loop that zeroes, which gcc likes to make a memset", by_zeroing_loop},
        {"the same, short enough to be unrolled", by_short_loop},
        {"unaligned stores", by_unaligned},
        {"a copy of a structure of 12 bytes", by_three},
        {"a copy of a structure of 16 bytes", by_pair},
        {"a copy of a structure of 8 bytes", by_one},
        {"a copy of a structure of 300 bytes", by_big},
        {"a structure that is zeroed", by_literal},
        {"two copies in a row", by_copies_in_a_row},
        {"copies inside the window", by_copies_inside},
        {"stores of bit fields", by_bits},
        {"volatile stores", by_volatile},
        {"memcpy", by_memcpy},
        {"memcpy of a constant size", by_small_memcpy},
        {"memcpy of 47 bytes, whose result is used", by_middle_memcpy},
        {"memcpy of 200 bytes", by_large_memcpy},
        {"memset of constant sizes with 0", by_clearing},
        {"memmove up", by_memmove},
        {"memmove down", by_memmove_down},
        {"memset", by_memset},
        {"strcpy", by_strcpy},
        {"strncpy", by_strncpy},
        {"strcat and strncat", by_strcat},
        {"sprintf", by_sprintf},
        {"snprintf", by_snprintf},
        {"qsort", by_qsort},
        {"atomics", by_atomics},
        {"fread", by_fread},
        {"fgets", by_fgets},
    };
    static const struct {
        const char *what;
        int (*load)(void);
    } loads[] = {
        {"loads of a structure of 12 bytes", of_three},
        {"loads of a structure of 300 bytes", of_big},
        {"unaligned loads", of_unaligned},
        {"strlen", of_strlen},
        {"strcmp", of_strcmp},
        {"memcmp", of_memcmp},
        {"memchr", of_memchr},
        {"strchr", of_strchr},
        {"strrchr", of_strrchr},
        {"strstr", of_strstr},
        {"strdup", of_strdup},
        {"memcpy from the window", of_memcpy},
        {"memcpy of 44 bytes from the window", of_middle_memcpy},
        {"atomic loads", of_atomic},
        {"fwrite", of_fwrite},
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
