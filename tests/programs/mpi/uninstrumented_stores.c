/* Every way in which code that nobody instrumented (the C library, MPI, inline assembly) stores
 * into a window is seen: what another rank gets after a fence is what the same way leaves in plain
 * memory. Each way has an item of its own in the window of rank 0, whose lines rank 0 had in its
 * cache before; it also loads the item at once, and stores beside what the way stored. */
#define _GNU_SOURCE
#include "uninstrumented_stores.h"

/* MPI's own arguments */
WAY(by_comm_size, MPI_Comm_size(MPI_COMM_SELF, p->n);)
WAY(by_comm_rank, p->n[0] = 9; MPI_Comm_rank(MPI_COMM_SELF, p->n);)
WAY(by_comm_name, int n; MPI_Comm_get_name(MPI_COMM_WORLD, p->text, &n);)
WAY(by_comm_name_length, char s[MPI_MAX_OBJECT_NAME]; MPI_Comm_get_name(MPI_COMM_WORLD, s, p->n);)
WAY(by_processor_name, char s[MPI_MAX_PROCESSOR_NAME]; MPI_Get_processor_name(s, p->n);)
WAY(by_comm_attr, void *value; MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &value, p->n);)
WAY(by_attr_value, int flag; int key; static int mine = 5;
    MPI_Comm_create_keyval(copy_key, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, &mine);
    MPI_Comm_get_attr(MPI_COMM_SELF, key, &p->pointer, &flag); p->n[0] = *(int *)p->pointer;
    p->pointer = NULL; MPI_Comm_delete_attr(MPI_COMM_SELF, key); MPI_Comm_free_keyval(&key);)
WAY(by_type_size, MPI_Type_size(MPI_DOUBLE, p->n);)
WAY(by_type_extent, MPI_Aint low; MPI_Type_get_extent(MPI_DOUBLE, &low, (MPI_Aint *)p->longs);)
WAY(by_type_name, int n; MPI_Type_get_name(MPI_DOUBLE, p->text, &n);)
WAY(by_group_rank, MPI_Group g; MPI_Comm_group(MPI_COMM_SELF, &g); MPI_Group_size(g, p->n);
    MPI_Group_free(&g);)
WAY(by_translate, MPI_Group g; int one[1] = {0}; MPI_Comm_group(MPI_COMM_SELF, &g); p->n[0] = 6;
    MPI_Group_translate_ranks(g, 1, one, g, p->n); MPI_Group_free(&g);)
WAY(by_error_string, int n; MPI_Error_string(MPI_ERR_RANK, p->text, &n);
    memset(p->text + n, 0, sizeof p->text - (size_t)n);)
WAY(by_error_class, MPI_Error_class(MPI_ERR_RANK, p->n);)
WAY(by_initialized, MPI_Initialized(p->n);)
WAY(by_version, MPI_Get_version(p->n, p->n + 1);)
WAY(by_query_thread, p->n[0] = -1; MPI_Query_thread(p->n);)
WAY(by_get_address, static int x; MPI_Get_address(&x, (MPI_Aint *)p->longs);
    p->longs[0] = !!p->longs[0];)
WAY(by_info_get, MPI_Info i; int flag; MPI_Info_create(&i); MPI_Info_set(i, "k", "value");
    MPI_Info_get(i, "k", 20, p->text, &flag); MPI_Info_free(&i);)
WAY(by_info_nkeys, MPI_Info i; MPI_Info_create(&i); MPI_Info_set(i, "k", "value");
    MPI_Info_get_nkeys(i, p->n); MPI_Info_free(&i);)
WAY(by_dims_create, p->n[0] = p->n[1] = 0; MPI_Dims_create(12, 2, p->n);)
VARIES(by_status, int in; int out = 4;
       MPI_Sendrecv(&out, 1, MPI_INT, 0, 3, &in, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &p->u.status);)
WAY(by_get_count, int in; int out = 4; MPI_Status s;
    MPI_Sendrecv(&out, 1, MPI_INT, 0, 3, &in, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &s);
    MPI_Get_count(&s, MPI_BYTE, p->n);)
