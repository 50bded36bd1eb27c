/* In a window that is larger than what is looked through at every call, others get after a fence
 * what was stored without a call that was handed its address: by assembly and streaming stores that
 * nothing follows, by MPI into long arrays, and in plain sight while nobody else runs, to what was
 * loaded or not. One way a fence, so that none is found by another's look. */
#include "check.h"

#if defined __x86_64__
#include <emmintrin.h>
#endif

enum { BYTES = 1 << 20, AT = 300001, MANY = 3000 };

static unsigned char *window, *plain, *got;
static MPI_Win win;
static int wrong;

static void begin(void)
{
    MPI_Win_fence(0, win);
    if (check_rank == 0) {
        volatile long sum = 0; /* lines in the cache */
        memset(window, 0, BYTES);
        memset(plain, 0, BYTES);
        for (int i = 0; i < BYTES; i += 16) sum += window[i];
    }
    MPI_Win_fence(0, win);
}
static void end(const char *how)
{
    MPI_Win_fence(0, win);
    if (check_rank == 1) MPI_Get(got, BYTES, MPI_BYTE, 0, 0, BYTES, MPI_BYTE, win);
    MPI_Win_fence(0, win);
    if (check_rank == 1) MPI_Send(got, BYTES, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    if (check_rank == 1) return;
    MPI_Recv(got, BYTES, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (memcmp(got, plain, BYTES) == 0) return;
    printf("# lost: %s\n", how);
    wrong++;
}
#define WAY(how, ...)                                                                              \
    do {                                                                                           \
        begin();                                                                                   \
        for (int part = 0; check_rank == 0 && part < 2; part++) {                                  \
            unsigned char *to = part ? plain : window;                                             \
            __VA_ARGS__                                                                            \
        }                                                                                          \
        end(how);                                                                                  \
    } while (0)

int main(int argc, char **argv)
{
    static int zeros[MANY], lengths[MANY], places[MANY];
    check_begin(&argc, &argv, 2);
    MPI_Win_allocate(check_rank ? 0 : BYTES, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    plain = malloc(BYTES), got = malloc(BYTES);
    for (int i = 0; i < MANY; i++) lengths[i] = 1 + i % 2, places[i] = 3 * i;
#if defined __x86_64__
    WAY("assembly", void *at = to + AT; size_t n = 50000;
        __asm__ volatile("rep stosb" : "+D"(at), "+c"(n) : "a"(7) : "memory"););
    WAY("streaming stores",
        for (int i = 0; i < BYTES / 8; i += 512) _mm_stream_si64((long long *)(void *)to + i, i);
        _mm_sfence(););
#endif
    WAY("many stores", for (int i = 0; i < BYTES; i += 1000) to[i] = (unsigned char)(i >> 8););
    WAY("stores to what was loaded", for (int i = 0; i < BYTES; i += 40) to[i] += 1 + i % 7;);
    WAY("MPI_Group_translate_ranks", MPI_Group group; MPI_Comm_group(MPI_COMM_SELF, &group);
        memset(to, 1, sizeof zeros);
        MPI_Group_translate_ranks(group, MANY, zeros, group, (int *)(void *)to);
        MPI_Group_free(&group););
    WAY("MPI_Type_get_contents", MPI_Datatype type; MPI_Datatype none[1]; MPI_Aint nowhere[1];
        MPI_Type_indexed(MANY, lengths, places, MPI_INT, &type);
        MPI_Type_get_contents(type, 2 * MANY + 1, 0, 1, (int *)(void *)to, nowhere, none);
        MPI_Type_free(&type););
    check(!wrong, "in a large window no store is lost that no call's argument points to");
    MPI_Win_free(&win);
    return check_end();
}