VARIES(by_type_handle, MPI_Type_contiguous(3, MPI_INT, (MPI_Datatype *)&p->pointer);
       MPI_Type_free((MPI_Datatype *)&p->pointer); p->n[0] = 1;)
VARIES(by_comm_handle, MPI_Comm_dup(MPI_COMM_SELF, (MPI_Comm *)&p->pointer);
       MPI_Comm_free((MPI_Comm *)&p->pointer); p->n[0] = 1;)
WAY(by_request, int x = 3; int in = 0;
    MPI_Irecv(&in, 1, MPI_INT, 0, 8, MPI_COMM_SELF, (MPI_Request *)&p->pointer);
    MPI_Send(&x, 1, MPI_INT, 0, 8, MPI_COMM_SELF);
    MPI_Wait((MPI_Request *)&p->pointer, MPI_STATUS_IGNORE); p->n[0] = in;)
VARIES(by_iprobe_flag, int x = 3; int in; MPI_Request r;
       MPI_Isend(&x, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &r);
       for (p->n[0] = 0; !p->n[0];) MPI_Iprobe(0, 9, MPI_COMM_SELF, p->n, &p->u.status);
       MPI_Recv(&in, 1, MPI_INT, 0, 9, MPI_COMM_SELF, MPI_STATUS_IGNORE);
       MPI_Wait(&r, MPI_STATUS_IGNORE);)
WAY(by_testing, int x = 3; int in; MPI_Request r;
    MPI_Irecv(&in, 1, MPI_INT, 0, 9, MPI_COMM_SELF, &r);
    MPI_Send(&x, 1, MPI_INT, 0, 9, MPI_COMM_SELF);
    for (p->n[0] = 0; !p->n[0];) MPI_Test(&r, p->n, MPI_STATUS_IGNORE);)
WAY(by_window_handle, static int x; static MPI_Win w;
    MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_SELF, (MPI_Win *)&p->pointer);
    w = (MPI_Win)p->pointer; MPI_Win_free(&w); p->pointer = NULL; p->n[0] = 2;)
WAY(by_window_attribute, static int x; MPI_Win w; MPI_Aint * size;
    MPI_Win_create(&x, sizeof x, 1, MPI_INFO_NULL, MPI_COMM_SELF, &w);
    MPI_Win_get_attr(w, MPI_WIN_SIZE, &size, p->n); MPI_Win_free(&w);)
WAY(by_recv_into, int out[4] = {1, 2, 3, 4};
    MPI_Sendrecv(out, 4, MPI_INT, 0, 3, p->n, 4, MPI_INT, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);)
VARIES(by_ibcast, MPI_Request r; int x[2] = {5, 6};
       MPI_Iallreduce(x, p->n, 2, MPI_INT, MPI_SUM, MPI_COMM_SELF, &r);
       MPI_Wait(&r, MPI_STATUS_IGNORE);)
WAY(by_unpack, char s[32]; int at = 0; int x = 11;
    MPI_Pack(&x, 1, MPI_INT, s, 32, &at, MPI_COMM_SELF); p->n[1] = 0;
    MPI_Unpack(s, 32, p->n + 1, p->n, 1, MPI_INT, MPI_COMM_SELF);)
WAY(by_pack_position, char s[32]; int x = 11; p->n[0] = 0;
    MPI_Pack(&x, 1, MPI_INT, s, 32, p->n, MPI_COMM_SELF);)
#if defined __x86_64__
#include <emmintrin.h>
WAY(by_assembly, __asm__ volatile("movq %1, (%0)" : : "r"(p->longs), "r"(4711l) : "memory");)
WAY(by_assembly_operand, __asm__ volatile("movl $12, %0" : "=m"(p->n[0]));)
WAY(by_assembly_string, void *to = p->text; size_t n = 16;
    __asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"('r') : "memory");)
WAY(by_stream, _mm_stream_si32(p->n, 123); _mm_sfence();)
WAY(by_stream_long, _mm_stream_si64((long long *)p->longs, 12345); _mm_sfence();)
WAY(by_stream_vector, _mm_stream_si128((__m128i *)(void *)p->text, _mm_set1_epi32(77));
    _mm_sfence();)
WAY(by_stream_real, _mm_stream_pd((double *)(void *)p->text, _mm_set1_pd(1.25)); _mm_sfence();)
WAY(by_maskmove, _mm_maskmoveu_si128(_mm_set1_epi8(3), _mm_set_epi32(-1, 0, -1, 0), p->text);)
WAY(by_storeu, _mm_storeu_si128((__m128i *)(void *)(p->text + 3), _mm_set1_epi32(9));)
WAY(by_storel, _mm_storel_epi64((__m128i *)(void *)p->text, _mm_set1_epi32(19));)
WAY(by_fxsave, __asm__ volatile("fnstcw %0" : "=m"(p->text[0]));)
#endif
#if defined __AVX2__
#include <immintrin.h>
WAY(by_maskstore, _mm_maskstore_epi32(p->n, _mm_set_epi32(-1, 0, -1, 0), _mm_set1_epi32(6));)
WAY(by_maskstore_wide,
    _mm256_maskstore_pd(p->reals, _mm256_set_epi64x(-1, 0, -1, 0), _mm256_set1_pd(6.5));)
WAY(by_maskstore_single,
    _mm_maskstore_ps(p->small, _mm_set_epi32(-1, 0, -1, 0), _mm_set1_ps(6.5f));)
WAY(by_stream_wide, _mm256_stream_si256((__m256i *)(void *)p->text, _mm256_set1_epi32(78));
    _mm_sfence();)
#endif

enum { MOST = 256 };

/* What is left of an item that a way has stored into; the same for all but for what differs between
 * two runs of a way. */
static void begin(struct item *p) { memset(p, 0x5a, sizeof *p); }

static int differ(const char *name, const struct item *a, const struct item *b, const char *what)
{
    if (memcmp(a, b, sizeof *a) == 0) return 0;
    size_t i = 0;
    while (((const char *)a)[i] == ((const char *)b)[i]) i++;
    printf("# %s: byte %zu %s\n", name, i, what);
    return 1;
}

int main(int argc, char **argv)
{
    static struct item plain[MOST], seen[MOST], got[MOST], untouched;
    const int n = (int)(__stop_ways - __start_ways);
    const MPI_Aint bytes = n * (MPI_Aint)sizeof(struct item);
    struct item *window;
    MPI_Win win;
    int wrong = 0;
    check_begin(&argc, &argv, 2);
    if (check_rank == 0) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) wrong++;
        file = fmemopen((void *)"word 34 and more of the line\nsecond\n", 36, "r");
        FILE *f = tmpfile();
        fputs("word 34 and more of the line\nsecond\n", f);
        if (file) fclose(file);
        file = f;
    }
    begin(&untouched);
    MPI_Win_allocate(check_rank ? 0 : bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    for (int i = 0; check_rank == 0 && i < n; i++) begin(&window[i]), begin(&plain[i]);
    MPI_Win_fence(0, win);
    unsigned long sum = 0; /* lines in the cache */
    for (MPI_Aint i = 0; check_rank == 0 && i < bytes; i++)
        sum += ((const volatile unsigned char *)window)[i];
    for (int i = 0; check_rank == 0 && i < n; i++) {
        __start_ways[i]->way(&plain[i]);
        __start_ways[i]->way(&window[i]);
        seen[i] = window[i];
    }
    MPI_Win_fence(0, win);
    if (check_rank == 1) MPI_Get(got, bytes, MPI_BYTE, 0, 0, bytes, MPI_BYTE, win);
    MPI_Win_fence(0, win);
    if (check_rank == 1) MPI_Send(got, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    if (check_rank == 0) MPI_Recv(got, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; check_rank == 0 && i < n; i++) {
        const struct way *w = __start_ways[i];
        if (memcmp(&plain[i], &untouched, sizeof untouched) == 0) {
            printf("# %s stores nothing\n", w->name);
            wrong++;
        }
        if (!w->varies) wrong += differ(w->name, &plain[i], &seen[i], "is not plain memory's");
        wrong += differ(w->name, &seen[i], &got[i], "is lost");
    }
    check(!wrong && (check_rank || sum > 0),
          "after a fence another rank gets what each way has stored into a window");
    check(check_rank || n >= 153, "there are 153 ways at least");
    MPI_Win_free(&win);
    return check_end();
}
